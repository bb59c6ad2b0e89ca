"""What a version folder holds, the seal of its manifest, and the fingerprint that shows a changed signature."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import dspy

from programs.adapter import as_text
from programs.errors import VersionError
from programs.staged import Staged

FORMAT = 1
STATE, MANIFEST, CASES, READER, PROMPT, REPORT = (
    "state.json",
    "manifest.json",
    "cases.jsonl",
    "reader.json",
    "prompt.md",
    "report.md",
)
LARGEST: Mapping[str, int] = {
    MANIFEST: 1 << 20,
    STATE: 4 << 20,
    CASES: 64 << 20,
    READER: 16 << 20,
    PROMPT: 4 << 20,
    REPORT: 4 << 20,
}
"""The files a version may hold, and the most bytes of each."""

SEAL = "sha256"
"""The manifest's own hash: of all its other entries, as `canonical_json`."""
REQUIRED: Mapping[str, type] = {
    "format": int,
    "program": str,
    "configuration": dict,
    "stages": dict,
    "vocabulary": str,
    "backbone": dict,
    "adapter": str,
    "files": dict,
    SEAL: str,
}
OPTIONAL: Mapping[str, type] = {
    "recipe": dict,
    "seed": int,
    "objective": dict,
    "certificate": dict,
    "data": list,
    "scores": dict,
    "cost": dict,
    "libraries": dict,
    "commit": str,
    "created": str,
    "run": str,
}


def fingerprint(signature: type[dspy.Signature]) -> list[list[str]]:
    """Name, direction and type of each field, in order: what a stored state relies on."""
    inputs = [[name, "in", type_name(field.annotation)] for name, field in signature.input_fields.items()]
    return inputs + [[name, "out", type_name(field.annotation)] for name, field in signature.output_fields.items()]


def type_name(annotation: Any) -> str:
    """A type as text that stays the same across Python and library versions."""
    if get_origin(annotation) is list:
        return f"list of {type_name(get_args(annotation)[0])}"
    if labels := get_args(annotation):
        return "one of " + ", ".join(map(str, labels))
    return str(getattr(annotation, "__name__", annotation))


def stages_of(program: Staged) -> dict[str, list[list[str]]]:
    """The fingerprint of every stage that is on."""
    return {stage: fingerprint(predictor.signature) for stage, predictor in program.stages.items()}


def state_of(program: Staged) -> dict[str, Any]:
    """Per stage, by field name: instruction, demos, field prefixes and descriptions. No model, no key, no type."""
    return {stage: _stage_state(predictor) for stage, predictor in program.stages.items()}


def digest(path: Path) -> str:
    """The sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest_text(entries: Mapping[str, Any]) -> str:
    """The manifest as it is written: its entries, in order, and last the seal over them."""
    unsealed = {key: value for key, value in entries.items() if key != SEAL}
    seal = hashlib.sha256(canonical_json(unsealed).encode()).hexdigest()
    return pretty_json({**unsealed, SEAL: seal})


def check_manifest(manifest: Any) -> dict[str, Any]:
    """The manifest, if its form is right.

    Raises:
        VersionError: a key is missing, unknown or of another type, or the format is another; the message names it.
    """
    if not isinstance(manifest, dict):
        raise VersionError(f"{MANIFEST} is not a JSON object")
    if type(manifest.get("format")) is int and manifest["format"] != FORMAT:
        raise VersionError(f"{MANIFEST} has format {manifest['format']}; this release reads format {FORMAT}")
    known = {**REQUIRED, **OPTIONAL}
    for key in sorted(REQUIRED.keys() - manifest.keys()):
        raise VersionError(f"{MANIFEST} lacks {key!r}")
    for key, value in manifest.items():
        if key not in known:
            raise VersionError(f"{MANIFEST} has the unknown key {key!r}: it comes from another release or was edited")
        if type(value) is not known[key]:
            raise VersionError(f"{MANIFEST}: {key!r} must be of type {known[key].__name__}")
    if not isinstance(manifest["backbone"].get("name"), str):
        raise VersionError(f"{MANIFEST}: 'backbone' has no 'name', or one that is no text")
    return manifest


def check_stages(stored: Mapping[str, Any], program: Staged) -> None:
    """Refuses a version whose signatures differ from the code's.

    Raises:
        VersionError: names the stage and the first field that differs.
    """
    current = stages_of(program)
    for stage in sorted(current.keys() ^ stored.keys()):
        where = "this code" if stage in current else "the version"
        raise VersionError(f"stage {stage!r} exists only in {where}: recompile with this release")
    for stage, fields in current.items():
        if stored[stage] != fields:
            raise VersionError(f"stage {stage!r} changed: {_difference(stored[stage], fields)}: recompile")


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spare space: what hashes are taken of."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def pretty_json(value: Any) -> str:
    """JSON for readers and diffs.

    Raises:
        ValueError: a number is not finite.
        TypeError: a value is no JSON.
    """
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _difference(stored: Any, current: list[list[str]]) -> str:
    if not isinstance(stored, list):
        return "its fields are not a list"
    for index, field in enumerate(current):
        if index >= len(stored):
            return f"the version lacks the field {field[0]!r}"
        if stored[index] != field:
            return f"field {index + 1} is {_shown(stored[index])} in the version, {_shown(field)} in this code"
    return f"the version has a further field {_shown(stored[len(current)])}"


def _shown(field: Any) -> str:
    whole = isinstance(field, list) and len(field) == 3
    return (f"{field[0]} ({field[1]}, {field[2]})" if whole else repr(field))[:160]


def _stage_state(predictor: dspy.Predict) -> dict[str, Any]:
    signature = predictor.signature
    described = {
        name: {"prefix": extra.get("prefix", ""), "desc": extra.get("desc", "")}
        for name, field in signature.fields.items()
        if (extra := field.json_schema_extra or {}) is not None
    }
    demos = [_demo_state(signature, demo) for demo in predictor.demos]
    return {"instruction": signature.instructions, "fields": described, "demos": demos}


def _demo_state(signature: type[dspy.Signature], demo: Any) -> dict[str, Any]:
    """What a prompt shows of a demo: inputs as text, outputs as values; nothing empty, nothing the stage lacks."""
    given = {name: demo[name] for name in signature.fields if name in demo}
    shown = {name: as_text(value) if name in signature.input_fields else value for name, value in given.items()}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in shown.items()
        if value not in (None, "")
    }
