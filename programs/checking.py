"""What the files of a version may say. All of it is checked before a program is filled with any of it."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args, get_origin

from programs import vocabulary
from programs.cases import Case, read_cases
from programs.errors import VersionError
from programs.manifest import MANIFEST, STATE, type_name
from programs.reader import LinearReader, read_reader
from programs.staged import Configuration

_DEEPEST = 16
"""Levels of nesting; the manifest has about six."""
_LIMITS: Mapping[str, int] = {
    "cases": 32,
    "candidates": len(vocabulary.EMOTIONS),
    "cause_precedent": 1,
    "plan_precedent": 1,
}
"""The largest number of each switch that is one."""
_LABELS: Mapping[str, tuple[str, ...]] = {
    "emotion": vocabulary.EMOTIONS,
    "category": vocabulary.CATEGORIES,
    "mechanism": vocabulary.MECHANISMS,
    "support": vocabulary.SUPPORTS,
    "intent": vocabulary.INTENTS,
}
"""What a case's labels may be, where it has them."""
_HUGE = 1e6
"""No weight that a fit on texts gives comes near it; sums of larger ones overflow."""


def read_json(path: Path) -> Any:
    """The value of a JSON file: shallow, every key once, finite numbers, text that can be sent.

    Raises:
        VersionError: it is not; says in what.
    """
    try:
        value = json.loads(path.read_text("utf-8"), object_pairs_hook=_object)
        _check_plain(value)
    except (OSError, ValueError, RecursionError) as error:
        raise VersionError(f"{path.name} cannot be read: {error}") from error
    return value


def checked_configuration(stored: Mapping[str, Any]) -> Configuration:
    """The switches; one that the version does not have yet stays at its default.

    Raises:
        VersionError: a switch is unknown or has a value it cannot have.
    """
    known = {item.name: item.type for item in fields(Configuration)}
    for name, value in stored.items():
        if name not in known or type(value) is not known[name]:
            raise VersionError(f"{MANIFEST}: the configuration has {name!r} = {value!r:.80}, which this release lacks")
        if name in _LIMITS and not 0 <= value <= _LIMITS[name]:
            raise VersionError(f"{MANIFEST}: the configuration has {name!r} = {value}, not 0 to {_LIMITS[name]}")
    return Configuration(**stored)


def check_stage(stage: str, signature: Any, stored: Any) -> None:
    """Refuses a stage's state that its signature cannot take.

    Raises:
        VersionError: names the stage, and the field or demo.
    """
    where = f"{STATE}, {stage}"
    if not isinstance(stored, dict) or stored.keys() != {"instruction", "fields", "demos"}:
        raise VersionError(f"{where}: holds instruction, fields and demos, nothing else")
    if not isinstance(stored["instruction"], str) or not stored["instruction"].strip():
        raise VersionError(f"{where}: the instruction is a text, and not empty")
    if not isinstance(stored["fields"], dict):
        raise VersionError(f"{where}: fields are an object")
    for name in sorted(stored["fields"].keys() ^ signature.fields.keys()):
        raise VersionError(f"{where}: the field {name!r} is not on both sides, the version's and this code's")
    for name, extra in stored["fields"].items():
        if not isinstance(extra, dict) or extra.keys() != {"prefix", "desc"} or not _texts(extra.values()):
            raise VersionError(f"{where}, {name}: holds prefix and desc, both texts, nothing else")
    _check_demos(where, signature, stored["demos"])


def checked_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a version, in the vocabulary.

    Raises:
        VersionError: a line is not a case, or a case has a label outside the vocabulary.
    """
    try:
        cases = read_cases(path)
        _check_plain([asdict(case) for case in cases])
    except (OSError, ValueError, RecursionError) as error:
        raise VersionError(f"{path.name} cannot be read: {error}") from error
    for case in cases:
        for name, labels in _LABELS.items():
            if (label := getattr(case, name)) and label not in labels:
                raise VersionError(f"{path.name}, case {case.id!r:.40}: {name} {label!r:.40} is not in the vocabulary")
    return cases


def checked_reader(path: Path) -> LinearReader:
    """The linear reader of a version, with numbers it can compute with.

    Raises:
        VersionError: the file is no such reader, or a number is out of range.
    """
    try:
        reader = read_reader(path)
    except (OSError, ValueError, RecursionError, OverflowError) as error:
        raise VersionError(f"{path.name} cannot be read: {error}") from error
    sizes = (abs(reader.scale), reader.sharpness, *map(abs, reader.bias), *reader.norms.values())
    if min(sizes) < 0 or max(sizes) > _HUGE:
        raise VersionError(f"{path.name}: a number is below 0 or above {_HUGE:g}")
    if any(not 0 < share <= 1 for share in (reader.habits or {}).values()):
        raise VersionError(f"{path.name}: a habit is a share above 0 and at most 1")
    return reader


def _check_demos(where: str, signature: Any, demos: Any) -> None:
    if not isinstance(demos, list) or not all(isinstance(demo, dict) for demo in demos):
        raise VersionError(f"{where}: demos are a list of objects")
    for number, demo in enumerate(demos, 1):
        for name, value in demo.items():
            if name not in signature.fields:
                raise VersionError(f"{where}, demo {number}: has the unknown field {name!r:.60}")
            kind = str if name in signature.input_fields else signature.fields[name].annotation
            if not _is(value, kind):
                raise VersionError(f"{where}, demo {number}: {name} = {value!r:.60} is not {type_name(kind)}")


def _is(value: Any, kind: Any) -> bool:
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_is(item, get_args(kind)[0]) for item in value)
    if labels := get_args(kind):
        return value in labels
    return isinstance(kind, type) and type(value) is kind


def _texts(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has the same key twice")
    return found


def _check_plain(value: Any, depth: int = 0) -> None:
    """Raises ValueError where a value is nested too deeply, is not finite, or is text that no encoding can send."""
    if depth > _DEEPEST:
        raise ValueError(f"it is nested more than {_DEEPEST} levels deep")
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple):
        for item in value:
            _check_plain(item, depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number is not finite")
    elif isinstance(value, str):
        value.encode()  # a lone surrogate raises a ValueError
