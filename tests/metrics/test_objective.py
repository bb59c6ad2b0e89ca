"""Joining stage scores and the reply's into one score."""

import json

import dspy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.guard import Guard
from metrics.objective import WEIGHTS, Objective
from metrics.response import FORMULA
from metrics.score import Score
from metrics.stages import STAGES
from metrics.text import TOKENISER
from programs.cases import Case
from programs.errors import StageError
from programs.reading import Reading

REPLY = "To hear that bowl in the kitchen when the dog is gone, what a lonely sound that must be."
EXAMPLE = dspy.Example(
    id="1",
    conversation="1",
    dialogue=[{"role": "speaker", "text": "My dog died and I keep hearing his bowl in the kitchen."}],
    emotion="sad",
    intent="consoling",
    reply="The kitchen must be far too quiet.",
).with_inputs("dialogue")
READING = Reading(reply=REPLY, emotion="lonely", category="loss", mechanism="interpretation", intent="consoling")
UNIT = st.floats(0, 1)


def test_the_joint_score_is_the_mean_over_scored_stages(guard: Guard) -> None:
    """Affect .5 (right of six, wrong of 32), plan 1, response 1; causes have no gold."""
    assert Objective.joint(guard).score(EXAMPLE, READING).value == pytest.approx((0.5 + 1 + 1) / 3)


def test_parts_hold_every_scored_stage(guard: Guard) -> None:
    assert Objective.joint(guard).score(EXAMPLE, READING).parts == {"affect": 0.5, "plan": 1, "response": 1}


def test_weights_weigh(guard: Guard) -> None:
    score = Objective.joint(guard, {"affect": 3.0, "plan": 1.0}).score(EXAMPLE, READING)
    assert score.value == pytest.approx((3 * 0.5 + 1) / 4)


@pytest.mark.parametrize(("stage", "value"), [("affect", 0.5), ("plan", 1.0)])
def test_a_single_stage_needs_no_guard(stage: str, value: float) -> None:
    assert Objective.single(stage).score(EXAMPLE, READING).value == value


def test_a_single_stage_without_gold_is_unscored() -> None:
    assert Objective.single("causes").score(EXAMPLE, READING) == Score.unscored("no gold labels for causes")


def test_feedback_is_told_by_stage(guard: Guard) -> None:
    assert Objective.joint(guard).score(EXAMPLE, READING).feedback == (
        "[affect] emotion: said 'lonely', expected 'sad'."
    )


def test_feedback_never_holds_the_gold_reply(guard: Guard) -> None:
    poor = Reading(reply="I am so sorry to hear that.", emotion="joyful", intent="wishing")
    assert "far too quiet" not in Objective.joint(guard).score(EXAMPLE, poor).feedback


def test_an_empty_reply_is_a_zero_and_not_unscored(guard: Guard) -> None:
    assert Objective.joint(guard).score(EXAMPLE, Reading(reply="")).parts == {"response": 0}


@pytest.mark.parametrize("shown", ["demo", "case"])
def test_copying_what_was_shown_costs(guard: Guard, shown: str) -> None:
    objective, reading = Objective.single("response", guard), READING
    if shown == "demo":
        objective = objective.with_demos([REPLY])
    else:
        reading = Reading(reply=REPLY, cases=(Case("9", "My dog", REPLY),))
    assert objective.score(EXAMPLE, reading).value == 0


def test_a_failed_stage_is_zero_and_named(guard: Guard) -> None:
    score = Objective.joint(guard).failed(StageError("plan", "no label"))
    assert (score.value, score.feedback) == (0.0, "stage 'plan' failed: no label.")


def test_the_stage_that_failed_is_zero_and_the_others_unscored(guard: Guard) -> None:
    scores = Objective.joint(guard).failed_stages(EXAMPLE, StageError("plan", "no label"))
    assert {stage: score.value for stage, score in scores.items()} == {
        "affect": None,
        "causes": None,
        "plan": 0,
        "response": None,
    }


def test_a_failed_reply_fails_its_gate(guard: Guard) -> None:
    assert Objective.joint(guard).failed_stages(EXAMPLE, StageError("response", "x"))["response"].parts == {"gate": 0}


def test_a_failure_outside_the_four_stages_leaves_them_unscored(guard: Guard) -> None:
    scores = Objective.joint(guard).failed_stages(EXAMPLE, StageError("answer", "x"))
    assert all(score.value is None for score in scores.values())


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"affects": 1.0}, "no such stage"),
        ({"affect": -1.0}, "negative"),
        ({"affect": float("nan")}, "finite"),
        ({"affect": 0.0}, "positive"),
        ({}, "positive"),
        ({"response": 1.0}, "guard"),
    ],
)
def test_weights_that_mean_nothing_are_refused(weights: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Objective("joint", weights)


def test_the_identity_is_plain_json(guard: Guard) -> None:
    identity = Objective.joint(guard).identity()
    assert json.loads(json.dumps(identity)) == {
        "name": "joint",
        "weights": dict(WEIGHTS),
        "tokeniser": TOKENISER,
        "guard": guard.identity,
        "response": FORMULA,
    }


def test_demos_are_not_part_of_the_identity(guard: Guard) -> None:
    objective = Objective.joint(guard)
    assert objective.with_demos([REPLY]).identity() == objective.identity()


@given(values=st.tuples(UNIT, UNIT, UNIT, UNIT), gain=UNIT, stage=st.sampled_from(STAGES))
def test_a_better_stage_never_lowers_the_joint_score(
    guard: Guard, values: tuple[float, ...], gain: float, stage: str
) -> None:
    objective = Objective.joint(guard)
    scores = {name: Score.of(value) for name, value in zip(STAGES, values, strict=True)}
    old = scores[stage].value or 0.0
    raised = {**scores, stage: Score.of(min(1.0, max(old, gain)))}
    assert (objective.joined(raised).value or 0) >= (objective.joined(scores).value or 0) - 1e-12


@given(values=st.tuples(UNIT, UNIT, UNIT), missing=st.sampled_from(STAGES))
def test_an_unscored_stage_never_enters_the_mean(guard: Guard, values: tuple[float, ...], missing: str) -> None:
    others = [stage for stage in STAGES if stage != missing]
    scores = {name: Score.of(value) for name, value in zip(others, values, strict=True)}
    joint = Objective.joint(guard).joined({**scores, missing: Score.unscored("no gold")})
    assert joint.value == pytest.approx(sum(values) / 3)


def test_nothing_scored_is_unscored(guard: Guard) -> None:
    nothing = {stage: Score.unscored("no gold") for stage in STAGES}
    assert Objective.joint(guard).joined(nothing) == Score.unscored("no gold")
