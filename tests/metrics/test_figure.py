"""Figures: a number, its interval, and of how many items."""

import math
from collections.abc import Sequence

import pytest

from metrics.figure import corpus_figure, figure_of, number_of
from metrics.score import Score


def test_a_mean_is_over_the_scored_items() -> None:
    found = figure_of([Score.of(0.5), Score.unscored("slow"), Score.of(1.0)], "abc")
    assert (found.value, found.n, found.unscored) == (0.75, 2, 1)


def test_items_of_a_conversation_are_averaged_first() -> None:
    """Conversation a: (0 + 1) / 2; b: 1; mean .75."""
    assert number_of([0, 1, 1], "aab").value == 0.75


def test_numbers_may_be_of_any_size() -> None:
    assert number_of([10.0, 30.0], "ab").value == 20


def test_a_single_conversation_has_no_interval() -> None:
    found = number_of([1, 2], "aa")
    assert (found.value, found.low, found.high) == (1.5, None, None)


def test_nothing_scored_is_undefined_with_the_reason() -> None:
    assert figure_of([Score.unscored("slow")], "a").note == "slow"


def test_a_jackknife_of_a_mean_is_the_interval_of_t() -> None:
    """Leaving out each of 1, 2, 3 of 1..3: 2.5, 2, 1.5; variance 2/3 * .5 = 1/3; t(.975, 2) = 4.3027."""
    values = [1.0, 2.0, 3.0]

    def mean(part: Sequence[int]) -> float:
        return sum(values[i] for i in part) / len(part)

    found = corpus_figure(mean, "abc")
    assert (found.value, found.high) == (2.0, pytest.approx(2 + 4.3027 * math.sqrt(1 / 3), abs=1e-3))


def test_conversations_are_left_out_whole() -> None:
    seen: list[list[int]] = []

    def count(part: Sequence[int]) -> float:
        seen.append(list(part))
        return float(len(part))

    corpus_figure(count, "aabb")
    assert seen == [[0, 1, 2, 3], [2, 3], [0, 1]]


def test_a_figure_that_is_undefined_says_so() -> None:
    assert corpus_figure(lambda part: None, "ab").value is None


def test_it_is_plain_json() -> None:
    assert number_of([1.0], "a", "of one").to_dict() == {
        "value": 1.0,
        "low": None,
        "high": None,
        "n": 1,
        "unscored": 0,
        "note": "of one",
    }
