"""Backbone profiles: every way to name one, what is sent to an endpoint, and where keys may and may not be."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from programs.backbones import DEFAULT, Backbone, Weights, profiles
from programs.errors import BackboneError
from programs.reading import Reading
from programs.trace import Trace
from tests.loopback import Endpoint, chat_endpoint

TALK = "My dog died this morning."
KEY = "sk-planted-0123456789"
SHA = "ab" * 32
ROOT = Path(__file__).parents[2]


def trace(backbone: Backbone, **overrides: object) -> Trace:
    program = Trace()
    program.set_lm(backbone.lm(num_retries=0, **overrides))
    return program


def selfhosted(endpoint: Endpoint, **options: object) -> Backbone:
    return Backbone("own", "self/model-7b", {"temperature": 0.0, "max_tokens": 64}, base_url=endpoint.url, **options)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A profile file with two profiles."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[small]\nmodel = "openai/small"\n[own]\nmodel = "x/own"\nbase_url = "http://127.0.0.1:1/v1"\n'
        'key_env = "OWN_KEY"\ntimeout = 5\n[own.parameters]\ntemperature = 0.5\n',
        "utf-8",
    )
    return path


# Naming one.


def test_the_default_is_embedded() -> None:
    assert Backbone.of(DEFAULT).engine == "embedded"


@pytest.mark.parametrize("name", profiles())
def test_every_profile_that_comes_along_can_be_named(name: str) -> None:
    assert Backbone.of(name).name == name


@pytest.mark.parametrize("name", profiles())
def test_every_profile_that_comes_along_states_its_licence(name: str) -> None:
    assert profiles()[name].licence


def test_a_backbone_names_itself() -> None:
    backbone = Backbone("a", "openai/a")
    assert Backbone.of(backbone) is backbone


def test_a_profile_of_a_file(written: Path) -> None:
    assert Backbone.of(f"{written}:own") == Backbone(
        "own", "x/own", {"temperature": 0.5}, base_url="http://127.0.0.1:1/v1", key_env="OWN_KEY", timeout=5
    )


def test_a_file_with_one_profile_needs_no_name(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text('[only]\nmodel = "openai/small"\n', "utf-8")
    assert Backbone.of(path).name == "only"


def test_a_gguf_file(tmp_path: Path) -> None:
    path = tmp_path / "some-model.gguf"
    path.write_bytes(b"GGUF")
    assert Backbone.of(path).weights == Weights(path=str(path))


def test_a_hub_file() -> None:
    found = Backbone.of(f"hub:owner/repo/model.gguf@38f6bab#{SHA}")
    assert found.weights == Weights(repository="owner/repo", file="model.gguf", revision="38f6bab", sha256=SHA)


@pytest.mark.parametrize("spec", ["openai/gpt", "anthropic/claude", "ollama_chat/llama", "together_ai/a/b"])
def test_a_provider_and_a_model(spec: str) -> None:
    assert Backbone.of(spec).model == spec


WRONG = {
    "an unknown name": ("nonsense", "unknown backbone 'nonsense'.*embedded"),
    "nothing": ("", "unknown backbone"),
    "a missing profile file": ("missing.toml", "cannot read backbone profile missing.toml"),
    "a missing GGUF file": ("missing.gguf", "no weights at missing.gguf"),
    "a hub file without a revision": (f"hub:owner/repo/model.gguf#{SHA}", "both pinned"),
    "a hub file without a hash": ("hub:owner/repo/model.gguf@main", "both pinned"),
    "a hub file with half a hash": ("hub:owner/repo/model.gguf@main#abc", "both pinned"),
}


@pytest.mark.parametrize(("spec", "reason"), WRONG.values(), ids=WRONG)
def test_what_names_no_backbone(spec: str, reason: str) -> None:
    with pytest.raises(BackboneError, match=reason):
        Backbone.of(spec)


PROFILES = {
    "no TOML": ("[own", "cannot read"),
    "two profiles and no name": ('[a]\nmodel="x/y"\n[b]\nmodel="x/y"', "name one as"),
    "no profile": ("", "holds the profiles"),
    "no model": ("[own]\nlicence='x'", "a profile holds model"),
    "an unknown setting": ("[own]\nmodel='x/y'\ncolour='red'", "a profile holds model"),
    "no table": ("own = 1", "a profile holds model"),
    "a key": (f"[own]\nmodel='x/y'\n[own.parameters]\napi_key='{KEY}'", "keys come from the environment"),
    "a header": (f"[own]\nmodel='x/y'\n[own.parameters.extra_headers]\na='{KEY}'", "keys come from the environment"),
    "a text for a number": ("[own]\nmodel='x/y'\ncontext='much'", "context = 'much' must be of type int"),
    "a number for a text": ("[own]\nmodel=3", "model = 3 must be of type str"),
    "a list for a table": ("[own]\nmodel='x/y'\nparameters=[1]", "parameters = .* must be of type dict"),
    "unknown weights": ("[own]\nmodel='embedded/y'\n[own.weights]\nurl='x'", "own.weights"),
    "weights from nowhere": ("[own]\nmodel='embedded/y'\n[own.weights]\nparts=3", "exactly one of"),
    "weights from two places": ("[own]\nmodel='embedded/y'\n[own.weights]\npath='a'\npackage='b'", "exactly one of"),
}


@pytest.mark.parametrize(("text", "reason"), PROFILES.values(), ids=PROFILES)
def test_a_malformed_profile_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BackboneError, match=reason):
        Backbone.of(path)


def test_a_name_that_the_file_lacks_is_refused(written: Path) -> None:
    with pytest.raises(BackboneError, match="small, own"):
        Backbone.of(f"{written}:other")


@pytest.mark.parametrize(("name", "alias"), [("GPT 4.1", "gpt-4-1"), ("a/b:c", "a-b-c"), ("embedded", "embedded")])
def test_the_alias_suits_a_registry(name: str, alias: str) -> None:
    assert Backbone(name, "x/y").alias == alias


# Who carries the call.

ENGINES = {"openai/a": "lm15", "anthropic/a": "lm15", "ollama_chat/a": "lm15", "together_ai/a": "litellm"}


@pytest.mark.parametrize(("model", "engine"), ENGINES.items())
def test_the_engine_is_always_named(model: str, engine: str) -> None:
    assert Backbone("x", model).lm().engine == engine


def test_an_ambient_address_does_not_change_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:1/v1")
    assert Backbone("x", "openai/a").lm().engine == "lm15"


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5", "ollama_chat/llama3"])
def test_a_profile_can_be_bound_without_a_call(model: str) -> None:
    assert Backbone("x", model, {"temperature": 0.0, "max_tokens": 64}).lm().model == model


def test_overrides_replace_parameters() -> None:
    backbone = Backbone("x", "openai/a", {"temperature": 0.0, "max_tokens": 64})
    assert backbone.lm(temperature=0.9).kwargs["temperature"] == 0.9


def test_embedded_without_weights_says_so() -> None:
    with pytest.raises(BackboneError, match="names no weights"):
        Backbone("x", "embedded/y").lm()


# A self-hosted endpoint.


@pytest.fixture
def conversation() -> tuple[Endpoint, Reading]:
    """An endpoint, and what a program without a key read through it."""
    with chat_endpoint(answers={"reply": "From the endpoint."}) as endpoint:
        return endpoint, trace(selfhosted(endpoint), cache=False)(dialogue=TALK)


def test_an_endpoint_answers(conversation: tuple[Endpoint, Reading]) -> None:
    assert conversation[1].reply == "From the endpoint."


def test_an_endpoint_is_asked_once_a_stage(conversation: tuple[Endpoint, Reading]) -> None:
    assert conversation[0].paths == ["/v1/chat/completions"] * 4


def test_an_endpoint_gets_a_strict_schema(conversation: tuple[Endpoint, Reading]) -> None:
    sent = conversation[0].bodies[0]["response_format"]
    assert (sent["type"], sent["json_schema"]["strict"]) == ("json_schema", True)


def test_the_schema_holds_the_labels(conversation: tuple[Endpoint, Reading]) -> None:
    properties = conversation[0].bodies[0]["response_format"]["json_schema"]["schema"]["properties"]
    assert len(properties["emotion"]["enum"]) == 32


def test_an_endpoint_gets_its_model_and_parameters(conversation: tuple[Endpoint, Reading]) -> None:
    sent = conversation[0].bodies[0]
    assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("model-7b", 0.0, 64)


def test_an_endpoint_without_a_key_gets_none_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with chat_endpoint() as endpoint:
        trace(selfhosted(endpoint), cache=False)(dialogue=TALK)
    assert KEY not in str(endpoint.headers)


def test_an_endpoint_without_schemas_gets_plain_json() -> None:
    with chat_endpoint(answers={"emotion": "sad"}) as endpoint:
        lm = selfhosted(endpoint, response_schema=False).lm(num_retries=0, cache=False)
        program = Trace()
        program.set_lm(lm)
        with pytest.raises(Exception, match="'causes'"):
            program(dialogue=TALK)
    assert endpoint.bodies[0].get("response_format") in (None, {"type": "json_object"})


def test_an_endpoint_can_be_awaited() -> None:
    with chat_endpoint(answers={"reply": "Awaited."}) as endpoint:
        assert asyncio.run(trace(selfhosted(endpoint), cache=False).acall(dialogue=TALK)).reply == "Awaited."


def test_two_endpoints_of_one_model_do_not_share_answers() -> None:
    with chat_endpoint(answers={"reply": "One."}) as one, chat_endpoint(answers={"reply": "Two."}) as two:
        replies = [trace(selfhosted(endpoint))(dialogue=TALK).reply for endpoint in (one, two)]
    assert replies == ["One.", "Two."]


def test_one_endpoint_is_not_asked_the_same_twice() -> None:
    with chat_endpoint() as endpoint:
        for _ in range(2):
            trace(selfhosted(endpoint))(dialogue=TALK)
    assert len(endpoint.bodies) == 4


FAILURES = {401: "authentication failed", 402: "out of credit", 404: "model|refused", 429: "too many", 500: "try again"}


@pytest.mark.parametrize(("status", "advice"), FAILURES.items())
def test_a_refusal_says_who_must_act(status: int, advice: str) -> None:
    with chat_endpoint(status=status) as endpoint, pytest.raises(BackboneError, match=advice):
        trace(selfhosted(endpoint), cache=False)(dialogue=TALK)


def test_an_endpoint_that_is_down_cannot_be_reached(free_port: int) -> None:
    backbone = Backbone("own", "self/model", base_url=f"http://127.0.0.1:{free_port}/v1")
    with pytest.raises(BackboneError, match="cannot be reached"):
        trace(backbone, cache=False)(dialogue=TALK)


# Keys.


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> Backbone:
    """A self-hosted backbone whose key is in the environment."""
    monkeypatch.setenv("OWN_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return Backbone("own", "self/model", base_url="http://user:secret@127.0.0.1:9/v1", key_env="OWN_KEY")


def test_a_key_is_sent_as_a_bearer(keyed: Backbone) -> None:
    with chat_endpoint() as endpoint:
        trace(selfhosted(endpoint, key_env="OWN_KEY"), cache=False)(dialogue=TALK)
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_missing_key_names_its_variable() -> None:
    with pytest.raises(BackboneError, match="NO_SUCH_KEY"):
        Backbone("own", "self/model", base_url="http://127.0.0.1:9/v1", key_env="NO_SUCH_KEY").lm()


@pytest.mark.parametrize("hidden", [KEY, "secret", "127.0.0.1"])
def test_the_identity_tells_neither_key_nor_address(keyed: Backbone, hidden: str) -> None:
    keyed.lm()
    assert hidden not in json.dumps(keyed.identity())


@pytest.mark.parametrize("show", [repr, str], ids=["repr", "str"])
def test_a_backbone_does_not_show_its_key(keyed: Backbone, show: object) -> None:
    keyed.lm()
    assert KEY not in show(keyed)  # type: ignore[operator]


def test_the_identity_tells_no_path() -> None:
    backbone = Backbone("x", "embedded/x", weights=Weights(path="/home/somebody/x.gguf"))
    assert backbone.identity()["weights"] == {"path": "x.gguf"}


def test_the_identity_changes_with_the_endpoint(keyed: Backbone) -> None:
    other = Backbone("own", "self/model", base_url="http://127.0.0.1:8/v1", key_env="OWN_KEY")
    assert keyed.identity() != other.identity()


def test_a_native_endpoint_asks_for_its_key_at_the_call() -> None:
    program = (
        "from programs.backbones import Backbone; from programs.trace import Trace\n"
        "t = Trace(); t.set_lm(Backbone.of('anthropic/claude-x').lm(num_retries=0)); t(dialogue='Hi.')"
    )
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=kept, capture_output=True, text=True, check=False
    )
    assert "BackboneError: the backbone is not configured" in done.stderr
