"""Running DSPy's own optimizers over a whole program."""

from collections.abc import Sequence
from typing import Any

import dspy
from dspy.teleprompt import BootstrapFewShot, BootstrapFewShotWithRandomSearch, LabeledFewShot, MIPROv2

from metrics import Objective
from metrics.shapes import as_metric
from optimizers.demos import labelled, shown_demo
from optimizers.outage_watch import OutageWatch
from optimizers.recipes import Recipe
from programs.staged import Staged, failures

_THRESHOLD = 0.6
"""Joint score from which a run is good enough to become a demonstration."""


def run_teleprompter(
    recipe: Recipe,
    student: Staged,
    objective: Objective,
    *,
    train: Sequence[dspy.Example],
    validation: Sequence[dspy.Example],
    lms: dict[str, dspy.LM],
    seed: int,
    threads: int = 4,
) -> Staged:
    """The compiled program, bound to the task backbone again.

    Args:
        recipe: which optimizer, with what settings.
        student: an uncompiled program; left as it is.
        objective: the joint score, as the optimizer's metric.
        train: items to learn from.
        validation: items to choose by.
        lms: models by role: `task`, `teacher`, `reflector`.
        seed: of whatever the optimizer draws.
        threads: items in flight.

    Raises:
        BackboneError: a model could not be reached, or refused.
        StageError: a stage gave no typed output; these optimizers end there.
    """
    learned, chosen = [_told(example) for example in train], list(validation)
    task, watch = lms["task"], OutageWatch()  # bootstraps drop the models of predictors
    with (
        watch,
        failures("proposal"),
        dspy.context(lm=task, adapter=student.adapter, callbacks=[*dspy.settings.callbacks, watch]),
    ):
        compiled: Staged = _COMPILERS[recipe.teleprompter](
            recipe, student, objective, learned, chosen, lms, seed, threads
        )
    compiled.set_lm(task)
    for predictor in compiled.predictors():
        predictor.demos = [_shown(predictor.signature, demo) for demo in predictor.demos]
    return compiled


def _told(example: dspy.Example) -> dspy.Example:
    """All labels, and the dialogue still in turns: a program reads these items, it does not only show them."""
    return dspy.Example({**labelled(example).toDict(), "dialogue": example.dialogue}).with_inputs("dialogue")


def _shown(signature: type[dspy.Signature], demo: dspy.Example) -> dspy.Example:
    """A demo of the program's own is as it was run; a labelled one keeps the fields of its stage."""
    return demo if demo.get("augmented") else shown_demo(signature, demo)


def _teacher(student: Staged, lms: dict[str, dspy.LM]) -> Staged:
    teacher: Staged = student.deepcopy()
    teacher.set_lm(lms["teacher"])  # the settings of a teacher do not reach predictors that are bound
    return teacher


def _labeled(recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, *rest: Any) -> Any:
    return LabeledFewShot(**recipe.settings).compile(student.deepcopy(), trainset=train)


def _bootstrap(
    recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, lms: Any, *rest: Any
) -> Any:
    optimizer = BootstrapFewShot(
        metric=as_metric(objective, _THRESHOLD),
        teacher_settings={"lm": lms["teacher"]},
        max_errors=1,
        **recipe.settings,
    )
    return optimizer.compile(student.deepcopy(), teacher=_teacher(student, lms), trainset=train)


def _random_search(
    recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, lms: Any, seed: int, threads: int
) -> Any:
    optimizer = BootstrapFewShotWithRandomSearch(
        metric=as_metric(objective, _THRESHOLD),
        teacher_settings={"lm": lms["teacher"]},
        num_threads=threads,
        max_errors=1,
        **recipe.settings,
    )
    return optimizer.compile(student.deepcopy(), teacher=_teacher(student, lms), trainset=train, valset=chosen)


def _mipro(
    recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, lms: Any, seed: int, threads: int
) -> Any:
    import optuna  # noqa: F401  # MIPROv2 notices that it is missing only after paying for the bootstraps

    optimizer = MIPROv2(
        metric=as_metric(objective, _THRESHOLD),
        prompt_model=lms["reflector"],
        task_model=lms["task"],
        teacher_settings={"lm": lms["teacher"]},
        num_threads=threads,
        max_errors=1,
        seed=seed or 1,  # 0 would fall back to its own default
        verbose=False,
        **recipe.settings,
    )
    return optimizer.compile(
        student.deepcopy(), teacher=_teacher(student, lms), trainset=train, valset=chosen, **recipe.compiling
    )


_COMPILERS: dict[str, Any] = {
    "LabeledFewShot": _labeled,
    "BootstrapFewShot": _bootstrap,
    "BootstrapFewShotWithRandomSearch": _random_search,
    "MIPROv2": _mipro,
}
