"""What a stage gets wrong on training items, for choosing hard demos and for telling a reflector."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import dspy

from metrics import Objective, Score
from optimizers.demos import labelled
from optimizers.stage_runs import Answers, run_stage, score_stage
from programs.staged import Staged

_WORST = 4
"""Kinds of mistake that a reflector is told of; more would hide the frequent ones."""
_LENGTH = 400
"""Characters of a dialogue that illustrate a mistake."""


@dataclass(frozen=True)
class Trial:
    """A stage on some training items, the labels standing in for what earlier stages would answer; run when first asked
    for."""

    program: Staged
    stage: str
    items: Sequence[dspy.Example]
    objective: Objective
    on_item: Callable[[int, int], None] = lambda done, total: None

    @cached_property
    def scores(self) -> Mapping[str, Score]:
        """The stage's own score by item id."""
        known = _labels(self.program, self.stage, self.items)
        answers = run_stage(self.program, self.stage, self.items, known, on_item=self.on_item)
        found = score_stage(self.program, self.stage, self.items, answers, self.objective, known)
        return {item.id: score for item, score in zip(self.items, found, strict=True)}

    @property
    def difficulty(self) -> dict[str, float]:
        """1 - score by item id, in [0, 1]; items that could not be scored are left out."""
        return {name: 1 - score.value for name, score in self.scores.items() if score.value is not None}

    def mistakes(self) -> str:
        """The most frequent kinds of mistake, each with its count and one dialogue; empty where there was none.

        For a labelled stage a kind is what was confused with what.
        """
        kinds: dict[str, list[dspy.Example]] = {}
        for item in self.items:
            for kind in _sentences(self.scores[item.id].feedback):
                kinds.setdefault(kind, []).append(item)
        frequent = sorted(kinds.items(), key=lambda kind: -len(kind[1]))[:_WORST]
        return "\n\n".join(
            f"{len(items)} times: {kind}\nfor instance\n{_shortened(items[0])}" for kind, items in frequent
        )


def _labels(program: Staged, stage: str, items: Sequence[dspy.Example]) -> Answers:
    """Labels as the answers of the earlier stages that are labelled completely."""
    known = Answers()
    for earlier, predictor in program.stages.items():
        if earlier == stage:
            break
        fields = tuple(predictor.signature.output_fields)
        told = {item.id: labelled(item) for item in items}
        whole: dict[str, Any] = {
            name: dspy.Prediction(**{field: one[field] for field in fields})
            for name, one in told.items()
            if all(field in one for field in fields)
        }
        known.fix(earlier, whole)
    return known


def _sentences(feedback: str) -> list[str]:
    return [part if part.endswith(".") else f"{part}." for part in feedback.split(". ") if part]


def _shortened(item: dspy.Example) -> str:
    text = str(labelled(item).dialogue)
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH].rsplit(' ', 1)[0]} ..."
