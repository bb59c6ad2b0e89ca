"""Loading a version: everything is checked before anything is built, and the backbone is bound last."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import dspy

from programs import vocabulary
from programs.backbones import Backbone, profiles
from programs.cases import CaseBank, read_cases
from programs.catalogue import program_class
from programs.errors import BackboneError, VersionError
from programs.manifest import CASES, LARGEST, MANIFEST, READER, STATE, check_manifest, check_stages, digest
from programs.reader import read_reader
from programs.staged import Configuration, Staged


def load(folder: str | Path, backbone: str | Path | Backbone | None = None) -> Staged:
    """The program of a version folder, bound to a backbone.

    Args:
        folder: the version.
        backbone: anything `Backbone.of` takes; by default the profile the version was compiled for.

    Raises:
        VersionError: the folder differs from what this release can load; says in what. Nothing is half-loaded.
        BackboneError: no such backbone, or the version's own is no profile of this release.
    """
    path = Path(folder).expanduser()
    manifest = read_manifest(path)
    program = _built(path, manifest)
    _fill(program, _json(path / STATE))
    bound = Backbone.of(backbone) if backbone else _own(manifest)
    program.set_lm(bound.lm())
    return program


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a version folder, once all its files are what it says.

    Raises:
        VersionError: something is missing, changed, too large or leads elsewhere; says what.
    """
    if not path.is_dir():
        raise VersionError(f"no version at {path}: a version is a folder with {MANIFEST}")
    if not (path / MANIFEST).is_file():
        raise VersionError(f"{path} is no version: it has no {MANIFEST}")
    _check_names(path)
    manifest = check_manifest(_json(path / MANIFEST))
    if manifest["vocabulary"] != vocabulary.VERSION:
        raise VersionError(
            f"the version speaks vocabulary {manifest['vocabulary']!r}, this release {vocabulary.VERSION!r}: recompile"
        )
    _check_hashes(path, manifest["files"])
    return manifest


def _check_names(path: Path) -> None:
    for file in path.iterdir():
        if file.name not in LARGEST and not file.name.endswith(".png"):
            raise VersionError(f"{path.name} holds {file.name!r}, which no version has")
        if file.is_symlink() or not file.is_file():
            raise VersionError(f"{file.name} is a link or a folder: a version holds plain files only")
        if file.stat().st_size > LARGEST.get(file.name, 4 << 20):
            raise VersionError(f"{file.name} has {file.stat().st_size:,} bytes, more than any version needs")


def _check_hashes(path: Path, files: dict[str, Any]) -> None:
    for name, expected in files.items():
        if Path(name).name != name or name not in LARGEST or name == MANIFEST:
            raise VersionError(f"{MANIFEST} lists {name!r}, which no version has")
        if not (path / name).is_file():
            raise VersionError(f"{name} is missing from the version")
        if (found := digest(path / name)) != expected:
            raise VersionError(
                f"{name} was changed after the version was written: sha256 {found[:12]}, not {expected!s:.12}"
            )
    for name in (STATE, CASES):
        if name not in files:
            raise VersionError(f"{MANIFEST} does not list {name}")
    for file in path.iterdir():
        if file.name in LARGEST and file.name not in files and file.name != MANIFEST:
            raise VersionError(f"{file.name} is not listed in {MANIFEST}")


def _built(path: Path, manifest: dict[str, Any]) -> Staged:
    reader = read_reader(path / READER) if READER in manifest["files"] else None
    bank = CaseBank(read_cases(path / CASES))
    program = program_class(manifest["program"])(_configuration(manifest["configuration"]), bank, reader)
    check_stages(manifest["stages"], program)
    if manifest["adapter"] != "compact":
        raise VersionError(f"unknown adapter {manifest['adapter']!r}: this release has 'compact'")
    return program


def _configuration(stored: dict[str, Any]) -> Configuration:
    known = {item.name: item.type for item in fields(Configuration)}
    for name, value in stored.items():
        if name not in known or type(value) is not known[name]:
            raise VersionError(f"{MANIFEST}: the configuration has {name!r} = {value!r}, which this release lacks")
    return Configuration(**stored)


def _fill(program: Staged, state: Any) -> None:
    stages = program.stages
    if not isinstance(state, dict) or state.keys() != stages.keys():
        raise VersionError(f"{STATE} must hold exactly the stages {', '.join(stages)}")
    for stage, predictor in stages.items():
        predictor.signature = _signature(stage, predictor.signature, state[stage])
        predictor.demos = _demos(stage, predictor.signature, state[stage]["demos"])


def _signature(stage: str, signature: Any, stored: Any) -> Any:
    if not isinstance(stored, dict) or stored.keys() != {"instruction", "fields", "demos"}:
        raise VersionError(f"{STATE}, {stage}: holds instruction, fields and demos, nothing else")
    if not isinstance(stored["instruction"], str) or not isinstance(stored["fields"], dict):
        raise VersionError(f"{STATE}, {stage}: the instruction is a text and the fields an object")
    if stored["fields"].keys() != signature.fields.keys():
        differing = sorted(stored["fields"].keys() ^ signature.fields.keys())
        raise VersionError(f"{STATE}, {stage}: the fields {', '.join(differing)} are not on both sides")
    signature = signature.with_instructions(stored["instruction"])
    for name, extra in stored["fields"].items():
        if not isinstance(extra, dict) or extra.keys() != {"prefix", "desc"}:
            raise VersionError(f"{STATE}, {stage}, {name}: holds prefix and desc, nothing else")
        signature = signature.with_updated_fields(name, prefix=str(extra["prefix"]), desc=str(extra["desc"]))
    return signature


def _demos(stage: str, signature: Any, stored: Any) -> list[dspy.Example]:
    if not isinstance(stored, list) or not all(isinstance(demo, dict) for demo in stored):
        raise VersionError(f"{STATE}, {stage}: demos are a list of objects")
    for demo in stored:
        for name in demo.keys() - signature.fields.keys():
            raise VersionError(f"{STATE}, {stage}: a demo has the unknown field {name!r}")
    return [dspy.Example(**demo) for demo in stored]


def _own(manifest: dict[str, Any]) -> Backbone:
    name = manifest["backbone"].get("name")
    if name not in profiles():
        raise BackboneError(f"the version was compiled for the backbone {name!r}: name a backbone to run it on")
    return profiles()[name]


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise VersionError(f"{path.name} cannot be read: {error}") from error
