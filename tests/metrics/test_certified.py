"""A judge that counts: only by its certificate, and as one batch."""

from dataclasses import replace

import dspy
import pytest

from metrics.certificate import Certificate
from metrics.certified import CertifiedJudge
from metrics.certifying import certify
from metrics.evaluate import evaluate
from metrics.guard import Guard
from metrics.judgement import Judgement
from metrics.labels import LabelSet
from metrics.objective import Objective
from metrics.response import response_score
from metrics.rubric import standard_rubric
from programs.errors import JudgeError
from programs.reading import Reading
from tests.metrics.judging import TableJudge, judgement
from tests.metrics.labelled import label_set

SAID = "My dog died and I keep hearing his bowl in the kitchen."
REPLY = "To hear that bowl in the kitchen when the dog is gone, what a lonely sound that must be."
OTHER = "A kitchen with a bowl and no dog, that bowl must sound very loud to you now."


def certificate(name: str = "table") -> Certificate:
    """Of a judge that agrees with the experts on empathy."""
    labels: LabelSet = label_set([number % 5 for number in range(60)])
    levels = [level or 0.0 for level in labels.medians("empathy")]
    return certify({"affective": levels}, labels, {"name": name}, standard_rubric().identity)


def judged(**table: Judgement) -> CertifiedJudge:
    """A certified judge that knows two replies."""
    return CertifiedJudge(TableJudge({REPLY: table.get("reply", judgement(4)), OTHER: judgement(2)}), certificate())


def test_only_certified_dimensions_count() -> None:
    assert judged().score(SAID, REPLY).parts.keys() == {"affective"}


def test_a_certificate_of_another_judge_is_refused() -> None:
    with pytest.raises(JudgeError, match="another judge"):
        CertifiedJudge(TableJudge({}, name="other"), certificate())


def test_a_certificate_that_vouches_for_nothing_is_refused() -> None:
    empty = replace(certificate(), findings={})
    with pytest.raises(JudgeError, match="vouches for no dimension"):
        CertifiedJudge(TableJudge({}), empty)


def test_a_batch_is_judged_once() -> None:
    one = judged()
    filled = one.batch([(SAID, REPLY), (SAID, REPLY)])
    filled.score(SAID, REPLY)
    assert isinstance(one.judge, TableJudge) and one.judge.asked.count(REPLY) == 1


def test_the_judge_and_the_guard_are_joined_geometrically(guard: Guard) -> None:
    """J = 1, P = 1: S = 1; the guard alone would say the same here."""
    assert response_score(guard, judged(), SAID, REPLY).value == pytest.approx(1.0)


def test_a_low_judgement_costs_what_its_power_says(guard: Guard) -> None:
    one = judged()
    j = one.score(SAID, OTHER).value
    assert response_score(guard, one, SAID, OTHER).value == pytest.approx((j or 0) ** 0.8)


def test_a_reply_that_the_gate_refuses_is_never_judged(guard: Guard) -> None:
    one = judged()
    response_score(guard, one, SAID, "{}")
    assert isinstance(one.judge, TableJudge) and one.judge.asked == []


def test_a_reply_without_a_judgement_is_unscored(guard: Guard) -> None:
    assert response_score(guard, judged(reply=Judgement.unscored("slow")), SAID, REPLY).reason == "slow"


def test_an_item_without_a_judgement_has_no_joint_score(guard: Guard) -> None:
    objective = Objective.joint(guard, judge=judged(reply=Judgement.unscored("slow")))
    item = dspy.Example(id="1", conversation="1", dialogue=[{"role": "speaker", "text": SAID}], emotion="sad")
    assert objective.score(item.with_inputs("dialogue"), Reading(reply=REPLY, emotion="sad")).reason == "slow"


def test_an_evaluation_judges_its_replies_as_one_batch(guard: Guard) -> None:
    one = judged()
    item = dspy.Example(id="1", conversation="1", dialogue=[{"role": "speaker", "text": SAID}])
    evaluate(lambda dialogue: Reading(reply=REPLY), [item.with_inputs("dialogue")], Objective.joint(guard, judge=one))
    assert isinstance(one.judge, TableJudge) and len(one.judge.asked) == 3  # the reply and two canaries


def test_the_judge_is_part_of_the_objectives_identity(guard: Guard) -> None:
    assert Objective.joint(guard, judge=judged()).identity() != Objective.joint(guard).identity()
