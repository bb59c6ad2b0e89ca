"""The folder of a linear tagger: one skops file a classifier, and `tagger.json`, sealed, with the sha256 of each.

skops rebuilds objects from JSON and arrays; unlike pickle it runs nothing, and here it may rebuild nothing but types
that it trusts by itself.
"""

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skops import io as skops
from skops.io.exceptions import UntrustedTypesFoundException

from metrics.margins import Margins
from metrics.tagger import TaggerError
from programs.manifest import SEAL, digest, manifest_text
from programs.swapping import put_in_place

FORMAT = 1
MANIFEST = "tagger.json"
_SUFFIX = ".skops"
_KEYS: Mapping[str, type] = {
    "format": int,
    "seed": int,
    "data": list,
    "held_out": dict,
    "libraries": dict,
    "files": dict,
    SEAL: str,
}
_MALFORMED = (zipfile.BadZipFile, LookupError, TypeError, ValueError, AttributeError, ImportError)
"""What skops raises for bytes that it did not write."""


def write_parts(parts: Mapping[str, Margins], details: Mapping[str, Any], folder: Path) -> Path:
    """Writes the classifiers and their manifest beside `folder`, renames them to it, and returns it.

    Args:
        parts: classifiers by name.
        details: `seed`, `data`, `held_out` and `libraries`.
        folder: replaced at once if it holds a tagger.

    Raises:
        TaggerError: the place holds something else than a tagger, or a detail is missing or no JSON.
    """
    place = check_place(folder)
    place.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        for name, part in parts.items():
            plain = {"features": part.features, "classifier": part.classifier, "meaning": part.meaning}
            skops.dump(plain, made / f"{name}{_SUFFIX}", compression=zipfile.ZIP_DEFLATED)
        files = {file.name: digest(file) for file in sorted(made.iterdir())}
        manifest = {"format": FORMAT, **details, "files": files, SEAL: ""}
        (made / MANIFEST).write_text(manifest_text(_checked(manifest, folder)), "utf-8")
        put_in_place(made, place)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def check_place(folder: Path) -> Path:
    """The real path of `folder`, if a tagger may be written there.

    Raises:
        TaggerError: it holds something else than a tagger's files, which is somebody's and stays.
    """
    place = Path(os.path.realpath(folder.expanduser()))
    names = {file.name for file in place.iterdir()} if place.is_dir() else set()
    others = [name for name in names if name != MANIFEST and not name.endswith(_SUFFIX)]
    if (place.exists() and not place.is_dir()) or others or (names and MANIFEST not in names):
        raise TaggerError(f"{place} is there already and no tagger: choose another place")
    return place


def read_parts(folder: Path, names: Sequence[str]) -> tuple[dict[str, Margins], dict[str, Any]]:
    """The classifiers by name, and the details that were written with them.

    Raises:
        TaggerError: a file is missing, was changed, or holds anything but a classifier's weights.
    """
    folder = folder.expanduser()
    manifest = read_manifest(folder)
    if manifest["files"].keys() != {f"{name}{_SUFFIX}" for name in names}:
        raise TaggerError(f"{folder / MANIFEST} does not list the files of a tagger of this release: train it again")
    parts = {name: _part(folder / f"{name}{_SUFFIX}", manifest["files"][f"{name}{_SUFFIX}"]) for name in names}
    return parts, {key: value for key, value in manifest.items() if key not in ("format", "files", SEAL)}


def read_manifest(folder: Path) -> dict[str, Any]:
    """`tagger.json`, if it is as it was written.

    Raises:
        TaggerError: it is missing, was changed, or is of another format.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(text := path.read_text("utf-8"))
    except OSError as error:
        raise TaggerError(f"no tagger at {folder}: train one with `trace-erg tagger train` ({error})") from error
    except (ValueError, RecursionError) as error:
        raise TaggerError(f"{path} is not JSON: {error}: train the tagger again") from error
    checked = _checked(manifest, path)
    if not _sealed(checked, text):
        raise TaggerError(f"{path} was changed after it was written: train the tagger again")
    return checked


def _sealed(manifest: Mapping[str, Any], text: str) -> bool:
    try:
        return manifest_text(manifest) == text
    except ValueError:  # a number that is not finite, or half a character: neither was ever written
        return False


def _part(path: Path, sha256: str) -> Margins:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TaggerError(f"{path} cannot be read ({error.strerror}): train the tagger again") from error
    if hashlib.sha256(raw).hexdigest() != sha256:
        raise TaggerError(f"{path} was changed after it was written: train the tagger again")
    try:
        return Margins(**skops.loads(raw, trusted=[]))
    except UntrustedTypesFoundException as error:
        raise TaggerError(f"{path} holds what no tagger does: do not use it: {error}") from error
    except _MALFORMED as error:
        raise TaggerError(f"{path} holds no classifier: {error!r:.200}: train the tagger again") from error


def _checked(manifest: Any, where: Path) -> dict[str, Any]:
    """The manifest, if it has the format and the keys it must have."""
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise TaggerError(f"{where} has no tagger of format {FORMAT}, which this release reads: train it again")
    wrong = [key for key, kind in _KEYS.items() if type(manifest.get(key)) is not kind]
    if wrong or manifest.keys() != _KEYS.keys():
        raise TaggerError(f"{where}: keys that are missing, unknown or malformed: {', '.join(wrong) or 'unknown ones'}")
    return manifest
