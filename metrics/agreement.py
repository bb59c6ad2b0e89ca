"""How far two sets of levels agree, with a 95 % interval, or undefined and why.

Sources: quadratically weighted kappa (Cohen 1968) and Spearman's rank correlation (1904), as statsmodels and scipy have
them; percentile bootstrap over whole conversations (Efron and Tibshirani 1993, chapter 13).
"""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from metrics.compare import LEVEL
from metrics.rubric import LEVELS, TOP

FEWEST = 10
"""Conversations under which an interval says nothing, so that the figure is undefined."""
RESAMPLES = 1_000
Statistic = Callable[[Sequence[int]], float]
"""A figure of the items with these indices, in [-1, 1]; an index may occur several times. Raises `Undefined`."""


class Undefined(ValueError):
    """A figure does not exist for these ratings; the message says why."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One figure of agreement, in [-1, 1]; value, low and high are None together.

    Raises:
        ValueError: there is a number besides a reason, no reason for there being none, or one is outside [-1, 1].
    """

    value: float | None
    low: float | None
    high: float | None
    """The 95 % interval."""
    n: int
    """Items behind it."""
    reason: str = ""
    """Why there is no value; empty where there is one."""

    def __post_init__(self) -> None:
        numbers = [number for number in (self.value, self.low, self.high) if number is not None]
        if len(numbers) != (0 if self.reason else 3) or not all(-1 <= number <= 1 for number in numbers):
            raise ValueError(
                f"an agreement has three numbers in [-1, 1], or none and a reason: {numbers} {self.reason}"
            )

    @property
    def positive(self) -> bool:
        """The whole interval lies above zero."""
        return self.low is not None and self.low > 0

    def __str__(self) -> str:
        """Such as "0.52 [0.31, 0.70]"; a dash where undefined."""
        return "–" if self.value is None else f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return asdict(self)


def kappa(
    first: Sequence[float], second: Sequence[float], conversations: Sequence[Hashable], seed: int = 0
) -> Agreement:
    """Quadratically weighted kappa of two sets of levels in [0, 4].

    Args:
        first: levels, one an item; rounded to whole ones, halves upwards.
        second: the other levels of the same items.
        conversations: the conversation of each item; what is resampled.
        seed: of the resampling.

    Raises:
        ValueError: the three differ in length, or a level is outside [0, 4].
    """
    return _paired(weighted_kappa, first, second, conversations, seed)


def spearman(
    first: Sequence[float], second: Sequence[float], conversations: Sequence[Hashable], seed: int = 0
) -> Agreement:
    """Rank correlation of two sets of numbers; arguments and errors as for `kappa`, but any range."""
    return _paired(rank_correlation, first, second, conversations, seed)


def bootstrapped(statistic: Statistic, conversations: Sequence[Hashable], seed: int = 0) -> Agreement:
    """A statistic of all items with its interval over resampled conversations.

    A resample in which the statistic is undefined could be anything: it counts as -1 for the low end and as 1 for the
    high one.

    Args:
        statistic: of the items with given indices.
        conversations: the conversation of each item.
        seed: of the resampling.
    """
    groups = defaultdict(list)
    for index, name in enumerate(conversations):
        groups[name].append(index)
    if len(groups) < FEWEST:
        return Agreement(None, None, None, len(conversations), f"{len(groups)} conversations; {FEWEST} are needed")
    try:
        # A perfect correlation may come out a hair above 1.
        value = max(-1.0, min(1.0, statistic(range(len(conversations)))))
    except Undefined as error:
        return Agreement(None, None, None, len(conversations), str(error))
    drawn = np.asarray(_resampled(statistic, list(groups.values()), seed))
    # Of sorted values, so that an end is one of them and never a mixture with a made-up -1 or 1.
    low = np.quantile(np.nan_to_num(drawn, nan=-1.0), (1 - LEVEL) / 2, method="lower")
    high = np.quantile(np.nan_to_num(drawn, nan=1.0), (1 + LEVEL) / 2, method="higher")
    return Agreement(value, min(float(low), value), max(float(high), value), len(conversations))


def weighted_kappa(first: Sequence[float], second: Sequence[float]) -> float:
    """The figure alone; see `kappa`.

    Raises:
        Undefined: no items, or all levels of one side are the same.
        ValueError: the two differ in length, or a level is outside [0, 4].
    """
    table = np.zeros((LEVELS, LEVELS))
    for one, other in zip(first, second, strict=True):
        table[whole(one), whole(other)] += 1
    if min((table.sum(axis=axis) > 0).sum() for axis in (0, 1)) < 2:
        raise Undefined("all levels of one side are the same" if len(first) else "there are no items")
    return float(cohens_kappa(table, wt="quadratic", return_results=False))


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """The figure alone; see `spearman`.

    Raises:
        Undefined: fewer than two items, or all numbers of one side are the same.
        ValueError: the two differ in length.
    """
    if min(len(set(first)), len(set(second))) < 2:
        raise Undefined("all levels of one side are the same" if len(first) > 1 else "fewer than two items")
    return float(stats.spearmanr(first, second).statistic)


def whole(level: float) -> int:
    """The nearest whole level, halves upwards: what a person who may only give whole ones would give.

    Raises:
        ValueError: it is outside [0, 4].
    """
    if not 0 <= level <= TOP:
        raise ValueError(f"a level lies in [0, {TOP}], not {level}")
    return math.floor(level + 0.5)


def _paired(
    statistic: Callable[[Sequence[float], Sequence[float]], float],
    first: Sequence[float],
    second: Sequence[float],
    conversations: Sequence[Hashable],
    seed: int,
) -> Agreement:
    rows = list(zip(first, second, conversations, strict=True))
    return bootstrapped(
        lambda items: statistic([rows[i][0] for i in items], [rows[i][1] for i in items]), conversations, seed
    )


def _resampled(statistic: Statistic, groups: list[list[int]], seed: int) -> list[float]:
    """The statistic of each resample, NaN where undefined."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(RESAMPLES):
        items = [item for place in random.integers(len(groups), size=len(groups)) for item in groups[place]]
        try:
            found.append(max(-1.0, min(1.0, statistic(items))))
        except Undefined:
            found.append(math.nan)
    return found
