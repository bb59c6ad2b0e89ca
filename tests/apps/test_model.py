"""A registered version answers as an MLflow model: in Python, and over HTTP."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import mlflow
import pandas as pd
import pytest

import apps
from apps.model import turns
from optimizers.registry import Registry
from programs import Backbone, Trace, save
from programs.errors import BackboneError

ROOT = Path(apps.__file__).parents[1]
SAID = "My dog died this morning."
BROKEN = "Please answer with no JSON at all."


class Stub(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that fills the JSON schema it is sent; enums get their first label."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        schema = body["response_format"]["json_schema"]["schema"]
        filled = json.dumps({name: _filled(name, field) for name, field in schema["properties"].items()})
        content = "Sorry?" if BROKEN in body["messages"][-1]["content"] else filled
        message = {"role": "assistant", "content": content}
        self._send({"id": "1", "model": "stub", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    def _send(self, answer: dict[str, Any]) -> None:
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


def _filled(name: str, field: dict[str, Any]) -> Any:
    if "enum" in field:
        return field["enum"][0]
    return ["dog died"] if field.get("type") == "array" else f"A {name}."


def _profile(folder: Path, address: str) -> Path:
    """A backbone profile for an endpoint."""
    path = folder / "stub.toml"
    path.write_text(f'[stub]\nmodel = "openai/stub"\nbase_url = "{address}"\ntimeout = 10.0\n', "utf-8")
    return path


@pytest.fixture(scope="module")
def backbone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A profile whose endpoint is a stub on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield _profile(tmp_path_factory.mktemp("backbone"), f"http://127.0.0.1:{server.server_port}/v1")
    server.shutdown()
    server.server_close()


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
def model(environment: None) -> mlflow.pyfunc.PyFuncModel:
    return mlflow.pyfunc.load_model("models:/trace-erg@champion")


def rows(*dialogues: str) -> pd.DataFrame:
    return pd.DataFrame({"dialogue": list(dialogues)})


def test_each_row_gets_a_reading(model: mlflow.pyfunc.PyFuncModel) -> None:
    assert [row["reply"] for row in model.predict(rows(SAID, "I passed my exam!"))] == ["A reply.", "A reply."]


def test_a_reading_is_plain_json(model: mlflow.pyfunc.PyFuncModel) -> None:
    [row] = model.predict(rows(SAID))
    assert json.loads(json.dumps(row)) == row


def test_rows_keep_their_order(model: mlflow.pyfunc.PyFuncModel) -> None:
    answered = model.predict(rows(*[SAID, " "] * 4))
    assert [row["error"] is None for row in answered] == [True, False] * 4


def test_a_row_may_hold_turns(model: mlflow.pyfunc.PyFuncModel) -> None:
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
def test_a_row_that_cannot_be_answered_says_why(model: mlflow.pyfunc.PyFuncModel, dialogue: str, reason: str) -> None:
    [row] = model.predict(rows(dialogue))
    assert row["reply"] is None and reason in row["error"]


def test_a_row_that_cannot_be_answered_costs_no_other_its_answer(model: mlflow.pyfunc.PyFuncModel) -> None:
    assert model.predict(rows("", SAID))[1]["reply"] == "A reply."


def test_a_dead_backbone_is_an_error_and_no_answer(
    environment: None, tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://127.0.0.1:{free_port}/v1"
    monkeypatch.setenv("TRACE_ERG_BACKBONE", str(_profile(tmp_path, address)))
    model = mlflow.pyfunc.load_model("models:/trace-erg@champion")
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
    bodies = [
        {"dataframe_records": [{"dialogue": SAID}, {"dialogue": "I passed my exam!"}]},
        {"dataframe_split": {"columns": ["dialogue"], "data": [[SAID]]}},
        {"inputs": {"dialogue": SAID}},
    ]
    replies = [[row["reply"] for row in _posted(f"{served}/invocations", body)] for body in bodies]
    assert replies == [["A reply."] * 2, ["A reply."], ["A reply."]]
