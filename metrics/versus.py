"""Two systems on the same items: paired differences with exact tests, and who is preferred."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from metrics.compare import Difference
from metrics.evaluation import Evaluation, compare_evaluations
from metrics.judge_figures import check_scored
from metrics.objective import said
from metrics.pairwise import PairJudge, Preference, summed
from metrics.parallel import in_parallel
from metrics.significance import holm, permutation_p
from metrics.winrate import WinRate


@dataclass(frozen=True, slots=True)
class Row:
    """One column of both evaluations."""

    name: str
    difference: Difference
    p: float
    """Of the paired permutation test, corrected by Holm over all rows."""


@dataclass(frozen=True, slots=True)
class Preferred:
    """What a pairwise judge says of the after side against the before side."""

    rate: WinRate
    flips: float
    """Share of comparisons that turned with the order, in [0, 1]: they count as ties."""
    unscored: int


def differences(before: Evaluation, after: Evaluation, seed: int = 0) -> list[Row]:
    """Every column that both sides have on some item.

    Raises:
        ValueError: the two are of different examples.
    """
    found = compare_evaluations(before, after, seed)
    groups = before.conversations
    chances = holm({name: _chance(before, after, name, groups, seed) for name in found}) if found else {}
    return [Row(name, difference, chances[name]) for name, difference in found.items()]


def preferred(
    before: Evaluation,
    after: Evaluation,
    judge: PairJudge,
    on_item: Callable[[int, int], None] | None = None,
) -> Preferred:
    """Asks the judge, in both orders, which reply is better, on the items that both sides answered.

    Raises:
        JudgeError: more than one pair in twenty could not be compared.
        ValueError: the two have no answered item in common.
        BackboneError: the judge cannot be reached, or is set up wrongly.
    """
    pairs = [
        (said(item), new.reply, old.reply)
        for item, old, new in zip(before.examples, before.readings, after.readings, strict=True)
        if old and new
    ]
    found: list[Preference] = in_parallel(lambda pair: judge.prefer(*pair), pairs, on_item=on_item)
    check_scored([one.reason for one in found], "compared")
    rate, flips = summed(found)
    return Preferred(rate, flips, sum(one.outcome is None for one in found))


def _chance(before: Evaluation, after: Evaluation, name: str, groups: Sequence[str], seed: int) -> float:
    old, new = ([score.value for score in side.columns[name]] for side in (before, after))
    return permutation_p(old, new, groups, seed)
