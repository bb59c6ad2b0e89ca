"""Loading a version: everything is checked before anything is built, and the backbone is bound last."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dspy

from programs import vocabulary
from programs.backbones import Backbone, profiles
from programs.cases import CaseBank
from programs.catalogue import program_class
from programs.checking import check_stage, checked_cases, checked_configuration, checked_reader, read_json
from programs.errors import BackboneError, VersionError
from programs.manifest import (
    CASES,
    LARGEST,
    MANIFEST,
    PROMPT,
    READER,
    SEAL,
    STATE,
    check_manifest,
    check_stages,
    digest,
    manifest_text,
)
from programs.staged import Staged

_LARGEST_PICTURE = 4 << 20
_MOST_FILES = 64


def load(folder: str | Path, backbone: str | Path | Backbone | None = None) -> Staged:
    """The program of a version folder, bound to a backbone.

    Args:
        folder: the version.
        backbone: anything `Backbone.of` takes; by default the profile the version was compiled for.

    Raises:
        VersionError: the folder differs from what this release can load; says in what. Nothing is half-loaded.
        BackboneError: no such backbone, or the version's own is no profile of this release.
    """
    program, manifest = read_program(Path(folder))
    bound = Backbone.of(backbone) if backbone else _own(manifest)
    program.set_lm(bound.lm())
    return program


def read_program(folder: Path) -> tuple[Staged, dict[str, Any]]:
    """The program of a version folder, without a backbone, and its manifest.

    Raises:
        VersionError: as `load`.
    """
    manifest = read_manifest(folder)
    path = _home(folder)
    program = _built(path, manifest)
    _fill(program, read_json(path / STATE))
    return program, manifest


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a version folder, once all its files are what it says.

    Raises:
        VersionError: something is missing, changed, too large or leads elsewhere; says what.
    """
    path = _home(path)
    try:
        _check_names(path)
        manifest = check_manifest(read_json(path / MANIFEST))
        if (path / MANIFEST).read_text("utf-8") != manifest_text(manifest):
            raise VersionError(f"{MANIFEST} was changed after the version was written: its {SEAL!r} is of another text")
        _check_vocabulary(manifest["vocabulary"])
        _check_hashes(path, manifest["files"])
    except OSError as error:
        raise VersionError(f"{path} cannot be read: {error}") from error
    return manifest


def _home(folder: Path) -> Path:
    try:
        path = folder.expanduser()
        if not path.is_dir():
            raise VersionError(f"no version at {path}: a version is a folder with {MANIFEST}")
    except (OSError, ValueError, RuntimeError) as error:
        raise VersionError(f"no version at {folder}: {error}") from error
    return path


def _check_names(path: Path) -> None:
    """Looks at names, kinds and sizes only: nothing is opened yet."""
    for number, file in enumerate(_sorted(path)):
        status = file.lstat()
        if number >= _MOST_FILES:
            raise VersionError(f"{path.name} holds more than {_MOST_FILES} files")
        if file.name not in LARGEST and not file.name.endswith(".png"):
            raise VersionError(f"{path.name} holds {file.name!r}, which no version has")
        if not stat.S_ISREG(status.st_mode):
            raise VersionError(f"{file.name} is a link or a folder: a version holds plain files only")
        if status.st_size > LARGEST.get(file.name, _LARGEST_PICTURE):
            raise VersionError(f"{file.name} has {status.st_size:,} bytes, more than any version needs")
    if not (path / MANIFEST).is_file():
        raise VersionError(f"{path} is no version: it has no {MANIFEST}")


def _check_vocabulary(spoken: str) -> None:
    if spoken != vocabulary.VERSION:
        raise VersionError(
            f"the version speaks vocabulary {spoken!r:.40}, this release {vocabulary.VERSION!r}: recompile"
        )


def _check_hashes(path: Path, files: dict[str, Any]) -> None:
    for name, expected in files.items():
        if name not in LARGEST or name == MANIFEST:
            raise VersionError(f"{MANIFEST} lists {name!r:.80}, which no version has")
        if not (path / name).is_file():
            raise VersionError(f"{name} is missing from the version")
        if (found := digest(path / name)) != expected:
            shown = f"sha256 {found[:12]}, not {expected!s:.12}"
            raise VersionError(f"{name} was changed after the version was written: {shown}")
    for name in (STATE, CASES, PROMPT):
        if name not in files:
            raise VersionError(f"{MANIFEST} does not list {name}")
    for file in _sorted(path):
        if file.name in LARGEST and file.name not in files and file.name != MANIFEST:
            raise VersionError(f"{file.name} is not listed in {MANIFEST}")


def _sorted(path: Path) -> Iterator[Path]:
    return iter(sorted(path.iterdir()))


def _built(path: Path, manifest: dict[str, Any]) -> Staged:
    if manifest["adapter"] != "compact":
        raise VersionError(f"unknown adapter {manifest['adapter']!r:.40}: this release has 'compact'")
    made = program_class(manifest["program"])
    configuration = checked_configuration(manifest["configuration"])
    reader = checked_reader(path / READER) if READER in manifest["files"] else None
    program = made(configuration, CaseBank(checked_cases(path / CASES)), reader)
    check_stages(manifest["stages"], program)
    return program


def _fill(program: Staged, state: Any) -> None:
    stages = program.stages
    if not isinstance(state, dict):
        raise VersionError(f"{STATE} is not a JSON object")
    for stage in sorted(state.keys() ^ stages.keys()):
        raise VersionError(
            f"{STATE} must hold exactly the stages {', '.join(stages)}: {stage!r:.60} is not on both sides"
        )
    for stage, predictor in stages.items():
        check_stage(stage, predictor.signature, state[stage])
    for stage, predictor in stages.items():
        predictor.signature = _signature(predictor.signature, state[stage])
        predictor.demos = [dspy.Example(**demo) for demo in state[stage]["demos"]]


def _signature(signature: Any, stored: dict[str, Any]) -> Any:
    # Instructions are dedented when they are read; behind an empty line that leaves them as they are.
    signature = signature.with_instructions("\n" + stored["instruction"])
    for name, extra in stored["fields"].items():
        known = signature.fields[name].json_schema_extra or {}
        if any(known.get(key) != text for key, text in extra.items()):
            signature = signature.with_updated_fields(name, prefix=extra["prefix"], desc=extra["desc"])
    return signature


def _own(manifest: dict[str, Any]) -> Backbone:
    stored = manifest["backbone"]
    if (own := profiles().get(stored["name"])) is None:
        raise BackboneError(
            f"the version was compiled for the backbone {stored['name']!r:.80}: name a backbone to run it on"
        )
    current = own.identity()
    for key in sorted(current.keys() | stored.keys()):
        if current.get(key) != stored.get(key):
            raise BackboneError(
                f"the version was compiled for another backbone {own.name!r} than this release has ({key} differs): "
                f"name a backbone to run it on; {own.name!r} itself will do if you accept the change"
            )
    return own
