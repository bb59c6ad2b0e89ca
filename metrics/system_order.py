"""Whether a judge puts systems in the order that people put them in: what crowd labels are good for."""

from collections.abc import Sequence
from statistics import fmean

from metrics.agreement import Agreement, Undefined, bootstrapped, rank_correlation
from metrics.labels import LabelSet

FEWEST_SYSTEMS = 3


def system_order(levels: Sequence[float | None], labels: LabelSet, dimension: str, seed: int = 0) -> Agreement:
    """Spearman's correlation of the systems' mean level by the judge with their mean rating.

    Args:
        levels: the judge's level of each item, in the order of the label set; None where unscored. The means of both
            sides leave those items out.
        labels: replies of at least three systems.
        dimension: one that people rated.
        seed: of the resampling of conversations behind the interval.

    Returns:
        The correlation; undefined, with why, for fewer than three systems or ten conversations, or if all means of one
        side are the same.

    Raises:
        ValueError: levels and items differ in number.
        CorpusError: nobody rated this dimension.
    """
    rated = [(item, given) for item, given in zip(labels.items, labels.ratings(dimension), strict=True)]
    rows = [
        (item.conversation, item.system, level, fmean(given.values()))
        for level, (item, given) in zip(levels, rated, strict=True)
        if level is not None and given
    ]
    return bootstrapped(
        lambda items: _order([rows[i][1:] for i in items]), [conversation for conversation, *_ in rows], seed
    )


def _order(rows: Sequence[tuple[str, float, float]]) -> float:
    systems = sorted({system for system, _, _ in rows})
    if len(systems) < FEWEST_SYSTEMS:
        raise Undefined(f"{len(systems)} systems; an order needs {FEWEST_SYSTEMS}")
    by_judge = [fmean(judged for system, judged, _ in rows if system == name) for name in systems]
    by_people = [fmean(rated for system, _, rated in rows if system == name) for name in systems]
    return rank_correlation(by_judge, by_people)
