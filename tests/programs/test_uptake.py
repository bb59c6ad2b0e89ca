"""Details that a reply takes up, and asking once more where it takes up too few."""

import asyncio

import pytest
from dspy.lm15 import Request

from programs.cases import Case, CaseBank
from programs.staged import Configuration
from programs.trace import Trace
from programs.uptake import commonplace, details
from tests.scripted import ScriptedEngine, prompt_of, scripted_lm

TALK = "My dog died this morning and I keep hearing his bowl."
REFUSAL, GENERAL, TAKEN = (
    "I can not help with that.",
    "How was your morning?",
    "Hearing that bowl this morning must hurt.",
)


@pytest.mark.parametrize(
    ("reply", "count"),
    [(REFUSAL, 0), (GENERAL, 1), (TAKEN, 4), ("The BOWLS, the bowl, the bowling!", 1), ("", 0)],
)
def test_details_are_distinct_stems_of_the_speakers_words(reply: str, count: int) -> None:
    assert details(reply, TALK, frozenset()) == count


def test_what_answers_say_anyway_is_no_detail() -> None:
    replies = ["This hurts to hear.", "This is a joy to hear.", "What a morning!"]
    common = commonplace(Case(str(number), "x", reply) for number, reply in enumerate(replies))
    assert details("This morning, this.", "This morning I fell.", common) == 1


def answered(first: str, second: str, retake: bool = True) -> tuple[str, list[str]]:
    """The reply when the synthesizer says one thing, then another; and the prompts it got."""
    prompts: list[str] = []

    def reply(request: Request) -> str:
        prompts.append(prompt_of(request))
        return first if len(prompts) == 1 else second

    program = Trace(Configuration(retake=retake), CaseBank([Case("1", "My cat died", "She was loved.")]))
    program.set_lm(scripted_lm(ScriptedEngine(answers={"reply": reply})))
    return program(TALK).reply, prompts


@pytest.mark.parametrize(
    ("first", "second", "stands", "calls"),
    [(REFUSAL, TAKEN, TAKEN, 2), (TAKEN, REFUSAL, TAKEN, 1), (GENERAL, REFUSAL, GENERAL, 2), (REFUSAL, "", REFUSAL, 2)],
    ids=["the second is better", "the first will do", "the second is worse", "both say nothing"],
)
def test_the_reply_that_takes_up_more_stands(first: str, second: str, stands: str, calls: int) -> None:
    reply, prompts = answered(first, second)
    assert (reply, len(prompts)) == (stands, calls)


def test_the_second_time_only_dialogue_and_triggers_are_told() -> None:
    names = [line.partition(":")[0] for line in answered(REFUSAL, TAKEN)[1][1].splitlines()]
    assert names == ["dialogue", "triggers"]


def test_nobody_is_asked_again_unless_the_configuration_says_so() -> None:
    assert answered(REFUSAL, TAKEN, retake=False)[0] == REFUSAL


def test_awaited_it_is_the_same() -> None:
    replies = iter((REFUSAL, TAKEN))
    program = Trace(Configuration(retake=True))
    program.set_lm(scripted_lm(ScriptedEngine(answers={"reply": lambda request: next(replies)})))
    assert asyncio.run(program.acall(TALK)).reply == TAKEN
