"""The research data of the peers benchmark: gold replies, published outputs, and texts written alike."""

import gzip
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Pairs = Mapping[int, Mapping[str, Any]]
"""The standard test items, by number."""
Outputs = Mapping[str, Mapping[int, str]]
"""What each system answered, by item."""

_OTHER_TURNS = "empdgrepo"
_APART = re.compile(r"(?<=[a-z]) ?' ?(?=(?:t|s|m|re|ve|ll|d)\b)")
_SPELLED = {
    "it's": "it is", "that's": "that is", "what's": "what is", "there's": "there is", "can't": "cannot",
    "won't": "will not", "n't": " not", "'m": " am", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would",
}  # fmt: skip
_CONTRACTION = re.compile(r"(?:\b(?:it|that|what|there)'s|\bcan't|\bwon't|n't|(?<=\w)'(?:m|re|ve|ll|d))\b")


@dataclass(frozen=True)
class Items:
    """Some items, and what each system answered on all of them; replies and gold replies as `spelled_out` has them."""

    title: str
    golds: tuple[str, ...]
    contexts: tuple[str, ...]
    emotions: Sequence[str]
    conversations: Sequence[str]
    outputs: Mapping[str, Sequence[str]]


def read_peers(data: Path) -> tuple[Pairs, Outputs]:
    """The test items and the output sets; ends the process where a file is missing."""
    pairs = {row["item"]: row for row in _rows(data / "empathetic_dialogues" / "test_pairs.jsonl.gz")}
    outputs: dict[str, dict[int, str]] = {}
    for row in _rows(data / "ed_test_outputs" / "outputs.jsonl.gz"):
        for system, text in row["outputs"].items():
            outputs.setdefault(system, {})[row["item"]] = text
    return pairs, outputs


def shared_items(pairs: Pairs, outputs: Outputs) -> list[Items]:
    """The items that all systems answered, in two parts: one family of systems answered other turns."""
    others = {name: texts for name, texts in outputs.items() if name.endswith(_OTHER_TURNS)}
    usual = {name: texts for name, texts in outputs.items() if name not in others}
    return [
        _common(title, pairs, texts) for title, texts in (("shared items", usual), ("other turns", others)) if texts
    ]


def last_replies(data: Path) -> list[str]:
    """The last listener turn of each test conversation but those about being prepared: the rows TRACE was tested on."""
    rows = [row for row in _rows(data / "empathetic_dialogues" / "test.jsonl.gz") if row["emotion"] != "prepared"]
    return [texts[-1] for row in rows if (texts := _listener(row))]


def train_replies(data: Path) -> list[str]:
    """All listener turns of the training conversations."""
    return [text for row in _rows(data / "empathetic_dialogues" / "train.jsonl.gz") for text in _listener(row)]


def spelled_out(text: str) -> str:
    """Lower case, contractions spelled out, as the public pipelines write gold replies.

    Replies need the same: half of the systems write "i am", the others "I'm" or "i ' m".
    """
    plain = _APART.sub("'", text.lower().replace("\u2019", "'"))
    return _CONTRACTION.sub(lambda match: _SPELLED[match.group()], plain)


def _common(title: str, pairs: Pairs, outputs: Outputs) -> Items:
    """Items that every system answered and no pipeline spoiled."""
    answered = set.intersection(*(set(texts) for texts in outputs.values()))
    numbers = sorted(number for number in answered if not pairs[number].get("spoiled"))
    rows = [pairs[number] for number in numbers]
    return Items(
        title,
        tuple(spelled_out(row["gold"]) for row in rows),
        tuple(" ".join(row["context"]) for row in rows),
        [row["emotion"] for row in rows],
        [row["conv_id"] for row in rows],
        {name: [spelled_out(texts[number]) for number in numbers] for name, texts in sorted(outputs.items())},
    )


def _listener(row: Mapping[str, Any]) -> list[str]:
    return [turn["text"] for turn in row["turns"] if turn["role"] == "listener"]


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        sys.exit(f"{path} is missing: name the folder of research data with --data")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
