"""EmpatheticDialogues from the hub, here a stub of it on the loopback interface. The conversations are invented."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

COMMIT = "c0ffee" * 6 + "c0ff"
# The address of the hub is read when `datasets` is imported: hence a process of its own.
SCRIPT = """
import sys
from optimizers.corpora import load_corpus
from programs.errors import CorpusError
try:
    corpus = load_corpus(sys.argv[1])
    print(corpus.name, corpus.test[0].reply, sep="|")
except CorpusError as error:
    print("refused", error, sep="|")
"""


def table(split: str) -> list[dict[str, Any]]:
    texts = [f"I passed_comma_ at last_comma_ in {split}.", "What a relief!", "It is."]
    same = {"conv_id": split, "context": "joyful", "prompt": "I passed.", "selfeval": "", "tags": ""}
    return [same | {"utterance_idx": k, "speaker_idx": k % 2, "utterance": text} for k, text in enumerate(texts, 1)]


class Hub(BaseHTTPRequestHandler):
    """Holds the files of one dataset, `owner/talks`; knows no other."""

    files: dict[str, bytes]

    def do_GET(self) -> None:
        route, name = self.path.split("?")[0], self.path.split("?")[0].rsplit("/", 1)[1]
        listed = [{"type": "file", "path": name, "size": len(data), "oid": name} for name, data in self.files.items()]
        if not route.startswith(("/api/datasets/owner/talks", "/datasets/owner/talks")):
            self.answer(404, b"", "RepoNotFound")
        elif "/resolve/" in route:
            self.answer(200 if name in self.files else 404, self.files.get(name, b""), "EntryNotFound")
        elif "/tree/" in route:
            self.answer(200, json.dumps(listed).encode())
        else:
            siblings = [{"rfilename": name} for name in self.files]
            self.answer(200, json.dumps({"id": "owner/talks", "sha": COMMIT, "siblings": siblings}).encode())

    do_HEAD = do_GET

    def answer(self, status: int, body: bytes, error: str = "") -> None:
        self.send_response(status)
        headers = {"Content-Length": str(len(body)), "X-Repo-Commit": COMMIT, "ETag": f'"{hash(body):x}"'}
        for name, value in (headers | ({"X-Error-Code": error} if status == 404 else {})).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    files = {}
    for split in ("train", "validation", "test"):
        path = tmp_path / f"{split}-00000-of-00001.parquet"
        parquet.write_table(pyarrow.Table.from_pylist(table(split)), path)
        files[path.name] = path.read_bytes()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Talks", (Hub,), {"files": files}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def load(spec: str, hub: str, home: Path) -> str:
    root = str(Path(__file__).parents[2])
    settings = {"HF_ENDPOINT": hub, "HF_HOME": str(home), "NO_PROXY": "*", "PYTHONPATH": root}
    command = [sys.executable, "-c", SCRIPT, spec]
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("spec", ["ed:owner/talks", f"ed:owner/talks@{COMMIT}"], ids=["newest", "pinned"])
def test_a_dataset_of_the_hub_is_read(hub: str, tmp_path: Path, spec: str) -> None:
    assert load(spec, hub, tmp_path) == f"{spec}|What a relief!"


def test_a_dataset_that_the_hub_does_not_have_is_refused(hub: str, tmp_path: Path) -> None:
    expected = "refused|owner/none: no such folder, and the hub did not give such a dataset"
    assert load("ed:owner/none", hub, tmp_path).startswith(expected)
