"""A manifest that this release did not write is refused with what differs, even where all hashes are right."""

import json
from pathlib import Path
from typing import Any

import pytest

from programs import load
from programs.manifest import LARGEST, MANIFEST, manifest_text
from tests.programs.versions import BACKBONE, READER, Change, edit, read, refused, seal

FILES = tuple(LARGEST)


def test_the_version_that_is_spoilt_below_loads(version: Path) -> None:
    assert load(version, BACKBONE).reader == READER


def test_making_its_hashes_right_again_changes_nothing(version: Path) -> None:
    before = (version / MANIFEST).read_bytes()
    seal(version)
    assert (version / MANIFEST).read_bytes() == before


SIGNATURES: dict[str, tuple[Change, str]] = {
    "a field renamed": (
        lambda m: m["stages"]["affect"][1].__setitem__(0, "conversation"),
        r"'affect' changed: field 2 is conversation \(in, str\) in the version, dialogue \(in, str\) in this code",
    ),
    "fields reordered": (
        lambda m: m["stages"]["affect"].insert(0, m["stages"]["affect"].pop(1)),
        r"'affect' changed: field 1 is dialogue \(in, str\) in the version, candidates \(in, str\)",
    ),
    "another type": (
        lambda m: m["stages"]["causes"][2].__setitem__(2, "str"),
        r"'causes' changed: field 3 is triggers \(out, str\) in the version, triggers \(out, list of str\)",
    ),
    "a label removed from a closed set": (
        lambda m: m["stages"]["plan"][-1].__setitem__(2, "one of mirror, soften"),
        r"'plan' changed: .*stance \(out, one of mirror, soften\) in the version",
    ),
    "another direction": (
        lambda m: m["stages"]["response"][-1].__setitem__(1, "in"),
        r"'response' changed: field 11 is reply \(in, str\)",
    ),
    "a field added": (
        lambda m: m["stages"]["response"].append(["mood", "out", "str"]),
        r"'response' changed: the version has a further field mood \(out, str\)",
    ),
    "a field removed": (
        lambda m: m["stages"]["response"].pop(),
        "'response' changed: the version lacks the field 'reply'",
    ),
    "fields as an object": (lambda m: m["stages"].update(affect={}), "'affect' changed: its fields are not a list"),
    "a field as a text": (lambda m: m["stages"]["affect"].__setitem__(0, "x"), "'affect' changed: field 1 is 'x'"),
    "an unknown stage": (lambda m: m["stages"].update(mood=[]), "stage 'mood' exists only in the version"),
    "a missing stage": (lambda m: m["stages"].pop("plan"), "stage 'plan' exists only in this code"),
}
"""What differs from the code, although all hashes are right."""

MANIFESTS: dict[str, tuple[Change, str]] = {
    "format 2": (lambda m: m.update(format=2), "has format 2; this release reads format 1"),
    "format 2 with a shape of its own": (lambda m: (m.update(format=2), m.pop("stages")), "has format 2"),
    "format as a truth value": (lambda m: m.update(format=True), "'format' must be of type int"),
    "format as a fraction": (lambda m: m.update(format=1.0), "'format' must be of type int"),
    "another vocabulary": (lambda m: m.update(vocabulary="2"), "speaks vocabulary '2', this release '1'"),
    "an unknown key": (lambda m: m.update(extra=1), "the unknown key 'extra'"),
    "an unknown program": (lambda m: m.update(program="oracle"), "unknown program 'oracle': there are trace"),
    "another program": (lambda m: m.update(program="plain"), "stage 'affect' exists only in the version"),
    "an unknown adapter": (lambda m: m.update(adapter="xml"), "unknown adapter 'xml'"),
    "an unknown switch": (lambda m: m["configuration"].update(mood=True), "the configuration has 'mood' = True"),
    "a number for a switch": (lambda m: m["configuration"].update(plan=1), "the configuration has 'plan' = 1"),
    "null for a switch": (lambda m: m["configuration"].update(basic=None), "the configuration has 'basic' = None"),
    "a truth value for a number": (lambda m: m["configuration"].update(cases=True), "has 'cases' = True"),
    "a text for a number": (lambda m: m["configuration"].update(cases="2"), "has 'cases' = '2'"),
    "a fraction for a number": (lambda m: m["configuration"].update(cases=2.0), r"has 'cases' = 2\.0"),
    "a list for a number": (lambda m: m["configuration"].update(cases=[2]), r"has 'cases' = \[2\]"),
    "an absurd number": (lambda m: m["configuration"].update(cases=10**9), "'cases' = 1000000000, not 0 to 32"),
    "a negative number": (lambda m: m["configuration"].update(candidates=-1), "'candidates' = -1, not 0 to 32"),
    "a stage switched off": (lambda m: m["configuration"].update(plan=False), "stage 'plan' exists only in the version"),
    "six emotions instead of 32": (lambda m: m["configuration"].update(basic=True), "'affect' changed: field 3"),
    "a backbone without a name": (lambda m: m["backbone"].pop("name"), "'backbone' has no 'name'"),
    "a backbone with a list for a name": (lambda m: m["backbone"].update(name=["x"]), "'backbone' has no 'name'"),
    "a listed file above the folder": (lambda m: m["files"].update({"../state.json": "x"}), r"lists '\.\./state\.json'"),
    "a listed file below it": (lambda m: m["files"].update({"a/state.json": "x"}), "lists 'a/state.json'"),
    "a listed file by an absolute path": (lambda m: m["files"].update({"/etc/passwd": "x"}), "lists '/etc/passwd'"),
    "a listed file by a roundabout path": (lambda m: m["files"].update({"./state.json": "x"}), r"lists '\./state\.json'"),
    "a listed file of another name": (lambda m: m["files"].update({"run.py": "x"}), "lists 'run.py'"),
    "a listed file without a name": (lambda m: m["files"].update({"": "x"}), "lists '', which no version has"),
    "a listed file with NUL": (lambda m: m["files"].update({"a\0b": "x"}), r"lists 'a\\x00b'"),
    "the manifest itself listed": (lambda m: m["files"].update({MANIFEST: "x"}), "lists 'manifest.json'"),
    **{f"{name} not listed": (lambda m, name=name: m["files"].pop(name), f"{name}") for name in FILES if name != MANIFEST},
    **{
        f"{key} missing": (lambda m, key=key: m.pop(key), f"lacks '{key}'")
        for key in ("format", "program", "configuration", "stages", "vocabulary", "backbone", "adapter")
    },
    **{
        f"{key} of another type": (lambda m, key=key, value=value: m.update({key: value}), f"'{key}' must be of type")
        for key, value in {
            "program": 1, "configuration": [], "stages": [], "vocabulary": 1, "backbone": "x", "adapter": None,
            "recipe": "x", "seed": True, "objective": [], "certificate": 0, "data": {}, "scores": [], "cost": 1.5,
            "libraries": [], "commit": 7, "created": 0, "run": {},
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"), [*SIGNATURES.values(), *MANIFESTS.values()], ids=[*SIGNATURES, *MANIFESTS]
)
def test_a_manifest_of_something_else(change: Change, words: str, version: Path) -> None:
    edit(version, MANIFEST, change)
    refused(version, words)


def _without_files(manifest: Any) -> str:
    return json.dumps({key: value for key, value in manifest.items() if key != "files"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without_files, "lacks 'files'"),
        (lambda m: json.dumps({**m, "files": []}), "'files' must be of type dict"),
        (lambda m: json.dumps({**m, "files": {**m["files"], "state.json": None}}), "changed after"),
        (lambda m: json.dumps({key: value for key, value in m.items() if key != "sha256"}), "lacks 'sha256'"),
        (lambda m: json.dumps({**m, "sha256": 0}), "'sha256' must be of type str"),
        (lambda m: json.dumps(m), "manifest.json was changed after the version was written"),
        (lambda m: json.dumps({**m, "commit": "x"}, indent=2, ensure_ascii=False) + "\n", "manifest.json was changed"),
    ],
)
def test_a_manifest_that_was_touched(change: Change, words: str, version: Path) -> None:
    (version / MANIFEST).write_text(change(read(version, MANIFEST)), "utf-8")
    refused(version, words)


def test_a_hash_of_another_type(version: Path) -> None:
    manifest = read(version, MANIFEST)
    manifest["files"]["state.json"] = ["x"]
    (version / MANIFEST).write_text(manifest_text(manifest), "utf-8")
    refused(version, "state.json was changed after the version was written")
