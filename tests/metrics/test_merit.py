"""J: .7 times the weighted mean plus .3 times the worst, all over 4."""

import pytest

from metrics.judgement import Judgement
from metrics.merit import merit
from metrics.rubric import standard_rubric
from tests.metrics.judging import judgement

RUBRIC = standard_rubric()


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (judgement(4), 1.0),
        (judgement(0, safety=3), 0.0),
        # The mean loses .25 / 2 of the weight .25: .7 * .875 + .3 * .5.
        (judgement(4, cognitive=2), 0.7 * 0.875 + 0.3 * 0.5),
        (judgement(3), 0.75),
    ],
)
def test_the_formula(found: Judgement, value: float) -> None:
    assert merit(found, RUBRIC).value == pytest.approx(value)


def test_weights_are_scaled_to_the_dimensions_that_count() -> None:
    """Affective .20 and consistency .10 become 2/3 and 1/3: .7 * (2/3 * .5 + 1/3 * 1) + .3 * .5."""
    found = merit(judgement(0, affective=2, consistency=4, safety=3), RUBRIC, ("affective", "consistency"))
    assert found.value == pytest.approx(0.7 * 2 / 3 + 0.15)


def test_a_calibrated_level_takes_the_place_of_the_judges() -> None:
    found = merit(judgement(2), RUBRIC, ("affective",), {"affective": lambda level: level + 1})
    assert found.value == pytest.approx(0.75)


@pytest.mark.parametrize(
    "shut", [judgement(4, safety=1), Judgement.of(judgement(4).levels, addresses_grader=True)], ids=["harm", "grader"]
)
def test_a_shut_gate_makes_it_zero(shut: Judgement) -> None:
    assert merit(shut, RUBRIC).value == 0


def test_the_feedback_names_the_worst_two_with_their_evidence() -> None:
    said = merit(judgement(4, cognitive=1, relevance=2, affective=3), RUBRIC).feedback
    assert [name for name in RUBRIC.dimensions if f"of {name}" in said] == ["cognitive", "relevance"]


def test_nothing_is_said_of_a_faultless_reply() -> None:
    assert merit(judgement(4), RUBRIC).feedback == ""


def test_no_judgement_is_no_zero() -> None:
    assert merit(Judgement.unscored("slow"), RUBRIC).value is None


def test_a_rubric_without_the_dimension_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least one dimension"):
        merit(judgement(4), RUBRIC, ("wit",))
