"""Where the store is, and what is no store."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import optimizers
from optimizers.registry import Registry
from optimizers.store import Store
from programs import TraceError
from programs.errors import RegistryError


def test_an_empty_registry_lists_nothing(tmp_path: Path) -> None:
    assert Registry(f"sqlite:///{tmp_path}/none.db").versions() == []


def test_looking_makes_no_store(tmp_path: Path) -> None:
    Registry(f"sqlite:///{tmp_path}/none.db").versions()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_registry_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="compile one first"):
        Registry(f"sqlite:///{tmp_path}/none.db").fetch("champion")


def test_the_default_store_is_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    assert Store.of().database == tmp_path / "mlflow.db"


def test_the_environment_names_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:5000")
    assert Store.of().uri == "http://127.0.0.1:5000"


@pytest.mark.parametrize("name", ["a.db", "b c/a.db", "50% off/a.db", "what?/a.db"])
def test_a_relative_store_does_not_move_with_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store.of("sqlite:///" + name.replace("%", "%25").replace("?", "%3F"))
    monkeypatch.chdir("/")
    assert Store.of(store.uri).database == tmp_path / name


@pytest.mark.parametrize("uri", ["runs", "./mlruns", "sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_what_is_no_store_is_refused(uri: str) -> None:
    with pytest.raises(RegistryError, match="write sqlite:///mlflow"):
        Registry(uri)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("buy milk and bread\n", "utf-8")
    with pytest.raises(RegistryError, match="is no SQLite database"):
        Registry(f"sqlite:///{tmp_path}/notes.db").versions()


def test_a_store_is_shown_without_its_password() -> None:
    assert str(Store.of("postgresql://me:secret@host/db")) == "postgresql://host/db"


def test_every_refusal_is_an_error_that_the_command_line_knows() -> None:
    assert issubclass(RegistryError, TraceError)


def test_importing_the_registry_does_not_import_mlflow() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, optimizers.registry; print('mlflow' in sys.modules, 'pandas' in sys.modules)",
        ],
        env={**os.environ, "PYTHONPATH": str(Path(optimizers.__path__[0]).parent)},
        capture_output=True,
        text=True,
    )
    assert said.stdout.strip() == "False False", said.stderr
