"""A whole compile from the command line over a loopback endpoint: result, repetition, kill, interrupt."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from optimizers.registry import Registry
from optimizers.run_folders import list_runs, remembered
from programs import load
from programs.errors import RecipeError
from programs.loading import read_manifest
from tests.loopback import Endpoint, chat_endpoint
from tests.optimizers.invented import corpus_file, profile_file, rows

ROOT = Path(__file__).parents[2]
AT_A_TERMINAL = """
import signal
from apps.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""The command as a terminal starts it: in the background of a script, Python would never hear an interrupt."""


@dataclass
class Place:
    """A working directory with a corpus, a store and an endpoint."""

    folder: Path
    endpoint: Endpoint

    def command(self, *more: str) -> list[str]:
        """The compile, as a user types it."""
        spec, profile = corpus_file(self.folder), profile_file(self.folder, self.endpoint.url)
        store = f"sqlite:///{self.folder / 'mlflow.db'}"
        options = ["--corpus", spec, "--backbone", profile, "--store", store, *more]
        return [sys.executable, "-c", AT_A_TERMINAL, "compile", *options]

    def start(self, *more: str) -> subprocess.Popen[str]:
        """The command, running."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(self.command(*more), cwd=self.folder, env=environment, **pipes)  # type: ignore[call-overload,no-any-return]

    def run(self, *more: str) -> tuple[int, str, str]:
        """Exit code, output and errors of the command."""
        process = self.start(*more)
        output, errors = process.communicate(timeout=180)
        return process.returncode, output, errors

    def resume(self, key: str) -> tuple[int, str, str]:
        """The same, by the run's key."""
        return self.run("--resume", key, "--corpus", "starter")

    def asked(self, count: int, process: subprocess.Popen[str]) -> None:
        """Waits until the endpoint was asked so often."""
        until = time.monotonic() + 60
        while len(self.endpoint.bodies) < count and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)

    @property
    def registry(self) -> Registry:
        """The store's registry."""
        return Registry(f"sqlite:///{self.folder / 'mlflow.db'}")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, str]]:
    """A finished compile and what it printed."""
    with chat_endpoint() as endpoint:
        place = Place(tmp_path_factory.mktemp("compiled"), endpoint)
        code, output, errors = place.run()
        if code:
            pytest.fail(errors)
        yield place, output


def test_it_prints_before_and_after(compiled: tuple[Place, str]) -> None:
    assert "joint objective" in compiled[1]


def test_it_prints_a_sample_reply(compiled: tuple[Place, str]) -> None:
    assert "- compiled: A stub reply." in compiled[1]


def test_the_first_version_becomes_champion(compiled: tuple[Place, str]) -> None:
    assert compiled[0].registry.versions(alias="champion")[0].version == 1


def test_the_version_records_where_it_comes_from(compiled: tuple[Place, str]) -> None:
    manifest = read_manifest(compiled[0].registry.fetch("champion"))
    assert (manifest["recipe"]["name"], manifest["data"][0]["name"]) == ("stagewise", "jsonl:invented.jsonl")


def test_the_version_answers_on_a_named_backbone(compiled: tuple[Place, str]) -> None:
    place = compiled[0]
    program = load(place.registry.fetch("champion"), profile_file(place.folder, place.endpoint.url))
    assert program("The kettle broke today.").reply == "A stub reply."


def test_the_same_compile_again_asks_nothing_and_registers_nothing(compiled: tuple[Place, str]) -> None:
    place = compiled[0]
    asked = len(place.endpoint.bodies)
    place.run()
    assert (len(place.endpoint.bodies), len(place.registry.versions())) == (asked, 1)


def test_a_killed_compile_continues_without_asking_again(tmp_path: Path, compiled: tuple[Place, str]) -> None:
    whole = len(compiled[0].endpoint.bodies)
    with chat_endpoint() as endpoint:
        place = Place(tmp_path, endpoint)
        process = place.start()
        place.asked(whole // 2, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        (stopped,) = list_runs(tmp_path / ".trace-erg/runs")
        assert stopped.state == "stopped"
        code, _, errors = place.resume(stopped.key[:6])
        if code:
            pytest.fail(errors)
        # Half was answered before the kill: asking it again would make it half as many more. A few calls were in flight.
        assert len(endpoint.bodies) < 1.25 * whole
        assert [item.version for item in place.registry.versions()] == [1]


def test_an_interrupt_ends_with_one_clear_line(tmp_path: Path) -> None:
    with chat_endpoint() as endpoint:
        place = Place(tmp_path, endpoint)
        process = place.start()
        place.asked(5, process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, "start the same command again" in errors) == (130, True)


@pytest.mark.parametrize(("status", "says"), [(401, "authentication failed"), (500, "the endpoint failed")])
def test_an_outage_ends_the_compile_and_registers_nothing(tmp_path: Path, status: int, says: str) -> None:
    with chat_endpoint(status=status) as endpoint:
        code, _, errors = Place(tmp_path, endpoint).run()
        assert (code, says in errors, (tmp_path / "mlflow.db").exists()) == (1, True, False)


def test_a_corpus_without_replies_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mute.jsonl"
    path.write_text("".join(json.dumps({**row, "reply": None}) + "\n" for row in rows()), "utf-8")
    with chat_endpoint() as endpoint:
        place = Place(tmp_path, endpoint)
        code, _, errors = place.run("--corpus", f"jsonl:{path}")
        assert (code, "has a reply, so no reply can be judged" in errors) == (1, True)


def test_a_finished_run_is_listed_with_its_score(compiled: tuple[Place, str]) -> None:
    (run,) = list_runs(compiled[0].folder / ".trace-erg/runs")
    assert (run.state, run.score is not None, run.order["recipe"]) == ("finished", True, "stagewise")


@pytest.mark.parametrize("key", ["zzzz", ""])
def test_an_unknown_run_is_refused_with_those_there_are(tmp_path: Path, key: str) -> None:
    with pytest.raises(RecipeError, match="no run begins with"):
        remembered(tmp_path, key)
