"""Stage scores of a reading against gold labels."""

from dataclasses import replace
from typing import Any

import dspy
import pytest

from metrics.score import Score
from metrics.stages import failed_stage, stage_scores
from programs.reading import Reading

GOLD = {
    "emotion": "sad",
    "triggers": ["my dog died"],
    "category": "loss",
    "mechanism": "emotional reaction",
    "intent": "consoling",
}
RIGHT = Reading(
    reply="Oh no.",
    emotion="sad",
    triggers=("my dog died",),
    cause="They lost a dog.",
    category="loss",
    mechanism="emotional reaction",
    intent="consoling",
)


def example(**labels: object) -> dspy.Example:
    return dspy.Example(id="1", conversation="1", dialogue=[], **labels).with_inputs("dialogue")


def reading(**changes: Any) -> Reading:
    return replace(RIGHT, **changes)


def test_agreement_scores_one_everywhere() -> None:
    assert [score.value for score in stage_scores(example(**GOLD), RIGHT).values()] == [1, 1, 1]


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("sad", {"emotion": 1, "emotion_6way": 1}),
        ("lonely", {"emotion": 0, "emotion_6way": 1}),
        ("joyful", {"emotion": 0, "emotion_6way": 0}),
        ("sadness", {"emotion": 0, "emotion_6way": 1}),
    ],
)
def test_affect_parts(said: str, parts: dict[str, float]) -> None:
    assert stage_scores(example(**GOLD), reading(emotion=said))["affect"].parts == parts


def test_affect_is_the_mean_of_exact_and_six_way() -> None:
    assert stage_scores(example(**GOLD), reading(emotion="lonely"))["affect"].value == 0.5


def test_a_six_way_gold_is_compared_six_way_only() -> None:
    assert stage_scores(example(emotion="sadness"), reading(emotion="lonely"))["affect"].parts == {"emotion_6way": 1}


def test_causes_is_the_mean_of_trigger_f1_and_category() -> None:
    score = stage_scores(example(**GOLD), reading(triggers=("dog died",), category="threat"))["causes"]
    assert score.value == pytest.approx((0.8 + 0) / 2)


def test_no_trigger_found_is_a_miss_where_the_stage_ran() -> None:
    assert stage_scores(example(**GOLD), reading(triggers=()))["causes"].parts["trigger_f1"] == 0


def test_plan_parts() -> None:
    score = stage_scores(example(**GOLD), reading(intent="wishing"))["plan"]
    assert score.parts == {"mechanism": 1, "intent": 0}


@pytest.mark.parametrize(
    ("stage", "kept", "parts"),
    [
        ("causes", "category", {"category": 1}),
        ("causes", "triggers", {"trigger_f1": 1}),
        ("plan", "intent", {"intent": 1}),
    ],
)
def test_only_labels_that_are_present_count(stage: str, kept: str, parts: dict[str, float]) -> None:
    assert stage_scores(example(**{kept: GOLD[kept]}), RIGHT)[stage].parts == parts


@pytest.mark.parametrize("stage", ["affect", "causes", "plan"])
def test_a_stage_without_gold_is_unscored(stage: str) -> None:
    assert stage_scores(example(), RIGHT)[stage] == Score.unscored(f"no gold labels for {stage}")


@pytest.mark.parametrize("stage", ["affect", "causes", "plan"])
def test_a_stage_that_is_switched_off_is_unscored(stage: str) -> None:
    assert "switched off" in stage_scores(example(**GOLD), Reading(reply="Oh no."))[stage].reason


def test_feedback_names_what_was_said_and_expected() -> None:
    assert stage_scores(example(**GOLD), reading(emotion="joyful"))["affect"].feedback == (
        "emotion: said 'joyful', expected 'sad'."
    )


def test_agreement_needs_no_feedback() -> None:
    assert not any(score.feedback for score in stage_scores(example(**GOLD), RIGHT).values())


def test_a_failed_stage_is_zero_on_the_labels_it_has() -> None:
    assert failed_stage(example(intent="wishing"), "plan", "broken").parts == {"intent": 0}


def test_a_failed_stage_without_gold_is_unscored() -> None:
    assert failed_stage(example(), "plan", "broken").value is None
