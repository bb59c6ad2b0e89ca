"""Running programs over a corpus: order, failures, outages, and comparison."""

import threading
import time
from collections.abc import Callable
from typing import Any

import dspy
import pytest

from metrics.evaluate import evaluate, shown_replies
from metrics.evaluation import Evaluation, compare_evaluations
from metrics.guard import Guard
from metrics.objective import Objective
from metrics.score import Mean
from programs.errors import BackboneError, StageError
from programs.reading import Reading

SAID = "My dog died and I keep hearing his bowl in the kitchen."
REPLY = "To hear that bowl in the kitchen when the dog is gone, what a lonely sound that must be."
EMOTIONS = ("sad", "lonely", "joyful", "sad", "angry", "sad")


def examples(n: int = 6) -> list[dspy.Example]:
    return [
        dspy.Example(
            id=f"e{number}",
            conversation=f"c{number}",
            dialogue=[{"role": "speaker", "text": f"{number}: {SAID}"}],
            emotion=EMOTIONS[number],
            intent="consoling",
        ).with_inputs("dialogue")
        for number in range(n)
    ]


def answering(change: Callable[[int], Reading]) -> Callable[..., Reading]:
    """A program that answers by the number its dialogue starts with."""
    return lambda *, dialogue: change(int(dialogue[0]["text"].split(":")[0]))


def always(emotion: str = "sad") -> Callable[..., Reading]:
    return answering(lambda number: Reading(reply=REPLY, emotion=emotion, intent="consoling", mechanism="exploration"))


def failing(at: int, error: BaseException) -> Callable[..., Reading]:
    def answer(number: int) -> Reading:
        if number == at:
            raise error
        return Reading(reply=REPLY, emotion="sad", intent="consoling")

    return answering(answer)


@pytest.fixture
def joint(guard: Guard) -> Objective:
    return Objective.joint(guard)


@pytest.fixture
def one_failed(joint: Objective) -> Evaluation:
    return evaluate(failing(1, StageError("affect", "no label")), examples(), joint)


def test_readings_come_in_the_order_of_the_examples(joint: Objective) -> None:
    def slow_first(number: int) -> Reading:
        time.sleep(0.05 if number == 0 else 0)
        return Reading(reply=f"reply number {number}")

    found = evaluate(answering(slow_first), examples(), joint)
    assert [reading and reading.reply for reading in found.readings] == [f"reply number {n}" for n in range(6)]


def test_means_of_joint_stages_and_parts(joint: Objective) -> None:
    means = evaluate(always(), examples(), joint).means()
    assert {name: each.value for name, each in means.items()} == pytest.approx(
        {
            "joint": (1 + 1 + (3 * 1 + 0.5 + 0 + 0) / 6) / 3,
            "affect": (3 * 1 + 0.5) / 6,
            "causes": None,
            "plan": 1.0,
            "response": 1.0,
            "emotion": 0.5,
            "emotion_6way": 4 / 6,
            "trigger_f1": None,
            "category": None,
            "mechanism": None,
            "intent": 1.0,
        }
    )


def test_unscored_items_are_counted(joint: Objective) -> None:
    assert evaluate(always(), examples(), joint).means()["causes"] == Mean(None, 0, 6)


def test_an_unweighted_stage_is_still_scored(guard: Guard) -> None:
    found = evaluate(always(), examples(), Objective.single("affect", guard))
    assert found.means()["response"].value == 1.0


def test_label_share_is_that_of_the_most_frequent_prediction(joint: Objective) -> None:
    program = answering(lambda number: Reading(reply=REPLY, emotion="sad" if number < 4 else "proud"))
    assert evaluate(program, examples(), joint).label_share() == 4 / 6


def test_distinct_emotions(joint: Objective) -> None:
    program = answering(lambda number: Reading(reply=REPLY, emotion="sad" if number < 4 else "proud"))
    assert evaluate(program, examples(), joint).distinct_emotions == 2


def test_no_predicted_emotion_has_no_share(joint: Objective) -> None:
    assert evaluate(answering(lambda _: Reading(reply=REPLY)), examples(), joint).label_share() is None


def test_a_failed_stage_leaves_no_reading(one_failed: Evaluation) -> None:
    assert [reading is None for reading in one_failed.readings] == [False, True, False, False, False, False]


def test_a_failed_stage_is_listed_with_its_reason(one_failed: Evaluation) -> None:
    assert one_failed.failures == (("e1", "stage 'affect' failed: no label"),)


def test_parse_failures_are_counted(one_failed: Evaluation) -> None:
    assert one_failed.parse_failures == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [("joint", 0), ("affect", 0), ("emotion", 0), ("plan", None), ("intent", None), ("response", None)],
)
def test_a_failed_stage_is_zero_jointly_and_for_itself_only(
    one_failed: Evaluation, column: str, value: float | None
) -> None:
    assert one_failed.columns[column][1].value == value


class Stop(BaseException):
    """As a budget's stop: not an Exception."""


@pytest.mark.parametrize("outage", [BackboneError("connection refused"), TimeoutError("late"), Stop("cap reached")])
def test_an_outage_is_never_a_score(joint: Objective, outage: BaseException) -> None:
    with pytest.raises(type(outage), match=str(outage)):
        evaluate(failing(1, outage), examples(), joint)


def test_an_outage_cancels_what_waits(joint: Objective) -> None:
    asked: list[int] = []

    def answer(number: int) -> Reading:
        asked.append(number)
        time.sleep(0.02)
        raise BackboneError("down")

    with pytest.raises(BackboneError):
        evaluate(answering(answer), examples(), joint, threads=1)
    assert len(asked) <= 2


def test_workers_see_the_callers_context(joint: Objective) -> None:
    seen: list[Any] = []

    def answer(number: int) -> Reading:
        seen.append(dspy.settings.get("evaluating"))
        return Reading(reply=REPLY)

    with dspy.context(evaluating="here"):
        evaluate(answering(answer), examples(), joint)
    assert seen == ["here"] * 6


def test_as_many_threads_as_asked_for_run_together(joint: Objective) -> None:
    together = threading.Barrier(3, timeout=5)

    def answer(number: int) -> Reading:
        together.wait()
        return Reading(reply=REPLY)

    assert evaluate(answering(answer), examples(), joint, threads=3).parse_failures == 0


def test_progress_is_told_after_each_item(joint: Objective) -> None:
    told: list[tuple[int, int]] = []
    evaluate(always(), examples(3), joint, on_item=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_no_examples_give_an_empty_evaluation(joint: Objective) -> None:
    assert evaluate(always(), [], joint).means()["joint"] == Mean(None, 0, 0)


class Demonstrated(dspy.Module):
    """A module whose one predictor has a demo with a reply, and one without."""

    def __init__(self) -> None:
        super().__init__()
        self.response = dspy.Predict("dialogue -> reply")
        self.response.demos = [dspy.Example(dialogue="x", reply=REPLY), dspy.Example(dialogue="y")]

    def forward(self, dialogue: Any) -> Reading:
        return Reading(reply=REPLY)


def test_replies_in_a_modules_demos_are_shown_ones() -> None:
    assert shown_replies(Demonstrated()) == (REPLY,)


def test_copying_an_own_demo_scores_nothing(guard: Guard) -> None:
    found = evaluate(Demonstrated(), examples(2), Objective.single("response", guard))
    assert found.means()["joint"].value == 0


def test_comparison_covers_what_both_sides_scored(joint: Objective) -> None:
    before, after = (evaluate(always(emotion), examples(), joint) for emotion in ("joyful", "sad"))
    assert set(compare_evaluations(before, after)) == {
        "joint",
        "affect",
        "plan",
        "response",
        "emotion",
        "emotion_6way",
        "intent",
    }


def test_comparison_is_paired(joint: Objective) -> None:
    before, after = (evaluate(always(emotion), examples(), joint) for emotion in ("joyful", "sad"))
    assert compare_evaluations(before, after)["emotion"].difference == pytest.approx(3 / 6 - 1 / 6)


def test_items_failed_on_one_side_still_count_jointly(joint: Objective, one_failed: Evaluation) -> None:
    found = compare_evaluations(one_failed, evaluate(always(), examples(), joint))
    assert (found["joint"].left_out, found["response"].left_out) == (0, 1)


def test_evaluations_of_different_examples_are_not_compared(joint: Objective) -> None:
    with pytest.raises(ValueError, match="same examples"):
        compare_evaluations(evaluate(always(), examples(3), joint), evaluate(always(), examples(4), joint))
