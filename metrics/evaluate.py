"""Running a program over a corpus and scoring what it says."""

import time
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import dspy

from metrics.evaluation import COLUMNS, Evaluation
from metrics.objective import Objective
from metrics.parallel import in_parallel
from metrics.score import Score
from programs.errors import StageError
from programs.reading import Reading

Outcome = Reading | StageError


class Program(Protocol):
    """Anything that reads a dialogue and answers it."""

    def __call__(self, *, dialogue: Any) -> Reading:
        """A reading; raises StageError where a stage's output cannot be parsed."""


def evaluate(
    program: Program,
    examples: Sequence[dspy.Example],
    objective: Objective,
    *,
    threads: int = 4,
    on_item: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Runs the program on each example and scores the readings.

    Args:
        program: what to run; the replies in its demos are taken as shown to it.
        examples: corpus items.
        objective: gives the joint score.
        threads: examples in flight; each sees the caller's `dspy.context`.
        on_item: called with (done, total) after each example, in the calling thread.

    Returns:
        The evaluation. A StageError is a failure of the program: joint 0, and 0 for the stage that failed.

    Raises:
        Exception: whatever else the program raises, at once and with all waiting examples cancelled: an outage is never
            a score.
    """
    aware = objective.with_demos((*objective.demos, *shown_replies(program)))
    timed = in_parallel(lambda example: _answer(program, example), examples, threads=threads, on_item=on_item)
    return scored(examples, [outcome for outcome, _ in timed], aware, [seconds for _, seconds in timed])


def scored(
    examples: Sequence[dspy.Example], outcomes: Sequence[Outcome], objective: Objective, seconds: Sequence[float] = ()
) -> Evaluation:
    """Scores readings that were made before, by whatever system.

    Args:
        examples: corpus items.
        outcomes: the reading of each, or the failure of the program on it.
        objective: gives the joint score; its judge, if it has one, judges all replies as one batch.
        seconds: wall time of each, where it was measured.

    Raises:
        ValueError: examples and outcomes differ in number.
    """
    judged = objective.judged(
        [(item, one) for item, one in zip(examples, outcomes, strict=True) if isinstance(one, Reading)]
    )
    rows = [_scored(judged, item, outcome) for item, outcome in zip(examples, outcomes, strict=True)]
    failed = [
        (item["id"], str(one)) for item, one in zip(examples, outcomes, strict=True) if isinstance(one, StageError)
    ]
    return Evaluation(
        tuple(examples),
        tuple(outcome if isinstance(outcome, Reading) else None for outcome in outcomes),
        MappingProxyType({name: tuple(row[name] for row in rows) for name in COLUMNS}),
        tuple(failed),
        tuple(seconds),
    )


def shown_replies(program: object) -> tuple[str, ...]:
    """Replies in the demonstrations of a program's predictors; none for a program that is no DSPy module."""
    if not isinstance(program, dspy.Module):
        return ()
    demos = [demo for predictor in program.predictors() for demo in predictor.demos]
    return tuple(dict.fromkeys(str(demo["reply"]) for demo in demos if demo.get("reply")))


def _answer(program: Program, example: dspy.Example) -> tuple[Outcome, float]:
    begun = time.monotonic()
    try:
        outcome: Outcome = program(dialogue=example["dialogue"])
    except StageError as error:
        outcome = error
    return outcome, time.monotonic() - begun


def _scored(objective: Objective, example: dspy.Example, outcome: Outcome) -> dict[str, Score]:
    if isinstance(outcome, StageError):
        return {"joint": objective.failed(outcome), **objective.failed_stages(example, outcome)}
    stages = objective.stages(example, outcome)
    return {"joint": objective.joined(stages), **stages}
