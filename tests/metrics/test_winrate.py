"""Win rates with Wilson's interval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.winrate import Share, win_rate


def test_wilsons_interval() -> None:
    """58 of 100, z = 1.96: (.58 + .0192 +- 1.96 sqrt(.002436 + .000096)) / 1.0384 = .5770 +- .0950."""
    rate = win_rate(58, 0, 42).overall
    assert (rate.value, rate.low, rate.high) == pytest.approx((0.58, 0.482, 0.672), abs=5e-4)


def test_a_tie_is_half_a_win() -> None:
    assert win_rate(2, 1, 1).value == 2.5 / 4


def test_decisive_pairs_leave_ties_out() -> None:
    assert win_rate(2, 7, 1).decisive == win_rate(2, 0, 1).overall


def test_ties_alone_decide_nothing() -> None:
    rate = win_rate(0, 5, 0)
    assert (rate.value, rate.decisive, rate.better) == (0.5, None, False)


@pytest.mark.parametrize(
    ("counts", "better"), [((70, 0, 30), True), ((58, 0, 42), False), ((30, 0, 70), False), ((1, 0, 0), False)]
)
def test_better_means_wholly_above_one_half(counts: tuple[int, int, int], better: bool) -> None:
    assert win_rate(*counts).better is better


@pytest.mark.parametrize("counts", [(0, 0, 0), (-1, 2, 3), (3, -1, 2)])
def test_impossible_counts_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="counts"):
        win_rate(*counts)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 300))
def test_a_share_lies_within_its_interval(wins: int, ties: int, losses: int) -> None:
    rate: Share = win_rate(wins, ties, losses).overall
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
