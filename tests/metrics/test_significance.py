"""Whether a difference could be chance."""

import pytest

from metrics.significance import holm, mcnemar_p, permutation_p


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        # 2 of the 8 patterns of signs reach a sum of 3 either way.
        ([1, 1, 1], 2 / 8),
        # Sums of +-1 +-2 +-3 +-4: 7 of 16 reach the observed 2, so 14 of 16 two-sided.
        ([0.1, 0.2, 0.3, -0.4], 14 / 16),
        ([0, 0, 0], 1),
        ([0.5], 1),
    ],
    ids=["all up", "mixed", "no difference", "one conversation"],
)
def test_all_swaps_are_counted_where_they_are_few(differences: list[float], p: float) -> None:
    assert permutation_p([0] * len(differences), differences, range(len(differences))) == pytest.approx(p)


def test_drawn_swaps_count_the_observed_one_so_that_p_is_never_zero() -> None:
    """None of 9,999 draws reaches 40 gains: 2 * (0 + 1) / (9,999 + 1)."""
    assert permutation_p([0.0] * 40, [0.5, 0.6] * 20, range(40)) == pytest.approx(2 / 10_000)


def test_items_of_one_conversation_count_as_one() -> None:
    assert permutation_p([0] * 6, [1] * 6, "aabbcc") == permutation_p([0] * 3, [1] * 3, "abc")


def test_items_unscored_on_either_side_are_left_out() -> None:
    assert permutation_p([0, None, 0, 0, 0], [1, 1, None, 1, 1], "abcde") == permutation_p([0] * 3, [1] * 3, "abc")


def test_the_same_seed_gives_the_same_p() -> None:
    after = [0.3, -0.1] * 10
    assert permutation_p([0] * 20, after, range(20), 7) == permutation_p([0] * 20, after, range(20), 7)


def test_nothing_scored_on_both_sides_is_refused() -> None:
    with pytest.raises(ValueError, match="both sides"):
        permutation_p([None, 0.5], [0.5, None], "ab")


@pytest.mark.parametrize(
    ("before", "after", "p"),
    [
        # 5 items turned to pass and 1 to fail: 2 * (C(6, 0) + C(6, 1)) / 2^6 = 14 / 64.
        ([False] * 5 + [True], [True] * 5 + [False], 14 / 64),
        ([True, True, False], [True, True, False], 1),
        ([True, False], [False, True], 1),
    ],
    ids=["five to one", "nothing turned", "one each way"],
)
def test_mcnemar_looks_at_the_items_that_turned(before: list[bool], after: list[bool], p: float) -> None:
    assert mcnemar_p(before, after) == pytest.approx(p)


def test_items_that_did_not_turn_change_nothing() -> None:
    turned = [False] * 5 + [True]
    same = [True] * 50
    assert mcnemar_p([*turned, *same], [*(not one for one in turned), *same]) == pytest.approx(14 / 64)


def test_mcnemar_without_items_is_refused() -> None:
    with pytest.raises(ValueError, match="no item"):
        mcnemar_p([], [])


def test_holm_multiplies_by_those_still_in_play() -> None:
    """Sorted: .01 * 3 = .03; .03 * 2 = .06; .04 * 1 = .04, raised to the .06 before it."""
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})


@pytest.mark.parametrize(
    ("given", "corrected"), [({}, {}), ({"a": 0.2}, {"a": 0.2}), ({"a": 0.9, "b": 0.8}, {"a": 1, "b": 1})]
)
def test_holm_at_its_edges(given: dict[str, float], corrected: dict[str, float]) -> None:
    assert holm(given) == pytest.approx(corrected)


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="p-values"):
        holm({"a": p})
