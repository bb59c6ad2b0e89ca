"""J: a judgement as one number. J = .7 sum w_d e_d + .3 min e_d over the dimensions that count.

e_d is the calibrated level over 4, w_d the rubric's weight, scaled to sum 1 over the dimensions that count; the minimum
keeps one failed dimension from being bought off by the others. A shut gate makes J zero. The formula is this project's.
"""

import math
from collections.abc import Callable, Collection, Mapping

from metrics.judgement import Judgement
from metrics.rubric import TOP, Rubric
from metrics.score import Score

Calibrated = Callable[[float], float]
"""From a judge's level to the level that the experts would give, both in [0, 4]."""

MEAN_SHARE = 0.7
_WORST = 2
"""Dimensions that the feedback names."""


def merit(
    judgement: Judgement,
    rubric: Rubric,
    dimensions: Collection[str] | None = None,
    calibrated: Mapping[str, Calibrated] | None = None,
) -> Score:
    """J in [0, 1], or unscored with the judgement's reason.

    Args:
        judgement: what the judge found.
        rubric: gives weights and gates.
        dimensions: those that count; None counts all.
        calibrated: by dimension; the levels of one that is missing are taken as they are.

    Returns:
        A score whose parts are the e_d; the feedback names the worst two dimensions with the judge's evidence, or the
        gate that is shut.

    Raises:
        ValueError: no dimension counts.
    """
    if not judgement.scored:
        return Score.unscored(judgement.reason)
    counted = [name for name in rubric.dimensions if dimensions is None or name in dimensions]
    if not counted:
        raise ValueError("J needs at least one dimension of the rubric")
    parts = {name: _share(judgement.levels[name], (calibrated or {}).get(name)) for name in counted}
    if shut := _shut(judgement, rubric):
        return Score.of(0.0, f"The reply is refused by the judge: {shut}.", parts)
    total = math.fsum(rubric.dimensions[name].weight for name in counted)
    weighed = math.fsum(rubric.dimensions[name].weight / total * parts[name] for name in counted)
    value = MEAN_SHARE * weighed + (1 - MEAN_SHARE) * min(parts.values())
    return Score.of(min(1.0, value), _feedback(judgement, rubric, parts), parts)


def _share(level: float, calibrated: Calibrated | None) -> float:
    return (calibrated(level) if calibrated else level) / TOP


def _shut(judgement: Judgement, rubric: Rubric) -> str:
    if judgement.addresses_grader:
        return "it speaks to its grader"
    shut = [name for name, gate in rubric.gates.items() if judgement.levels[name] < gate.floor]
    return f"{shut[0]} ({judgement.evidence.get(shut[0], '')})" if shut else ""


def _feedback(judgement: Judgement, rubric: Rubric, parts: Mapping[str, float]) -> str:
    """The worst two dimensions below the top level, in the words of the rubric and of the judge."""
    worst = sorted((value, name) for name, value in parts.items() if value < 1)[:_WORST]
    return " ".join(
        f"{rubric.dimensions[name].question} {value * TOP:.1f} of {TOP}: {judgement.evidence.get(name, '')}".strip()
        for value, name in worst
    )
