"""One objective in the three shapes that DSPy's optimizers call: a float, yes or no, and a score with feedback."""

from collections.abc import Callable
from typing import Any

import dspy

from metrics.objective import Objective
from metrics.score import Score
from programs.errors import CorpusError, JudgeError
from programs.reading import Reading

Metric = Callable[..., float]
FeedbackMetric = Callable[..., dspy.Prediction]


def as_metric(objective: Objective, threshold: float = 0.75) -> Metric:
    """`metric(example, prediction, trace=None)`.

    Args:
        objective: what is scored.
        threshold: from which value on a traced run is good enough to become a demonstration.

    Returns:
        A callable giving the value in [0, 1]; with a trace, whether it reaches the threshold. It raises CorpusError for
        an example without labels, and JudgeError where the judge gave no judgement: neither is ever a zero.
    """

    def metric(example: dspy.Example, prediction: Reading, trace: Any = None) -> float:
        score = _scored(objective, example, prediction)
        value = float(score.value or 0.0)
        return value if trace is None else value >= threshold

    return metric


def as_feedback_metric(objective: Objective) -> FeedbackMetric:
    """`metric(gold, pred, trace=None, pred_name=None, pred_trace=None)`, as GEPA calls it.

    Returns:
        A callable giving a prediction with `score` in [0, 1], `feedback` in words (of the stage named by `pred_name`
        alone, where that stage has any), and `objective_scores`: every stage, and every judged dimension. It raises as
        `as_metric` does.
    """

    def metric(
        gold: dspy.Example, pred: Reading, trace: Any = None, pred_name: str | None = None, pred_trace: Any = None
    ) -> dspy.Prediction:
        stages = objective.stages(gold, pred)
        score = _checked(objective, gold, objective.joined(stages))
        own = stages[pred_name].feedback if pred_name in stages else ""
        dimensions = objective.judge.dimensions if objective.judge else ()
        judged = {name: stages["response"].parts[name] for name in dimensions if name in stages["response"].parts}
        return dspy.Prediction(
            score=float(score.value or 0.0),
            feedback=own or score.feedback or "Nothing to mend.",
            objective_scores={**score.parts, **judged},
        )

    return metric


def _scored(objective: Objective, example: dspy.Example, reading: Reading) -> Score:
    return _checked(objective, example, objective.score(example, reading))


def _checked(objective: Objective, example: dspy.Example, score: Score) -> Score:
    if score.value is None:
        kind = CorpusError if objective.judge is None else JudgeError
        raise kind(f"example {example.get('id')!r} cannot be scored by '{objective.name}': {score.reason}")
    return score
