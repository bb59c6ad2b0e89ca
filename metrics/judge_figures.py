"""Figures of a judge: every dimension, J, and the gates, with what its certificate says about them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from metrics.batch import judge_all
from metrics.evaluation import Answered
from metrics.figure import Figure, figure_of, number_of
from metrics.judge import Judge
from metrics.judgement import Judgement
from metrics.merit import merit
from metrics.objective import said
from metrics.score import Score
from programs.errors import JudgeError

if TYPE_CHECKING:
    from metrics.certificate import Certificate

MOST_UNSCORED = 0.05
"""Share of unscored items from which on nothing may be compared."""


def judge_figures(
    judge: Judge,
    certificate: "Certificate | None",
    answered: Answered,
    on_item: Callable[[int, int], None] | None = None,
) -> dict[str, Figure]:
    """Levels by dimension (0 to 4; calibrated where certified), J over the dimensions that count, and the gates.

    Raises:
        JudgeError: more than one reply in twenty could not be judged, or the certificate is another judge's.
        BackboneError: the judge's backbone is set up wrongly.
    """
    if certificate:
        certificate.covers(judge.identity(), judge.rubric.identity)
    found = judge_all(judge, [(said(item), reading.reply) for item, reading in answered], on_item=on_item)
    check_scored([one.reason for one in found], "judged")
    groups = [item["conversation"] for item, _ in answered]
    counted = certificate.certified if certificate else tuple(judge.rubric.dimensions)
    cuts = certificate.cuts if certificate else {}
    figures = {
        name: number_of(
            [_level(one, name, cuts.get(name)) for one in found],
            groups,
            "certified" if certificate and name in certificate.certified else "not certified",
        )
        for name in judge.rubric.dimensions
    }
    if counted:
        figures["J"] = figure_of([merit(one, judge.rubric, counted, cuts) for one in found], groups)
    if any(one.spread for one in found):
        widest = [max(one.spread.values()) if one.spread else None for one in found]
        figures["spread"] = number_of(widest, groups, "of the panel, on the scale it differs most on")
    return figures | _gates(judge, found, groups)


def check_scored(reasons: list[str], done: str) -> None:
    """Refuses a comparison of which more than one item in twenty is unscored.

    Args:
        reasons: why each item is unscored; empty where it is scored.
        done: what was to be done with the items, such as "judged".

    Raises:
        JudgeError: too many are; says how many and the commonest reason.
    """
    missing = [reason for reason in reasons if reason]
    if reasons and len(missing) / len(reasons) > MOST_UNSCORED:
        commonest = max(set(missing), key=missing.count)
        raise JudgeError(
            f"{len(missing)} of {len(reasons)} replies could not be {done} (at most 5 % may): nothing can be compared; "
            f"most often: {commonest}"
        )


def _level(judgement: Judgement, name: str, cuts: Callable[[float], float] | None) -> float | None:
    if not judgement.scored:
        return None
    return cuts(judgement.levels[name]) if cuts else judgement.levels[name]


def _gates(judge: Judge, found: list[Judgement], groups: list[str]) -> dict[str, Figure]:
    figures = {
        name: figure_of([_share(one, one.levels.get(name, 0) >= gate.floor) for one in found], groups)
        for name, gate in judge.rubric.gates.items()
    }
    spoken = [_share(one, one.addresses_grader) for one in found]
    return {
        **{f"{name}, passed": figure for name, figure in figures.items()},
        "to its grader": figure_of(spoken, groups),
    }


def _share(judgement: Judgement, yes: bool) -> Score:
    return Score.of(float(yes)) if judgement.scored else Score.unscored(judgement.reason)
