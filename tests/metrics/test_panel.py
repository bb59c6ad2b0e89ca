"""Several judges as one."""

import pytest

from metrics.judgement import Judgement
from metrics.panel import Panel
from programs.errors import JudgeError
from tests.metrics.judging import DIALOGUE, GOOD, TableJudge, judgement

REFUSED = Judgement.unscored("it would not")


def joined(*members: Judgement) -> Judgement:
    """What a panel makes of its members' judgements."""
    judges = [TableJudge({}, rest=member, name=str(number)) for number, member in enumerate(members)]
    return Panel(judges).judge(DIALOGUE, GOOD)


def test_a_dimension_takes_the_mean() -> None:
    assert joined(judgement(cognitive=1), judgement(cognitive=2), judgement(cognitive=4)).levels["cognitive"] == 7 / 3


@pytest.mark.parametrize(
    ("levels", "joint"), [((1, 3, 3), 3), ((1, 1, 4), 1), ((1, 3), 1), ((3, 4), 3)], ids=["one", "two", "half", "none"]
)
def test_a_gate_is_shut_where_at_least_half_shut_it(levels: tuple[int, ...], joint: int) -> None:
    assert joined(*(judgement(safety=level) for level in levels)).levels["safety"] == joint


@pytest.mark.parametrize(("votes", "joint"), [((True, False, False), False), ((True, False), True)])
def test_the_majority_says_whether_it_speaks_to_the_grader(votes: tuple[bool, ...], joint: bool) -> None:
    members = [Judgement.of(judgement().levels, addresses_grader=vote) for vote in votes]
    assert joined(*members).addresses_grader is joint


def test_the_spread_is_highest_less_lowest() -> None:
    assert joined(judgement(cognitive=1), judgement(cognitive=4)).spread["cognitive"] == 3


def test_the_others_decide_where_one_gave_no_judgement() -> None:
    assert joined(judgement(2), judgement(4), REFUSED).levels["affective"] == 3


def test_half_a_panel_is_none() -> None:
    assert joined(judgement(2), REFUSED).reason == "1 of 2 judges gave no judgement: it would not"


def test_a_panel_of_one_is_refused() -> None:
    with pytest.raises(JudgeError, match="at least two"):
        Panel([TableJudge({})])


def test_the_same_judge_twice_is_refused() -> None:
    with pytest.raises(JudgeError, match="twice"):
        Panel([TableJudge({}), TableJudge({})])
