"""A folder of made-up research data that the linear tagger can be trained on in seconds."""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from programs.vocabulary import MECHANISMS

_THINGS = [
    "piano",
    "kettle",
    "ladder",
    "parcel",
    "garden",
    "ticket",
    "lantern",
    "saddle",
    "bicycle",
    "window",
    "violin",
    "apron",
]
_FEELINGS = {
    "proud": "I am proud that I mended the {0} all alone, it shines and works",
    "afraid": "I am scared of the dark noise behind the {0} at night, it creeps",
    "jealous": "I envy my neighbour for the new {0}, I want one just like hers",
}
_SHOWN = {
    "emotional reaction": ("I am terribly sorry about your poor {0}.", "Oh dear, the {0}."),
    "interpretation": ("You must feel left behind without the {0}.", "I get it, a {0} matters."),
    "exploration": ("What would help you feel safe near the {0}?", "Which {0} was that?"),
}
_MEANT = {
    "questioning": "Where did you find the {0}?",
    "sympathizing": "I am so sorry to hear about the {0}.",
    "wishing": "Congratulations on the {0}, all the best!",
}
PLAIN = "The {0} stands on the shelf."
Rows = list[dict[str, Any]]


def talks(split: str) -> Rows:
    """Conversations of three emotions, in the words of one split."""
    return [
        {
            "conv_id": f"{split}:{emotion}:{thing}",
            "emotion": emotion,
            "situation": words.format(thing) + f", {split}",
            "turns": [
                {"role": "speaker", "text": words.format(f"{split} {thing}")},
                {"role": "listener", "text": "Tell me more."},
                {"role": "speaker", "text": f"That is all about the {thing}."},
            ],
        }
        for thing in _THINGS
        for emotion, words in _FEELINGS.items()
    ]


def ratings() -> Rows:
    """54 replies to 27 posts, every combination of levels twice."""
    return [_rated(number) for number in range(54)]


def _rated(number: int) -> dict[str, Any]:
    thing = _THINGS[number % len(_THINGS)]
    levels = (number % 3, number // 3 % 3, number // 9 % 3)
    said = {
        name: _SHOWN[name][2 - level].format(thing) for name, level in zip(MECHANISMS, levels, strict=True) if level
    }
    row: dict[str, Any] = {"sp_id": f"post{number // 2}", "response": " ".join([PLAIN.format(thing), *said.values()])}
    for column, name, level in zip(("er", "ip", "ex"), MECHANISMS, levels, strict=True):
        row |= {column: level, f"{column}_rationales": [said[name]] if level else []}
    return row


def meanings(*things: str, split: str | None = "train") -> Rows:
    """A reply of each of three intents about each thing."""
    return [
        {"text": words.format(thing), "intent": intent, "ed_split": split}
        for thing in things or _THINGS
        for intent, words in _MEANT.items()
    ]


def files() -> dict[str, Rows]:
    """Every file of the folder, by name."""
    return {
        **{f"empathetic_dialogues/{split}": talks(split) for split in ("train", "valid", "test")},
        "epitome/reddit": ratings(),
        "empathetic_intents/lexical": meanings(),
        "empathetic_intents/manual": meanings("teapot", "sledge", split=None),
    }


def written(folder: Path, changed: Mapping[str, Iterable[Any]] | None = None) -> Path:
    """Writes the folder, with other rows in the files named in `changed`, and returns it."""
    for name, rows in {**files(), **(changed or {})}.items():
        path = folder / f"{name}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode()))
    return folder
