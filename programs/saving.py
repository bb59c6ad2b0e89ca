"""Writing a version folder: complete or not at all."""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from programs import vocabulary
from programs.backbones import Backbone
from programs.cases import write_cases
from programs.errors import BackboneError, VersionError
from programs.loading import read_program
from programs.manifest import (
    CASES,
    FORMAT,
    LARGEST,
    MANIFEST,
    OPTIONAL,
    PROMPT,
    READER,
    REPORT,
    STATE,
    digest,
    manifest_text,
    pretty_json,
    stages_of,
    state_of,
)
from programs.prompts import rendered
from programs.reader import write_reader
from programs.staged import Staged
from programs.swapping import put_in_place

_SECRET = re.compile("key|header|credential|secret|ad_token|password|authorization", re.IGNORECASE)


def save(
    program: Staged, folder: Path, backbone: Backbone, *, report: str = "", details: Mapping[str, Any] | None = None
) -> Path:
    """Writes the program as a version folder and returns it. An earlier version of that name is replaced at once.

    Args:
        program: what to write; its model and keys are not.
        folder: where to; made beside it, read back and then renamed, so that it is never seen half-written.
        backbone: what the program was compiled for.
        report: the text of `report.md`.
        details: further manifest entries (recipe, seed, objective, data, scores, cost, libraries, commit ...).

    Raises:
        VersionError: what would be written could not be loaded again, or the place holds something else than a version.
        BackboneError: the backbone's parameters hold a key.
    """
    place = Path(os.path.realpath(folder.expanduser()))
    _refuse_other(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        _write(program, made, _manifest(program, backbone, details or {}), report)
        _read_back(program, made)
        put_in_place(made, place)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _refuse_other(place: Path) -> None:
    """Whatever holds something else than a version's files is somebody's: it stays."""
    if not place.exists():
        return
    names = {file.name for file in place.iterdir()} if place.is_dir() else {place.name, ""}
    pictures = {name for name in names if name.endswith(".png")} if MANIFEST in names else set()
    if names - pictures - LARGEST.keys():
        raise VersionError(f"{place} is there already and no version: choose another place")


def _manifest(program: Staged, backbone: Backbone, details: Mapping[str, Any]) -> dict[str, Any]:
    for key in sorted(details.keys() - OPTIONAL.keys()):
        raise VersionError(f"a version has no detail {key!r}: it takes {', '.join(OPTIONAL)}")
    for parameter in filter(_SECRET.search, backbone.parameters):
        raise BackboneError(
            f"backbone {backbone.name}: {parameter} must not be written: keys come from the environment"
        )
    return {
        "format": FORMAT,
        "program": program.name,
        "configuration": program.configured(),
        "stages": stages_of(program),
        "vocabulary": vocabulary.VERSION,
        "backbone": backbone.identity(),
        "adapter": "compact",
        "files": {},
        **details,
    }


def _write(program: Staged, made: Path, manifest: dict[str, Any], report: str) -> None:
    try:
        (made / STATE).write_text(pretty_json(state_of(program)), "utf-8")
        write_cases(program.bank.cases, made / CASES)
        if program.reader:
            write_reader(program.reader, made / READER)
        (made / PROMPT).write_text(rendered(program), "utf-8")
        if report:
            (made / REPORT).write_text(report, "utf-8")
        manifest["files"] = {file.name: digest(file) for file in sorted(made.iterdir())}
        (made / MANIFEST).write_text(manifest_text(manifest), "utf-8")
    except (TypeError, ValueError) as error:
        raise VersionError(f"the program cannot be written as text: {error}") from error


def _read_back(program: Staged, made: Path) -> None:
    found, _ = read_program(made)
    if state_of(found) != state_of(program):
        raise VersionError("the program reads back as another: a prefix, description, instruction or demo is no text")
