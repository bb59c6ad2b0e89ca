"""Run directories: what was ordered, how far it came, and how to find one again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import filelock

from optimizers.order import Order
from programs.errors import RecipeError, VersionError
from programs.loading import read_manifest

_ORDER, _COMMAND = "order.json", "command.json"


@dataclass(frozen=True)
class Run:
    """A compile that was begun."""

    key: str
    state: str
    """`finished`, `running`, or `stopped`: a stopped one can be continued."""
    order: Mapping[str, str]
    """Program, recipe, backbone, corpus and seed, by name."""
    touched: datetime
    """When anything was last written about it."""
    score: float | None
    """The joint score on the test split; None before it is finished."""


def describe(folder: Path, order: Order) -> None:
    """Writes what was ordered into a run directory."""
    known = {
        "program": order.program,
        "recipe": order.recipe.name,
        "backbone": order.backbone.name,
        "corpus": order.corpus.name,
        "seed": str(order.seed),
    }
    _write(folder / _ORDER, known)


def remember(folder: Path, command: Mapping[str, Any]) -> None:
    """Writes the options that a run was started with, so that its key alone can continue it."""
    _write(folder / _COMMAND, command)


def remembered(runs: Path, key: str) -> dict[str, Any]:
    """The options of a run.

    Args:
        runs: where run directories live.
        key: of the run, or the beginning of it.

    Raises:
        RecipeError: no run, or several, of that key; says which there are.
    """
    found = [run.key for run in list_runs(runs) if run.key.startswith(key)]
    if len(found) != 1:
        known = ", ".join(found or [run.key for run in list_runs(runs)]) or "none"
        raise RecipeError(f"{'several runs begin' if found else 'no run begins'} with {key!r} in {runs}: {known}")
    try:
        options: dict[str, Any] = json.loads((runs / found[0] / _COMMAND).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RecipeError(f"run {found[0]} does not say how it was started: give its options again") from error
    return options


def list_runs(runs: Path) -> list[Run]:
    """All runs in a folder, the one last touched first."""
    found = [_run(folder) for folder in runs.glob("*") if (folder / _ORDER).is_file()] if runs.is_dir() else []
    return sorted(found, key=lambda run: run.touched, reverse=True)


def _run(folder: Path) -> Run:
    try:
        order = json.loads((folder / _ORDER).read_text("utf-8"))
    except ValueError:
        order = {}
    score = _score(folder / "version")
    state = "stopped" if score is None else "finished"
    if score is None and _locked(folder / "lock"):
        state = "running"
    touched = max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
    return Run(folder.name, state, order, datetime.fromtimestamp(touched, UTC), score)


def _score(version: Path) -> float | None:
    try:
        return float(read_manifest(version)["scores"]["joint"]["after"])
    except (VersionError, KeyError):
        return None


def _locked(path: Path) -> bool:
    try:
        with filelock.FileLock(path, timeout=0):
            return False
    except filelock.Timeout:
        return True


def _write(path: Path, content: Mapping[str, Any]) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(content, indent=1), "utf-8")
    beside.rename(path)
