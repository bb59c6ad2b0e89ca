"""Scores and their mean: a value in [0, 1], or none with a reason."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.score import Mean, Score, mean

UNIT = st.floats(0, 1)


@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan, math.inf])
def test_a_value_outside_the_unit_interval_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        Score.of(value)


def test_a_part_outside_the_unit_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="emotion"):
        Score.of(0.5, parts={"emotion": math.nan})


def test_an_unscored_score_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        Score.unscored("")


def test_parts_cannot_be_changed_through_the_mapping_they_came_from() -> None:
    parts = {"a": 0.5}
    score = Score.of(0.5, parts=parts)
    parts["a"] = 0.9
    assert score.parts["a"] == 0.5


def test_a_score_is_hashable() -> None:
    assert len({Score.of(0.5), Score.of(0.5, parts={"a": 1.0})}) == 2


def test_the_mean_counts_the_unscored_beside_the_value() -> None:
    assert mean([Score.of(1), Score.unscored("no gold"), Score.of(0)]) == Mean(0.5, 2, 1)


def test_the_mean_of_nothing_scored_is_no_value() -> None:
    assert mean([Score.unscored("no gold")]) == Mean(None, 0, 1)


@given(st.lists(UNIT, min_size=1), st.integers(0, 5))
def test_unscored_items_never_move_the_mean(values: list[float], unscored: int) -> None:
    scores = [Score.of(value) for value in values]
    assert mean(scores + [Score.unscored("none")] * unscored).value == mean(scores).value


@given(st.lists(UNIT, min_size=1))
def test_the_mean_lies_between_its_values(values: list[float]) -> None:
    found = mean(Score.of(value) for value in values).value
    assert found is not None and min(values) - 1e-12 <= found <= max(values) + 1e-12


def test_a_score_as_plain_types() -> None:
    assert Score.of(0.5, "more", {"a": 1}).to_dict() == {
        "value": 0.5,
        "reason": "",
        "feedback": "more",
        "parts": {"a": 1.0},
    }
