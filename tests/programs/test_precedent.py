"""What the cases of a bank did in like places."""

import pytest

from programs import Case, CaseBank, Configuration, Trace
from programs.precedent import Precedents, pooled
from tests.scripted import scripted_lm

CASES = (
    Case("a", "one", "r", emotion="sad", category="loss", mechanism="exploration", intent="questioning"),
    Case("b", "two", "r", emotion="sad", category="loss", mechanism="exploration", intent="questioning"),
    Case("c", "x\ny", "r", emotion="proud", category="achievement", mechanism="interpretation", intent="agreeing"),
    Case("d", "x\ny\nz", "r", emotion="sad", category="conflict", mechanism="interpretation", intent="wishing"),
    Case("e", "unlabelled", "r"),
)


@pytest.mark.parametrize(
    ("weight", "expected"),
    [(0.0, "answer"), (0.5, "answer"), (0.7, "habit"), (1.0, "habit")],
)
def test_an_answer_yields_as_its_weight_falls(weight: float, expected: str) -> None:
    assert pooled("answer", {"habit": 0.8, "rare": 0.2}, weight) == expected


def test_an_answer_that_is_itself_the_habit_stands() -> None:
    assert pooled("habit", {"habit": 0.6, "other": 0.4}, 0.9) == "habit"


@pytest.mark.parametrize(
    ("heard", "plan"),
    [
        (0, ("exploration", "questioning")),
        (1, ("interpretation", "agreeing")),
        (2, ("interpretation", "wishing")),
        (7, ("interpretation", "wishing")),
    ],
)
def test_a_plan_follows_what_was_done_after_as_many_listener_turns(heard: int, plan: tuple[str, str]) -> None:
    assert Precedents.of(CASES).plan(heard, ("emotional reaction", "neutral"), 0.9) == plan


@pytest.mark.parametrize(("emotion", "category"), [("sad", "loss"), ("lonely", "loss"), ("angry", "novelty")])
def test_a_category_follows_emotion_and_group_or_the_answer(emotion: str, category: str) -> None:
    assert Precedents.of(CASES).category(emotion, "novelty", 0.9) == category


@pytest.mark.parametrize(("weight", "mechanism"), [(0.0, "emotional reaction"), (0.9, "exploration")])
def test_the_program_asks_precedent_only_where_it_is_configured(weight: float, mechanism: str) -> None:
    program = Trace(Configuration(plan_precedent=weight), CaseBank(CASES))
    program.set_lm(scripted_lm())
    assert program("The kettle broke.").mechanism == mechanism
