"""From a row of a user's file, or of the starter corpus, to an example with checked labels."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import dspy

from optimizers.rows import Row
from programs.dialogue import Dialogue, clean
from programs.errors import DialogueError
from programs.vocabulary import CATEGORIES, EMOTIONS, INTENTS, MECHANISMS, SUPPORTS

CLOSED: Mapping[str, tuple[str, ...]] = {
    "emotion": EMOTIONS,
    "category": CATEGORIES,
    "mechanism": MECHANISMS,
    "support": SUPPORTS,
    "intent": INTENTS,
}
"""Labels that come from a closed set."""
OPEN = ("situation", "cause", "reply")
"""Labels that are free text."""
FIELDS = ("dialogue", "id", "conversation", "split", "triggers", *OPEN, *CLOSED)
"""Every name a file may use, or may be mapped to."""

_JSON_LIST = re.compile(r'\s*\[\s*[\[{"]')


def example_of(row: Row, columns: Mapping[str, str]) -> dspy.Example:
    """An example from one row; labels that are missing, null or blank are left out.

    Args:
        row: the record.
        columns: our field names to the file's own, for those that differ.

    Raises:
        CorpusError: the dialogue is missing, empty or ends on the listener, a label is outside its vocabulary, or a
            trigger is not verbatim in the speaker's turns. The message names file, line and field.
    """
    dialogue = _dialogue(row, columns)
    labels = {name: _open(row, columns, name) for name in OPEN}
    labels |= {name: _closed(row, columns, name) for name in CLOSED}
    triggers = _triggers(row, columns, dialogue)
    given = _open(row, columns, "id")
    fields: dict[str, Any] = {
        "id": given or _by_content(dialogue),
        "conversation": _open(row, columns, "conversation") or given or _by_content(dialogue),
        "dialogue": [{"role": turn.role, "text": turn.text} for turn in dialogue.turns],
    }
    fields |= {name: value for name, value in labels.items() if value}
    fields |= {"triggers": triggers} if triggers else {}
    return dspy.Example(**fields).with_inputs("dialogue")


def closed_label(row: Row, column: str, value: Any, name: str) -> str:
    """`value` as a label of the closed set `name`; case, spacing and underscores are forgiven.

    Raises:
        CorpusError: it is none of them.
    """
    label = " ".join(str(value).replace("_", " ").split()).casefold()
    if label not in CLOSED[name]:
        raise row.fault(column, f"{str(value)[:80]!r} is no {name}: use one of {', '.join(CLOSED[name])}")
    return label


def column_of(row: Row, columns: Mapping[str, str], name: str) -> str:
    """The file's name for our field `name`; a dialogue may also be called `turns`, as in the starter corpus."""
    default = "turns" if name == "dialogue" and "dialogue" not in row.values and "turns" in row.values else name
    return columns.get(name, default)


def _dialogue(row: Row, columns: Mapping[str, str]) -> Dialogue:
    column = column_of(row, columns, "dialogue")
    value = row.values.get(column)
    if value is None:
        raise row.fault(column, f"no dialogue: the file has {', '.join(map(repr, row.values))}; map one to 'dialogue'")
    try:
        return Dialogue.of(_listed(row, column, value))
    except DialogueError as error:
        raise row.fault(column, str(error)) from error


def _open(row: Row, columns: Mapping[str, str], name: str) -> str:
    column = column_of(row, columns, name)
    value = row.values.get(column)
    if name in ("id", "conversation") and isinstance(value, int):
        value = str(value)
    if not isinstance(value, str | None):
        raise row.fault(column, f"a text is expected, not {str(value)[:80]!r}")
    return clean(value or "")


def _closed(row: Row, columns: Mapping[str, str], name: str) -> str:
    value = _open(row, columns, name)
    return closed_label(row, column_of(row, columns, name), value, name) if value else ""


def _triggers(row: Row, columns: Mapping[str, str], dialogue: Dialogue) -> list[str]:
    column = column_of(row, columns, "triggers")
    value = _listed(row, column, row.values.get(column) or [])
    spans = [value] if isinstance(value, str) else value
    if not isinstance(spans, list) or not all(isinstance(span, str) for span in spans):
        raise row.fault(column, f"a list of spans is expected, not {str(value)[:80]!r}")
    said = [turn.text for turn in dialogue.turns if turn.role == "speaker"]
    for span in spans:
        if not any(clean(span) in text for text in said):
            raise row.fault(column, f"the span {span!r} is not verbatim in the speaker's turns")
    return [cleaned for span in spans if (cleaned := clean(span))]


def _listed(row: Row, column: str, value: Any) -> Any:
    """A text that holds a JSON list, as a cell of a CSV file does, becomes that list."""
    if not isinstance(value, str) or not _JSON_LIST.match(value):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise row.fault(column, f"not JSON: {error}") from error


def _by_content(dialogue: Dialogue) -> str:
    return hashlib.sha256(str(dialogue).encode()).hexdigest()[:16]
