"""Anybody's reply file: what a published system, or another program, answered on the items of a corpus."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dspy

from optimizers.examples import closed_label
from optimizers.rows import Row, jsonl_rows
from programs.errors import CorpusError, StageError
from programs.reading import Reading

_CLOSED = ("emotion", "category", "mechanism", "intent")


def read_outputs(
    path: Path, items: Sequence[dspy.Example]
) -> tuple[list[dspy.Example], list[Reading | StageError], list[float]]:
    """The answered items in the corpus's order, with their readings, and the seconds of each where the file says them.

    A row holds `id` (of the item) and `reply`; `emotion`, `triggers` (a list of texts), `category`, `mechanism`,
    `intent` and `seconds` if there are any. Items that the file does not answer are left out; an empty reply is a
    failure of the system.

    Raises:
        CorpusError: a row is malformed or answers no item of the corpus, an id occurs twice, or nothing is answered.
    """
    known = {str(item["id"]): item for item in items}
    rows: dict[str, Row] = {}
    for row in jsonl_rows(path):
        name = _id(row)
        if name in rows:
            raise row.fault("id", f"{name!r} occurs twice: one reply an item")
        rows[name] = row
    answered = [item for name, item in known.items() if name in rows]
    if not answered:
        raise CorpusError(
            f"{path.name}: none of its {len(rows)} ids is an item of this corpus and split, whose ids are like "
            f"{next(iter(known), '')!r}: name the corpus it answers"
        )
    found = [rows[str(item["id"])] for item in answered]
    seconds = [_seconds(row) for row in found]
    return answered, [_reading(row) for row in found], [one for one in seconds if one is not None]


def _id(row: Row) -> str:
    value = row.values.get("id", row.values.get("item"))
    if value is None or isinstance(value, bool) or not isinstance(value, str | int):
        raise row.fault("id", "the id of the answered item is expected")
    return str(value)


def _reading(row: Row) -> Reading | StageError:
    reply = row.values.get("reply")
    if not isinstance(reply, str):
        raise row.fault("reply", f"a text is expected, not {str(reply)[:80]!r}")
    if not reply.strip():
        return StageError("response", "the reply is empty")
    labels: dict[str, Any] = {
        name: closed_label(row, name, row.values[name], name) for name in _CLOSED if row.values.get(name)
    }
    return Reading(reply=reply.strip(), triggers=_triggers(row), **labels)


def _triggers(row: Row) -> tuple[str, ...]:
    spans = row.values.get("triggers") or []
    if not isinstance(spans, list) or not all(isinstance(span, str) for span in spans):
        raise row.fault("triggers", "a list of texts is expected")
    return tuple(spans)


def _seconds(row: Row) -> float | None:
    value = row.values.get("seconds")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise row.fault("seconds", f"a number of seconds is expected, not {str(value)[:80]!r}")
    return float(value)
