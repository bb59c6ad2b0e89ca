"""How a version enters the registry: one run, then the model, and the registered version last of all."""

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optimizers.store import EXPERIMENT, Store
from programs.backbones import Backbone
from programs.errors import RegistryError

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities.model_registry import ModelVersion

NAME = "trace-erg"
"""The registered model that all versions are versions of."""
CHAMPION = "champion"
RUN_KEY = "run_key"
"""The tag, of runs and of versions, by which a compile is known again."""
ARTIFACT = "version"
"""Name of the version folder among the model's artifacts."""
_BATCH = 100
_EXAMPLE = "My dog died this morning and I keep hearing his bowl."


@dataclass(frozen=True)
class Registered:
    """A version as the registry knows it."""

    version: int
    run_id: str
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """What is to be recorded: checked copies of the version folder and of the code, and all that describes them."""

    folder: Path
    manifest: Mapping[str, Any]
    model_code: Path
    key: str
    params: Mapping[str, Any]
    metrics: Mapping[str, float]
    tags: Mapping[str, str]
    files: Sequence[Path]

    @property
    def alias(self) -> str:
        """The alias of the backbone; not one that the registry or we keep for ourselves."""
        alias = Backbone(str(self.manifest["backbone"].get("name", "")), "").alias
        reserved = alias in ("", CHAMPION, "latest") or alias.removeprefix("v").isdigit()
        return f"backbone-{alias}".rstrip("-") if reserved else alias


def record(store: Store, client: "MlflowClient", entry: Entry) -> Registered:
    """Records an entry, or returns what an earlier call with its key recorded; call it under the store's lock.

    Killed at any moment, it leaves the registry as it was, or with a complete version whose run has not ended: the next
    call with the same key then sets the aliases that are missing.
    """
    experiment = experiment_of(store, client)
    found = [each for each in all_versions(client) if each.tags.get(RUN_KEY) == entry.key]
    if found:
        return _finished(client, found[0], entry.alias)
    _end_leftovers(client, experiment, entry.key)
    run = client.create_run(experiment, tags={**entry.tags, RUN_KEY: entry.key}).info
    try:
        _describe(client, run.run_id, entry)
        made = _registered(client, experiment, run.run_id, entry)
        return _finished(client, made, entry.alias)
    except BaseException as error:
        client.set_terminated(run.run_id, "FAILED" if isinstance(error, Exception) else "KILLED")
        raise


def all_versions(client: "MlflowClient") -> list["ModelVersion"]:
    """Every registered version, newest first. Their aliases are empty: the registered model knows them."""
    found: list[ModelVersion] = []
    token = None
    while True:
        page = client.search_model_versions(f"name = '{NAME}'", max_results=1000, page_token=token)
        found += page
        if not (token := page.token):
            return sorted(found, key=lambda each: int(each.version), reverse=True)


def aliases_of(client: "MlflowClient") -> dict[str, int]:
    """The version that each alias points at; empty where nothing was registered yet."""
    models = client.search_registered_models(f"name = '{NAME}'")
    return {alias: int(number) for model in models for alias, number in model.aliases.items()}


def experiment_of(store: Store, client: "MlflowClient") -> str:
    """The id of our experiment, made if need be; refuses one that was deleted."""
    found = client.get_experiment_by_name(EXPERIMENT)
    if found is None:
        return client.create_experiment(EXPERIMENT, artifact_location=store.artifacts)
    if found.lifecycle_stage != "active":
        raise RegistryError(f"the experiment {EXPERIMENT!r} was deleted: restore it with `mlflow experiments restore`")
    return str(found.experiment_id)


def _end_leftovers(client: "MlflowClient", experiment: str, key: str) -> None:
    """Ends what a killed process left running. Nobody else can be at it: we hold the lock."""
    for run in client.search_runs([experiment], "attributes.status = 'RUNNING'"):
        if run.data.tags.get(RUN_KEY) == key:
            client.set_terminated(run.info.run_id, "KILLED")


def _describe(client: "MlflowClient", run_id: str, entry: Entry) -> None:
    from mlflow.entities import Metric, Param

    now = int(time.time() * 1000)
    params = [Param(name, str(value)) for name, value in entry.params.items()]
    metrics = [Metric(name, float(value), now, 0) for name, value in entry.metrics.items()]
    for start in range(0, max(len(params), len(metrics)), _BATCH):
        part = slice(start, start + _BATCH)
        client.log_batch(run_id, metrics=metrics[part], params=params[part])
    for file in entry.files:
        client.log_artifact(run_id, str(file))


def _registered(client: "MlflowClient", experiment: str, run_id: str, entry: Entry) -> "ModelVersion":
    """The model with all its files, and only then the version that points at it."""
    model = client.create_logged_model(experiment, NAME, source_run_id=run_id, tags=dict(entry.tags))
    with tempfile.TemporaryDirectory(prefix="trace-erg-") as folder:
        _save_model(Path(folder) / "model", entry)
        client.log_model_artifacts(model.model_id, str(Path(folder) / "model"))
    model = client.finalize_logged_model(model.model_id, "READY")
    if not client.search_registered_models(f"name = '{NAME}'"):
        client.create_registered_model(NAME, description="Compiled programs that answer with empathy.")
    return client.create_model_version(
        NAME, model.artifact_location, run_id, tags=_version_tags(entry), model_id=model.model_id
    )


def _version_tags(entry: Entry) -> dict[str, str]:
    tags = {
        "backbone": str(entry.manifest["backbone"].get("name", "")),
        "program": str(entry.manifest["program"]),
        **entry.tags,
        RUN_KEY: entry.key,
    }
    return tags | ({"score": repr(float(entry.metrics["score"]))} if "score" in entry.metrics else {})


def _finished(client: "MlflowClient", made: "ModelVersion", alias: str) -> Registered:
    """Sets the aliases and ends the run, unless that was done before: then aliases may have been moved on purpose."""
    number, run_id = int(made.version), str(made.run_id)
    if not _is_finished(client, made):
        aliases = aliases_of(client)
        if CHAMPION not in aliases and _is_first(client, number):
            client.set_registered_model_alias(NAME, CHAMPION, made.version)
        if aliases.get(alias, 0) < number:
            client.set_registered_model_alias(NAME, alias, made.version)
        client.set_terminated(run_id, "FINISHED")
    names = sorted(name for name, at in aliases_of(client).items() if at == number)
    return Registered(number, run_id, tuple(names))


def _is_first(client: "MlflowClient", number: int) -> bool:
    earlier = (each for each in all_versions(client) if int(each.version) < number)
    return not any(_is_finished(client, each) for each in earlier)


def _is_finished(client: "MlflowClient", made: "ModelVersion") -> bool:
    return str(client.get_run(str(made.run_id)).info.status) == "FINISHED"


def _save_model(path: Path, entry: Entry) -> None:
    """A model from code: a `.py` file beside the version folder, no pickle, and nothing inferred by running it."""
    from mlflow.models import ModelSignature
    from mlflow.pyfunc import save_model
    from mlflow.types import ColSpec, Schema

    save_model(
        path=str(path),
        python_model=str(entry.model_code),
        artifacts={ARTIFACT: str(entry.folder)},
        signature=ModelSignature(inputs=Schema([ColSpec("string", "dialogue")])),
        input_example={"dialogue": _EXAMPLE},
        pip_requirements=_requirements(entry),
    )


def _requirements(entry: Entry) -> list[str]:
    extra = "[local]" if entry.manifest["backbone"].get("engine") == "embedded" else ""
    try:
        ours = f"trace-erg{extra}=={version('trace-erg')}"
    except PackageNotFoundError:  # a checkout that was not installed
        ours = f"trace-erg{extra}"
    return [ours, f"dspy=={version('dspy')}", f"mlflow=={version('mlflow')}"]
