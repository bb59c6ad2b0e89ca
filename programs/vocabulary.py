"""The closed sets every stage speaks in, with a one-line gloss for each label.

Sources: the 32 emotions of EmpatheticDialogues (Rashkin et al. 2019); their six-way view and the cause categories of
TRACE (arXiv 2509.21849); the mechanisms of EPITOME (Sharma et al. 2020); the response intents of Welivita & Pu (2020).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

VERSION = "1"
"""Raised whenever a label is added, removed or renamed: a version compiled under another one is refused."""

Emotion = Literal[
    "afraid",
    "angry",
    "annoyed",
    "anticipating",
    "anxious",
    "apprehensive",
    "ashamed",
    "caring",
    "confident",
    "content",
    "devastated",
    "disappointed",
    "disgusted",
    "embarrassed",
    "excited",
    "faithful",
    "furious",
    "grateful",
    "guilty",
    "hopeful",
    "impressed",
    "jealous",
    "joyful",
    "lonely",
    "nostalgic",
    "prepared",
    "proud",
    "sad",
    "sentimental",
    "surprised",
    "terrified",
    "trusting",
]
BasicEmotion = Literal["anger", "fear", "disgust", "happiness", "sadness", "surprise"]
Category = Literal["connection", "conflict", "loss", "achievement", "threat", "novelty"]
Mechanism = Literal["emotional reaction", "interpretation", "exploration"]
Support = Literal["emotional reaction", "interpretation", "exploration", "none"]
Intent = Literal[
    "questioning",
    "acknowledging",
    "agreeing",
    "consoling",
    "encouraging",
    "sympathizing",
    "suggesting",
    "wishing",
    "neutral",
]
Stance = Literal["mirror", "soften", "counter"]

EMOTIONS: tuple[str, ...] = get_args(Emotion)
BASIC_EMOTIONS: tuple[str, ...] = get_args(BasicEmotion)
CATEGORIES: tuple[str, ...] = get_args(Category)
MECHANISMS: tuple[str, ...] = get_args(Mechanism)
SUPPORTS: tuple[str, ...] = get_args(Support)
INTENTS: tuple[str, ...] = get_args(Intent)
STANCES: tuple[str, ...] = get_args(Stance)

_SIX_WAY = {
    "happiness": "joyful excited proud grateful content impressed caring trusting faithful hopeful confident"
    " sentimental",
    "sadness": "sad lonely disappointed devastated nostalgic guilty ashamed embarrassed",
    "anger": "angry furious annoyed jealous",
    "fear": "afraid terrified anxious apprehensive",
    "disgust": "disgusted",
    # TRACE leaves `prepared` out; it is kept here, beside `anticipating`.
    "surprise": "surprised anticipating prepared",
}
BASIC: Mapping[str, str] = MappingProxyType(
    {emotion: basic for basic, emotions in _SIX_WAY.items() for emotion in emotions.split()}
)
"""The six-way view of each of the 32 emotions; derived, never asked of a model."""

GLOSS: Mapping[str, str] = MappingProxyType(
    {
        "afraid": "a danger that is here now",
        "angry": "a wrong that matters",
        "annoyed": "a small thing that keeps grating",
        "anticipating": "waiting for something ahead and turning it over",
        "anxious": "an uncertain outcome that gnaws",
        "apprehensive": "doubt before one definite step",
        "ashamed": "own failing, seen from within",
        "caring": "looking after someone",
        "confident": "sure that it will go well",
        "content": "calm, nothing missing",
        "devastated": "a loss that takes the ground away",
        "disappointed": "a hope that was not met",
        "disgusted": "repelled by something foul",
        "embarrassed": "awkward because others saw",
        "excited": "cannot wait for something wanted",
        "faithful": "staying true to a person or a promise",
        "furious": "rage that can hardly be held in",
        "grateful": "moved by a kindness received",
        "guilty": "sorry for a harm done to someone",
        "hopeful": "something ahead may turn out well",
        "impressed": "struck by the skill of someone else",
        "jealous": "wanting what another has",
        "joyful": "happy right now",
        "lonely": "nobody there",
        "nostalgic": "a good time that is gone",
        "prepared": "ready, everything is in place",
        "proud": "glad of what oneself or someone close achieved",
        "sad": "a plain loss or a low time",
        "sentimental": "tender about a keepsake or a moment",
        "surprised": "did not see it coming",
        "terrified": "fear that overwhelms",
        "trusting": "relying on someone",
        "connection": "closeness, kindness, belonging",
        "conflict": "a wrong, a quarrel, an injustice, own wrongdoing",
        "loss": "something or someone gone, a failure, a rejection",
        "achievement": "a success, a skill, being ready",
        "threat": "a danger or a feared outcome",
        "novelty": "the unexpected, the strange, something new ahead",
        "emotional reaction": "warmth or shared feeling said first",
        "interpretation": "saying in fresh words what this is like for them",
        "exploration": "asking one gentle thing that was left unsaid",
        "none": "no second mechanism",
        "questioning": "asks to learn more",
        "acknowledging": "shows that this is understood",
        "agreeing": "sides with their view",
        "consoling": "eases a hurt",
        "encouraging": "strengthens them for what comes",
        "sympathizing": "shares their sorrow or anger",
        "suggesting": "offers an idea they asked for",
        "wishing": "congratulates or wishes well",
        "neutral": "plain small talk",
        "mirror": "shares the feeling",
        "soften": "stays with the feeling and calms it",
        "counter": "sets another feeling beside it",
    }
)
"""What each label means, in one noun phrase."""


def canonical(label: str, allowed: tuple[str, ...]) -> str | None:
    """The member of `allowed` that `label` spells, whatever its case, spacing, underscores or quotes; None if none."""
    folded = " ".join(label.replace("_", " ").strip(" \t\r\n.,;:!\"'`").split()).casefold()
    return next((member for member in allowed if member.casefold() == folded), None)
