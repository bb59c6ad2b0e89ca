"""Writing a version folder: complete or not at all."""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from programs import vocabulary
from programs.backbones import Backbone
from programs.cases import write_cases
from programs.manifest import (
    CASES,
    FORMAT,
    MANIFEST,
    PROMPT,
    READER,
    REPORT,
    STATE,
    check_manifest,
    digest,
    stages_of,
    state_of,
)
from programs.prompts import rendered
from programs.reader import write_reader
from programs.staged import Staged


def save(
    program: Staged, folder: Path, backbone: Backbone, *, report: str = "", details: Mapping[str, Any] | None = None
) -> Path:
    """Writes the program as a version folder and returns it. An earlier folder of that name is replaced.

    Args:
        program: what to write; its model and keys are not.
        folder: where to; made in a neighbouring place and then renamed, so that it is never seen half-written.
        backbone: what the program was compiled for.
        report: the text of `report.md`.
        details: further manifest entries (recipe, seed, objective, data, scores, cost, libraries, commit ...).
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _write(program, made, backbone, report, details or {})
        _swap(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _write(program: Staged, made: Path, backbone: Backbone, report: str, details: Mapping[str, Any]) -> None:
    (made / STATE).write_text(_pretty(state_of(program)), "utf-8")
    write_cases(program.bank.cases, made / CASES)
    if program.reader:
        write_reader(program.reader, made / READER)
    (made / PROMPT).write_text(rendered(program), "utf-8")
    if report:
        (made / REPORT).write_text(report, "utf-8")
    manifest = {
        "format": FORMAT,
        "program": program.name,
        "configuration": program.configured(),
        "stages": stages_of(program),
        "vocabulary": vocabulary.VERSION,
        "backbone": backbone.identity(),
        "adapter": "compact",
        "files": {file.name: digest(file) for file in sorted(made.iterdir())},
        **details,
    }
    (made / MANIFEST).write_text(_pretty(check_manifest(manifest)), "utf-8")


def _swap(made: Path, folder: Path) -> None:
    made.chmod(0o755)
    if folder.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        os.replace(folder, old / folder.name)
        os.replace(made, folder)
        shutil.rmtree(old, ignore_errors=True)
    else:
        os.replace(made, folder)


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
