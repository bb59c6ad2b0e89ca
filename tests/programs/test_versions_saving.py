"""A version folder is there whole or not at all, takes the place of nothing but a version, and can be loaded."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import dspy
import pytest

from programs import load, save
from programs.backbones import Backbone
from programs.cases import Case, CaseBank
from programs.errors import BackboneError, VersionError
from programs.loading import read_manifest
from programs.manifest import state_of
from programs.staged import Configuration
from programs.swapping import put_in_place
from programs.trace import Trace
from tests.programs.versions import BACKBONE, KEY, contents, full

ROOT = Path(__file__).parents[2]


REFUSED: dict[str, tuple[Any, dict[str, Any], type[Exception], str]] = {
    "a detail that replaces an entry": ({}, {"details": {"program": "x"}}, VersionError, "no detail 'program'"),
    "an unknown detail": ({}, {"details": {"mood": {}}}, VersionError, "no detail 'mood'"),
    "a detail of another type": ({}, {"details": {"seed": "3"}}, VersionError, "'seed' must be of type int"),
    "a detail that is no JSON": ({}, {"details": {"cost": {"x": object()}}}, VersionError, "not JSON serializable"),
    "a detail that is not finite": ({}, {"details": {"scores": {"x": float("nan")}}}, VersionError, "JSON compliant"),
    "a label outside the vocabulary": ({"emotion": "sleepy"}, {}, VersionError, "affect, demo 1: emotion = 'sleepy'"),
    "an output that is no text": ({"emotion": object()}, {}, VersionError, "not JSON serializable"),
    "a lone surrogate": ({"dialogue": "\ud800"}, {}, VersionError, "surrogates not allowed"),
}  # fmt: skip


@pytest.mark.parametrize(("demo", "given", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_what_could_not_be_loaded_is_not_saved(
    demo: Any, given: dict[str, Any], error: type[Exception], words: str, tmp_path: Path
) -> None:
    program = Trace()
    program.affect.demos = [dspy.Example(**{"dialogue": "Hm.", "emotion": "sad", **demo})]
    with pytest.raises(error, match=words):
        save(program, tmp_path / "v", BACKBONE, **given)


def test_a_refused_save_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(VersionError):
        save(Trace(), tmp_path / "v", BACKBONE, details={"seed": "3"})
    assert list(tmp_path.iterdir()) == []


def test_a_refused_save_keeps_the_version_that_was_there(tmp_path: Path) -> None:
    before = contents(save(Trace(), tmp_path / "v", BACKBONE))
    with pytest.raises(VersionError):
        save(full(), tmp_path / "v", BACKBONE, details={"seed": "3"})
    assert contents(tmp_path / "v") == before


def test_a_case_without_a_reply_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(VersionError, match=r"cases\.jsonl, line 1"):
        save(Trace(bank=CaseBank([Case("1", "x", "")])), tmp_path / "v", BACKBONE)


def test_more_cases_than_a_prompt_holds_are_not_saved(tmp_path: Path) -> None:
    with pytest.raises(VersionError, match="'cases' = 1000"):
        save(Trace(Configuration(cases=1000)), tmp_path / "v", BACKBONE)


@pytest.mark.parametrize("name", ["api_key", "API_KEY", "extra_headers", "azure_ad_token", "client_secret"])
def test_a_key_among_the_parameters_is_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(BackboneError, match=f"{name} must not be written"):
        save(Trace(), tmp_path / "v", Backbone("x", "openai/x", {name: KEY}))


FOREIGN = {
    "a file": lambda place: place.write_text("mine"),
    "a folder with other files": lambda place: (place.mkdir(), (place / "thesis.md").write_text("mine")),
    "a folder with a manifest of something else": lambda place: (
        place.mkdir(),
        (place / "manifest.json").write_text("{}"),
        (place / "index.html").write_text("mine"),
    ),
    "a folder of pictures": lambda place: (place.mkdir(), (place / "holiday.png").write_text("mine")),
}


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_what_is_no_version_is_never_replaced(make: Any, tmp_path: Path) -> None:
    make(tmp_path / "v")
    with pytest.raises(VersionError, match="no version: choose another place"):
        save(Trace(), tmp_path / "v", BACKBONE)


def _broken(place: Path) -> None:
    (save(full(), place, BACKBONE) / "manifest.json").unlink()


REPLACED = {
    "nothing": lambda place: None,
    "an empty folder": lambda place: place.mkdir(),
    "another version": lambda place: save(full(), place, BACKBONE, report="old"),
    "a version with a picture": lambda place: (save(full(), place, BACKBONE) / "chart.png").write_bytes(b""),
    "a version that lost its manifest": _broken,
    "a link to another version": lambda place: place.symlink_to(save(full(), place.parent / "w", BACKBONE)),
}


@pytest.mark.parametrize("make", REPLACED.values(), ids=REPLACED)
def test_a_version_takes_the_place_of(make: Any, tmp_path: Path) -> None:
    make(tmp_path / "v")
    save(Trace(), tmp_path / "v", BACKBONE)
    assert state_of(load(tmp_path / "v", BACKBONE)) == state_of(Trace())


@pytest.mark.parametrize("make", REPLACED.values(), ids=REPLACED)
def test_nothing_is_left_beside_it(make: Any, tmp_path: Path) -> None:
    make(tmp_path / "v")
    save(Trace(), tmp_path / "v", BACKBONE)
    assert {file.name for file in tmp_path.iterdir()} <= {"v", "w"}


def test_missing_parents_are_made(tmp_path: Path) -> None:
    assert read_manifest(save(Trace(), tmp_path / "a" / "b" / "v", BACKBONE))["program"] == "trace"


def test_a_place_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_manifest(save(Trace(), Path("v"), BACKBONE))["program"] == "trace"


def test_there_is_no_moment_without_the_folder(tmp_path: Path) -> None:
    place = save(Trace(), tmp_path / "v", BACKBONE)
    made = [save(Trace(), tmp_path / str(number), BACKBONE) for number in range(2)] * 200
    done, gone = threading.Event(), []

    def watch() -> None:
        while not done.is_set():
            if not (place / "manifest.json").exists():
                gone.append(time.monotonic())

    watcher = threading.Thread(target=watch)
    watcher.start()
    for folder in made:
        put_in_place(folder, place)
    done.set()
    watcher.join()
    assert gone == []


KILLED = """
import os, pathlib, signal, sys
from programs import load, save
from programs.manifest import state_of
from programs.trace import Trace
from tests.programs.versions import BACKBONE, full
old, place, program = state_of(Trace()), pathlib.Path(sys.argv[2]) / "v", full()

def strike_at(moment):
    count = 0
    def strike(event, arguments):
        nonlocal count
        made = any(".v." in item for item in arguments if isinstance(item, str))
        writes = event in ("os.mkdir", "os.chmod") or (event == "open" and arguments[1] == "w")
        count += (made and writes) or event in ("os.rename", "os.scandir")
        if count == moment:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(strike)

if sys.argv[1] == "replacing":
    save(Trace(), place, BACKBONE)
for moment in range(1, 100):
    if not (child := os.fork()):
        strike_at(moment)
        save(program, place, BACKBONE)
        os._exit(0)
    killed = os.waitpid(child, 0)[1] != 0
    found = "none" if not place.exists() else "old" if state_of(load(place, BACKBONE)) == old else "new"
    print(found)
    if not killed:
        break
"""
"""Saves again and again, killed before the first, the second, ... change on disk, until one survives."""


@pytest.mark.parametrize(("place", "before"), [("empty", "none"), ("replacing", "old")])
def test_killed_at_any_moment_the_folder_is_as_it_was_or_new(place: str, before: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", KILLED, place, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = done.stdout.split()
    switch = found.index("new")
    assert switch > 6 and found == [before] * switch + ["new"] * (len(found) - switch)


def test_saved_from_several_threads_one_whole_version_remains(tmp_path: Path) -> None:
    threads = [threading.Thread(target=save, args=(make(), tmp_path / "v", BACKBONE)) for make in (Trace, full) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert state_of(load(tmp_path / "v", BACKBONE)) in (state_of(Trace()), state_of(full()))
