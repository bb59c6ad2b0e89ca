"""Preferences, asked in both orders."""

import pytest
from dspy.lm15 import AuthError

from metrics.pairwise import PairJudge, Preference, summed
from programs.backbones import Backbone
from programs.errors import BackboneError
from tests.metrics.judging import DIALOGUE
from tests.scripted import ScriptedEngine, prompt_of, scripted_lm

LONG, SHORT = "The kettle, on moving day of all days!", "Oh no."


def preferring(engine: ScriptedEngine, reply: str = LONG, rival: str = SHORT) -> Preference:
    """The outcome for `reply` against `rival`."""
    return PairJudge(Backbone("scripted", "scripted/x"), lm=scripted_lm(engine)).prefer(DIALOGUE, reply, rival)


def likes_kettles(prompt: str) -> str:
    """Prefers the reply with the kettle, wherever it stands."""
    return "first" if "kettle, on" in prompt.split("second:")[0] else "second"


KEEN = {"better": lambda request: likes_kettles(prompt_of(request))}


@pytest.mark.parametrize(("reply", "rival", "outcome"), [(LONG, SHORT, "win"), (SHORT, LONG, "loss")])
def test_a_preference_that_holds_in_both_orders_counts(reply: str, rival: str, outcome: str) -> None:
    assert preferring(ScriptedEngine(answers=KEEN), reply, rival) == Preference(outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize("place", ["first", "second"])
def test_a_preference_for_a_place_is_a_tie_and_a_flip(place: str) -> None:
    assert preferring(ScriptedEngine(answers={"better": place})) == Preference("tie", flipped=True)


def test_no_preference_is_a_tie_without_a_flip() -> None:
    assert preferring(ScriptedEngine(answers={"better": "neither"})) == Preference("tie")


def test_equal_replies_tie_unasked() -> None:
    engine = ScriptedEngine()
    preferring(engine, LONG, LONG)
    assert engine.calls == 0


def test_an_answer_that_cannot_be_read_gives_no_outcome() -> None:
    assert preferring(ScriptedEngine(raw=lambda request: "Both are nice.")).outcome is None


def test_an_outage_is_no_tie() -> None:
    with pytest.raises(BackboneError):
        preferring(ScriptedEngine(errors={2: AuthError("no key")}))


def test_ties_count_half_in_the_win_rate() -> None:
    rate, _ = summed([Preference("win"), Preference("win"), Preference("tie"), Preference("loss")])
    assert rate.value == (2 + 0.5) / 4


def test_the_share_of_flips_is_over_the_compared() -> None:
    _, flips = summed([Preference("win"), Preference("tie", flipped=True), Preference(None, reason="slow")])
    assert flips == 0.5


def test_nothing_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="no pair"):
        summed([Preference(None, reason="slow")])
