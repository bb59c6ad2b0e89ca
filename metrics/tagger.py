"""Tags of a reply, whoever can give them, and the figures made of them. They describe replies; nobody optimises them.

The mechanisms and their levels are those of EPITOME (Sharma et al. 2020), the intents those of Welivita & Pu (2020).
EmoAcc, IntentAcc and diff-EPITOME follow Lee et al. (2022): the first two are different figures, though published work
has called either one "I-ACC".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from types import MappingProxyType
from typing import Any, Protocol

from metrics.score import Score
from programs.errors import TraceError
from programs.manifest import canonical_json
from programs.vocabulary import EMOTIONS, INTENTS, MECHANISMS

LEVELS = (0, 1, 2)
"""A mechanism is absent, weak or strong."""
_NONE: Mapping[str, int] = MappingProxyType({})


class TaggerError(TraceError):
    """A tagger cannot be used as it stands, or figures of two taggers would be mixed."""


@dataclass(frozen=True, slots=True)
class Tags:
    """What a tagger reads from one reply: everything, or nothing and why.

    Raises:
        ValueError: a label is none of its closed set, a level is missing, or tags stand beside a reason.
    """

    emotion: str | None = None
    """One of the 32, as the reply itself sounds."""
    levels: Mapping[str, int] = field(default_factory=lambda: _NONE, hash=False)
    """0, 1 or 2 for each of `MECHANISMS`."""
    intent: str | None = None
    """One of the nine."""
    reason: str = ""
    """Why nothing was read; empty where something was."""

    def __post_init__(self) -> None:
        if self.reason:
            if self.emotion is not None or self.levels or self.intent is not None:
                raise ValueError("tags with a reason for having none")
            return
        if self.emotion not in EMOTIONS or self.intent not in INTENTS:
            raise ValueError(f"no such emotion or intent: {self.emotion!r}, {self.intent!r}")
        if self.levels.keys() != set(MECHANISMS) or not set(self.levels.values()) <= set(LEVELS):
            raise ValueError(f"a level from 0 to 2 for each of {', '.join(MECHANISMS)}, not {dict(self.levels)}")
        object.__setattr__(self, "levels", MappingProxyType(dict(self.levels)))


class Tagger(Protocol):
    """Whoever can tag replies."""

    def identity(self) -> dict[str, Any]:
        """Plain JSON with `backend` ("linear" or "llm"), and whatever else can change a tag; equal ones tag alike."""

    def emotions(self, texts: Sequence[str]) -> list[str | None]:
        """How each text sounds, one of the 32; None where nothing could be read."""

    def tag(self, posts: Sequence[str], replies: Sequence[str]) -> list[Tags]:
        """The tags of each reply to its post; raises ValueError where the two differ in number."""


def same_backend(identities: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The one identity that all figures of a table come from.

    Raises:
        TaggerError: two taggers differ: their levels and labels mean different things.
        ValueError: there is none.
    """
    distinct = {canonical_json(identity): dict(identity) for identity in identities}
    if not distinct:
        raise ValueError("no tagger to compare")
    if len(distinct) > 1:
        names = ", ".join(str(identity.get("backend", "unknown")) for identity in distinct.values())
        raise TaggerError(f"figures of different taggers ({names}) cannot stand in one table: tag all with one of them")
    return next(iter(distinct.values()))


def emotion_accuracy(replies: Sequence[Tags], emotions: Sequence[str | None]) -> list[Score]:
    """EmoAcc, by item: 1 where the emotion read from the reply is the dialogue's label, else 0.

    Args:
        replies: tags of the replies.
        emotions: the label of each dialogue, None where it has none.
    """
    return [_agreement(one, one.emotion, label) for one, label in zip(replies, emotions, strict=True)]


def intent_agreement(replies: Sequence[Tags], golds: Sequence[Tags | None]) -> list[Score]:
    """IntentAcc, by item: 1 where reply and gold reply have the same one of nine intents, else 0.

    Args:
        replies: tags of the replies.
        golds: tags of the gold replies by the same tagger, None where there is no gold reply.
    """
    return [
        _agreement(one, one.intent, gold.intent if gold else None) for one, gold in zip(replies, golds, strict=True)
    ]


def presence(replies: Sequence[Tags]) -> dict[str, list[Score]]:
    """By mechanism and item: 1 where it is there at all (level 1 or 2), else 0."""
    return {name: [_present(one, name) for one in replies] for name in MECHANISMS}


def epitome_levels(replies: Sequence[Tags]) -> dict[str, list[float | None]]:
    """By mechanism and item: the level, 0 to 2; None where the reply is not tagged, for the reason its tags give."""
    return {name: [None if one.reason else float(one.levels[name]) for one in replies] for name in MECHANISMS}


def diff_epitome(replies: Sequence[Tags], golds: Sequence[Tags | None]) -> dict[str, list[float | None]]:
    """By mechanism and item: (level of the reply - level of the gold reply)^2, in [0, 4]; lower is better.

    The figure is the mean over items. Under "average" stands each item's mean over the three mechanisms, whose mean is
    the average of the three figures. None where one side is not tagged, for the reason its tags give.
    """
    gaps = [_gaps(one, gold) for one, gold in zip(replies, golds, strict=True)]
    return {name: [None if gap is None else gap[name] for gap in gaps] for name in (*MECHANISMS, "average")}


def means(columns: Mapping[str, Sequence[float | None]]) -> dict[str, float | None]:
    """The mean of each column of `epitome_levels` or `diff_epitome` over the items with a value; None without one."""
    known = {name: [value for value in values if value is not None] for name, values in columns.items()}
    return {name: fmean(values) if values else None for name, values in known.items()}


def _agreement(tags: Tags, found: str | None, wanted: str | None) -> Score:
    if found is None:
        return Score.unscored(tags.reason)
    return Score.unscored("there is no gold label") if wanted is None else Score.of(float(found == wanted))


def _present(tags: Tags, name: str) -> Score:
    return Score.unscored(tags.reason) if tags.reason else Score.of(float(tags.levels[name] > 0))


def _gaps(tags: Tags, gold: Tags | None) -> dict[str, float] | None:
    if gold is None or tags.reason or gold.reason:
        return None
    apart = {name: float((tags.levels[name] - gold.levels[name]) ** 2) for name in MECHANISMS}
    return {**apart, "average": fmean(apart.values())}
