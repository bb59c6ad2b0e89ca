"""Agreement among raters."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.agreement import Agreement, Undefined, weighted_kappa
from metrics.raters import alpha, mean_kappa, ordinal_alpha, pairwise_kappa

KRIPPENDORFF = """
a 1 2 3 3 2 1 4 1 2 . . .
b 1 2 3 3 2 2 4 1 2 5 . 3
c . 3 3 3 2 3 4 2 2 5 1 .
d 1 2 3 3 2 4 4 1 2 5 1 .
"""
Table = list[dict[str, float]]


def table(text: str) -> Table:
    """Ratings by item from one line a rater; a dot where they gave none."""
    lines = [line.split() for line in text.strip().splitlines()]
    return [
        {line[0]: float(line[column]) for line in lines if line[column] != "."} for column in range(1, len(lines[0]))
    ]


def test_alpha_of_the_textbook() -> None:
    """Krippendorff 2011, section D: four observers, twelve units, values missing: .815 for ordinal data."""
    assert ordinal_alpha(table(KRIPPENDORFF)) == pytest.approx(0.815, abs=5e-4)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # Coincidences: 00 twice, 01 and 10 once each, 11 twice. 1 - (2 / 6) / (2 * 3 * 3 / (6 * 5)) = 1 - 5 / 9.
        ("a 0 0 1\nb 0 1 1", 4 / 9),
        # Totals 3, 2, 3; distances 2.5^2 between neighbours and 5^2 between the ends. Observed 4 * 6.25 = 25; expected
        # 2 * (3 * 2 * 6.25 + 2 * 3 * 6.25 + 3 * 3 * 25) / 7 = 600 / 7.
        ("a 1 2 1 3\nb 2 3 1 3", 1 - 25 * 7 / 600),
        # The last item has one rater, so it says nothing.
        ("a 1 2 1 3 2\nb 2 3 1 3 .", 1 - 25 * 7 / 600),
        ("a 1 2 3\nb 1 2 3", 1),
    ],
    ids=["two levels", "three levels", "a single rating", "equal"],
)
def test_alpha_by_hand(text: str, value: float) -> None:
    assert ordinal_alpha(table(text)) == pytest.approx(value)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (table("a 2 2 2\nb 2 2 2"), "all levels are the same"),
        (table("a 1 2 . .\nb . . 3 4"), "no item has two raters"),
        ([], "no item has two raters"),
    ],
    ids=["constant", "never two", "nothing"],
)
def test_alpha_without_variation_or_pairs_is_undefined(ratings: Table, reason: str) -> None:
    with pytest.raises(Undefined, match=reason):
        ordinal_alpha(ratings)


def test_undefined_alpha_keeps_its_reason() -> None:
    assert alpha([{"a": 1}] * 12, range(12)) == Agreement(None, None, None, 12, "no item has two raters")


def test_alpha_has_an_interval() -> None:
    found = alpha(table(KRIPPENDORFF), range(12))
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.low < found.value < found.high


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=4, max_size=15), st.permutations("abc"))
def test_alpha_does_not_depend_on_who_is_who_nor_on_the_distance_of_levels(
    rows: list[list[int]], names: list[str]
) -> None:
    plain = [dict(zip("abc", row, strict=True)) for row in rows]
    other = [{name: 10.0 * level**2 for name, level in zip(names, row, strict=True)} for row in rows]
    if len({level for row in rows for level in row}) > 1:
        assert ordinal_alpha(plain) == pytest.approx(ordinal_alpha(other))


def test_mean_kappa_is_over_all_pairs() -> None:
    rows = np.random.default_rng(0).integers(0, 5, (3, 12)).tolist()
    ratings = [dict(zip("abc", row, strict=True)) for row in zip(*rows, strict=True)]
    pairs = [weighted_kappa(one, other) for one, other in combinations(rows, 2)]
    assert mean_kappa(ratings) == pytest.approx(sum(pairs) / 3)


def test_pairs_with_little_in_common_or_a_constant_rater_are_left_out() -> None:
    levels = [0, 1, 2, 3, 4, 3, 2, 1, 0, 4, 2, 1]
    ratings: Table = [{"a": level, "b": level, "constant": 2} for level in levels]
    ratings = [{**given, "rare": 4 - given["a"]} if place < 5 else given for place, given in enumerate(ratings)]
    assert mean_kappa(ratings) == 1


def test_a_single_rater_has_nobody_to_agree_with() -> None:
    found = pairwise_kappa([{"a": level} for level in [0, 1, 2, 3] * 5], range(20))
    assert (found.value, found.reason) == (None, "no two raters have 10 items in common on which both vary")


@pytest.mark.parametrize("figure", [alpha, pairwise_kappa])
def test_ratings_without_a_conversation_are_refused(figure: object) -> None:
    with pytest.raises(ValueError, match="conversation"):
        figure([{"a": 1}] * 3, range(2))  # type: ignore[operator]
