"""Running DSPy's own optimizers over a whole program."""

from collections.abc import Sequence
from typing import Any

import dspy
from dspy.teleprompt import BootstrapFewShot, BootstrapFewShotWithRandomSearch, LabeledFewShot, MIPROv2

from metrics import Objective
from optimizers.demos import labelled
from optimizers.recipes import Recipe
from programs.staged import Staged

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
    """
    learned, chosen = [labelled(example) for example in train], list(validation)
    with dspy.context(lm=lms["task"], adapter=student.adapter):  # bootstraps drop the models of predictors
        compiled: Staged = _COMPILERS[recipe.teleprompter](
            recipe, student, objective, learned, chosen, lms, seed, threads
        )
    compiled.set_lm(lms["task"])
    return compiled


def _labeled(recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, *rest: Any) -> Any:
    return LabeledFewShot(**recipe.settings).compile(student.deepcopy(), trainset=train)


def _bootstrap(
    recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, lms: Any, *rest: Any
) -> Any:
    optimizer = BootstrapFewShot(
        metric=objective.as_metric(_THRESHOLD), teacher_settings={"lm": lms["teacher"]}, max_errors=1, **recipe.settings
    )
    return optimizer.compile(student.deepcopy(), teacher=student.deepcopy(), trainset=train)


def _random_search(
    recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, lms: Any, seed: int, threads: int
) -> Any:
    optimizer = BootstrapFewShotWithRandomSearch(
        metric=objective.as_metric(_THRESHOLD),
        teacher_settings={"lm": lms["teacher"]},
        num_threads=threads,
        max_errors=1,
        **recipe.settings,
    )
    return optimizer.compile(student.deepcopy(), teacher=student.deepcopy(), trainset=train, valset=chosen)


def _mipro(
    recipe: Recipe, student: Staged, objective: Objective, train: Any, chosen: Any, lms: Any, seed: int, threads: int
) -> Any:
    import optuna  # noqa: F401  # MIPROv2 notices that it is missing only after paying for the bootstraps

    optimizer = MIPROv2(
        metric=objective.as_metric(_THRESHOLD),
        prompt_model=lms["reflector"],
        task_model=lms["task"],
        teacher_settings={"lm": lms["teacher"]},
        num_threads=threads,
        max_errors=1,
        seed=seed or 1,  # 0 would fall back to its own default
        verbose=False,
        **recipe.settings,
    )
    return optimizer.compile(student.deepcopy(), trainset=train, valset=chosen, **recipe.compiling)


_COMPILERS: dict[str, Any] = {
    "LabeledFewShot": _labeled,
    "BootstrapFewShot": _bootstrap,
    "BootstrapFewShotWithRandomSearch": _random_search,
    "MIPROv2": _mipro,
}
