"""Scores for readings and replies: a value in [0, 1], or unscored with a reason; nothing here asks a model."""

from metrics.compare import Difference, interval, paired
from metrics.evaluate import evaluate, scored
from metrics.evaluation import Evaluation, compare_evaluations, joined
from metrics.guard import Guard
from metrics.objective import WEIGHTS, Objective
from metrics.score import Mean, Score, mean
from metrics.stages import PARTS, STAGES, stage_scores
from metrics.text import TOKENISER

__all__ = [
    "PARTS",
    "STAGES",
    "TOKENISER",
    "WEIGHTS",
    "Difference",
    "Evaluation",
    "Guard",
    "Mean",
    "Objective",
    "Score",
    "compare_evaluations",
    "evaluate",
    "interval",
    "joined",
    "mean",
    "paired",
    "scored",
    "stage_scores",
]
