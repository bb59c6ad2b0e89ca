"""Whatever happens to a version's files: it loads, or `VersionError` says why."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from programs import load, save
from programs.errors import VersionError
from programs.manifest import LARGEST, MANIFEST, digest, manifest_text
from tests.programs.versions import BACKBONE, full, read, seal

SETTINGS = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud800")
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
) | st.sampled_from([10**400, "sad", "sleepy", "../state.json", ["sad"], {"prefix": "", "desc": ""}])


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A version and the bytes of its files."""
    folder = save(full(), tmp_path_factory.mktemp("kept") / "v", BACKBONE, report="# Report\n")
    return folder, {file.name: file.read_bytes() for file in folder.iterdir()}


def restored(kept: tuple[Path, dict[str, bytes]]) -> Path:
    folder, contents = kept
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


@SETTINGS
@given(name=st.sampled_from(tuple(LARGEST)), data=st.data())
def test_edited_bytes_never_load(kept: tuple[Path, dict[str, bytes]], name: str, data: st.DataObject) -> None:
    folder = restored(kept)
    content = kept[1][name]
    start = data.draw(st.integers(0, len(content)), "start")
    end = data.draw(st.integers(start, min(len(content), start + 40)), "end")
    edited = content[:start] + data.draw(st.binary(max_size=20), "put in") + content[end:]
    (folder / name).write_bytes(edited)
    if edited != content:
        with pytest.raises(VersionError):
            load(folder, BACKBONE)


def paths(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a value, itself included."""
    yield here
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*here, key))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = replaced(value[path[0]], path[1:], new)
    return changed


def loads_or_says_why(folder: Path) -> None:
    try:
        program = load(folder, BACKBONE)
    except VersionError:
        return
    assert program(dialogue="I lost my dog.").reply == "A scripted reply."


@SETTINGS
@given(name=st.sampled_from(["state.json", "reader.json"]), new=VALUES, data=st.data())
def test_another_value_with_right_hashes(
    kept: tuple[Path, dict[str, bytes]], name: str, new: Any, data: st.DataObject
) -> None:
    folder = restored(kept)
    value = read(folder, name)
    path = data.draw(st.sampled_from(list(paths(value))), "path")
    (folder / name).write_text(json.dumps(replaced(value, path, new)), "utf-8")
    seal(folder)
    loads_or_says_why(folder)


@SETTINGS
@given(new=VALUES, data=st.data())
def test_another_case_with_right_hashes(kept: tuple[Path, dict[str, bytes]], new: Any, data: st.DataObject) -> None:
    folder = restored(kept)
    value = [json.loads(line) for line in kept[1]["cases.jsonl"].decode().split("\n") if line]
    path = data.draw(st.sampled_from(list(paths(value))[1:]), "path")
    lines = [json.dumps(case) for case in replaced(value, path, new)]
    (folder / "cases.jsonl").write_text("\n".join(lines), "utf-8")
    seal(folder)
    loads_or_says_why(folder)


@SETTINGS
@given(new=VALUES, data=st.data())
def test_another_manifest_with_right_hashes(kept: tuple[Path, dict[str, bytes]], new: Any, data: st.DataObject) -> None:
    folder = restored(kept)
    value = read(folder, MANIFEST)
    path = data.draw(st.sampled_from(list(paths(value))[1:]), "path")
    try:
        text = manifest_text(replaced(value, path, new))
    except ValueError:  # not finite, or no text: nobody can seal it
        text = json.dumps(replaced(value, path, new))
    (folder / MANIFEST).write_bytes(text.encode("utf-8", "surrogatepass"))
    loads_or_says_why(folder)


def test_the_untouched_version_loads(kept: tuple[Path, dict[str, bytes]]) -> None:
    assert digest(restored(kept) / MANIFEST) == digest(kept[0] / MANIFEST)
    loads_or_says_why(kept[0])
