"""The changes of all stages together, and without each of them."""

from dataclasses import replace

import dspy
import pytest

from metrics import Guard, Objective
from optimizers.clock import Clock
from optimizers.corpora import Corpus, load_corpus, to_cases
from optimizers.joining import Joining, without
from programs import CaseBank, Trace
from tests.optimizers.invented import corpus_file
from tests.scripted import ScriptedEngine, scripted_lm, system_of

GOOD, BAD = "Read what they feel, kindly.", "Answer as a pirate."
RIGHT = {"canary": "sad", "welded": "proud", "tram": "annoyed", "scan": "anxious"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The invented corpus."""
    return load_corpus(corpus_file(tmp_path_factory.mktemp("corpus")))


def emotion(request: dspy.lm15.Request) -> str:
    """Right where the instruction is the good one."""
    if GOOD not in system_of(request):
        return "joyful"
    return next(label for word, label in RIGHT.items() if word in (request.messages[-1].text or ""))


def reply(request: dspy.lm15.Request) -> str:
    """Takes nothing up where the instruction is the bad one."""
    if BAD in system_of(request):
        return "Arr."
    return "The whole of it sounds like a lot, here and now: how was it for you?"


def settled(corpus: Corpus, changes: dict[str, str], clock: Clock | None = None) -> tuple[str, list[str]]:
    """The winner's name, and the names of all that ran."""
    student = Trace(bank=CaseBank(to_cases(corpus.train)))
    student.set_lm(scripted_lm(ScriptedEngine(answers={"emotion": emotion, "reply": reply})))
    program = student.deepcopy()
    for stage, instruction in changes.items():
        predictor = program.stages[stage]
        predictor.signature = predictor.signature.with_instructions(instruction)
    objective = Objective.joint(Guard.fit(corpus.train))
    joining = Joining(objective, corpus.validation, clock or Clock(), lambda what, done, total: None)
    winner, ran = joining.settle(student, program, list(changes))
    return winner.name, [one.name for one in ran]


@pytest.mark.parametrize(
    ("changes", "winner"),
    [
        ({"affect": GOOD}, "compiled"),
        ({"response": BAD}, "uncompiled"),
        ({"affect": GOOD, "response": BAD}, "without the change of response"),
    ],
)
def test_only_changes_that_help_the_whole_stay(corpus: Corpus, changes: dict[str, str], winner: str) -> None:
    assert settled(corpus, changes)[0] == winner


def test_a_single_change_is_not_left_out_alone(corpus: Corpus) -> None:
    assert settled(corpus, {"affect": GOOD})[1] == ["uncompiled", "compiled"]


def test_nothing_is_left_out_when_there_is_no_time(corpus: Corpus) -> None:
    assert settled(corpus, {"affect": GOOD, "response": BAD}, Clock(0.0))[1] == ["uncompiled", "compiled"]


def test_a_change_that_is_left_out_takes_its_switches_with_it() -> None:
    student = Trace()
    program = student.deepcopy()
    program.configuration = replace(program.configuration, plan_precedent=0.9, brief=True)
    assert without(program, student, "plan").configuration == replace(student.configuration, brief=True)
