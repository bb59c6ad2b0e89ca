"""The MLflow store behind the registry: where it is, how it is first made, and how several processes share it."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from filelock import FileLock, Timeout

from programs.errors import RegistryError
from programs.weights import cache_folder

if TYPE_CHECKING:
    from mlflow import MlflowClient

EXPERIMENT = "trace-erg"
DEFAULT = "sqlite:///mlflow.db"
_SQLITE = "sqlite:///"
_PATIENCE = 600.0
"""Seconds to wait for another process that is recording; a recording takes a few, on a new store about ten."""


@dataclass(frozen=True)
class Store:
    """An MLflow tracking store with its registry. Build one with `Store.of`."""

    uri: str
    database: Path | None = None
    """The file of an SQLite store, absolute; None for every other kind."""

    @classmethod
    def of(cls, uri: str | None = None) -> "Store":
        """The store at a tracking URI; by default `MLFLOW_TRACKING_URI`, else `mlflow.db` in the working directory.

        A relative SQLite path is resolved at once, so that a later change of directory does not matter.

        Raises:
            RegistryError: it is no URI, or names a database that would vanish with the process.
        """
        uri = uri or os.environ.get("MLFLOW_TRACKING_URI") or DEFAULT
        if not uri.startswith("sqlite:"):
            if "://" not in uri:
                raise RegistryError(f"{uri!r} is no MLflow tracking URI: write {DEFAULT} or http://HOST:PORT")
            return cls(uri)
        name, _, options = uri.removeprefix(_SQLITE).partition("?")
        if not uri.startswith(_SQLITE) or name in ("", ":memory:"):
            raise RegistryError(f"{uri!r} names no file: write {DEFAULT}")
        database = Path(unquote(name)).expanduser().resolve()
        return cls(_sqlite_uri(database) + (f"?{options}" if options else ""), database)

    def __str__(self) -> str:
        """The address without user name and password."""
        if self.database:
            return str(self.database)
        parts = urlsplit(self.uri)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def exists(self) -> bool:
        """False for an SQLite store that nothing was recorded in yet."""
        return self.database is None or (self.database.is_file() and self.database.stat().st_size > 0)

    @property
    def artifacts(self) -> str | None:
        """Where the files of recorded versions go: `mlruns` beside an SQLite file, else wherever the server says."""
        return (self.database.parent / "mlruns" / EXPERIMENT).as_uri() if self.database else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One process (and thread) of this machine at a time.

        Raises:
            RegistryError: the lock cannot be made, or another process did not let go of it in ten minutes.
        """
        path = self._lock_path()
        lock = FileLock(path, timeout=_PATIENCE)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout as error:
            raise RegistryError(f"another process has been recording in {self} for ten minutes: see {path}") from error
        except OSError as error:
            raise RegistryError(f"cannot write beside {self}: {error.strerror}") from error
        try:
            yield
        finally:
            lock.release()

    def client(self) -> "MlflowClient":
        """A client of the store and its registry; MLflow's global settings stay as they are.

        Raises:
            RegistryError: what is there is no MLflow store, or one that this MLflow cannot use; says what to do.
        """
        mlflow_settings()
        from mlflow import MlflowClient

        self._check_file()
        with failures(self, self._advice()):
            client = MlflowClient(self.uri, self.uri)
            client.get_experiment_by_name(EXPERIMENT)
            return client

    def make(self) -> None:
        """Creates the schema of an SQLite store that does not exist yet; call it under the lock.

        It is made in a neighbouring file and renamed when complete, so that a kill never leaves half of it.
        """
        if self.exists or self.database is None:
            return
        mlflow_settings()
        from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

        new = self.database.with_name(self.database.name + ".new")
        for leftover in (new, new.with_name(new.name + "-journal")):
            leftover.unlink(missing_ok=True)
        with failures(self, "is the disk full, or the folder write-protected?"):
            store = SqlAlchemyStore(_sqlite_uri(new), str(self.database.parent / "mlruns"))  # type: ignore[no-untyped-call]
            store.engine.dispose()
        os.replace(new, self.database)

    def _advice(self) -> str:
        if self.uri.startswith("http"):
            return "is the server up, and of the same MLflow release?"
        address = _sqlite_uri(self.database) if self.database else self
        return f"back it up and run `mlflow db upgrade {address}`, or move it away to start a new one"

    def _lock_path(self) -> Path:
        if self.database:
            return self.database.with_name(f"{self.database.name}.lock")
        name = hashlib.sha256(self.uri.encode()).hexdigest()[:16]
        return cache_folder() / f"{name}.lock"

    def _check_file(self) -> None:
        """MLflow would retry for minutes on a file that is no database."""
        if self.database and self.exists:
            try:
                with self.database.open("rb") as file:
                    if file.read(15) != b"SQLite format 3":
                        raise RegistryError(f"{self} is no SQLite database: name another file")
            except OSError as error:
                raise RegistryError(f"cannot read {self}: {error.strerror}") from error


def _sqlite_uri(path: Path) -> str:
    return _SQLITE + str(path).replace("%", "%25").replace("?", "%3F")


def mlflow_settings() -> None:
    """Keeps MLflow from calling home and from narrating, unless the user's environment says otherwise.

    Call it before the first import of MLflow, which reads most of these at that moment.
    """
    os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")  # with the password that is in it
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "3")  # 7 keep a user waiting for minutes on a dead server
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("MLFLOW_LOGGING_LEVEL", "WARNING")


@contextmanager
def failures(store: Store, advice: str = "") -> Iterator[None]:
    """Turns what MLflow, its database and its migrations raise into a `RegistryError`."""
    from alembic.util import CommandError
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (MlflowException, SQLAlchemyError, CommandError) as error:
        what = str(error).strip().splitlines()[0][:300]
        raise RegistryError(f"the MLflow store {store} refuses: {what}" + (f"; {advice}" if advice else "")) from error
