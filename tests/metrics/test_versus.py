"""Two systems on the same items."""

from types import MappingProxyType

import dspy
import pytest

from metrics.evaluation import COLUMNS, Evaluation
from metrics.pairwise import PairJudge
from metrics.score import Score
from metrics.versus import differences, preferred
from programs.backbones import Backbone
from programs.errors import JudgeError
from programs.reading import Reading
from tests.scripted import ScriptedEngine, prompt_of, scripted_lm


def evaluation(reply: str, joint: float, count: int = 20) -> Evaluation:
    """Items that are all answered alike."""
    items = tuple(
        dspy.Example(id=str(n), conversation=str(n), dialogue=[{"role": "speaker", "text": f"Tram {n} left."}])
        for n in range(count)
    )
    columns = {name: tuple(Score.unscored("not here") for _ in items) for name in COLUMNS}
    columns["joint"] = tuple(Score.of(joint) for _ in items)
    return Evaluation(items, tuple(Reading(reply=f"{reply} {n}") for n in range(count)), MappingProxyType(columns), ())


def judge(engine: ScriptedEngine) -> PairJudge:
    """A pairwise judge on a scripted model."""
    return PairJudge(Backbone("scripted", "scripted/x"), lm=scripted_lm(engine))


def likes_kettles(prompt: str) -> str:
    """Prefers the reply with the kettle, wherever it stands."""
    return "first" if "kettle" in prompt.split("second:")[0] else "second"


KEEN = ScriptedEngine(answers={"better": lambda request: likes_kettles(prompt_of(request))})


def test_only_what_both_sides_have_is_compared() -> None:
    assert [row.name for row in differences(evaluation("a", 0.4), evaluation("b", 0.6))] == ["joint"]


def test_a_clear_gain_is_hardly_chance() -> None:
    """All 20 differences are .2; only 2 of 2^20 swaps are as far from 0."""
    row = differences(evaluation("a", 0.4), evaluation("b", 0.6))[0]
    assert (row.difference.difference, row.p < 0.001) == (pytest.approx(0.2), True)


def test_who_wins_every_pair_has_a_rate_of_one() -> None:
    found = preferred(evaluation("tram", 0.4), evaluation("kettle", 0.4), judge(KEEN))
    assert (found.rate.value, found.flips) == (1.0, 0.0)


def test_a_judge_of_places_gives_ties_and_flips() -> None:
    found = preferred(evaluation("a", 0.4), evaluation("b", 0.4), judge(ScriptedEngine(answers={"better": "first"})))
    assert (found.rate.value, found.flips) == (0.5, 1.0)


def test_too_many_pairs_without_an_answer_stop_it() -> None:
    with pytest.raises(JudgeError, match="20 of 20 replies could not be compared"):
        preferred(evaluation("a", 0.4), evaluation("b", 0.4), judge(ScriptedEngine(raw=lambda request: "Both.")))
