"""A backbone that answers from a script: what tests and benchmarks run programs on, without a model."""

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import dspy
from dspy.lm15 import Request, Response, response_from_openai_chat

Answer = Any | Callable[[Request], Any]
"""What a field is answered with, or how that follows from the request."""

_TURN = re.compile(r"^(?:dialogue: )?speaker: (.*)$", re.MULTILINE)
_SPAN_WORDS = 4


@dataclass
class ScriptedEngine:
    """DSPy engine that fills the JSON schema of a request.

    By default an enum gets its first label, `triggers` a span of the last speaker turn, and any text a short sentence.

    Args:
        answers: what to answer instead, by field.
        raw: answers whole completions instead of filling the schema, if it returns a text.
        errors: what to raise, by number of the call, the first being 1; 0 raises at every call.
        prompt_tokens, completion_tokens, cached_tokens: usage reported for each call.
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    raw: Callable[[Request], str | None] | None = None
    errors: Mapping[int, BaseException] = field(default_factory=dict)
    prompt_tokens: int = 10
    completion_tokens: int = 5
    cached_tokens: int = 0
    requests: list[Request] = field(default_factory=list)
    """Every request, in order."""
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    supports_response_schema: ClassVar[bool] = True
    supports_function_calling: ClassVar[bool] = False
    supports_reasoning: ClassVar[bool] = False
    supported_params: ClassVar[frozenset[str]] = frozenset(
        {"temperature", "max_tokens", "top_p", "stop", "seed", "response_format"}
    )

    @property
    def calls(self) -> int:
        """How many requests came."""
        return len(self.requests)

    def __deepcopy__(self, memo: dict[int, Any]) -> "ScriptedEngine":
        return self

    def complete(self, request: Request) -> Response:
        """Answers a request, or raises what the script says."""
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
        if error := self.errors.get(number, self.errors.get(0)):
            raise error
        text = self.raw(request) if self.raw else None
        return self._response(request, json.dumps(self._filled(request)) if text is None else text)

    def close(self) -> None:
        """Nothing to do."""

    def _filled(self, request: Request) -> dict[str, Any]:
        properties = (request.config.response_format or {}).get("schema", {}).get("properties", {})
        return {name: self._answer(name, schema, request) for name, schema in properties.items()}

    def _answer(self, name: str, schema: Mapping[str, Any], request: Request) -> Any:
        if name in self.answers:
            answer = self.answers[name]
            return answer(request) if callable(answer) else answer
        if "enum" in schema:
            return schema["enum"][0]
        if schema.get("type") == "array":
            return [span_of(prompt_of(request))]
        return f"A scripted {name}."

    def _response(self, request: Request, text: str) -> Response:
        usage = {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
        }
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        body = {"id": "scripted", "object": "chat.completion", "model": request.model}
        return response_from_openai_chat({**body, "choices": [choice], "usage": usage}, model=request.model)


@dataclass
class AsyncScriptedEngine:
    """The same engine, awaited; both share one script and one record."""

    engine: ScriptedEngine

    supports_response_schema: ClassVar[bool] = True
    supports_function_calling: ClassVar[bool] = False
    supports_reasoning: ClassVar[bool] = False
    supported_params: ClassVar[frozenset[str]] = ScriptedEngine.supported_params

    async def complete(self, request: Request) -> Response:
        """See `ScriptedEngine.complete`."""
        return self.engine.complete(request)

    async def aclose(self) -> None:
        """Nothing to do."""


def scripted_lm(engine: ScriptedEngine | None = None, *, name: str = "x", **script: Any) -> dspy.LM:
    """A `dspy.LM` on a scripted engine, given or made from `script`; reach the engine as `lm.engine`."""
    engine = engine or ScriptedEngine(**script)
    return dspy.LM(
        f"scripted/{name}", engine=engine, async_engine=AsyncScriptedEngine(engine), cache=False, num_retries=0
    )


def prompt_of(request: Request) -> str:
    """The last user message."""
    return request.messages[-1].text or ""


def system_of(request: Request) -> str:
    """The system message."""
    return request.system if isinstance(request.system, str) else ""


def span_of(prompt: str) -> str:
    """The first words of the last speaker turn in a prompt."""
    turns = _TURN.findall(prompt)
    return " ".join(turns[-1].split()[:_SPAN_WORDS]) if turns else ""
