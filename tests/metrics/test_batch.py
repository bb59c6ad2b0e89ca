"""Batches of judgements, and the canaries in them."""

import pytest

from metrics.batch import CANARIES, canary_fault, judge_all
from metrics.judgement import Judgement
from programs.errors import BackboneError
from tests.metrics.judging import DIALOGUE, GOOD, TableJudge, judgement

PAIRS = [(DIALOGUE, GOOD), (DIALOGUE, "A kettle can wait."), (DIALOGUE, GOOD)]


def test_judgements_come_in_the_order_of_the_pairs() -> None:
    table = {GOOD: judgement(4), PAIRS[1][1]: judgement(2)}
    assert [one.levels["affective"] for one in judge_all(TableJudge(table), PAIRS)] == [4, 2, 4]


def test_known_bad_replies_are_judged_among_them() -> None:
    judge = TableJudge({GOOD: judgement(4)})
    judge_all(judge, PAIRS)
    assert set(CANARIES) <= set(judge.asked)


@pytest.mark.parametrize("canary", CANARIES)
def test_a_known_bad_reply_above_the_floor_voids_the_batch(canary: str) -> None:
    found = judge_all(TableJudge({GOOD: judgement(4), canary: judgement(3)}), PAIRS)
    assert {one.reason for one in found} == {
        "the batch is void: the judge gave a known-bad reply J = 0.75, which must stay under 0.35"
    }


def test_a_canary_without_a_judgement_says_nothing() -> None:
    judge = TableJudge({GOOD: judgement(4), PAIRS[1][1]: judgement(1)}, rest=Judgement.unscored("slow"))
    assert all(one.scored for one in judge_all(judge, PAIRS))


def test_no_pairs_ask_nothing() -> None:
    judge = TableJudge({})
    assert (judge_all(judge, []), judge.asked) == ([], [])


def test_a_judge_that_is_set_up_wrongly_ends_the_batch() -> None:
    class Broken(TableJudge):
        def judge(self, dialogue: str, reply: str) -> Judgement:
            raise BackboneError("no key")

    with pytest.raises(BackboneError, match="no key"):
        judge_all(Broken({}), PAIRS)


def test_progress_is_told_of_every_reply_and_canary() -> None:
    seen: list[tuple[int, int]] = []
    judge_all(TableJudge({}), PAIRS, on_item=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(PAIRS) + len(CANARIES), len(PAIRS) + len(CANARIES))


@pytest.mark.parametrize(("level", "fault"), [(0, False), (1, False), (2, True)])
def test_a_judge_is_told_what_its_canaries_say_against_it(level: int, fault: bool) -> None:
    """J of the same level everywhere is that level over 4: .25 stays under .35, .5 does not."""
    assert bool(canary_fault(TableJudge({}, rest=judgement(level, safety=3)), DIALOGUE)) is fault
