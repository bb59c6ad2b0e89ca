"""Racing: every candidate is tried on a few items, and only those that may still win go on to more.

Successive halving (Jamieson and Talwalkar 2016) with a paired bound in the manner of races (Maron and Moore 1994): a
candidate also leaves as soon as its paired difference to the best cannot, at one-sided 90 %, be zero or more.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, stdev
from typing import TypeVar

from scipy import stats

from optimizers.runner import Runner

Item = TypeVar("Item")
_LEVEL = 0.9
_SPREAD = 0.15
"""Least standard deviation that a few differences are believed to have: three equal ones prove little."""
_FEWEST = 8
"""Items of the first heat, at least."""


def heats(items: Sequence[Item]) -> list[Sequence[Item]]:
    """The items in consecutive parts: a quarter, the next quarter, and the half that is left; parts that would make the
    first heat smaller than eight items are joined."""
    ends = sorted({end for share in (0.25, 0.5, 1.0) if (end := math.ceil(len(items) * share)) >= _FEWEST})
    ends = ends or [len(items)]
    return [items[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def raced(
    runners: Iterable[Runner], items: Sequence[Item], run: Callable[[Runner, Sequence[Item]], None]
) -> list[Runner]:
    """All the runners that began; those that were not dropped have run on every item.

    Args:
        runners: the unchanged stage first, which is never dropped; made one by one, as time allows.
        items: what to run on.
        run: runs one on some further items and extends its scores.
    """
    first, *later = heats(items)
    begun: list[Runner] = []
    for runner in runners:
        run(runner, first)
        begun.append(runner)
    racing = begun
    for part in later:
        racing = survivors(racing)
        for runner in racing:
            run(runner, part)
    return begun


def survivors(racing: Sequence[Runner]) -> list[Runner]:
    """The better half by mean, without those that are surely worse than the best; the first one always stays."""
    best = max(racing, key=lambda runner: runner.mean)
    ranked = sorted(racing, key=lambda runner: -runner.mean)[: max(2, math.ceil(len(racing) / 2))]
    return [runner for runner in racing if runner is racing[0] or (runner in ranked and not surely_worse(runner, best))]


def surely_worse(runner: Runner, best: Runner) -> bool:
    """Whether the upper bound of the paired difference to `best` lies below zero."""
    differences = runner.differences(best)
    if len(differences) < 2:
        return False
    error = max(stdev(differences), _SPREAD) / math.sqrt(len(differences))
    return bool(fmean(differences) + stats.t.ppf(_LEVEL, len(differences) - 1) * error < 0)
