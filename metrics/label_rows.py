"""Lines of a label file, each of which knows where it stands and refuses what cannot be a rating."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from programs.dialogue import Dialogue, Turn, clean
from programs.errors import CorpusError, DialogueError

Scale = tuple[float, float]
_VAST = 1e9
"""No scale goes this far; infinity and NaN are not below it."""


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One record and its place, such as "mine.jsonl, line 3"."""

    place: str
    values: Mapping[str, Any]

    def fault(self, field: str, reason: str) -> CorpusError:
        """The error to raise about one field of this row."""
        return CorpusError(f"{self.place}, field '{field}': {reason}")

    def text(self, field: str) -> str:
        """A field that holds words.

        Raises:
            CorpusError: it is missing, empty or no text.
        """
        value = self.values.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(field, "must be a text with words in it")
        return value

    def name(self, field: str) -> str:
        """A field that names something, by a text or a whole number.

        Raises:
            CorpusError: it is missing, empty or neither.
        """
        value = self.values.get(field)
        return str(value) if type(value) is int else self.text(field)

    def table(self, field: str) -> Mapping[str, Any]:
        """A field that holds an object with something in it.

        Raises:
            CorpusError: it does not.
        """
        value = self.values.get(field)
        if not isinstance(value, dict) or not value:
            raise self.fault(field, "must be an object with something in it")
        return value

    def dialogue(self, field: str, turns: Any) -> Dialogue:
        """Turns that end with the speaker's.

        Raises:
            CorpusError: they are no dialogue.
        """
        try:
            return Dialogue.of(turns)
        except DialogueError as error:
            raise self.fault(field, str(error)) from error

    def turns(self, field: str) -> tuple[Turn, ...]:
        """A whole conversation, whoever speaks last.

        Raises:
            CorpusError: it has no turns, or one without a role and a text.
        """
        value = self.values.get(field)
        if not isinstance(value, list) or not value or not all(map(_is_turn, value)):
            raise self.fault(
                field, "must be turns, such as {'role': 'speaker', 'text': '...'}, by speaker and listener"
            )
        return tuple(Turn(turn["role"], clean(turn["text"])) for turn in value)

    def scale(self, field: str) -> Scale:
        """A pair of numbers, the lower first.

        Raises:
            CorpusError: it is none.
        """
        value = self.values.get(field)
        if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)) or value[0] >= value[1]:
            raise self.fault(field, "must be the lowest and the highest level, such as [1, 5]")
        return float(value[0]), float(value[1])

    def ratings(self, field: str, given: Any, scale: Scale) -> dict[str, float]:
        """What the raters of one dimension gave.

        Args:
            field: where they stand in the row, for the error.
            given: level by rater.
            scale: between which levels must lie.

        Raises:
            CorpusError: there is no rater, or a level is no number or off the scale.
        """
        if not isinstance(given, dict) or not given:
            raise self.fault(field, "no rater: give an object of rater and level, or leave the dimension out")
        for rater, level in given.items():
            if not _is_number(level):
                raise self.fault(f"{field}.{rater}", f"{level!r} is no number; leave out a rater who gave none")
            if not scale[0] <= level <= scale[1]:
                raise self.fault(f"{field}.{rater}", f"{level} is off the scale from {scale[0]:g} to {scale[1]:g}")
        return {str(rater): float(level) for rater, level in given.items()}


def label_rows(path: Path) -> Iterator[LabelRow]:
    """One row for each line that is not blank; `.gz` is unpacked, a byte order mark dropped.

    Raises:
        CorpusError: the file cannot be read, is not UTF-8, or a line is not a JSON object.
    """
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines = raw.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        bad = error.object.count(b"\n", 0, error.start) + 1
        raise CorpusError(f"{path.name}, line {bad}: not UTF-8: save the file as UTF-8") from error
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path}: cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield LabelRow(f"{path.name}, line {number}", _json_object(line, f"{path.name}, line {number}"))


def _json_object(line: str, place: str) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{place}: not JSON: {error}") from error
    if not isinstance(values, dict):
        raise CorpusError(f"{place}: a line is one JSON object, not {line.strip()[:40]!r}")
    return values


def _is_turn(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("role") not in ("speaker", "listener"):
        return False
    return isinstance(value.get("text"), str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _VAST
