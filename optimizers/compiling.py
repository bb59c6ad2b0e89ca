"""From an order to a version folder: search, test, report; resumable at every call."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dspy
import filelock

from metrics import Guard, Objective
from optimizers.clock import Clock
from optimizers.corpora import check_disjoint
from optimizers.order import Order
from optimizers.progress import Progress, Silent
from optimizers.recipes import STAGEWISE
from optimizers.result import Compiled, finished, written
from optimizers.run_folders import describe, remember
from optimizers.stagewise import Stagewise, Step
from optimizers.teleprompters import run_teleprompter
from optimizers.testing import by_turns, verdict
from optimizers.variants import Sizes
from programs.errors import CorpusError, RecipeError
from programs.saving import save
from programs.staged import Staged

_SEARCH = 0.45
"""Share of the time that the search may take."""


def compile_order(
    order: Order, runs: Path, progress: Progress | None = None, command: Mapping[str, Any] | None = None
) -> Compiled:
    """Compiles, or continues a compile that was stopped, or returns the finished one.

    The run directory is named by everything that decides the result. DSPy's response cache lies in it and is the
    journal: a call that was answered once is never paid for again.

    Args:
        order: what to compile.
        runs: where run directories live.
        progress: told what happens.
        command: the options it is started with, kept so that the run's key alone can continue it.

    Raises:
        CorpusError: a split is empty, no item to learn from has a reply, or held-out items are among cases or demos.
        RecipeError: this very compile is already running.
        BackboneError: a model cannot be reached; what was found until then stays in the run directory.
    """
    progress = progress or Silent()
    _check(order)
    objective = Objective.joint(Guard.fit(order.corpus.train), judge=order.judge)
    key = order.key(objective.identity())
    folder = runs / key
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with filelock.FileLock(folder / "lock", timeout=1):
            describe(folder, order)
            remember(folder, command or {})
            return finished(key, folder) or _compiled(order, objective, key, folder, progress)
    except filelock.Timeout as error:
        raise RecipeError(f"this very compile (run {key}) is already running: wait for it, or change --seed") from error


def _check(order: Order) -> None:
    for split, items in order.corpus.splits.items():
        if not items:
            raise CorpusError(f"the {split} split of {order.corpus.name} is empty: a compile needs all three")
    if not any("reply" in item for item in order.corpus.train):
        raise CorpusError(f"no train item of {order.corpus.name} has a reply, so no reply can be judged: give it some")
    check_disjoint(order.corpus, cases=order.student().bank.cases)


def _compiled(order: Order, objective: Objective, key: str, folder: Path, progress: Progress) -> Compiled:
    clock = Clock(60 * order.minutes, folder / "decisions.jsonl")
    _journal(folder / "journal")
    lms = {role: backbone.lm() for role, backbone in order.roles().items()}
    student = order.student()
    student.set_lm(lms["task"])
    program, steps = _searched(order, student, objective, lms, folder, progress, clock)
    _check_demos(order, program)
    save(program, folder / "best", order.backbone, details={"run": key})
    found = verdict(
        student,
        program,
        by_turns(order.corpus.test),
        objective,
        least=_least(order),
        clock=clock,
        on_item=progress.item,
    )
    return written(order, objective, key, folder, program, steps, found, lms, clock.elapsed)


def _searched(
    order: Order,
    student: Staged,
    objective: Objective,
    lms: dict[str, dspy.LM],
    folder: Path,
    progress: Progress,
    clock: Clock,
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

    settings = order.recipe.settings
    search = Stagewise(
        objective,
        items=int(settings["items"]),
        size=Sizes(int(settings["demos"]), int(settings["trial"]), int(settings["proposals"]), lms["reflector"]),
        joint=int(settings["joint"]),
        share=_SEARCH,
        clock=clock,
        on_step=keep,
        on_call=progress.item,
    )
    return search.compile(student, trainset=train, valset=validation)


def _least(order: Order) -> int:
    """Items that are always answered whole: enough for an interval, but few where only the affect stage has labels."""
    return 24 if any("intent" in item for item in order.corpus.test) else 8


def _check_demos(order: Order, program: Staged) -> None:
    check_disjoint(order.corpus, demos=[demo for stage in program.stages.values() for demo in stage.demos])


def _journal(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    dspy.configure_cache(enable_disk_cache=True, enable_memory_cache=True, disk_cache_dir=folder, restrict_pickle=True)
