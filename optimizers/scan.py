"""What may never enter the registry: keys, and pickles. Everything is looked at before anything is recorded."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from programs.errors import RegistryError

_SHORTEST = 8
"""Shorter values of variables are words such as `true`, and would be found everywhere."""
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_KEY_SHAPES: Mapping[str, re.Pattern[bytes]] = {
    "an API key (sk-...)": re.compile(rb"(?<![\w-])sk-[\w-]{16,}"),
    "a hub token (hf_...)": re.compile(rb"(?<!\w)hf_[A-Za-z0-9]{20,}"),
    "an access key (AKIA...)": re.compile(rb"(?<!\w)AKIA[0-9A-Z]{16}(?!\w)"),
    "a repository token (ghp_...)": re.compile(rb"(?<!\w)(?:gh[opsur]_[A-Za-z0-9]{30,}|github_pat_\w{30,})"),
    "a chat token (xox...)": re.compile(rb"(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    "a private key (PEM)": re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
}
_PICKLE_NAMES = (".pkl", ".pickle", ".joblib")
_PICKLE_MAGIC = re.compile(rb"\x80[\x02-\x05]")
"""How pickles of protocol 2 and later begin; no text in UTF-8 does."""


def refuse_secrets(files: Iterable[Path], described: Mapping[str, Any]) -> None:
    """Looks through files and through what describes them.

    Args:
        files: every file that would be recorded.
        described: parameters and tags, by name.

    Raises:
        RegistryError: a file or a value holds a key, or a file is a pickle; names the file or the value, and what was
            found, never the key itself.
    """
    secrets = _from_environment()
    for name, value in described.items():
        _refuse(f"{name!r}", f"{name}={value}".encode(), secrets)
    for file in files:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise RegistryError(f"cannot read {file}: {error.strerror}") from error
        if file.suffix.lower() in _PICKLE_NAMES or _PICKLE_MAGIC.match(content):
            raise RegistryError(f"{file.name} is a pickle: a version holds data only")
        _refuse(file.name, content, secrets)


def _refuse(where: str, content: bytes, secrets: Mapping[str, tuple[bytes, ...]]) -> None:
    for variable, forms in secrets.items():
        if any(form in content for form in forms):
            raise RegistryError(f"{where} holds the value of the environment variable {variable}: nothing was recorded")
    for kind, shape in _KEY_SHAPES.items():
        if shape.search(content):
            raise RegistryError(f"{where} holds what looks like {kind}: nothing was recorded")


def _from_environment() -> dict[str, tuple[bytes, ...]]:
    """Values of variables that are named like a key, as they are and as they look inside JSON."""
    return {
        name: (os.fsencode(value), json.dumps(value)[1:-1].encode())
        for name, value in os.environ.items()
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST
    }
