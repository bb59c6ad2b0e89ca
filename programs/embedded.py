"""The in-process engine of local models: llama.cpp's server, JSON-schema decoding, four calls at a time."""

import asyncio
import hashlib
import json
import os
import re
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import dspy
from dspy.clients.lm15_boundary import request_kwargs
from dspy.lm15 import ContextLengthError, Request, Response, ServerError, response_from_openai_chat

from programs.backbones import Backbone, Weights
from programs.errors import BackboneError
from programs.slots import Slots
from programs.weights import fingerprint, locate

# OpenMP's threads spin while they wait, which on busy cores costs more than five times the speed.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

_PARAMETERS = frozenset({"temperature", "max_tokens", "top_p", "stop", "seed", "response_format"})
# A small model may never close a list or a text by itself; the schema then does.
_LONGEST_LIST, _LONGEST_TEXT = 2, 320
_CONTROL = re.compile(r"<(?=[|｜/a-zA-Z])")


@dataclass(frozen=True)
class EmbeddedEngine:
    """DSPy engine over a llama.cpp server in this process, loaded at the first call and shared by equal engines."""

    weights: Weights
    context: int
    parallel: int
    reuse: bool = True
    """Whether evaluated prompts are reused; off only to measure what that is worth."""

    supports_response_schema: ClassVar[bool] = True
    supports_function_calling: ClassVar[bool] = False
    supports_reasoning: ClassVar[bool] = False
    supported_params: ClassVar[frozenset[str]] = _PARAMETERS
    _servers: ClassVar[dict["EmbeddedEngine", tuple[Any, Slots]]] = {}
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def complete(self, request: Request) -> Response:
        """One chat completion.

        Raises:
            BackboneError: runtime or weights are missing or corrupt.
            ContextLengthError: the prompt does not fit; says how long it is and may be.
            ServerError: the runtime answered with another error.
        """
        server, slots = self._server()
        body = _body(request)
        if self.reuse:
            with slots.slot(_static_part(body)) as number:
                answer = server.handle_chat_completions({**body, "id_slot": number})
        else:
            answer = server.handle_chat_completions({**body, "cache_prompt": False})
        if "choices" not in answer:
            raise _failure(answer.get("error") or {}, self.context)
        return response_from_openai_chat(answer, model=request.model)

    def _server(self) -> tuple[Any, Slots]:
        with self._lock:
            if self not in self._servers:
                self._servers[self] = _started(self)
            return self._servers[self]

    def close(self) -> None:
        """Nothing to do: the server lives as long as the process."""


@dataclass(frozen=True)
class AsyncEmbeddedEngine:
    """The same engine, awaited: calls wait in threads, since llama.cpp releases the interpreter."""

    engine: EmbeddedEngine

    supports_response_schema: ClassVar[bool] = True
    supports_function_calling: ClassVar[bool] = False
    supports_reasoning: ClassVar[bool] = False
    supported_params: ClassVar[frozenset[str]] = _PARAMETERS

    async def complete(self, request: Request) -> Response:
        """See `EmbeddedEngine.complete`."""
        return await asyncio.to_thread(self.engine.complete, request)

    async def aclose(self) -> None:
        """Nothing to do."""


def embedded_lm(backbone: Backbone, parameters: Mapping[str, Any]) -> dspy.LM:
    """A `dspy.LM` whose model string carries the weights' digest, since DSPy's cache keys on that string."""
    weights = backbone.weights
    if weights is None:
        raise BackboneError(f"backbone {backbone.name} is embedded but its profile names no weights")
    engine = EmbeddedEngine(weights, backbone.context, backbone.parallel)
    digest = weights.sha256 or fingerprint(locate(weights))
    return dspy.LM(
        f"{backbone.model}@{digest[:12]}", engine=engine, async_engine=AsyncEmbeddedEngine(engine), **parameters
    )


def _started(engine: EmbeddedEngine) -> tuple[Any, Slots]:
    try:
        import xllamacpp
    except ImportError as error:
        raise BackboneError("the embedded backbone needs its runtime: pip install 'trace-erg[local]'") from error
    options = xllamacpp.CommonParams()
    options.model.path = str(locate(engine.weights))
    options.n_parallel = engine.parallel
    options.n_ctx = engine.context * engine.parallel  # llama.cpp divides it by the slots
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = _cores()
    options.port, options.verbosity = 0, -1
    options.cache_ram_mib = 0  # `Slots` keeps the prompt states that are worth it; this cache would only grow
    key, states = os.urandom(16).hex(), tempfile.TemporaryDirectory(prefix="trace-erg-")
    options.api_keys = [key]  # the runtime also listens on a loopback port, which only `Slots` may use
    options.slot_save_path, options.endpoint_slots = f"{states.name}/", True
    try:
        server = xllamacpp.Server(options)
        return server, Slots(server.listening_address, key, states, engine.parallel)
    except (RuntimeError, ValueError) as error:
        raise BackboneError(f"the runtime cannot load {options.model.path}: {error}") from error


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = request_kwargs(request, "chat")
    if "max_completion_tokens" in body:
        body["max_tokens"] = body.pop("max_completion_tokens")
    body["messages"] = [{**message, "content": _as_data(message["content"])} for message in body["messages"]]
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    if schema:
        body["response_format"]["json_schema"]["schema"] = _bounded(schema)
    return body


def _static_part(body: Mapping[str, Any]) -> str:
    """A name for everything before the last message: rules and demos."""
    return hashlib.sha256(json.dumps(body["messages"][:-1]).encode()).hexdigest()[:32]


def _as_data(content: Any) -> Any:
    """`<|...|>` in a text (`</s>`, `<start_of_turn>` in other models) would be read as a control token and end the
    turn; a space makes it plain text."""
    if isinstance(content, str):
        return _CONTROL.sub("< ", content)
    if isinstance(content, list):
        return [{**part, "text": _as_data(part["text"])} if "text" in part else part for part in content]
    return content


def _bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    bounded = dict(schema)
    if "properties" in bounded:
        bounded["properties"] = {name: _bounded(part) for name, part in bounded["properties"].items()}
    if bounded.get("type") == "array":
        bounded |= {"items": _bounded(bounded.get("items", {})), "minItems": 1, "maxItems": _LONGEST_LIST}
    if bounded.get("type") == "string" and "enum" not in bounded:
        bounded.setdefault("maxLength", _LONGEST_TEXT)
    return bounded


def _failure(error: Mapping[str, Any], context: int) -> Exception:
    if error.get("type") == "exceed_context_size_error":
        length = error.get("n_prompt_tokens", "more")
        too_long: Exception = ContextLengthError(
            f"the prompt is {length} tokens long; this backbone holds {context}: shorten the dialogue"
        )
        return too_long
    broken: Exception = ServerError(f"the embedded runtime answered: {error.get('message') or error}")
    return broken


def _cores() -> int:
    """Cores this process may use, which in a container are fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
