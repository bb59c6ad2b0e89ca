"""One objective in the shapes that optimizers call."""

import pytest

from metrics.guard import Guard
from metrics.objective import Objective
from metrics.shapes import as_feedback_metric, as_metric
from programs.errors import CorpusError
from tests.metrics.test_objective import EXAMPLE, READING


def test_the_float_is_the_score() -> None:
    assert as_metric(Objective.single("affect"))(EXAMPLE, READING) == 0.5


@pytest.mark.parametrize(("threshold", "enough"), [(0.5, True), (0.6, False)])
def test_with_a_trace_it_says_whether_it_is_enough(threshold: float, enough: bool) -> None:
    assert as_metric(Objective.single("affect"), threshold)(EXAMPLE, READING, trace=[]) is enough


@pytest.mark.parametrize("shape", [as_metric, as_feedback_metric], ids=["float", "feedback"])
def test_what_cannot_be_scored_is_refused(shape: object) -> None:
    with pytest.raises(CorpusError, match="'1' cannot be scored by 'causes'"):
        shape(Objective.single("causes"))(EXAMPLE, READING)  # type: ignore[operator]


def test_with_feedback_the_score_is_the_same(guard: Guard) -> None:
    objective = Objective.joint(guard)
    assert as_feedback_metric(objective)(EXAMPLE, READING).score == objective.score(EXAMPLE, READING).value


def test_every_scored_stage_is_an_objective_of_its_own(guard: Guard) -> None:
    found = as_feedback_metric(Objective.joint(guard))(EXAMPLE, READING)
    assert found.objective_scores == {"affect": 0.5, "plan": 1.0, "response": 1.0}


def test_a_stage_hears_of_its_own_mistakes_only(guard: Guard) -> None:
    found = as_feedback_metric(Objective.joint(guard))(EXAMPLE, READING, None, "affect", None)
    assert found.feedback == "emotion: said 'lonely', expected 'sad'."


def test_a_stage_without_mistakes_hears_of_the_others(guard: Guard) -> None:
    found = as_feedback_metric(Objective.joint(guard))(EXAMPLE, READING, None, "plan", None)
    assert "[affect]" in found.feedback


def test_the_gold_reply_is_never_in_the_feedback(guard: Guard) -> None:
    bad = type(READING)(reply="No.", emotion="proud", intent="wishing", mechanism="exploration")
    assert EXAMPLE.reply not in as_feedback_metric(Objective.joint(guard))(EXAMPLE, bad).feedback
