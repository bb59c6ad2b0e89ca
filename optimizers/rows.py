"""Rows of data files, each of which knows where it stands, read through the package `datasets`."""

import csv
import glob
import gzip
import json
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
from datasets.exceptions import DatasetsError

from programs.errors import CorpusError

UNREADABLE = (DatasetsError, OSError, EOFError, ValueError, zlib.error)
"""What `datasets` raises for files or repositories that it cannot read."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record and its place, such as "mine.csv, line 3"."""

    place: str
    values: Mapping[str, Any]

    def fault(self, field: str, reason: str) -> CorpusError:
        """The error to raise about one field of this row."""
        return CorpusError(f"{self.place}, field '{field}': {reason}")


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file with their line breaks; `.gz` is unpacked, a byte order mark dropped.

    Raises:
        CorpusError: the file is missing, empty, cannot be unpacked, or a line is not UTF-8 (which one).
    """
    if not path.is_file():
        raise CorpusError(f"{path}: no such file")
    if not path.stat().st_size:
        raise CorpusError(f"{path}: the file is empty")
    try:
        lines = [str(record["text"]) for record in load_files(datasets.Dataset.from_text, [path], keep_linebreaks=True)]
    except CorpusError:
        _refuse_other_encodings(path)
        raise
    return [lines[0].removeprefix("\ufeff"), *lines[1:]]


def jsonl_rows(path: Path) -> Iterator[Row]:
    """One row for each line that is not blank.

    Raises:
        CorpusError: as `read_lines`, or a line is not a JSON object.
    """
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield Row(f"{path.name}, line {number}", _json_object(line, f"{path.name}, line {number}"))


def csv_rows(path: Path) -> Iterator[Row]:
    """One row for each record under the header; a quoted cell may hold commas and line breaks.

    Raises:
        CorpusError: as `read_lines`, a stray quote, a column named twice, or a cell too many or too few.
    """
    reader = csv.reader(read_lines(path), strict=True)
    header: list[str] = []
    line = 1
    try:
        for cells in reader:
            place, line = f"{path.name}, line {line}", reader.line_num + 1
            if not header:
                header = _header(cells, place)
            elif cells:
                yield Row(place, _record(header, cells, place))
    except csv.Error as error:
        raise CorpusError(f"{path.name}, line {line}: not CSV: {error}") from error


def load_files(reader: Callable[..., datasets.Dataset], paths: Iterable[Path], **options: Any) -> list[dict[str, Any]]:
    """All records of local files, by a reader such as `datasets.Dataset.from_parquet`.

    (Not by `datasets.load_dataset`, which reports every use of it to the hub, for local files too.)

    Raises:
        CorpusError: a file cannot be read.
    """
    names = [str(path.absolute()) for path in paths]
    # A cache of its own for each reading: a file that was changed a moment ago is never answered from an old copy.
    with quiet(), tempfile.TemporaryDirectory() as cache:
        try:
            return list(reader([glob.escape(name) for name in names], cache_dir=cache, **options).to_list())
        except UNREADABLE as error:
            raise CorpusError(f"{', '.join(names)}: cannot be read: {error.__cause__ or error}") from error


@contextmanager
def quiet() -> Iterator[None]:
    """Without the progress bars of `datasets`, which would break up those of a compile."""
    shown = not datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        if shown:
            datasets.enable_progress_bars()


def _refuse_other_encodings(path: Path) -> None:
    """Names the line that is not UTF-8, if one is."""
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise CorpusError(f"{path.name}, line {line}: not UTF-8: save the file as UTF-8") from error
    except (OSError, EOFError, zlib.error):
        return


def _json_object(line: str, place: str) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{place}: not JSON: {error}") from error
    if not isinstance(values, dict):
        raise CorpusError(f"{place}: a line is one JSON object, not {line.strip()[:40]!r}")
    return values


def _header(cells: list[str], place: str) -> list[str]:
    names = [cell.strip() for cell in cells]
    if twice := {name for name in names if names.count(name) > 1}:
        raise CorpusError(f"{place}: columns named twice: {', '.join(sorted(twice)) or 'nothing'}")
    return names


def _record(header: list[str], cells: list[str], place: str) -> dict[str, str]:
    if len(cells) != len(header):
        raise CorpusError(f"{place}: {len(cells)} cells where the header has {len(header)}: quote cells with commas")
    return dict(zip(header, cells, strict=True))
