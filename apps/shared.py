"""What every command shares: options, and one clear line for every error a user can mend."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from programs.errors import TraceError

STORE = click.option(
    "--store", metavar="URI", help="MLflow store [default: MLFLOW_TRACKING_URI, else sqlite:///mlflow.db]."
)
BACKBONE = "a profile, FILE.toml[:NAME], FILE.gguf, hub:OWNER/REPO/FILE.gguf@REVISION#SHA256, or provider/model"


class _Plain(click.ClickException):
    """One clear line, exit code 1."""

    def show(self, file: Any = None) -> None:
        click.echo(f"trace-erg: {self.message}", err=True)


def one_clear_error(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turns our errors, and the system's of files, into one line on standard error, and missing extras into what to
    install."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except TraceError as error:
            raise _Plain(str(error)) from error
        except OSError as error:
            if error.filename is None:  # a closed pipe, for instance, which click knows better
                raise
            raise _Plain(f"{error.filename}: {error.strerror}") from error
        except ModuleNotFoundError as error:
            if error.name and error.name.split(".")[0] in ("programs", "metrics", "optimizers", "apps"):
                raise
            raise _Plain(f"this command needs {error.name}: pip install 'trace-erg[compile]'") from error

    return wrapped


def folder_of(reference: str, store: str | None) -> Path:
    """The folder of a version: a folder as it is, else a number or alias in the registry.

    Raises:
        RegistryError: no such version is recorded.
    """
    if Path(reference).is_dir():
        return Path(reference)
    from optimizers.registry import Registry

    return Registry(store).fetch(reference)
