"""Certifying a judge: what its levels are worth on labelled replies, and whether that is enough. See `RULE`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from metrics.agreement import kappa, spearman
from metrics.alternative import alt_test
from metrics.calibration import FEWEST, fit_cuts, held_out
from metrics.certificate import Certificate, Finding
from metrics.judge_figures import MOST_UNSCORED
from metrics.labels import LabelSet
from metrics.raters import alpha, pairwise_kappa
from programs.errors import CorpusError

LEAST_SHARE = 0.5
"""Of the raters' kappa with each other, that the judge must reach."""
RULE = (
    "A dimension is certified if the judge scored at least 19 items in 20, of 20 conversations or more; the raters "
    "agree among themselves and the judge with their median: the intervals of the raters' ordinal alpha and mean "
    "kappa, of Spearman's correlation and of the judge's cross-validated kappa lie above 0; that kappa is at least "
    "half the raters' own; and the judge does not fail the alternative annotator test, which is undefined with fewer "
    "than three raters or 30 items. This rule is the project's own."
)


class _Row(NamedTuple):
    """One item that people rated."""

    level: float | None
    median: float
    ratings: Mapping[str, float]
    conversation: str


def certify(
    levels: Mapping[str, Sequence[float | None]],
    labels: LabelSet,
    judge: Mapping[str, Any],
    rubric: str,
    matches: Mapping[str, Sequence[str]] | None = None,
    seed: int = 0,
) -> Certificate:
    """A certificate of the dimensions that were both judged and rated.

    Args:
        levels: by dimension of the rubric, the judge's level of each labelled item in [0, 4]; None where unscored.
        labels: the rated items.
        judge: the judge's identity, plain JSON.
        rubric: the identity of its rubric.
        matches: what people rated, and the dimensions of the rubric that ask for the same; None takes the label set's.
        seed: of folds and resampling.

    Raises:
        CorpusError: the raters are a crowd, a label is not in the set, or nothing was both judged and rated.
        ValueError: levels and items differ in number, or a dimension is matched twice.
    """
    labels.require_experts()
    asked = labels.matches if matches is None else matches
    rated = labels.dimensions if matches is None else asked
    pairs = [(name, label) for label, names in asked.items() for name in names if name in levels and label in rated]
    if not pairs:
        raise CorpusError(f"{labels.name} rates {', '.join(asked)}, and the judge was asked for none of it")
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError(f"a dimension of the rubric is matched with two labels: {pairs}")
    findings = {name: _finding(levels[name], labels, label, seed) for name, label in pairs}
    source = {"name": labels.name, "identity": labels.identity, "items": len(labels.items)}
    return Certificate(dict(judge), rubric, source, findings)


def _finding(levels: Sequence[float | None], labels: LabelSet, label: str, seed: int) -> Finding:
    rows = zip(levels, labels.medians(label), labels.ratings(label), labels.conversations, strict=True)
    rated = [_Row(level, median, given, group) for level, median, given, group in rows if median is not None]
    scored = [row for row in rated if row.level is not None]
    judged = [row.level for row in scored if row.level is not None]
    medians, groups = [row.median for row in scored], [row.conversation for row in scored]
    unseen = held_out(judged, medians, groups, seed)
    everyone = [row.ratings for row in rated], [row.conversation for row in rated], seed
    found = Finding(
        label=label,
        cuts=fit_cuts(judged, medians, groups, seed),
        raw_kappa=kappa(judged, medians, groups, seed),
        kappa=kappa(unseen, medians, groups, seed),
        spearman=spearman(judged, medians, groups, seed),
        alternative=alt_test(unseen, [row.ratings for row in scored], groups),
        humans_kappa=pairwise_kappa(*everyone),
        humans_alpha=alpha(*everyone),
        unscored=len(rated) - len(scored),
    )
    return replace(found, refusal=_refusal(found, rated))


def _refusal(found: Finding, rated: Sequence[_Row]) -> str:
    """The first condition of the rule that does not hold; empty where all do."""
    if found.unscored > MOST_UNSCORED * len(rated):
        return f"the judge could not score {found.unscored} of {len(rated)} items"
    if (scored := len({row.conversation for row in rated if row.level is not None})) < FEWEST:
        return f"the judge scored items of {scored} conversations; {FEWEST} are needed"
    figures = {
        "the raters' alpha": found.humans_alpha,
        "the raters' kappa": found.humans_kappa,
        "Spearman's correlation": found.spearman,
        "the judge's kappa": found.kappa,
    }
    for name, figure in figures.items():
        if not figure.positive:
            return f"{name} is undefined: {figure.reason}" if figure.reason else f"{name} may be 0 or less: {figure}"
    if (found.kappa.value or 0.0) < (needed := LEAST_SHARE * (found.humans_kappa.value or 0.0)):
        return f"the judge's kappa is {found.kappa.value:.2f}; half the raters' own is {needed:.2f}"
    if found.alternative.passed is False:
        return f"it fails the alternative annotator test: it beats {found.alternative.winning_rate:.0%} of the raters"
    return ""
