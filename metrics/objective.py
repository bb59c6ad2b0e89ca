"""What compiling maximises: the stage scores and the guarded reply joined into one score."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import dspy

from metrics.certified import CertifiedJudge
from metrics.guard import Guard
from metrics.response import FORMULA, response_score
from metrics.score import Score
from metrics.stages import PARTS, STAGES, failed_stage, stage_scores
from metrics.text import TOKENISER
from programs.dialogue import Dialogue
from programs.errors import StageError
from programs.reading import Reading

WEIGHTS: Mapping[str, float] = MappingProxyType(dict.fromkeys(STAGES, 1.0))
"""The default weight of each stage."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A weighted mean over the stages that could be scored. Build one with `Objective.joint` or `Objective.single`.

    Raises:
        ValueError: a weight is of no stage, negative or not finite, none is positive, or the reply has a weight and no
            guard is given.
    """

    name: str
    weights: Mapping[str, float] = field(hash=False)
    """Stage to weight; a stage without one does not count."""
    guard: Guard | None = field(default=None, repr=False)
    """Scores the reply."""
    judge: CertifiedJudge | None = field(default=None, repr=False)
    """Scores the reply too, on its certified dimensions; without one the guard scores it alone."""
    demos: tuple[str, ...] = field(default=(), repr=False)
    """Replies in the program's prompt; `evaluate` fills them in. They belong to the program, not to the identity."""

    def __post_init__(self) -> None:
        unknown = sorted(set(self.weights) - set(STAGES))
        if unknown:
            raise ValueError(f"no such stage: {', '.join(unknown)}; there are {', '.join(STAGES)}")
        if not all(math.isfinite(weight) and weight >= 0 for weight in self.weights.values()):
            raise ValueError("weights are finite and not negative")
        if not any(self.weights.values()):
            raise ValueError("at least one stage needs a positive weight")
        if self.weights.get("response") and self.guard is None:
            raise ValueError("the response is scored by a guard: give one, or leave its weight out")
        object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))

    @classmethod
    def joint(
        cls, guard: Guard, weights: Mapping[str, float] = WEIGHTS, judge: CertifiedJudge | None = None
    ) -> "Objective":
        """All stages, equally by default."""
        return cls("joint", weights, guard, judge)

    @classmethod
    def single(cls, stage: str, guard: Guard | None = None) -> "Objective":
        """One stage only; `response` needs a guard."""
        return cls(stage, {stage: 1.0}, guard)

    def with_demos(self, demos: Iterable[str]) -> "Objective":
        """The same objective for a program whose prompt holds these replies."""
        return replace(self, demos=tuple(dict.fromkeys(demos)))

    def judged(self, pairs: Sequence[tuple[dspy.Example, Reading]]) -> "Objective":
        """The same objective, its judge having judged as one batch the replies that pass the gate."""
        if self.judge is None or self.guard is None:
            return self
        shown = [(said(item), reading.reply, self._shown(reading)) for item, reading in pairs]
        passed = [(text, reply) for text, reply, demos in shown if self.guard.score(text, reply, demos).parts["gate"]]
        return replace(self, judge=self.judge.batch(passed))

    def score(self, example: dspy.Example, reading: Reading) -> Score:
        """The joint score of a reading; its parts are the values of the stages that were scored and have a weight."""
        return self.joined(self.stages(example, reading))

    def failed(self, error: StageError) -> Score:
        """0, with the failure in words: a program that cannot give its typed output has failed on this item."""
        return Score.of(0.0, f"{error}.")

    def stages(self, example: dspy.Example, reading: Reading) -> dict[str, Score]:
        """The score of every stage, weighted or not; the reply is unscored where there is no guard."""
        return {**stage_scores(example, reading), "response": self._response(example, reading)}

    def failed_stages(self, example: dspy.Example, error: StageError) -> dict[str, Score]:
        """0 for the stage that failed, on the labels the example has for it; unscored for the others."""
        scores = {stage: Score.unscored(f"the program failed at {error.stage}") for stage in STAGES}
        if error.stage in PARTS:
            scores[error.stage] = failed_stage(example, error.stage, f"{error}.")
        elif error.stage == "response":
            scores["response"] = Score.of(0.0, f"{error}.", {"gate": 0.0})
        return scores

    def joined(self, stages: Mapping[str, Score]) -> Score:
        """The weighted mean over the scored stages; unscored where no weighted stage is scored.

        It is unscored too where the judge gave no judgement: a mean without the reply compares with none that has it.
        """
        if self.judge and self.weights.get("response") and stages["response"].value is None:
            return stages["response"]
        counted = {stage: stages[stage] for stage, weight in self.weights.items() if weight}
        parts = {stage: score.value for stage, score in counted.items() if score.value is not None}
        if not parts:
            return Score.unscored("; ".join(dict.fromkeys(score.reason for score in counted.values())))
        total = math.fsum(self.weights[stage] for stage in parts)
        value = math.fsum(self.weights[stage] * number for stage, number in parts.items()) / total
        feedback = " ".join(f"[{stage}] {score.feedback}" for stage, score in counted.items() if score.feedback)
        return Score.of(min(1.0, value), feedback, parts)

    def identity(self) -> dict[str, Any]:
        """Plain JSON: equal identities score equal outputs equally."""
        guard = self.guard.identity if self.guard else None
        known = {"name": self.name, "weights": dict(self.weights), "tokeniser": TOKENISER, "guard": guard}
        known |= {"response": FORMULA}
        return {**known, "judge": self.judge.identity()} if self.judge else known

    def _response(self, example: dspy.Example, reading: Reading) -> Score:
        if self.guard is None:
            return Score.unscored("no guard to score the reply with")
        return response_score(self.guard, self.judge, said(example), reading.reply, self._shown(reading))

    def _shown(self, reading: Reading) -> tuple[str, ...]:
        return (*self.demos, *(case.reply for case in reading.cases))


def said(example: dspy.Example) -> str:
    """Everything said before the reply, one turn a line."""
    return "\n".join(turn.text for turn in Dialogue.of(example["dialogue"]).turns)
