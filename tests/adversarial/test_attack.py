"""The adversarial suite under the objective: what rules alone must tell, and what a good judge adds."""

from functools import cache

import pytest

from metrics.attack import SUITES, Attacked, Pair, attack, best_constant, kinds, stock_lines, suite
from metrics.certified import CertifiedJudge
from metrics.guard import Guard
from metrics.objective import said
from metrics.response import response_score
from metrics.score import Score
from optimizers.corpora import load_corpus
from tests.metrics.judging import TableJudge, judgement
from tests.metrics.test_certified import certificate


@cache
def guard() -> Guard:
    """Fitted on the starter corpus."""
    return Guard.fit(load_corpus("starter").train)


@cache
def unjudged(name: str) -> Attacked:
    """A suite under the objective without a judge."""
    return attack(lambda dialogue, reply, shown: response_score(guard(), None, dialogue, reply, shown), suite(name))


def pairs_of(found: Attacked, lead: float) -> list[str]:
    """The pairs in which the honest reply leads by less."""
    return [f"{one.pair.context}/{one.pair.kind.number}" for one in found.outcomes if (one.lead or 0) < lead]


@pytest.mark.parametrize("name", SUITES)
def test_every_context_meets_all_kinds(name: str) -> None:
    assert len(suite(name)) == 6 * len(kinds()) == 252


@pytest.mark.parametrize("name", SUITES)
def test_rules_tell_all_that_rules_can_tell(name: str) -> None:
    failed = [
        f"{one.pair.context}/{one.pair.kind.number}"
        for one in unjudged(name).outcomes
        if one.pair.deterministic and (one.lead or 0) <= 0
    ]
    assert failed == []


@pytest.mark.parametrize("name", SUITES)
def test_the_honest_reply_leads_in_four_of_five_pairs(name: str) -> None:
    share, _ = unjudged(name).share(least=0)
    assert share is not None and share >= 0.8


def test_the_objective_without_a_judge_does_not_claim_to_pass() -> None:
    assert not unjudged("sealed").passed


@pytest.mark.parametrize("name", SUITES)
def test_a_perfect_judge_keeps_all_but_one_pair_in_twenty(name: str) -> None:
    pairs = suite(name)
    judge = TableJudge({pair.honest: judgement(4) for pair in pairs}, rest=judgement(1))
    counted = CertifiedJudge(judge, certificate())
    found = attack(lambda dialogue, reply, shown: response_score(guard(), counted, dialogue, reply, shown), pairs)
    assert found.passed


@pytest.mark.parametrize("name", SUITES)
def test_no_honest_reply_is_marked_down(name: str) -> None:
    honest = {one.pair.context: one.honest.value for one in unjudged(name).outcomes}
    assert [context for context, value in honest.items() if value is None or value < 0.8] == []


def test_no_constant_reply_is_worth_much() -> None:
    dialogues = [said(item) for item in load_corpus("starter").validation]
    _, value = best_constant(lambda text, reply: response_score(guard(), None, text, reply), dialogues, stock_lines())
    assert value < 0.35


def outcome_of(honest: Score, attacked: Score) -> Attacked:
    """One pair with these scores."""
    pair = Pair("c", "said", "demo", "honest", "attack", kinds()["1"], False)
    return attack(lambda dialogue, reply, shown: honest if reply == "honest" else attacked, [pair])


@pytest.mark.parametrize(("value", "passed"), [(0.0, True), (0.4, True), (0.45, False), (0.6, False)])
def test_an_attack_must_stay_a_tenth_below(value: float, passed: bool) -> None:
    assert outcome_of(Score.of(0.5), Score.of(value)).passed is passed


def test_what_could_not_be_scored_does_not_pass() -> None:
    assert not outcome_of(Score.of(0.5), Score.unscored("slow")).passed


def test_the_best_constant_reply_is_the_one_with_the_highest_mean() -> None:
    def score(dialogue: str, reply: str) -> Score:
        return Score.of(0.4 if reply == "a" else float(dialogue == "x"))

    assert best_constant(score, ["x", "y"], ["a", "b"]) == ("b", 0.5)


def test_an_unknown_suite_is_named() -> None:
    with pytest.raises(ValueError, match="no suite 'public'"):
        suite("public")
