"""Readings of a program over a corpus with their scores, and two of them compared."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import dspy

from metrics.compare import Difference, paired
from metrics.score import Mean, Score, mean
from metrics.stages import PARTS, STAGES
from programs.reading import Reading

Answered = Sequence[tuple[dspy.Example, Reading]]
"""Items that have a reply."""

COLUMNS: tuple[str, ...] = ("joint", *STAGES)
"""What every item has a score for."""


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
    seconds: tuple[float, ...] = ()
    """Wall time of each reply, with as many in flight as there were threads; empty where nothing was run."""

    @property
    def conversations(self) -> list[str]:
        """The conversation of each example."""
        return [item["conversation"] for item in self.examples]

    @property
    def answered(self) -> Answered:
        """The examples that have a reading, with it."""
        return [(item, one) for item, one in zip(self.examples, self.readings, strict=True) if one]

    def only(self, ids: Collection[str]) -> "Evaluation":
        """The same for some of the examples, in the order of their ids."""
        places = sorted(
            (place for place, item in enumerate(self.examples) if item["id"] in ids),
            key=lambda place: str(self.examples[place]["id"]),
        )
        return Evaluation(
            tuple(self.examples[place] for place in places),
            tuple(self.readings[place] for place in places),
            MappingProxyType({name: tuple(column[place] for place in places) for name, column in self.scores.items()}),
            tuple(failure for failure in self.failures if failure[0] in ids),
            tuple(self.seconds[place] for place in places) if self.seconds else (),
        )

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


def compare_evaluations(before: Evaluation, after: Evaluation, seed: int = 0) -> dict[str, Difference]:
    """Paired differences of `joint`, each stage and each part; one that no item has on both sides is left out.

    Raises:
        ValueError: the two are of different examples.
    """
    if [example["id"] for example in before.examples] != [example["id"] for example in after.examples]:
        raise ValueError("only evaluations of the same examples, in the same order, can be compared")
    groups = before.conversations
    found = {}
    for name in before.columns:
        old = [score.value for score in before.columns[name]]
        new = [score.value for score in after.columns[name]]
        if any(a is not None and b is not None for a, b in zip(old, new, strict=True)):
            found[name] = paired(old, new, groups, seed)
    return found


def joined(evaluations: Sequence[Evaluation]) -> Evaluation:
    """Evaluations of one program on different examples as one, in order."""
    return Evaluation(
        tuple(example for one in evaluations for example in one.examples),
        tuple(reading for one in evaluations for reading in one.readings),
        MappingProxyType({name: tuple(score for one in evaluations for score in one.scores[name]) for name in COLUMNS}),
        tuple(failure for one in evaluations for failure in one.failures),
        tuple(second for one in evaluations for second in one.seconds),
    )


def _part(score: Score, name: str) -> Score:
    if name in score.parts:
        return Score.of(score.parts[name])
    return Score.unscored(score.reason or f"no gold label for {name}")
