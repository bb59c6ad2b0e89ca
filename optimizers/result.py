"""What a compile leaves behind: the version folder with its report, scores and cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import dspy

from metrics import Objective
from optimizers.order import Order
from optimizers.report import chart, report
from optimizers.stagewise import Step
from optimizers.testing import Verdict
from programs.errors import VersionError
from programs.loading import read_manifest
from programs.saving import save
from programs.staged import Staged

_LIBRARIES = ("dspy", "bm25s", "scikit-learn", "numpy", "mlflow", "datasets")


@dataclass(frozen=True)
class Compiled:
    """A finished compile."""

    key: str
    version: Path
    """The version folder, in the run directory."""
    report: str
    """Markdown: before and after, with intervals."""
    scores: Mapping[str, float]
    """Scores and cost, one number a name."""
    files: tuple[Path, ...]
    """Pictures and the report, to be kept beside the version."""


def written(
    order: Order,
    objective: Objective,
    key: str,
    folder: Path,
    program: Staged,
    steps: list[Step],
    found: Verdict,
    lms: dict[str, dspy.LM],
    seconds: float,
) -> Compiled:
    """Writes the finished version into the run directory.

    Args:
        order: what was compiled.
        objective: by what.
        key: the run's name.
        folder: its directory.
        program: the compiled program.
        steps: the search, if the recipe tells its steps.
        found: the test.
        lms: the models by role, for what they cost.
        seconds: wall time of this process.
    """
    picture = chart(found, folder / "chart.png")
    scores = _scores(found)
    text = report(order, found, steps, program)
    cost = {"seconds": round(seconds, 1), **_usage(lms)}
    details = {
        "recipe": order.recipe.identity(),
        "seed": order.seed,
        "objective": objective.identity(),
        "data": [
            {"name": order.corpus.name, "licence": order.corpus.licence, "sha256": order.corpus.digest}
            | {"redistributable": order.corpus.redistributable, "splits": order.corpus.digests}
        ],
        "scores": scores,
        "cost": cost,
        "libraries": {name: installed(name) for name in _LIBRARIES},
        "run": key,
    }
    version = save(program, folder / "version", order.backbone, report=text, details=details)
    return Compiled(key, version, text, _plain(scores, cost), (picture, version / "report.md"))


def finished(key: str, folder: Path) -> Compiled | None:
    """The result of an earlier, finished run of the same order."""
    version = folder / "version"
    try:
        manifest = read_manifest(version)
    except VersionError:
        return None
    text = (version / "report.md").read_text("utf-8")
    return Compiled(
        key, version, text, _plain(manifest["scores"], manifest["cost"]), (folder / "chart.png", version / "report.md")
    )


def _scores(found: Verdict) -> dict[str, Any]:
    """Per joint, stage and part: before, after, and the paired interval of the difference."""
    table: dict[str, Any] = {
        name: {
            "before": round(item.before, 4),
            "after": round(item.after, 4),
            "difference": [round(item.low, 4), round(item.high, 4)],
            "items": item.n,
        }
        for name, item in found.differences.items()
    }
    table["parse_failures"] = {"before": found.before.parse_failures, "after": found.after.parse_failures}
    table["emotions"] = {
        "distinct": found.affect_after.distinct_emotions,
        "largest_share": round(found.affect_after.label_share() or 0.0, 4),
    }
    return table


def _plain(scores: Mapping[str, Any], cost: Mapping[str, Any]) -> dict[str, float]:
    """One number a name, as a registry takes them."""
    flat = {f"cost_{name}": float(value) for name, value in cost.items()}
    for name, values in scores.items():
        for key, value in values.items():
            if isinstance(value, int | float):
                flat[f"{name}_{key}"] = float(value)
    return flat


def _usage(lms: Mapping[str, dspy.LM]) -> dict[str, int]:
    """Calls that were really made in this process and their tokens; answers out of the journal cost nothing."""
    entries = [entry for lm in {id(lm): lm for lm in lms.values()}.values() for entry in lm.history]
    paid = [entry["usage"] for entry in entries if entry.get("usage")]
    return {
        "calls": len(paid),
        "prompt_tokens": sum(int(usage.get("prompt_tokens") or 0) for usage in paid),
        "completion_tokens": sum(int(usage.get("completion_tokens") or 0) for usage in paid),
    }
