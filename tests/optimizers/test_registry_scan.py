"""No key and no pickle enters the registry."""

import pickle
from pathlib import Path

import pytest

import apps
from optimizers.registry import Registry
from optimizers.scan import refuse_secrets
from programs import Backbone, Trace, save
from programs.errors import RegistryError

MODEL_CODE = Path(apps.__file__).with_name("model.py")
PLANTED = "planted-0123456789-value"
# Joined here, so that scanners of this repository do not take them for real.
SHAPES = {
    "sk-": "sk-" + "proj-" + "a1B2" * 6,
    "hf_": "hf_" + "aB" * 15,
    "AKIA": "AKIA" + "ABCD1234" * 2,
    "ghp_": "ghp_" + "a1" * 18,
    "xox": "xoxb-" + "1234567890-abc",
    "PEM": "-----BEGIN RSA " + "PRIVATE KEY-----",
}


@pytest.fixture
def text(tmp_path: Path) -> Path:
    return tmp_path / "report.md"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_with_a_key_is_refused(text: Path, shape: str) -> None:
    text.write_text(f"called with {SHAPES[shape]} at noon", "utf-8")
    with pytest.raises(RegistryError, match=rf"report\.md holds what looks like .*{shape}"):
        refuse_secrets([text], {})


@pytest.mark.parametrize("shape", SHAPES)
def test_a_value_with_a_key_is_refused(shape: str) -> None:
    with pytest.raises(RegistryError, match=f"'command' holds what looks like .*{shape}"):
        refuse_secrets([], {"command": f"--with {SHAPES[shape]}"})


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "HF_TOKEN", "aws_secret", "DB_PASSWORD"])
def test_the_value_of_a_variable_named_like_a_key_is_refused(
    text: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, PLANTED)
    text.write_text(f"key={PLANTED}", "utf-8")
    with pytest.raises(RegistryError, match=rf"report\.md holds the value of the environment variable {variable}"):
        refuse_secrets([text], {})


def test_a_key_is_found_where_json_has_escaped_it(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", 'quo"ted\\value')
    text.write_text('{"x": "quo\\"ted\\\\value"}', "utf-8")
    with pytest.raises(RegistryError, match="SOME_KEY"):
        refuse_secrets([text], {})


def test_a_refusal_does_not_repeat_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", PLANTED)
    with pytest.raises(RegistryError) as refused:
        refuse_secrets([], {"command": PLANTED})
    assert PLANTED not in str(refused.value)


@pytest.mark.parametrize(
    "harmless",
    [
        "a task-oriented-conversation-about-money",
        "the ask-me-anything-you-would-like-to thread",
        "half_a_lifetime_ago_we_were_still_friends",
        "true",
    ],
)
def test_ordinary_words_are_no_keys(text: Path, monkeypatch: pytest.MonkeyPatch, harmless: str) -> None:
    monkeypatch.setenv("USE_TOKEN", "true")
    text.write_text(harmless, "utf-8")
    refuse_secrets([text], {"said": harmless})


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_is_refused_whatever_its_name(tmp_path: Path, protocol: int) -> None:
    (tmp_path / "chart.png").write_bytes(pickle.dumps({"a": 1}, protocol))
    with pytest.raises(RegistryError, match=r"chart\.png is a pickle"):
        refuse_secrets([tmp_path / "chart.png"], {})


@pytest.mark.parametrize("name", ["a.pkl", "a.pickle", "A.PKL", "a.joblib"])
def test_a_pickle_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"anything")
    with pytest.raises(RegistryError, match="is a pickle"):
        refuse_secrets([tmp_path / name], {})


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match=r"cannot read .*gone\.png"):
        refuse_secrets([tmp_path / "gone.png"], {})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which one version was recorded while a key was set, and another one with that key was refused."""
    folder = tmp_path_factory.mktemp("scanned")
    registry = Registry(f"sqlite:///{folder}/store/mlflow.db")
    described = {"params": {}, "metrics": {}, "tags": {}, "model_code": MODEL_CODE}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENAI_API_KEY", PLANTED)
        clean = save(Trace(), folder / "clean", Backbone.of("openai/gpt-4.1"))
        registry.record(clean, key="clean", **described)  # type: ignore[arg-type]
        leaky = save(Trace(), folder / "leaky", Backbone.of("openai/gpt-4.1"), report=f"ran with {PLANTED}")
        with pytest.raises(RegistryError, match=r"report\.md holds the value"):
            registry.record(leaky, key="leaky", **described)  # type: ignore[arg-type]
        with pytest.raises(RegistryError, match="'host' holds the value"):
            registry.record(clean, key="told", **{**described, "tags": {"host": PLANTED}})  # type: ignore[arg-type]
    return folder / "store"


def test_a_planted_key_is_in_no_file_of_the_store(store: Path) -> None:
    assert [file.name for file in _files(store) if PLANTED.encode() in file.read_bytes()] == []


def test_no_file_of_the_store_is_a_pickle(store: Path) -> None:
    assert [file.name for file in _files(store) if file.suffix == ".pkl" or file.read_bytes()[:1] == b"\x80"] == []


def test_what_was_refused_is_not_registered(store: Path) -> None:
    assert [listed.version for listed in Registry(f"sqlite:///{store}/mlflow.db").versions()] == [1]


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
