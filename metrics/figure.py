"""A figure of a report: a number with its 95 % interval, and of how many items."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scipy import stats

from metrics.compare import LEVEL, by_conversation, interval
from metrics.score import Score

GROUPS = 20
"""Parts that a corpus-level figure leaves out in turn."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number; `low` and `high` are None where a single conversation tells nothing of the spread."""

    value: float | None
    """None where it is undefined; `note` then says why."""
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Items behind it."""
    unscored: int = 0
    """Items that could not be scored; they are in no way part of `value`."""
    note: str = ""
    """What it rests on: signature, tokeniser, vocabulary size, or why it is undefined."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return asdict(self)


def figure_of(scores: Sequence[Score], conversations: Sequence[Hashable], note: str = "") -> Figure:
    """The mean of some scores, items of one conversation averaged first.

    Raises:
        ValueError: scores and conversations differ in number.
    """
    found = number_of([score.value for score in scores], conversations, note)
    if found.value is None and not note:
        reasons = dict.fromkeys(score.reason for score in scores if score.reason)
        return Figure(None, unscored=found.unscored, note="; ".join(list(reasons)[:1]) or "no items")
    return found


def number_of(values: Sequence[float | None], conversations: Sequence[Hashable], note: str = "") -> Figure:
    """The mean of some numbers of any size, None where an item has none.

    Raises:
        ValueError: values and conversations differ in number.
    """
    known = [(group, value) for group, value in zip(conversations, values, strict=True) if value is not None]
    missing = len(values) - len(known)
    if not known:
        return Figure(None, unscored=missing, note=note or "no item has a value")
    means = by_conversation(known)
    low, high = interval(means) if len(means) > 1 else (None, None)
    return Figure(math.fsum(means) / len(means), low, high, len(known), missing, note)


def corpus_figure(
    statistic: Callable[[Sequence[int]], float | None], conversations: Sequence[Hashable], note: str = ""
) -> Figure:
    """A figure of a whole set of items, with a delete-a-group jackknife interval (Kott 2001).

    The conversations are dealt to 20 groups in turn (fewer, if there are fewer conversations); the figure is computed
    without each group, and its variance is (g - 1) / g times the sum of squared deviations of those.

    Args:
        statistic: the figure of the items with these indices; None where it is undefined.
        conversations: the conversation of each item.
        note: what the figure rests on.
    """
    everything = range(len(conversations))
    value = statistic(everything) if conversations else None
    if value is None:
        return Figure(None, note=note or "undefined for these items")
    order = {name: place for place, name in enumerate(dict.fromkeys(conversations))}
    count = min(GROUPS, len(order))
    parts = [[i for i in everything if order[conversations[i]] % count != group] for group in range(count)]
    left = [found for part in parts if part and (found := statistic(part)) is not None]
    if len(left) < 2:
        return Figure(value, n=len(conversations), note=note)
    centre = math.fsum(left) / len(left)
    variance = (len(left) - 1) / len(left) * math.fsum((one - centre) ** 2 for one in left)
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(left) - 1)) * math.sqrt(variance)
    return Figure(value, value - half, value + half, len(conversations), 0, note)
