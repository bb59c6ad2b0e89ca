"""Whether one set of scores is better than another on the same items, with a 95 % interval.

Source: the BCa bootstrap (Efron 1987, as `scipy.stats.bootstrap` has it) on the paired differences; items of one
conversation are averaged first, so that what is resampled is independent (Miller 2024, arXiv 2411.00640).
"""

import math
import warnings
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

LEVEL = 0.95
_RESAMPLES = 9_999
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Difference:
    """A paired comparison; all numbers are means over conversations of items scored on both sides."""

    before: float
    after: float
    difference: float
    """after - before, in [-1, 1]."""
    low: float
    high: float
    """The 95 % interval of the difference; [-1, 1], which says nothing, for a single conversation."""
    n: int
    """Items compared."""
    left_out: int
    """Items that at least one side could not score."""

    @property
    def better(self) -> bool:
        """The whole interval lies above zero."""
        return self.low > 0


def paired(
    before: Sequence[float | None],
    after: Sequence[float | None],
    conversations: Sequence[Hashable],
    seed: int = 0,
) -> Difference:
    """The mean difference on the items that both sides scored.

    Args:
        before: values in [0, 1], None where unscored.
        after: the same items in the same order.
        conversations: the conversation of each item.
        seed: of the resampling.

    Raises:
        ValueError: the three differ in length, or no item is scored on both sides.
    """
    both = [
        (group, old, new)
        for old, new, group in zip(before, after, conversations, strict=True)
        if old is not None and new is not None
    ]
    if not both:
        raise ValueError("no item is scored on both sides")
    old = by_conversation((group, value) for group, value, _ in both)
    new = by_conversation((group, value) for group, _, value in both)
    low, high = interval([b - a for a, b in zip(old, new, strict=True)], seed, bounds=(-1.0, 1.0))
    means = _mean(old), _mean(new)
    return Difference(*means, means[1] - means[0], low, high, len(both), len(before) - len(both))


def interval(values: Sequence[float], seed: int = 0, bounds: tuple[float, float] = (0.0, 1.0)) -> tuple[float, float]:
    """The 95 % interval of the mean of independent values.

    Args:
        values: one a conversation.
        seed: of the resampling.
        bounds: between which the mean must lie; returned whole for a single value, which tells nothing of its spread.

    Returns:
        (low, high); both the value itself where all are equal.

    Raises:
        ValueError: no value, or one that is not finite.
    """
    if not values or not all(math.isfinite(value) for value in values):
        raise ValueError("an interval needs finite values, at least one")
    if len(values) == 1:
        return bounds
    if max(values) - min(values) < 1e-12:
        return values[0], values[0]
    low, high = _bootstrap(values, "BCa", seed)
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = _bootstrap(values, "percentile", seed)
    return low, high


def _bootstrap(values: Sequence[float], method: str, seed: int) -> tuple[float, float]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # A degenerate BCa gives NaN, which the caller sees and answers with percentiles.
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        found = stats.bootstrap(
            (np.asarray(values, dtype=float),),
            np.mean,
            n_resamples=_RESAMPLES,
            batch=_BATCH,
            confidence_level=LEVEL,
            method=method,
            rng=np.random.default_rng(seed),
        )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def by_conversation(pairs: Iterable[tuple[Hashable, float]]) -> list[float]:
    """Mean value of each conversation, in order of first appearance."""
    groups: defaultdict[Hashable, list[float]] = defaultdict(list)
    for group, value in pairs:
        groups[group].append(value)
    return [_mean(values) for values in groups.values()]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
