"""Killed, interrupted or crowded: the registry holds complete versions, and the same call again mends the rest."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import apps
from optimizers.registry import Registered, Registry
from programs import Backbone, Trace, save
from programs.errors import RegistryError

ROOT = Path(apps.__file__).parents[1]
MODEL_CODE = ROOT / "apps" / "model.py"
# MLflow runs the model code while the model is saved: what that code does happens in the middle of a recording.
ENDS = {"killed": "import os; os._exit(9)", "interrupted": "raise KeyboardInterrupt", "failing": "raise RuntimeError"}
_RECORDER = """
import sys
from pathlib import Path
from optimizers.registry import Registry
store, folder, key, code = sys.argv[1:]
described = {"params": {}, "metrics": {}, "tags": {}, "model_code": Path(code)}
print(Registry(store).record(Path(folder), key=key, **described).version)
"""


def recorder(store: str, folder: Path, key: str, code: Path = MODEL_CODE) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", _RECORDER, store, str(folder), key, str(code)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def record(registry: Registry, folder: Path, key: str, code: Path = MODEL_CODE) -> Registered:
    return registry.record(folder, key=key, params={}, metrics={}, tags={}, model_code=code)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(Trace(), tmp_path_factory.mktemp("version") / "v", Backbone.of("embedded"))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a schema and nothing in it."""
    registry = Registry(f"sqlite:///{tmp_path_factory.mktemp('empty')}/mlflow.db")
    with registry.store.locked():
        registry.store.make()
    assert registry.store.database
    return registry.store.database


@pytest.fixture
def registry(empty: Path, tmp_path: Path) -> Registry:
    return Registry(f"sqlite:///{shutil.copy(empty, tmp_path)}")


def ending(tmp_path: Path, end: str) -> Path:
    code = tmp_path / "ending.py"
    code.write_text(ENDS[end], "utf-8")
    return code


def broken_off(registry: Registry, folder: Path, tmp_path: Path, end: str) -> None:
    """Records until the model code ends it."""
    if end == "killed":
        process = recorder(registry.store.uri, folder, "k", ending(tmp_path, end))
        process.communicate(timeout=120)
        assert process.returncode == 9
    else:
        with pytest.raises((RegistryError, KeyboardInterrupt)):
            record(registry, folder, "k", ending(tmp_path, end))


def statuses(registry: Registry) -> list[str]:
    client = registry.store.client()
    experiment = client.get_experiment_by_name("trace-erg")
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id], order_by=["attributes.start_time ASC"])
    return [run.info.status for run in runs]


@pytest.mark.parametrize("end", ENDS)
def test_a_recording_broken_off_registers_nothing(registry: Registry, folder: Path, tmp_path: Path, end: str) -> None:
    broken_off(registry, folder, tmp_path, end)
    assert registry.versions() == []


@pytest.mark.parametrize(("end", "status"), [("interrupted", "KILLED"), ("failing", "FAILED")])
def test_a_recording_broken_off_leaves_no_run_active(
    registry: Registry, folder: Path, tmp_path: Path, end: str, status: str
) -> None:
    broken_off(registry, folder, tmp_path, end)
    assert statuses(registry) == [status]


@pytest.mark.parametrize("end", ENDS)
def test_the_same_call_again_registers_a_version_that_loads(
    registry: Registry, folder: Path, tmp_path: Path, end: str
) -> None:
    broken_off(registry, folder, tmp_path, end)
    assert registry.fetch(str(record(registry, folder, "k").version)).is_dir()


def test_a_run_that_a_kill_left_behind_is_ended(registry: Registry, folder: Path, tmp_path: Path) -> None:
    broken_off(registry, folder, tmp_path, "killed")
    record(registry, folder, "k")
    assert statuses(registry) == ["KILLED", "FINISHED"]


def test_a_run_of_another_key_is_left_alone(registry: Registry, folder: Path, tmp_path: Path) -> None:
    broken_off(registry, folder, tmp_path, "killed")
    record(registry, folder, "another")
    assert statuses(registry) == ["RUNNING", "FINISHED"]


def unaliased(registry: Registry, folder: Path, key: str) -> Registered:
    """What a kill just before the aliases leaves: a complete version, and a run that has not ended."""
    made = record(registry, folder, key)
    client = registry.store.client()
    for alias in made.aliases:
        client.delete_registered_model_alias("trace-erg", alias)
    client.update_run(made.run_id, status="RUNNING")
    return made


def test_the_same_call_again_sets_aliases_that_a_kill_kept_away(registry: Registry, folder: Path) -> None:
    unaliased(registry, folder, "k")
    assert record(registry, folder, "k").aliases == ("champion", "embedded")


def test_aliases_that_a_kill_kept_away_do_not_come_back_over_newer_ones(registry: Registry, folder: Path) -> None:
    unaliased(registry, folder, "k")
    record(registry, folder, "newer")
    assert record(registry, folder, "k").aliases == ()


@pytest.mark.slow
def test_processes_that_start_at_once_on_a_new_store_all_succeed(tmp_path: Path, folder: Path) -> None:
    store = f"sqlite:///{tmp_path}/new/mlflow.db"
    started = [recorder(store, folder, f"key {number}") for number in range(4)]
    answers = [process.communicate(timeout=300) for process in started]
    assert sorted(said.strip() for said, _ in answers) == ["1", "2", "3", "4"], [
        errors[-2000:] for _, errors in answers
    ]


@pytest.mark.slow
def test_a_store_whose_making_was_killed_is_made_anew(tmp_path: Path, folder: Path) -> None:
    process = recorder(f"sqlite:///{tmp_path}/mlflow.db", folder, "k")
    while not (tmp_path / "mlflow.db.new").exists():
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert record(Registry(f"sqlite:///{tmp_path}/mlflow.db"), folder, "k").version == 1


def test_a_half_made_schema_is_answered_with_what_to_do(tmp_path: Path, empty: Path) -> None:
    half = Path(shutil.copy(empty, tmp_path))
    with sqlite3.connect(half) as connection:
        connection.execute("DROP TABLE alembic_version")
        connection.execute("DROP TABLE model_versions")
    connection.close()
    with pytest.raises(RegistryError, match=r"run `mlflow db upgrade sqlite:///.*or move it away"):
        Registry(f"sqlite:///{half}").versions()


def test_a_schema_of_another_release_is_answered_with_what_to_do(tmp_path: Path, empty: Path) -> None:
    old = Path(shutil.copy(empty, tmp_path))
    with sqlite3.connect(old) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '451aebb31d03'")
    connection.close()
    with pytest.raises(RegistryError, match="run `mlflow db upgrade"):
        Registry(f"sqlite:///{old}").versions()
