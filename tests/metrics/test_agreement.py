"""Agreement of two sets of levels, or undefined and why."""

import math
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from metrics.agreement import (
    Agreement,
    Undefined,
    bootstrapped,
    kappa,
    rank_correlation,
    spearman,
    weighted_kappa,
    whole,
)

TWENTY = [0, 1, 2, 3, 4] * 4


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ([0, 2, 4], [0, 2, 4], 1),
        ([0, 4], [4, 0], -1),
        # Observed (0 + 16 + 0 + 0) / 4 = 4; expected 16 * (.5 * .75 + .5 * .25) = 8.
        ([0, 0, 4, 4], [0, 4, 4, 4], 1 - 4 / 8),
        # Always one too high: observed 1; expected = both variances and the squared bias = 1.25 + 1.25 + 1.
        ([0, 1, 2, 3], [1, 2, 3, 4], 1 - 1 / 3.5),
        # Rounded to 1, 2, 3, 4 before they are counted.
        ([0, 1, 2, 3], [0.5, 1.6, 3.4, 4.0], 1 - 1 / 3.5),
    ],
    ids=["equal", "opposite", "one far off", "one too high", "rounded"],
)
def test_quadratically_weighted_kappa(first: list[float], second: list[float], value: float) -> None:
    assert weighted_kappa(first, second) == pytest.approx(value)


def test_kappa_is_that_of_scikit_learn() -> None:
    first, second = np.random.default_rng(1).integers(0, 5, (2, 60))
    assert weighted_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))


def test_spearman_is_of_ranks() -> None:
    """Ranks 1 2 3 4 5 against 2 1 4 3 5: squared differences sum to 4, so 1 - 6 * 4 / (5 * 24) = .8."""
    assert rank_correlation([0.1, 0.2, 0.3, 0.4, 9], [20, 10, 40, 30, 50]) == pytest.approx(0.8)


@pytest.mark.parametrize(("level", "given"), [(0, 0), (0.49, 0), (0.5, 1), (1.5, 2), (2.5, 3), (3.5, 4), (4, 4)])
def test_halves_are_rounded_upwards(level: float, given: int) -> None:
    assert whole(level) == given


@pytest.mark.parametrize("level", [-0.1, 4.1, math.nan])
def test_a_level_off_the_scale_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match=r"\[0, 4\]"):
        weighted_kappa([level], [1])


@pytest.mark.parametrize("figure", [kappa, spearman])
@pytest.mark.parametrize(
    ("first", "second", "conversations", "reason"),
    [
        ([2] * 20, TWENTY, range(20), "all levels of one side are the same"),
        (TWENTY, [2] * 20, range(20), "all levels of one side are the same"),
        (TWENTY, TWENTY, ["a", "b"] * 10, "2 conversations; 10 are needed"),
        ([], [], [], "0 conversations; 10 are needed"),
    ],
    ids=["constant judge", "constant people", "two conversations", "nothing"],
)
def test_what_cannot_be_known_is_undefined_with_its_reason(
    figure: Any, first: list[float], second: list[float], conversations: Any, reason: str
) -> None:
    assert figure(first, second, conversations) == Agreement(None, None, None, len(first), reason)


def test_no_items_have_no_figure() -> None:
    with pytest.raises(Undefined, match="no items"):
        weighted_kappa([], [])


def test_the_interval_holds_the_value() -> None:
    found = kappa(TWENTY, [4, 1, 2, 3, 4] * 4, range(20))
    assert found.value is not None and found.low is not None and found.high is not None
    assert -1 <= found.low < found.value < found.high <= 1


def test_the_interval_narrows_with_more_conversations() -> None:
    first, second = [*TWENTY] * 10, [4, 1, 2, 3, 4] * 40
    few, many = kappa(first[:20], second[:20], range(20)), kappa(first, second, range(200))
    assert many.positive and not few.positive


def test_copies_of_the_same_conversations_do_not_narrow_the_interval() -> None:
    once = kappa(TWENTY, [4, 1, 2, 3, 4] * 4, range(20))
    thrice = kappa(TWENTY * 3, [4, 1, 2, 3, 4] * 12, [*range(20)] * 3)
    assert (once.low, once.high) == pytest.approx((thrice.low, thrice.high))


def test_the_same_seed_gives_the_same_interval() -> None:
    assert kappa(TWENTY, [4, 1, 2, 3, 4] * 4, range(20), 5) == kappa(TWENTY, [4, 1, 2, 3, 4] * 4, range(20), 5)


def test_resamples_without_a_figure_widen_the_interval_to_all() -> None:
    """One of twelve items varies: a third of the resamples ((11/12)^12 = .35) lack it."""
    found = spearman([1] * 11 + [4], [1] * 11 + [4], range(12))
    assert (found.value, found.low, found.high) == (1, -1, 1)


def test_a_perfect_figure_stays_within_range() -> None:
    assert bootstrapped(lambda items: 1 + 1e-15, range(10)).value == 1


@pytest.mark.parametrize("lengths", [(20, 19, 20), (20, 20, 19)])
def test_columns_of_different_length_are_refused(lengths: tuple[int, int, int]) -> None:
    first, second, conversations = (TWENTY[:length] for length in lengths)
    with pytest.raises(ValueError, match=r"shorter|longer"):
        kappa(first, second, conversations)


@pytest.mark.parametrize(
    "parts", [(None, None, None, 0, ""), (0.5, 0, 1, 9, "why"), (math.nan, 0, 1, 9, ""), (0.5, 0, 2, 9, "")]
)
def test_half_an_agreement_is_refused(parts: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="three numbers"):
        Agreement(*parts)


@pytest.mark.parametrize(
    ("found", "text"),
    [(Agreement(0.5, 0.25, 0.75, 20), "0.50 [0.25, 0.75]"), (Agreement(None, None, None, 2, "too few"), "–")],
)
def test_how_it_reads(found: Agreement, text: str) -> None:
    assert str(found) == text
