"""A registered version answers as an MLflow model: in Python, and over HTTP."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from mlflow.pyfunc import load_model

import apps
from apps.model import turns
from optimizers.registry import Registry
from programs import Backbone, Trace, save
from programs.errors import BackboneError
from tests.apps.stub_backbone import BROKEN, profile, stub_backbone

ROOT = Path(apps.__file__).parents[1]
SAID = "My dog died this morning."


@pytest.fixture(scope="module")
def backbone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with stub_backbone(tmp_path_factory.mktemp("backbone")) as profile_file:
        yield profile_file


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("served")
    registry = Registry(f"sqlite:///{folder}/mlflow.db")
    version = save(Trace(), folder / "version", Backbone.of("embedded"))
    code = ROOT / "apps" / "model.py"
    registry.record(version, key="k", params={}, metrics={}, tags={}, model_code=code)
    return registry


@pytest.fixture
def environment(registry: Registry, backbone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a consumer sets: store and backbone; and no pickle."""
    monkeypatch.setenv("MLFLOW_TRACKING_URI", registry.store.uri)
    monkeypatch.setenv("MLFLOW_ALLOW_PICKLE_DESERIALIZATION", "false")
    monkeypatch.setenv("TRACE_ERG_BACKBONE", str(backbone))


@pytest.fixture
def model(environment: None) -> Any:
    return load_model("models:/trace-erg@champion")


def rows(*dialogues: str) -> pd.DataFrame:
    return pd.DataFrame({"dialogue": list(dialogues)})


def test_each_row_gets_a_reading(model: Any) -> None:
    assert [row["reply"] for row in model.predict(rows(SAID, "I passed my exam!"))] == ["A reply.", "A reply."]


def test_a_reading_is_plain_json(model: Any) -> None:
    [row] = model.predict(rows(SAID))
    assert json.loads(json.dumps(row)) == row


def test_rows_keep_their_order(model: Any) -> None:
    answered = model.predict(rows(*[SAID, " "] * 4))
    assert [row["error"] is None for row in answered] == [True, False] * 4


def test_a_row_may_hold_turns(model: Any) -> None:
    talk = [
        {"role": "user", "content": "Hi."},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": SAID},
    ]
    assert model.predict(rows(json.dumps(talk)))[0]["triggers"] == ["dog died"]


@pytest.mark.parametrize(
    ("dialogue", "reason"),
    [
        ("", "the dialogue is empty"),
        ('[{"role": "listener", "text": "Hello!"}]', "the listener speaks last"),
        ('[{"role": "doctor", "text": "Hello!"}]', "unknown role 'doctor'"),
        (BROKEN, "stage 'affect' failed"),
    ],
)
def test_a_row_that_cannot_be_answered_says_why(model: Any, dialogue: str, reason: str) -> None:
    [row] = model.predict(rows(dialogue))
    assert row["reply"] is None and reason in row["error"]


def test_a_row_that_cannot_be_answered_costs_no_other_its_answer(model: Any) -> None:
    assert model.predict(rows("", SAID))[1]["reply"] == "A reply."


def test_a_dead_backbone_is_an_error_and_no_answer(
    environment: None, tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://127.0.0.1:{free_port}/v1"
    monkeypatch.setenv("TRACE_ERG_BACKBONE", str(profile(tmp_path, address)))
    model = load_model("models:/trace-erg@champion")
    with pytest.raises(BackboneError):
        model.predict(rows(SAID))


@pytest.mark.parametrize("text", ["hello", "[sigh] I am tired", "[]", "[1, 2]", "[" * 50_000, ""])
def test_a_text_that_only_looks_like_json_stays_a_text(text: str) -> None:
    assert turns(text) == text


def test_turns_in_json_are_turns() -> None:
    assert turns(' [{"role": "speaker", "text": "Hi"}]') == [{"role": "speaker", "text": "Hi"}]


@pytest.fixture
def served(environment: None, tmp_path: Path, free_port: int) -> Iterator[str]:
    """The address of `mlflow models serve`, once it is up."""
    command = ["models", "serve", "-m", "models:/trace-erg/1", "--env-manager", "local", "--port", str(free_port)]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "mlflow", *command, "--host", "127.0.0.1"],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            _wait_until_up(process, f"http://127.0.0.1:{free_port}/ping", tmp_path / "log")
            yield f"http://127.0.0.1:{free_port}"
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_until_up(process: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{log.read_text('utf-8')[-3000:]}")


def _posted(address: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        predictions: list[dict[str, Any]] = json.load(answer)["predictions"]
        return predictions


@pytest.mark.slow
def test_mlflow_serves_it_over_http(served: str) -> None:
    bodies: list[dict[str, Any]] = [
        {"dataframe_records": [{"dialogue": SAID}, {"dialogue": "I passed my exam!"}]},
        {"dataframe_split": {"columns": ["dialogue"], "data": [[SAID]]}},
        {"inputs": {"dialogue": SAID}},
    ]
    replies = [[row["reply"] for row in _posted(f"{served}/invocations", body)] for body in bodies]
    assert replies == [["A reply."] * 2, ["A reply."], ["A reply."]]
