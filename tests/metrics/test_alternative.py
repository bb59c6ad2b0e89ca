"""The alternative annotator test."""

import pytest

from metrics.alternative import AltTest, alt_test

ALIKE = [{"a": 2.0, "b": 2.0, "c": 0.0}] * 30


def test_a_judge_as_near_as_every_human_beats_all() -> None:
    """Against b and c, the judge's 2 is as far as a's; likewise for b; against a and b it is nearer than c's 0."""
    assert alt_test([2] * 30, ALIKE, range(30)) == AltTest(1.0, 1.0, 3)


def test_a_judge_that_is_farther_beats_only_the_outlier() -> None:
    """Against a = b = 2, the judge's 4 is as far as c's 0; against b and c it is at 4 + 16, but a at 0 + 4."""
    found = alt_test([4] * 30, ALIKE, range(30))
    assert (found.winning_rate, found.advantage, found.passed) == (pytest.approx(1 / 3), pytest.approx(1 / 3), False)


def test_half_of_the_humans_is_enough() -> None:
    assert AltTest(0.5, 0.5, 4).passed


@pytest.mark.parametrize(("wins_of_c", "beaten"), [(2, 1 / 3), (3, 0)])
def test_several_humans_make_the_test_stricter(wins_of_c: int, beaten: float) -> None:
    """c wins 2 of 30: t = (.067 - .2) / (.254 / sqrt 30) = -2.88, p = .0037; 3 of 30: t = -1.80, p = .042.

    The judge loses to a and b, so c's p must stay under .05 / (3 * (1 + 1/2 + 1/3)) = .0091 (Benjamini and Yekutieli).
    """
    ratings = [{"a": 2.0, "b": 2.0, "c": 1.0 if item < wins_of_c else 0.0} for item in range(30)]
    assert alt_test([4] * 30, ratings, range(30)).winning_rate == pytest.approx(beaten)


def test_a_judge_may_win_less_often_by_epsilon_but_not_more() -> None:
    """a and b each win a third of the items, the rest are ties: over .2, well under .6."""
    judged = [4.0 if item % 3 == 0 else 2.0 for item in range(60)]
    ratings = [{"a": 2.0, "b": 2.0, "c": 2.0} for _ in judged]
    assert [alt_test(judged, ratings, range(60), epsilon).winning_rate for epsilon in (0.2, 0.6)] == [0, 1]


def test_the_judge_is_rounded_to_levels_that_people_could_give() -> None:
    assert alt_test([1.6] * 30, ALIKE, range(30)) == alt_test([2] * 30, ALIKE, range(30))


def test_humans_may_miss_items() -> None:
    ratings = [{"a": 2.0, "b": 2.0, "c": 0.0}, {"a": 2.0, "b": 2.0}, {"b": 2.0, "c": 0.0}] * 30
    assert alt_test([2] * 90, ratings, range(90)).humans == 3


@pytest.mark.parametrize(
    ("ratings", "conversations", "sharing"),
    [
        ([{"a": 1.0, "b": 2.0}] * 40, range(40), 2),
        ([{"a": 1.0}] * 40, range(40), 0),
        (ALIKE[:29], range(29), 0),
        (ALIKE * 2, [*range(29), 0] * 2, 0),
        ([], [], 0),
    ],
    ids=["two humans", "one human", "29 items", "60 items of 29 conversations", "nothing"],
)
def test_too_few_humans_or_items_leave_it_undefined(
    ratings: list[dict[str, float]], conversations: list[int], sharing: int
) -> None:
    found = alt_test([2] * len(ratings), ratings, conversations)
    assert (found.winning_rate, found.advantage, found.passed) == (None, None, None)
    assert found.reason == f"{sharing} raters share 30 items with others; 3 are needed"


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        alt_test([2] * 29, ALIKE, range(30))
