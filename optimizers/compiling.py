"""From an order to a version folder: search, test, report; resumable at every call."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import dspy
import filelock

from metrics import Guard, Objective
from optimizers.corpora import check_disjoint
from optimizers.order import Order
from optimizers.progress import Progress, Silent
from optimizers.recipes import STAGEWISE
from optimizers.report import chart, report
from optimizers.stagewise import Stagewise, Step
from optimizers.teleprompters import run_teleprompter
from optimizers.testing import Verdict, by_turns, verdict
from programs.errors import CorpusError, RecipeError, VersionError
from programs.loading import read_manifest
from programs.saving import save
from programs.staged import Staged

_SEARCH = 0.42
"""Share of the time that the search may take."""
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


def compile_order(order: Order, runs: Path, progress: Progress | None = None) -> Compiled:
    """Compiles, or continues a compile that was stopped, or returns the finished one.

    The run directory is named by everything that decides the result. DSPy's response cache lies in it and is the
    journal: a call that was answered once is never paid for again.

    Args:
        order: what to compile.
        runs: where run directories live.
        progress: told what happens.

    Raises:
        CorpusError: a split is empty, or held-out items are among cases or demos.
        RecipeError: this very compile is already running.
        BackboneError: a model cannot be reached; what was found until then stays in the run directory.
    """
    progress = progress or Silent()
    _check(order)
    objective = Objective.joint(Guard.fit(order.corpus.train))
    key = order.key(objective.identity())
    folder = runs / key
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with filelock.FileLock(folder / "lock", timeout=1):
            return _finished(key, folder) or _compiled(order, objective, key, folder, progress)
    except filelock.Timeout as error:
        raise RecipeError(f"this very compile (run {key}) is already running: wait for it, or change --seed") from error


def _check(order: Order) -> None:
    for split, items in order.corpus.splits.items():
        if not items:
            raise CorpusError(f"the {split} split of {order.corpus.name} is empty: a compile needs all three")
    check_disjoint(order.corpus, cases=order.student().bank.cases)


def _compiled(order: Order, objective: Objective, key: str, folder: Path, progress: Progress) -> Compiled:
    begun = time.monotonic()
    _journal(folder / "journal")
    lms = {role: backbone.lm() for role, backbone in order.roles().items()}
    student = order.student()
    student.set_lm(lms["task"])
    program, steps = _searched(order, student, objective, lms, folder, progress, begun)
    _check_demos(order, program)
    save(program, folder / "best", order.backbone, details={"run": key})
    found = verdict(
        student,
        program,
        by_turns(order.corpus.test),
        objective,
        least=_least(order),
        deadline=begun + 60 * order.minutes,
        on_item=progress.item,
    )
    return _written(order, objective, key, folder, program, steps, found, lms, time.monotonic() - begun)


def _searched(
    order: Order,
    student: Staged,
    objective: Objective,
    lms: dict[str, dspy.LM],
    folder: Path,
    progress: Progress,
    begun: float,
) -> tuple[Staged, list[Step]]:
    train = order.corpus.train[: order.recipe.train]
    validation = by_turns(order.corpus.validation)[: order.recipe.validation]
    if order.recipe.teleprompter != STAGEWISE:
        program = run_teleprompter(
            order.recipe, student, objective, train=train, validation=validation, lms=lms, seed=order.seed
        )
        return program, []

    def keep(step: Step, best: Staged) -> None:
        score = "unscored" if step.score is None else f"{step.score:.3f}"
        progress.note(f"{step.stage:9} {score:8} on {step.items:3}  {step.candidate}{'  <- kept' * step.kept}")
        if step.kept:
            save(best, folder / "best", order.backbone, details={"run": folder.name})

    search = Stagewise(
        objective,
        items=int(order.recipe.settings["items"]),
        demos=int(order.recipe.settings["demos"]),
        deadline=begun + 60 * order.minutes * _SEARCH,
        on_step=keep,
        on_call=progress.item,
    )
    return search.compile(student, trainset=train, valset=validation)


def _least(order: Order) -> int:
    """Items that are always answered whole: one an emotion where every stage has labels, half of that where not."""
    return 32 if any("intent" in item for item in order.corpus.test) else 16


def _check_demos(order: Order, program: Staged) -> None:
    check_disjoint(order.corpus, demos=[demo for stage in program.stages.values() for demo in stage.demos])


def _journal(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    dspy.configure_cache(enable_disk_cache=True, enable_memory_cache=True, disk_cache_dir=folder, restrict_pickle=True)


def _written(
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


def _finished(key: str, folder: Path) -> Compiled | None:
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
