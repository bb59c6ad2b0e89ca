"""A folder whose files were cut, changed, linked, added or blown up is refused before anything of it is used."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from programs import load
from programs.errors import VersionError
from programs.manifest import LARGEST, MANIFEST
from tests.programs.versions import BACKBONE, refused, rewrite

FILES = tuple(LARGEST)
JSON_FILES = (MANIFEST, "state.json", "reader.json")


@pytest.mark.parametrize("share", [0.25, 0.5, 0.99])
@pytest.mark.parametrize("name", [*JSON_FILES, "cases.jsonl"])
def test_truncated_json(name: str, share: float, version: Path) -> None:
    content = (version / name).read_bytes()
    rewrite(version, name, content[: int(len(content) * share)])
    refused(version, name.replace(".", r"\."))


@pytest.mark.parametrize("name", FILES)
def test_one_changed_byte(name: str, version: Path) -> None:
    content = bytearray((version / name).read_bytes())
    content[len(content) // 2] ^= 1
    (version / name).write_bytes(content)
    refused(version, name.replace(".", r"\."))


@pytest.mark.parametrize("name", FILES)
def test_one_further_byte(name: str, version: Path) -> None:
    with (version / name).open("ab") as file:
        file.write(b"\n")
    refused(version, rf"{name} was changed after the version was written".replace(".", r"\."))


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(name: str, version: Path) -> None:
    (version / name).unlink()
    refused(version, name.replace(".", r"\."))


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_a_link(name: str, version: Path, tmp_path: Path) -> None:
    (version / name).rename(tmp_path / "elsewhere")
    (version / name).symlink_to(tmp_path / "elsewhere")
    refused(version, f"{name} is a link or a folder")


def _sparse(file: Path, size: int) -> None:
    with file.open("wb") as opened:
        opened.truncate(size)


MEMBERS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "an unknown file": (lambda v: (v / "run.py").write_text("x"), "holds 'run.py', which no version has"),
    "a pickle": (lambda v: (v / "program.pkl").write_text("x"), "holds 'program.pkl'"),
    "a hidden file": (lambda v: (v / ".env").write_text("x"), "holds '.env'"),
    "a file in capitals": (lambda v: (v / "STATE.json").write_text("x"), "holds 'STATE.json'"),
    "a folder": (lambda v: (v / "sub").mkdir(), "holds 'sub'"),
    "a folder called as a picture": (lambda v: (v / "sub.png").mkdir(), "sub.png is a link or a folder"),
    "a folder called as a file": (
        lambda v: ((v / "report.md").unlink(), (v / "report.md").mkdir()),
        "report.md is a link or a folder",
    ),
    "a link to a folder outside": (lambda v: (v / "out").symlink_to(v.parent), "holds 'out'"),
    "a link to a folder outside, called as a picture": (
        lambda v: (v / "out.png").symlink_to(v.parent),
        "out.png is a link or a folder",
    ),
    "a link to nowhere": (lambda v: (v / "out.png").symlink_to("/nowhere"), "out.png is a link or a folder"),
    "a pipe": (lambda v: os.mkfifo(v / "pipe.png"), "pipe.png is a link or a folder"),
    "a manifest that is a pipe": (
        lambda v: ((v / MANIFEST).unlink(), os.mkfifo(v / MANIFEST)),
        "manifest.json is a link or a folder",
    ),
    "a manifest of 5 MB": (lambda v: (v / MANIFEST).write_bytes(b" " * 5_000_000), "manifest.json has 5,000,000 bytes"),
    "cases of 1 GB": (lambda v: _sparse(v / "cases.jsonl", 1 << 30), "cases.jsonl has 1,073,741,824 bytes, more than"),
    "a state of 1 TB": (lambda v: _sparse(v / "state.json", 1 << 40), "state.json has 1,099,511,627,776 bytes"),
    "a picture of 1 GB": (lambda v: _sparse(v / "chart.png", 1 << 30), "chart.png has 1,073,741,824 bytes"),
    "a thousand pictures": (
        lambda v: [(v / f"{number}.png").touch() for number in range(1_000)],
        "holds more than 64 files",
    ),
}


@pytest.mark.parametrize(("change", "words"), MEMBERS.values(), ids=MEMBERS)
def test_a_folder_that_holds(change: Callable[[Path], Any], words: str, version: Path) -> None:
    change(version)
    refused(version, words)


def test_a_picture_beside_the_report_is_allowed(version: Path) -> None:
    (version / "chart.png").write_bytes(b"\x89PNG")
    assert load(version, BACKBONE).name == "trace"


def test_a_link_to_a_version_is_followed(version: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(version)
    assert load(tmp_path / "current", BACKBONE).name == "trace"


PLACES: dict[str, tuple[Callable[[Path], str], str]] = {
    "no such folder": (lambda v: str(v / "none"), "no version at"),
    "a file": (lambda v: str(v / MANIFEST), "no version at"),
    "a folder without a manifest": (lambda v: str(v.parent), "holds|no version"),
    "an unknown user's home": (lambda v: "~nobody-of-that-name/v", "no version at"),
    "a name with NUL": (lambda v: "a\0b", "no version at"),
    "a name that is too long": (lambda v: "x" * 5_000, "no version at"),
}


@pytest.mark.parametrize(("place", "words"), PLACES.values(), ids=PLACES)
def test_a_place_that_is_no_version(place: Callable[[Path], str], words: str, version: Path) -> None:
    with pytest.raises(VersionError, match=words):
        load(place(version), BACKBONE)


def test_an_empty_folder(tmp_path: Path) -> None:
    refused(tmp_path, "is no version: it has no manifest.json")
