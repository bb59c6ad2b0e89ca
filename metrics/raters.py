"""How far several raters agree among themselves, where not everyone rated everything.

Source of alpha: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section D and the ordinal metric.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from metrics.agreement import FEWEST, Agreement, Undefined, bootstrapped, weighted_kappa

Ratings = Sequence[Mapping[str, float]]
"""For each item, the level that each rater gave; a rater who gave none is not in it."""


def alpha(ratings: Ratings, conversations: Sequence[Hashable], seed: int = 0) -> Agreement:
    """Krippendorff's alpha for ordered levels, with its 95 % interval over conversations.

    Raises:
        ValueError: ratings and conversations differ in number.
    """
    _check(ratings, conversations)
    return bootstrapped(lambda items: ordinal_alpha([ratings[i] for i in items]), conversations, seed)


def pairwise_kappa(ratings: Ratings, conversations: Sequence[Hashable], seed: int = 0) -> Agreement:
    """The mean quadratically weighted kappa of all pairs of raters with ten items in common or more; levels in [0, 4].

    Raises:
        ValueError: ratings and conversations differ in number, or a level is outside [0, 4].
    """
    _check(ratings, conversations)
    return bootstrapped(lambda items: mean_kappa([ratings[i] for i in items]), conversations, seed)


def ordinal_alpha(ratings: Ratings) -> float:
    """1 - observed over expected disagreement, with ordinal distances between levels; see `alpha`.

    Raises:
        Undefined: no item has two raters, or all levels of such items are the same.
    """
    pairable = [list(given.values()) for given in ratings if len(given) > 1]
    levels = sorted({level for given in pairable for level in given})
    if len(levels) < 2:
        raise Undefined("all levels are the same" if pairable else "no item has two raters")
    counts = np.array([[given.count(level) for level in levels] for given in pairable], dtype=float)
    weighed = counts / (counts.sum(axis=1, keepdims=True) - 1)
    # How often two raters of one item gave this pair of levels: an item of m raters weighs m, not m (m - 1).
    coincidences = counts.T @ weighed - np.diag(weighed.sum(axis=0))
    totals = coincidences.sum(axis=1)
    distances = _ordinal_distances(totals)
    expected = (np.outer(totals, totals) * distances).sum() / (totals.sum() - 1)
    return float(1 - (coincidences * distances).sum() / expected)


def mean_kappa(ratings: Ratings) -> float:
    """The figure alone; see `pairwise_kappa`. Pairs without a kappa are left out.

    Raises:
        Undefined: no pair of raters has one.
    """
    raters = sorted({rater for given in ratings for rater in given})
    found = []
    for one, other in combinations(raters, 2):
        both = [(given[one], given[other]) for given in ratings if one in given and other in given]
        if len(both) >= FEWEST and all(len(set(side)) > 1 for side in zip(*both, strict=True)):
            found.append(weighted_kappa(*zip(*both, strict=True)))
    if not found:
        raise Undefined(f"no two raters have {FEWEST} items in common on which both vary")
    return math.fsum(found) / len(found)


def _ordinal_distances(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances: all ratings from one level to the other, those at the two ends counted half."""
    middle = np.cumsum(totals) - totals / 2
    return np.asarray((middle[:, None] - middle[None, :]) ** 2)


def _check(ratings: Ratings, conversations: Sequence[Hashable]) -> None:
    if len(ratings) != len(conversations):
        raise ValueError(f"{len(ratings)} items are rated, but {len(conversations)} have a conversation")
