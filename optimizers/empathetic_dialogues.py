"""EmpatheticDialogues (Rashkin et al. 2019; CC BY-NC 4.0) in its three layouts: JSON lines, CSV and parquet.

One example a conversation: what was said up to the last turn of the listener, whose words are the gold reply.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import datasets
import dspy

from optimizers.examples import closed_label
from optimizers.overlap import spoken
from optimizers.rows import UNREADABLE, Row, jsonl_rows, load_files, quiet, read_lines
from optimizers.user_corpus import SPLIT_NAMES
from programs.dialogue import clean
from programs.errors import CorpusError

LICENCE = "CC BY-NC 4.0"

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+(@[\w./-]+)?")
_DIGITS = re.compile(r"\d+")
_ASKS_NUMBER = re.compile(r"\?|\bhow (many|much|old|long|far|often|big|tall)\b|\bwhat (year|time|age)\b", re.IGNORECASE)
_STEMS = {"train": ("train",), "validation": ("valid", "validation", "dev"), "test": ("test",)}


@dataclass(frozen=True, slots=True)
class _Conversation:
    row: Row
    """Where it begins: what an error names."""
    id: str
    emotion: str
    situation: str
    turns: list[tuple[str, str]]
    """Role and text."""


def ed_splits(source: str) -> dict[str, list[dspy.Example]]:
    """The three splits of a folder, or of a dataset on the hub (`owner/name`, or `owner/name@revision`).

    Conversations without a reply are left out, and so are training conversations whose words recur in a later split.

    Raises:
        CorpusError: there is no such folder, a split is missing, or a row is malformed (file, line and field).
    """
    folder = Path(source).expanduser()
    if folder.is_dir():
        read = {split: _from_folder(folder, split) for split in _STEMS}
    elif _HUB_ID.fullmatch(source):
        read = _from_hub(source)
    else:
        raise CorpusError(f"{source}: neither a folder nor the id of a dataset on the hub (owner/name)")
    splits = {split: [found for one in read[split] if (found := _example(one))] for split in _STEMS}
    if empty := [split for split, examples in splits.items() if not examples]:
        raise CorpusError(f"{source}: no conversation with a reply in {', '.join(empty)}")
    return without_repeats(splits)


def _from_folder(folder: Path, split: str) -> Iterator[_Conversation]:
    for suffix, read in ((".jsonl", _jsonl), (".csv", _csv)):
        for stem in _STEMS[split]:
            for name in (f"{stem}{suffix}", f"{stem}{suffix}.gz"):
                if (folder / name).is_file():
                    return read(folder / name)
    # The hub has the split in the file's name, or in that of its folder.
    named = {path: path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")}
    if paths := sorted(path for path, name in named.items() if any(stem in name for stem in _STEMS[split])):
        return _by_conversation(_numbered(load_files(datasets.Dataset.from_parquet, paths), paths[0].name))
    stems = " or ".join(_STEMS[split])
    raise CorpusError(f"{folder}: no {split} split: expected {stems} as .jsonl, .jsonl.gz, .csv or .parquet")


def _from_hub(source: str) -> dict[str, Iterator[_Conversation]]:
    name, _, revision = source.partition("@")
    try:
        with quiet():
            loaded = datasets.load_dataset(name, revision=revision or None)
    except UNREADABLE as error:
        raise CorpusError(f"{source}: no such folder, and the hub did not give such a dataset: {error}") from error
    splits = {SPLIT_NAMES.get(str(split), str(split)): records for split, records in loaded.items()}
    if missing := [split for split in _STEMS if split not in splits]:
        raise CorpusError(f"{source}: the dataset has no split {', '.join(missing)}")
    return {split: _by_conversation(_numbered(splits[split].to_list(), f"{source}/{split}")) for split in _STEMS}


def _jsonl(path: Path) -> Iterator[_Conversation]:
    for row in jsonl_rows(path):
        turns = _value(row, "turns")
        if not isinstance(turns, list):
            raise row.fault("turns", "a list of {role, text} is expected")
        pairs = [_turn(row, turn) for turn in turns]
        yield _Conversation(row, str(_value(row, "conv_id")), _emotion(row, "emotion"), _text(row, "situation"), pairs)


def _csv(path: Path) -> Iterator[_Conversation]:
    return _by_conversation(_csv_rows(path))


def _csv_rows(path: Path) -> Iterator[Row]:
    """The original layout is not quoted: a comma is `_comma_`, a quotation mark means nothing, tags may lack a cell."""
    header, *lines = read_lines(path)
    names = header.strip().split(",")
    for number, line in enumerate(lines, 2):
        row = Row(f"{path.name}, line {number}", dict(zip(names, line.rstrip("\n").split(","), strict=False)))
        # A ninth cell, where there is one, lists candidates for ranking.
        if line.count(",") > len(names):
            raise row.fault(names[-1], "too many cells: a comma inside a text is written _comma_")
        if line.strip():
            yield row


def _numbered(records: Iterable[dict[str, Any]], file: str) -> Iterator[Row]:
    return (Row(f"{file}, row {number}", record) for number, record in enumerate(records, 1))


def _by_conversation(rows: Iterable[Row]) -> Iterator[_Conversation]:
    """Rows of one utterance each, put together; odd utterances are the speaker's."""
    grouped: dict[str, list[tuple[int, Row]]] = {}
    for row in rows:
        grouped.setdefault(str(_value(row, "conv_id")), []).append((_number(row), row))
    for name, numbered in grouped.items():
        numbered.sort(key=lambda pair: pair[0])
        turns = [("speaker" if index % 2 else "listener", _text(row, "utterance")) for index, row in numbered]
        first = numbered[0][1]
        yield _Conversation(first, name, _emotion(first, "context"), _text(first, "prompt"), turns)


def _example(conversation: _Conversation) -> dspy.Example | None:
    """The conversation up to its last reply; None where there is none."""
    turns = _joined(_without_glitches(conversation.turns))
    replies = [index for index, (role, _) in enumerate(turns) if role == "listener" and index]
    if not replies:
        return None
    labels = {"situation": conversation.situation, "emotion": conversation.emotion, "reply": turns[replies[-1]][1]}
    return dspy.Example(
        id=conversation.id,
        conversation=conversation.id,
        dialogue=[{"role": role, "text": text} for role, text in turns[: replies[-1]]],
        **{name: label for name, label in labels.items() if label},
    ).with_inputs("dialogue")


def _without_glitches(turns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leaves out a turn that is only a number nobody asked for (a slip of the chat's rating keys), and the listener's
    answer to it."""
    kept: list[tuple[str, str]] = []
    slipped = False
    for role, text in turns:
        answers = slipped and role == "listener"
        asked = bool(kept) and kept[-1][0] != role and _ASKS_NUMBER.search(kept[-1][1]) is not None
        slip = _DIGITS.fullmatch(text) is not None and not asked
        if not answers and not slip:
            kept.append((role, text))
        slipped = slip and role == "speaker"
    return kept


def _joined(turns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    worded = [(role, text) for role, text in turns if text]
    return [(role, " ".join(text for _, text in run)) for role, run in groupby(worded, key=lambda turn: turn[0])]


def without_repeats(splits: Mapping[str, list[dspy.Example]]) -> dict[str, list[dspy.Example]]:
    """Keeps the test split whole, and of the others what does not recur in the splits behind."""
    behind: set[str] = set()
    kept: dict[str, list[dspy.Example]] = {}
    for split in ("test", "validation", "train"):
        texts = [spoken(example) for example in splits[split]]
        kept[split] = [example for example, text in zip(splits[split], texts, strict=True) if text not in behind]
        behind.update(texts)
    return kept


def _turn(row: Row, turn: Any) -> tuple[str, str]:
    role, text = (turn.get("role"), turn.get("text")) if isinstance(turn, dict) else (None, None)
    if role not in ("speaker", "listener") or not isinstance(text, str):
        raise row.fault("turns", f"a turn is {{role: speaker or listener, text}}, not {str(turn)[:80]!r}")
    return role, clean(text)


def _value(row: Row, column: str) -> Any:
    value = row.values.get(column)
    if value is None or value == "":
        raise row.fault(column, "missing")
    return value


def _text(row: Row, column: str) -> str:
    return clean(str(row.values.get(column) or "").replace("_comma_", ","))


def _emotion(row: Row, column: str) -> str:
    return closed_label(row, column, _value(row, column), "emotion")


def _number(row: Row) -> int:
    try:
        return int(_value(row, "utterance_idx"))
    except ValueError as error:
        raise row.fault("utterance_idx", f"{row.values['utterance_idx']!r} is no whole number") from error
