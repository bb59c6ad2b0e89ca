"""What is recorded is found again: by number, by alias, by where it came from."""

from dataclasses import replace
from pathlib import Path

import pytest
from mlflow import MlflowClient
from mlflow.entities import Run

import apps
from optimizers.recording import Entry
from optimizers.registry import Listed, Registered, Registry
from programs import Backbone, Plain, Trace, save
from programs.errors import RegistryError, VersionError
from programs.staged import Staged

MODEL_CODE = Path(apps.__file__).with_name("model.py")
_OTHER = Backbone("gpt-4.1", "openai/gpt-4.1")


def record(registry: Registry, folder: Path, key: str, recipe: str = "light", **more: object) -> Registered:
    described = {"params": {"seed": 7}, "metrics": {"score": 0.5}, "tags": {"recipe": recipe}} | more
    return registry.record(folder, key=key, model_code=MODEL_CODE, **described)  # type: ignore[arg-type]


def version(folder: Path, program: Staged | None = None, backbone: str | Backbone = "embedded") -> Path:
    return save(program or Trace(), folder, Backbone.of(backbone), report="# What changed\n")


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """Version 1 and 3 for the embedded backbone, version 2 for another one; 1 was recorded twice."""
    folder = tmp_path_factory.mktemp("a registry")
    registry = Registry(f"sqlite:///{folder}/deep/mlflow.db")
    (folder / "chart.png").write_bytes(b"\x89PNG")
    first = version(folder / "first")
    record(registry, first, "one", files=[folder / "chart.png"])
    record(registry, version(folder / "second", Plain(), _OTHER), "two", "heavy", metrics={"score": 0.625, "n": 80})
    record(registry, version(folder / "third"), "three", metrics={})
    record(registry, first, "one", metrics={"score": 0.9})
    return registry


@pytest.fixture
def client(registry: Registry) -> MlflowClient:
    return registry.store.client()


def test_versions_are_listed_newest_first(registry: Registry) -> None:
    assert [listed.version for listed in registry.versions()] == [3, 2, 1]


def test_a_listed_version_says_where_it_came_from(registry: Registry) -> None:
    listed = registry.versions()[1]
    assert replace(listed, created=None) == Listed(2, ("gpt-4-1",), "gpt-4.1", "heavy", "plain", 0.625, None)  # type: ignore[arg-type]


def test_a_version_without_a_score_is_listed_without_one(registry: Registry) -> None:
    assert registry.versions()[0].score is None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"backbone": "embedded"}, [3, 1]),
        ({"recipe": "heavy"}, [2]),
        ({"backbone": "embedded", "recipe": "heavy"}, []),
        ({"alias": "champion"}, [1]),
        ({"alias": "@gpt-4-1"}, [2]),
        ({"alias": "nobody"}, []),
    ],
)
def test_lists_can_be_narrowed_down(registry: Registry, wanted: dict[str, str], found: list[int]) -> None:
    assert [listed.version for listed in registry.versions(**wanted)] == found


def test_the_first_version_of_all_is_champion(registry: Registry) -> None:
    assert registry.versions(alias="champion")[0].version == 1


def test_the_alias_of_a_backbone_moves_to_its_newest_version(registry: Registry) -> None:
    assert registry.versions(alias="embedded")[0].version == 3


def test_a_key_recorded_again_gives_the_version_it_had(registry: Registry, tmp_path: Path) -> None:
    assert record(registry, version(tmp_path / "v"), "one").version == 1


def test_a_champion_moved_on_purpose_stays_where_it_is(registry: Registry, tmp_path: Path) -> None:
    client = registry.store.client()
    client.set_registered_model_alias("trace-erg", "champion", "2")
    again = record(registry, version(tmp_path / "v"), "one")
    client.set_registered_model_alias("trace-erg", "champion", "1")
    assert again.aliases == ()


@pytest.mark.parametrize(
    ("name", "alias"),
    [("champion", "backbone-champion"), ("v3", "backbone-v3"), ("70", "backbone-70"), ("夢", "backbone")],
)
def test_a_backbone_does_not_take_a_reserved_alias(registry: Registry, tmp_path: Path, name: str, alias: str) -> None:
    entry = Entry(tmp_path, {"backbone": {"name": name}}, MODEL_CODE, "k", {}, {}, {}, ())
    assert entry.alias == alias


@pytest.mark.parametrize(
    ("reference", "number"),
    [
        ("2", 2),
        ("champion", 1),
        ("@champion", 1),
        ("gpt-4-1", 2),
        ("models:/trace-erg/3", 3),
        ("models:/trace-erg@champion", 1),
    ],
)
def test_a_version_is_fetched_by_any_of_its_names(registry: Registry, reference: str, number: int) -> None:
    model = registry.store.client().get_model_version_download_uri("trace-erg", str(number))
    assert registry.fetch(reference).as_uri().startswith(model)


@pytest.mark.parametrize("reference", ["4", "nobody", "models:/other/1", "", "../first", "1; drop"])
def test_a_version_that_is_not_there_is_answered_with_those_that_are(registry: Registry, reference: str) -> None:
    with pytest.raises(RegistryError, match=r"there are 3 \(embedded\), 2 \(gpt-4-1\), 1 \(champion\)"):
        registry.fetch(reference)


def test_a_version_that_was_changed_in_the_store_is_refused(registry: Registry, tmp_path: Path) -> None:
    other = Registry(f"sqlite:///{registry.store.database}")
    state = other.fetch("3") / "state.json"
    kept = state.read_text("utf-8")
    state.write_text(kept + " ", "utf-8")
    with pytest.raises(VersionError, match=r"state\.json was changed"):
        other.fetch("3")
    state.write_text(kept, "utf-8")


def test_a_version_whose_files_are_gone_is_refused(registry: Registry) -> None:
    folder = registry.fetch("3")
    hidden = folder.rename(folder.with_name("hidden"))
    with pytest.raises(RegistryError, match="the files of version 3 are not to be had"):
        registry.fetch("3")
    hidden.rename(folder)


def test_a_folder_that_is_no_version_is_refused(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(VersionError, match="no version"):
        record(registry, tmp_path, "four")


def test_a_compile_has_a_run_with_its_parameters(registry: Registry, client: MlflowClient) -> None:
    assert _run(client, 1).data.params == {"seed": "7"}


def test_a_compile_has_a_run_with_its_numbers(registry: Registry, client: MlflowClient) -> None:
    assert _run(client, 2).data.metrics == {"score": 0.625, "n": 80}


def test_a_compile_has_a_run_with_its_files(registry: Registry, client: MlflowClient) -> None:
    assert [file.path for file in client.list_artifacts(_run(client, 1).info.run_id)] == ["chart.png"]


def test_a_compile_has_a_run_that_has_ended(registry: Registry, client: MlflowClient) -> None:
    assert _run(client, 3).info.status == "FINISHED"


def test_artifacts_lie_beside_the_database(registry: Registry) -> None:
    assert registry.store.database
    assert registry.fetch("1").is_relative_to(registry.store.database.parent / "mlruns")


def test_no_path_of_the_producer_is_recorded(registry: Registry) -> None:
    described = [path.read_text("utf-8") for path in registry.fetch("1").parents[1].glob("*") if path.is_file()]
    assert not any(str(MODEL_CODE.parent) in text for text in described)


def test_nothing_lands_in_the_working_directory(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = version(tmp_path / "elsewhere" / "v")
    monkeypatch.chdir(tmp_path)
    record(registry, folder, "one")
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere"]


def _run(client: MlflowClient, number: int) -> Run:
    return client.get_run(str(client.get_model_version("trace-erg", str(number)).run_id))
