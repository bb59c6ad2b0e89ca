"""The registry of compiled versions: recording, listing and fetching them."""

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optimizers import recording
from optimizers.recording import ARTIFACT, NAME, Entry, Registered
from optimizers.scan import refuse_secrets
from optimizers.store import Store, failures
from programs.errors import RegistryError
from programs.loading import read_manifest

if TYPE_CHECKING:
    from mlflow.entities.model_registry import ModelVersion

_REFERENCE = re.compile(rf"(?:models:/{NAME}[/@])?@?([\w-]+)")


@dataclass(frozen=True)
class Listed:
    """A version in a list. A text is empty, and a score None, where the version was recorded without it."""

    version: int
    aliases: tuple[str, ...]
    backbone: str
    recipe: str
    program: str
    score: float | None
    """The metric `score` that it was recorded with."""
    created: datetime
    """In UTC."""


class Registry:
    """Versions in an MLflow store, all of one registered model, `trace-erg`.

    Args:
        store: a tracking URI; by default the environment's `MLFLOW_TRACKING_URI`, else `sqlite:///mlflow.db`. A new
            SQLite store is made by the first recording. Its artifacts go to `mlruns` beside the file.

    Raises:
        RegistryError: the URI is none. All methods raise it too where the store refuses or cannot be reached.
    """

    def __init__(self, store: str | None = None) -> None:
        self.store = Store.of(store)

    def record(
        self,
        folder: Path,
        *,
        key: str,
        params: Mapping[str, Any],
        metrics: Mapping[str, float],
        tags: Mapping[str, str],
        model_code: Path,
        files: Sequence[Path] = (),
    ) -> Registered:
        """Registers a version folder, with a run that tells how it came about.

        A kill at any moment leaves no broken version, and the same call again completes what is missing. Processes on
        one machine take turns.

        Args:
            folder: the version.
            key: names the compile; the version that was recorded under it, if any, is returned as it is.
            params: settings of the compile.
            metrics: its numbers; the one named `score` is shown in lists.
            tags: of run and version; lists show `backbone`, `recipe` and `program`.
            model_code: the Python file that serves a version, `apps/model.py`.
            files: further files for the run, such as a chart.

        Returns:
            The version and its aliases: the backbone's name, which moves to the newest version, and `champion` for the
            first version of all.

        Raises:
            RegistryError: something to be recorded holds a key or a pickle.
            VersionError: the folder is no version that this release can load.
        """
        read_manifest(folder)
        with tempfile.TemporaryDirectory(prefix="trace-erg-") as made:
            # Copies: what was checked is what is recorded, and no path of this machine is.
            copy = Path(shutil.copytree(folder, Path(made) / ARTIFACT, symlinks=True))
            code = Path(shutil.copyfile(model_code, Path(made) / "model.py"))
            entry = Entry(copy, read_manifest(copy), code, key, params, metrics, tags, files)
            refuse_secrets([*sorted(copy.iterdir()), *files], {"key": key, **params, **tags})
            with self.store.locked():
                self.store.make()
                client = self.store.client()
                with failures(self.store):
                    return recording.record(self.store, client, entry)

    def versions(
        self, *, backbone: str | None = None, recipe: str | None = None, alias: str | None = None
    ) -> list[Listed]:
        """Recorded versions, newest first; each argument narrows them down."""
        wanted = {"backbone": backbone, "recipe": recipe}
        return [
            listed
            for listed in self._all()
            if all(value in (None, getattr(listed, name)) for name, value in wanted.items())
            and (alias is None or alias.removeprefix("@") in listed.aliases)
        ]

    def fetch(self, reference: str) -> Path:
        """The folder of a version, checked and ready for `programs.load`.

        Args:
            reference: a number (`3`), an alias (`champion`, `@champion`), or either as MLflow writes it
                (`models:/trace-erg/3`, `models:/trace-erg@champion`).

        Returns:
            A local folder: the store's own where it is on this machine, so do not write to it; else a copy.

        Raises:
            RegistryError: there is no such version; says which there are.
            VersionError: its files were changed, or it comes from another release.
        """
        listed = self._named(reference)
        from mlflow.artifacts import download_artifacts
        from mlflow.exceptions import MlflowException

        with failures(self.store):
            source = self.store.client().get_model_version_download_uri(NAME, str(listed.version))
        try:
            found = Path(download_artifacts(f"{source}/artifacts/{ARTIFACT}", tracking_uri=self.store.uri))
        except (OSError, MlflowException) as error:
            raise RegistryError(f"the files of version {listed.version} are not to be had: {error}") from error
        read_manifest(found)
        return found

    def _named(self, reference: str) -> Listed:
        match = _REFERENCE.fullmatch(reference.strip())
        everything = self._all()
        for listed in everything:
            if match and match[1] in (str(listed.version), *listed.aliases):
                return listed
        if not everything:
            raise RegistryError(f"no version is recorded in {self.store}: compile one first")
        known = ", ".join(f"{item.version} ({', '.join(item.aliases) or 'no alias'})" for item in everything[:10])
        raise RegistryError(f"no version {reference!r} in {self.store}; there are {known}")

    def _all(self) -> list[Listed]:
        if not self.store.exists:
            return []
        client = self.store.client()
        with failures(self.store):
            aliases = recording.aliases_of(client)
            return [_listed(made, aliases) for made in recording.all_versions(client)]


def _listed(made: "ModelVersion", aliases: Mapping[str, int]) -> Listed:
    number = int(made.version)
    return Listed(
        version=number,
        aliases=tuple(sorted(alias for alias, at in aliases.items() if at == number)),
        backbone=made.tags.get("backbone", ""),
        recipe=made.tags.get("recipe", ""),
        program=made.tags.get("program", ""),
        score=float(made.tags["score"]) if "score" in made.tags else None,
        created=datetime.fromtimestamp(made.creation_timestamp / 1000, UTC),
    )


__all__ = ["Listed", "Registered", "Registry"]
