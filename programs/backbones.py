"""Backbone profiles: which model plays which role, and how it is reached. Keys come from the environment only."""

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import dspy

from programs.errors import BackboneError

DEFAULT = "embedded"
ROLES = ("task", "teacher", "reflector", "judge")
# Providers that DSPy's own client speaks to; every other one goes through litellm.
_NATIVE = frozenset(
    ("openai", "anthropic", "gemini", "ollama", "ollama_chat", "openrouter", "deepseek", "groq", "xai", "moonshot")
)
_HUB = re.compile(r"hub:(?P<repository>[^/]+/[^/]+)/(?P<file>[^@#]+\.gguf)@(?P<revision>\w+)#(?P<sha256>[0-9a-f]{64})")


@dataclass(frozen=True)
class Weights:
    """Where an embedded model's GGUF file comes from: exactly one of `package`, `path`, `repository`."""

    package: str = ""
    """Stem of numbered part packages."""
    parts: int = 0
    path: str = ""
    repository: str = ""
    """A hub repository, with `file` and a pinned `revision`."""
    file: str = ""
    revision: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class Backbone:
    """One model behind one endpoint, with the parameters it is called with."""

    name: str
    model: str
    """`embedded/<id>`, or a provider and a model as DSPy and litellm spell them."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    weights: Weights | None = None
    base_url: str = ""
    """Address of a self-hosted OpenAI-compatible endpoint."""
    key_env: str = ""
    """Environment variable that holds the key of such an endpoint; empty where it needs none."""
    response_schema: bool = True
    """Whether such an endpoint takes a JSON schema."""
    context: int = 4096
    """Embedded only: tokens a call may hold, prompt and answer together."""
    parallel: int = 4
    """Calls at a time."""
    timeout: float = 120.0
    """Seconds before a remote call is given up."""
    licence: str = ""

    @classmethod
    def of(cls, spec: "str | Path | Backbone") -> "Backbone":
        """A profile by name, `FILE.toml[:NAME]`, `FILE.gguf`, `hub:OWNER/REPO/FILE.gguf@REVISION#SHA256`, or a model
        name with its provider.

        Raises:
            BackboneError: nothing of that name, or the profile is malformed.
        """
        if isinstance(spec, Backbone):
            return spec
        text = str(spec)
        if text in (known := profiles()):
            return known[text]
        if ".toml" in text:
            return _from_file(text)
        if text.endswith(".gguf"):
            if not Path(text).expanduser().is_file():
                raise BackboneError(f"no weights at {text}: give the path of a GGUF file")
            return cls(Path(text).stem, f"embedded/{Path(text).stem}", _GREEDY, Weights(path=text))
        if text.startswith("hub:"):
            return _from_hub(text)
        if "/" in text:
            return cls(text, text, _GREEDY)
        raise BackboneError(
            f"unknown backbone {text!r}: use one of {', '.join(known)}, a profile file, a GGUF file, or provider/model"
        )

    @property
    def engine(self) -> str:
        """Who carries the call: `embedded`, DSPy's own client `lm15`, or `litellm`."""
        provider = self.model.split("/", 1)[0]
        if provider == "embedded":
            return "embedded"
        return "lm15" if self.base_url or provider in _NATIVE else "litellm"

    @property
    def alias(self) -> str:
        """The name as a registry alias: letters, digits and hyphens."""
        return re.sub(r"[^A-Za-z0-9]+", "-", self.name).strip("-").lower()

    def identity(self) -> dict[str, Any]:
        """Everything that can change an answer; no key, no path, and of an address only its hash."""
        weights = asdict(self.weights) if self.weights else {}
        if weights.get("path"):
            weights["path"] = Path(weights["path"]).name
        return {
            "name": self.name,
            "model": self.model,
            "engine": self.engine,
            "parameters": dict(self.parameters),
            "endpoint": _short(self.base_url) if self.base_url else "",
            "weights": {k: v for k, v in weights.items() if v},
        }

    def lm(self, **overrides: Any) -> dspy.LM:
        """A `dspy.LM` with its engine named. `overrides` replace parameters, for instance `temperature`.

        Raises:
            BackboneError: the environment variable that should hold the key is empty.
        """
        parameters = {**self.parameters, **overrides}
        if self.engine == "embedded":
            from programs.embedded import embedded_lm

            return embedded_lm(self, parameters)
        if self.base_url:
            provider = _registered(self)
            model = self.model.split("/", 1)[-1]
            return dspy.LM(f"{provider}/{model}", engine="lm15", timeout=self.timeout, **_key(self), **parameters)
        return dspy.LM(self.model, engine=self.engine, timeout=self.timeout, **parameters)


_GREEDY: Mapping[str, Any] = {"temperature": 0.0, "max_tokens": 256}


def profiles() -> dict[str, Backbone]:
    """The profiles that come with the package, by name."""
    return _parsed(tomllib.loads(files("programs").joinpath("profiles.toml").read_text("utf-8")), "profiles.toml")


def _from_file(text: str) -> Backbone:
    file, _, name = text.rpartition(":") if text.rpartition(":")[0].endswith(".toml") else (text, "", "")
    try:
        found = _parsed(tomllib.loads(Path(file).expanduser().read_text("utf-8")), file)
    except (OSError, ValueError) as error:
        raise BackboneError(f"cannot read backbone profile {file}: {error}") from error
    if not name and len(found) == 1:
        return next(iter(found.values()))
    if name not in found:
        raise BackboneError(f"{file} holds the profiles {', '.join(found)}: name one as {file}:NAME")
    return found[name]


def _from_hub(text: str) -> Backbone:
    match = _HUB.fullmatch(text)
    if match is None:
        raise BackboneError(f"{text!r}: hub weights are hub:OWNER/REPO/FILE.gguf@REVISION#SHA256, both pinned")
    stem = Path(match["file"]).stem
    return Backbone(stem, f"embedded/{stem}", _GREEDY, _weights(match.groupdict(), text))


def _parsed(tables: Mapping[str, Any], source: str) -> dict[str, Backbone]:
    known = {item.name for item in fields(Backbone)} - {"name"}
    found = {}
    for name, table in tables.items():
        if not isinstance(table, dict) or "model" not in table or table.keys() - known:
            raise BackboneError(f"{source}, [{name}]: a profile holds model and any of {', '.join(sorted(known))}")
        _check_types(table, f"{source}, [{name}]")
        if any(re.search("key|header|credential|secret|ad_token", word) for word in table.get("parameters", {})):
            raise BackboneError(f"{source}, [{name}]: keys come from the environment; name the variable in key_env")
        if weights := table.get("weights"):
            table = {**table, "weights": _weights(weights, f"{source}, [{name}.weights]")}
        found[name] = Backbone(name, **table)
    return found


def _check_types(table: Mapping[str, Any], where: str) -> None:
    tables = {"parameters": dict, "weights": dict}
    for item in fields(Backbone):
        value, plain = table.get(item.name), type(item.default)
        wanted = tables.get(item.name, str if item.name == "model" else plain)
        if value is not None and type(value) is not wanted and not (wanted is float and type(value) is int):
            raise BackboneError(f"{where}: {item.name} = {value!r} must be of type {wanted.__name__}")


def _weights(table: Mapping[str, Any], where: str) -> Weights:
    try:
        weights = Weights(**table)
    except TypeError as error:
        raise BackboneError(f"{where}: {error}") from error
    if sum(map(bool, (weights.package, weights.path, weights.repository))) != 1:
        raise BackboneError(f"{where}: name exactly one of package, path and repository")
    return weights


def _registered(backbone: Backbone) -> str:
    """Declares the endpoint as a provider of its own: structured output is then sent, and since the name carries a hash
    of the address, the response cache cannot mix two servers."""
    from dspy import lm15

    provider = f"at-{_short(backbone.base_url)}"
    access = lm15.AccessPolicy(provider=provider, env_keys=(), base_url=backbone.base_url)
    policy = lm15.OpenAIChatCompat(max_tokens_field="max_tokens")
    definition = lm15.ProviderDefinition.chat(access, compat=policy, placeholder_key="none")
    supports = lm15.ModelSupport(response_schema=backbone.response_schema, function_calling=False, reasoning=False)
    lm15.register_provider(definition, supports=supports, replace=True)
    return provider


def _key(backbone: Backbone) -> dict[str, str]:
    if not backbone.key_env:
        return {}
    if not (key := os.environ.get(backbone.key_env, "")):
        raise BackboneError(f"backbone {backbone.name}: set the environment variable {backbone.key_env} to its key")
    return {"api_key": key}


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
