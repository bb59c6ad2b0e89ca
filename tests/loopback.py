"""Loopback servers: a chat endpoint and a hub of files, as small as the clients allow."""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Endpoint:
    """An OpenAI-compatible endpoint that fills the schema it is sent.

    Args:
        answers: what to answer, by field; enums get their first label, texts a sentence.
        status: HTTP status of every answer.
    """

    answers: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    url: str = ""
    paths: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def reply(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and JSON for one request, which is recorded."""
        self.paths.append(path)
        self.headers.append({name.lower(): value for name, value in headers.items()})
        self.bodies.append(body)
        if self.status != 200:
            return self.status, {"error": {"message": f"status {self.status}", "type": "error", "code": "stub"}}
        text = json.dumps({name: self._value(name, part) for name, part in self._properties(body).items()})
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
        head = {"id": "stub", "object": "chat.completion", "created": 0, "model": body.get("model", "")}
        return 200, {**head, "choices": [choice], "usage": usage}

    def _properties(self, body: dict[str, Any]) -> dict[str, Any]:
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema", {})
        return dict(schema.get("properties", {})) or {name: {} for name in self.answers}

    def _value(self, name: str, part: Mapping[str, Any]) -> Any:
        if name in self.answers:
            return self.answers[name]
        plain = {"array": [], "boolean": False}
        return part["enum"][0] if "enum" in part else plain.get(str(part.get("type")), f"A stub {name}.")


@contextmanager
def chat_endpoint(**options: Any) -> Iterator[Endpoint]:
    """A running endpoint; its `url` ends with /v1."""
    endpoint = Endpoint(**options)

    class Handler(_Quiet):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = endpoint.reply(self.path, self.headers, body)
            self.answer(status, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    with _serving(Handler) as address:
        endpoint.url = f"{address}/v1"
        yield endpoint


@dataclass
class Hub:
    """A hub with files by `repository/revision/file`; records each request's method and path."""

    files: Mapping[str, bytes]
    status: int = 200
    url: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)

    def found(self, path: str) -> bytes | None:
        """The file that a path /{repository}/resolve/{revision}/{file} names."""
        return self.files.get(path.strip("/").replace("/resolve/", "/"))


@contextmanager
def file_hub(files: Mapping[str, bytes], commit: str) -> Iterator[Hub]:
    """A running hub, all of whose files are at `commit`."""
    hub = Hub(files)

    class Handler(_Quiet):
        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            hub.requests.append((self.command, self.path))
            content = hub.found(self.path)
            if hub.status != 200:
                self.answer(hub.status, b"", {})
            elif content is None:
                self.answer(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": commit})
            else:
                tag = hashlib.sha256(content).hexdigest()
                self.answer(200, content, {"ETag": f'"{tag}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes"})

    with _serving(Handler) as address:
        hub.url = address
        yield hub


class _Quiet(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        """Sends a whole response; no body where only its head was asked for."""
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing: tests are quiet."""


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
