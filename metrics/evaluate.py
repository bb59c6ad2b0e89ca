"""Running a program over a corpus and scoring what it says."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

import dspy

from metrics.compare import Difference, paired
from metrics.objective import Objective
from metrics.score import Mean, Score, mean
from metrics.stages import PARTS, STAGES
from programs.errors import StageError
from programs.reading import Reading

COLUMNS: tuple[str, ...] = ("joint", *STAGES)
"""What every item has a score for."""


class Program(Protocol):
    """Anything that reads a dialogue and answers it."""

    def __call__(self, *, dialogue: Any) -> Reading:
        """A reading; raises StageError where a stage's output cannot be parsed."""


@dataclass(frozen=True)
class Evaluation:
    """Readings of a program on some examples, and their scores; all in the examples' order."""

    examples: tuple[dspy.Example, ...]
    readings: tuple[Reading | None, ...]
    """None where a stage failed."""
    scores: Mapping[str, tuple[Score, ...]]
    """For `joint` and each stage, one score an example."""
    failures: tuple[tuple[str, str], ...]
    """Example id and reason, for each stage output that could not be parsed."""

    @property
    def parse_failures(self) -> int:
        """Examples on which a stage failed."""
        return len(self.failures)

    def means(self) -> dict[str, Mean]:
        """The mean of `joint`, of each stage and of each part; items without a value are counted beside it."""
        return {name: mean(scores) for name, scores in self.columns.items()}

    @cached_property
    def columns(self) -> Mapping[str, tuple[Score, ...]]:
        """`scores` and, as scores of their own, the parts of the labelled stages (`emotion`, `trigger_f1`, ...)."""
        parts = {
            name: tuple(_part(score, name) for score in self.scores[stage])
            for stage, names in PARTS.items()
            for name in names
        }
        return MappingProxyType({**self.scores, **parts})

    def label_share(self) -> float | None:
        """The share of the most frequent predicted emotion, in (0, 1]; None where none was predicted."""
        return max(self._emotions.values()) / self._emotions.total() if self._emotions else None

    @property
    def distinct_emotions(self) -> int:
        """How many different emotions were predicted."""
        return len(self._emotions)

    @cached_property
    def _emotions(self) -> Counter[str]:
        return Counter(reading.emotion for reading in self.readings if reading and reading.emotion)


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
    outcomes = _run(program, examples, threads, on_item)
    rows = [_scored(aware, example, outcome) for example, outcome in zip(examples, outcomes, strict=True)]
    return Evaluation(
        tuple(examples),
        tuple(None if isinstance(outcome, StageError) else outcome for outcome in outcomes),
        MappingProxyType({name: tuple(row[name] for row in rows) for name in COLUMNS}),
        tuple(
            (str(example["id"]), str(outcome))
            for example, outcome in zip(examples, outcomes, strict=True)
            if isinstance(outcome, StageError)
        ),
    )


def compare_evaluations(before: Evaluation, after: Evaluation, seed: int = 0) -> dict[str, Difference]:
    """Paired differences of `joint`, each stage and each part; one that no item has on both sides is left out.

    Raises:
        ValueError: the two are of different examples.
    """
    if [example["id"] for example in before.examples] != [example["id"] for example in after.examples]:
        raise ValueError("only evaluations of the same examples, in the same order, can be compared")
    groups = [example["conversation"] for example in before.examples]
    found = {}
    for name in before.columns:
        old = [score.value for score in before.columns[name]]
        new = [score.value for score in after.columns[name]]
        if any(a is not None and b is not None for a, b in zip(old, new, strict=True)):
            found[name] = paired(old, new, groups, seed)
    return found


def shown_replies(program: object) -> tuple[str, ...]:
    """Replies in the demonstrations of a program's predictors; none for a program that is no DSPy module."""
    if not isinstance(program, dspy.Module):
        return ()
    demos = [demo for predictor in program.predictors() for demo in predictor.demos]
    return tuple(dict.fromkeys(str(demo["reply"]) for demo in demos if demo.get("reply")))


def _run(
    program: Program, examples: Sequence[dspy.Example], threads: int, on_item: Callable[[int, int], None] | None
) -> list[Reading | StageError]:
    with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="evaluate") as pool:
        futures = [pool.submit(copy_context().run, _answer, program, example) for example in examples]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                if on_item:
                    on_item(done, len(futures))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [future.result() for future in futures]


def _answer(program: Program, example: dspy.Example) -> Reading | StageError:
    try:
        return program(dialogue=example["dialogue"])
    except StageError as error:
        return error


def _scored(objective: Objective, example: dspy.Example, outcome: Reading | StageError) -> dict[str, Score]:
    if isinstance(outcome, StageError):
        return {"joint": objective.failed(outcome), **objective.failed_stages(example, outcome)}
    stages = objective.stages(example, outcome)
    return {"joint": objective.joined(stages), **stages}


def _part(score: Score, name: str) -> Score:
    if name in score.parts:
        return Score.of(score.parts[name])
    return Score.unscored(score.reason or f"no gold label for {name}")


def joined(evaluations: Sequence[Evaluation]) -> Evaluation:
    """Evaluations of one program on different examples as one, in order."""
    return Evaluation(
        tuple(example for one in evaluations for example in one.examples),
        tuple(reading for one in evaluations for reading in one.readings),
        MappingProxyType({name: tuple(score for one in evaluations for score in one.scores[name]) for name in COLUMNS}),
        tuple(failure for one in evaluations for failure in one.failures),
    )
