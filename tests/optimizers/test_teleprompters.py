"""DSPy's optimizers as we run them: an outage ends the compile, the teacher teaches, labelled demos look like ours."""

from typing import Any

import pytest
from dspy.lm15 import AuthError

from metrics import Guard, Objective
from optimizers.corpora import Corpus, load_corpus, to_cases
from optimizers.demos import shown_demo
from optimizers.recipes import recipe_named
from optimizers.teleprompters import run_teleprompter
from programs import CaseBank, Trace
from programs.errors import BackboneError, StageError
from programs.staged import Staged
from tests.optimizers.invented import corpus_file
from tests.scripted import ScriptedEngine, scripted_lm


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The invented corpus."""
    return load_corpus(corpus_file(tmp_path_factory.mktemp("corpus")))


def made(corpus: Corpus, recipe: str, task: ScriptedEngine, teacher: ScriptedEngine | None = None) -> Staged:
    """What a recipe makes of an uncompiled program."""
    program, lm = Trace(bank=CaseBank(to_cases(corpus.train))), scripted_lm(task)
    program.set_lm(lm)
    lms: dict[str, Any] = {"task": lm, "teacher": scripted_lm(teacher, name="y") if teacher else lm, "reflector": lm}
    objective = Objective.joint(Guard.fit(corpus.train))
    return run_teleprompter(
        recipe_named(recipe), program, objective, train=corpus.train, validation=corpus.validation, lms=lms, seed=1
    )


@pytest.mark.parametrize("call", [2, 30, 200])
def test_an_outage_ends_the_compile_whenever_it_comes(corpus: Corpus, call: int) -> None:
    with pytest.raises(BackboneError, match="no such key"):
        made(corpus, "random-search", ScriptedEngine(errors={call: AuthError("no such key")}))


def test_an_unreadable_output_ends_the_compile_by_its_stage(corpus: Corpus) -> None:
    with pytest.raises(StageError, match="affect"):
        made(corpus, "bootstrap", ScriptedEngine(raw=lambda request: "no JSON at all"))


def test_the_teacher_runs_the_demonstrations(corpus: Corpus) -> None:
    teacher = ScriptedEngine(answers={"emotion": "sad"})
    made(corpus, "bootstrap", ScriptedEngine(), teacher)
    assert teacher.calls > 0


def test_a_bootstrap_asks_the_task_backbone_for_nothing(corpus: Corpus) -> None:
    task = ScriptedEngine()
    made(corpus, "bootstrap", task, ScriptedEngine())
    assert task.calls == 0


def test_a_labelled_demo_shows_no_field_of_another_stage(corpus: Corpus) -> None:
    program = made(corpus, "labeled", ScriptedEngine())
    affect = program.stages["affect"]
    assert affect.demos == [shown_demo(affect.signature, demo) for demo in affect.demos]
