"""Paired comparison with an interval."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.compare import Difference, interval, paired

UNIT = st.floats(0, 1)


def test_the_difference_is_after_minus_before() -> None:
    found = paired([0.0, 0.5, 0.25], [1.0, 0.5, 0.75], "abc")
    assert (found.before, found.after, found.difference) == (0.25, 0.75, 0.5)


def test_items_unscored_on_either_side_are_left_out_and_counted() -> None:
    found = paired([0.0, None, 0.5, 0.5], [0.5, 0.5, None, 1.0], "abcd")
    assert (found.n, found.left_out, found.difference) == (2, 2, 0.5)


def test_items_of_one_conversation_count_as_one() -> None:
    found = paired([0, 0, 0, 0], [1, 1, 1, 0], ["a", "a", "a", "b"])
    assert found.difference == 0.5


def test_more_items_of_the_same_conversations_do_not_narrow_the_interval() -> None:
    once = paired([0, 0, 0, 0], [1, 0, 1, 1], "abcd")
    thrice = paired([0] * 12, [1, 0, 1, 1] * 3, "abcd" * 3)
    assert (once.low, once.high) == (thrice.low, thrice.high)


def test_a_constant_difference_gives_a_degenerate_interval() -> None:
    found = paired([0.25, 0.5, 0.0], [0.5, 0.75, 0.25], "abc")
    assert (found.low, found.high) == (0.25, 0.25)


def test_a_single_conversation_says_nothing() -> None:
    found = paired([0, 0, 0], [1, 1, 1], "aaa")
    assert (found.low, found.high, found.better) == (-1.0, 1.0, False)


def test_a_clear_gain_is_better() -> None:
    assert paired([0.1] * 20, [0.5, 0.6] * 10, range(20)).better


def test_noise_around_zero_is_not_better() -> None:
    assert not paired([0.5] * 20, [0.4, 0.6] * 10, range(20)).better


@pytest.mark.parametrize(
    ("low", "better"),
    [(0.01, True), (0.0, False), (-0.01, False)],
)
def test_better_means_wholly_above_zero(low: float, better: bool) -> None:
    assert Difference(0, 0.1, 0.1, low, 0.2, 9, 0).better is better


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [0.1, 0.4, 0.35, 0.8, 0.2]
    assert interval(values, 3) == interval(values, 3)


def test_the_interval_is_about_two_standard_errors_wide() -> None:
    """200 values of 0 or 1 in equal parts: standard error .5 / sqrt(200) = .0354."""
    low, high = interval([0.0, 1.0] * 100)
    assert high - low == pytest.approx(2 * 1.96 * 0.0354, abs=0.01)


def test_one_value_among_equals_still_gives_finite_ends() -> None:
    assert all(math.isfinite(end) for end in interval([0.0] * 50 + [1.0]))


@pytest.mark.parametrize("values", [[], [0.5, math.nan], [math.inf]])
def test_values_that_are_not_numbers_are_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        interval(values)


def test_nothing_scored_on_both_sides_is_refused() -> None:
    with pytest.raises(ValueError, match="both sides"):
        paired([None, 0.5], [0.5, None], "ab")


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        paired([0.5], [0.5, 0.5], "ab")


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(UNIT, UNIT), min_size=2, max_size=12))
def test_swapping_the_sides_turns_the_difference_round(pairs: list[tuple[float, float]]) -> None:
    before, after = zip(*pairs, strict=True)
    groups = range(len(pairs))
    assert paired(before, after, groups).difference == pytest.approx(-paired(after, before, groups).difference)


@settings(max_examples=15, deadline=None)
@given(st.lists(UNIT, min_size=2, max_size=12))
def test_an_interval_lies_within_its_values(values: list[float]) -> None:
    low, high = interval(values)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
