"""A corpus of the user's own: JSON lines or CSV, with field names of their own."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import dspy

from optimizers.examples import FIELDS, column_of, example_of
from optimizers.rows import Row, csv_rows, jsonl_rows
from programs.errors import CorpusError

SPLIT_NAMES: Mapping[str, str] = {
    "train": "train",
    "training": "train",
    "validation": "validation",
    "valid": "validation",
    "val": "validation",
    "dev": "validation",
    "development": "validation",
    "test": "test",
    "testing": "test",
}
"""What files and columns call a split, and what it is called here."""

_FEW = 30


def user_splits(kind: str, path: Path, fields: Mapping[str, str]) -> dict[str, list[dspy.Example]]:
    """The three splits of a file, by its column `split`, or else 60/20/20 by a hash of the conversation.

    Args:
        kind: "jsonl" or "csv".
        path: the file; may be gzipped.
        fields: our field names to the file's own, for those that differ.

    Raises:
        CorpusError: file, line and field that are wrong, or the split that would be empty.
    """
    rows = list((jsonl_rows if kind == "jsonl" else csv_rows)(path))
    _check_mapping(path, rows, fields)
    if not rows:
        raise CorpusError(f"{path}: no rows in it")
    named = any(column_of(row, fields, "split") in row.values for row in rows)
    splits: dict[str, list[dspy.Example]] = {"train": [], "validation": [], "test": []}
    for row, example in zip(rows, unique_examples(rows, fields), strict=True):
        splits[_named_split(row, fields) if named else split_of(example.conversation)].append(example)
    _check_sizes(path, splits, named)
    return splits


def unique_examples(rows: Iterable[Row], fields: Mapping[str, str]) -> list[dspy.Example]:
    """The example of every row; a row without an id whose dialogue occurred before gets a number behind its id.

    Raises:
        CorpusError: a row is wrong, or an id that the file gives occurs twice.
    """
    examples: list[dspy.Example] = []
    places: dict[str, str] = {}
    for row in rows:
        example = example_of(row, fields)
        column = column_of(row, fields, "id")
        if example.id in places and row.values.get(column):
            raise row.fault(column, f"the id {example.id!r} is already that of {places[example.id]}")
        if example.id in places:
            example.id = f"{example.id}-{len(places)}"
        places[example.id] = row.place
        examples.append(example)
    return examples


def split_of(conversation: str) -> str:
    """The split of a conversation: 60 % train, 20 % validation, 20 % test, from the SHA-256 of its id alone.

    So a conversation stays in its split whatever else is added to, or taken from, the file.
    """
    share = int.from_bytes(hashlib.sha256(conversation.encode()).digest()[:8]) / 2**64
    return "train" if share < 0.6 else "validation" if share < 0.8 else "test"


def _check_mapping(path: Path, rows: list[Row], fields: Mapping[str, str]) -> None:
    for ours, theirs in fields.items():
        if ours not in FIELDS:
            raise CorpusError(f"{path}: nothing is called {ours!r} here: map {', '.join(FIELDS)}")
        if not any(theirs in row.values for row in rows):
            found = ", ".join(sorted({name for row in rows for name in row.values}))
            raise CorpusError(f"{path}, line 1, field '{theirs}': mapped to {ours!r}, but the file has {found}")


def _named_split(row: Row, fields: Mapping[str, str]) -> str:
    column = column_of(row, fields, "split")
    value = str(row.values.get(column) or "").strip().casefold()
    if value not in SPLIT_NAMES:
        raise row.fault(column, f"{value!r} is no split: use train, validation or test in every row")
    return SPLIT_NAMES[value]


def _check_sizes(path: Path, splits: Mapping[str, list[dspy.Example]], named: bool) -> None:
    empty = [name for name, examples in splits.items() if not examples]
    if not empty:
        return
    conversations = len({example.conversation for examples in splits.values() for example in examples})
    need = (
        f"mark at least one conversation as {' and one as '.join(empty)} in the field 'split'"
        if named
        else f"give it about {_FEW} conversations or more, or a field 'split' (train, validation, test) in every row"
    )
    raise CorpusError(f"{path}: of {conversations} conversations none is left for {' and '.join(empty)}: {need}")
