"""An OpenAI-compatible endpoint on loopback, for processes that a scripted engine cannot reach."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

BROKEN = "Please answer with no JSON at all."
"""What a prompt must say to be answered with what no stage can parse."""


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


def profile(folder: Path, address: str) -> Path:
    """A backbone profile for an endpoint."""
    path = folder / "stub.toml"
    path.write_text(f'[stub]\nmodel = "openai/stub"\nbase_url = "{address}"\ntimeout = 10.0\n', "utf-8")
    return path


@contextmanager
def stub_backbone(folder: Path) -> Iterator[Path]:
    """A profile, written to `folder`, whose endpoint answers for as long as the context lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield profile(folder, f"http://127.0.0.1:{server.server_port}/v1")
    server.shutdown()
    server.server_close()
