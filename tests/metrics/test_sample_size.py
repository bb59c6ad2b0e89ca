"""How many items a comparison needs."""

import pytest

from metrics.sample_size import items_for_difference, pairs_for_win_rate


@pytest.mark.parametrize(("rate", "pairs"), [(0.55, 783), (0.60, 194), (0.65, 85)])
def test_pairs_for_a_win_rate(rate: float, pairs: int) -> None:
    """For .55: ((1.95996 * .5 + .84162 * sqrt(.55 * .45)) / .05)^2 = (1.39868 / .05)^2 = 782.5."""
    assert pairs_for_win_rate(rate) == pairs


@pytest.mark.parametrize(("delta", "items"), [(0.05, 197), (0.03, 546), (0.02, 1_227)])
def test_items_for_a_paired_difference(delta: float, items: int) -> None:
    """For .05 and sd .25: ((1.95996 + .84162) * .25 / .05)^2 = 14.0079^2 = 196.2."""
    assert items_for_difference(delta, 0.25) == items


def test_more_power_needs_more() -> None:
    assert pairs_for_win_rate(0.55, power=0.9) > 783


@pytest.mark.parametrize("rate", [0.5, 0.4, 1.0, float("nan")])
def test_a_win_rate_that_is_no_win_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="win rate"):
        pairs_for_win_rate(rate)


@pytest.mark.parametrize(("delta", "sd"), [(0, 0.25), (-0.1, 0.25), (0.05, 0)])
def test_no_difference_or_no_spread_is_refused(delta: float, sd: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        items_for_difference(delta, sd)


@pytest.mark.parametrize(("power", "alpha"), [(1, 0.05), (0.8, 0)])
def test_certainty_is_refused(power: float, alpha: float) -> None:
    with pytest.raises(ValueError, match="power"):
        items_for_difference(0.05, 0.25, power, alpha)
