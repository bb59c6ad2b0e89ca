"""The stagewise search and DSPy's optimizers on a scripted backbone."""

from dataclasses import replace
from typing import Any

import dspy
import pytest
from dspy.lm15 import AuthError

from metrics import Guard, Objective
from optimizers.clock import Clock
from optimizers.corpora import Corpus, load_corpus, to_cases
from optimizers.demos import demonstrations, labelled
from optimizers.fitting import fit_reader, fit_trust, said
from optimizers.recipes import Recipe, recipe_named
from optimizers.stage_runs import Answers, run_stage
from optimizers.stagewise import Stagewise
from optimizers.teleprompters import run_teleprompter
from optimizers.testing import by_turns
from optimizers.variants import Sizes
from programs import CaseBank, Trace
from programs.errors import BackboneError
from programs.staged import Staged
from tests.optimizers.invented import corpus_file
from tests.scripted import ScriptedEngine, scripted_lm

RECIPES = (
    recipe_named("labeled"),
    recipe_named("bootstrap"),
    Recipe(
        "few",
        "",
        "BootstrapFewShotWithRandomSearch",
        {"max_bootstrapped_demos": 1, "max_labeled_demos": 1, "num_candidate_programs": 1},
    ),
    Recipe(
        "mipro",
        "",
        "MIPROv2",
        {"auto": None, "num_candidates": 2, "max_bootstrapped_demos": 1, "max_labeled_demos": 1},
        {"num_trials": 2, "minibatch": False},
    ),
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The invented corpus."""
    return load_corpus(corpus_file(tmp_path_factory.mktemp("corpus")))


def student(corpus: Corpus, engine: ScriptedEngine) -> Trace:
    """An uncompiled program on a scripted backbone."""
    program = Trace(bank=CaseBank(to_cases(corpus.train)))
    program.set_lm(scripted_lm(engine))
    return program


def objective(corpus: Corpus) -> Objective:
    """The joint objective."""
    return Objective.joint(Guard.fit(corpus.train))


def compiled(corpus: Corpus, engine: ScriptedEngine, **options: Any) -> tuple[Staged, dict[str, str]]:
    """The compiled program and the kept candidate of each stage."""
    search = Stagewise(objective(corpus), items=8, size=Sizes(demos=2), **options)  # type: ignore[arg-type]
    program, steps = search.compile(student(corpus, engine), trainset=corpus.train, valset=by_turns(corpus.validation))
    return program, {step.stage: step.candidate for step in steps if step.kept}


def knowing_causes(request: dspy.lm15.Request) -> str:
    """The right category, but only for who has seen demos."""
    right = {"canary": "loss", "welded": "achievement", "tram": "conflict", "scan": "threat"}
    said_last = request.messages[-1].text or ""
    return next((v for k, v in right.items() if k in said_last), "novelty") if len(request.messages) > 1 else "novelty"


def test_a_change_is_kept_where_it_helps(corpus: Corpus) -> None:
    _, kept = compiled(corpus, ScriptedEngine(answers={"category": knowing_causes}))
    assert kept["causes"] == "2 demos"


def test_demos_come_from_the_train_split(corpus: Corpus) -> None:
    program, _ = compiled(corpus, ScriptedEngine(answers={"category": knowing_causes}))
    shown = [demo["dialogue"] for demo in program.stages["causes"].demos]
    assert [text for text in shown if not any(place in text for place in ("Oslo", "Lagos", "Quito"))] == []


def test_the_student_is_left_as_it_is(corpus: Corpus) -> None:
    engine = ScriptedEngine(answers={"category": knowing_causes})
    program = student(corpus, engine)
    Stagewise(objective(corpus), items=8, size=Sizes(demos=2)).compile(
        program, trainset=corpus.train, valset=by_turns(corpus.validation)
    )
    assert program.causes.demos == []


def test_no_candidate_begins_after_the_deadline(corpus: Corpus) -> None:
    _, kept = compiled(corpus, ScriptedEngine(), clock=Clock(0.0))
    assert kept == {}


def test_earlier_stages_are_not_asked_again(corpus: Corpus) -> None:
    engine = ScriptedEngine()
    program, answers = student(corpus, engine), Answers()
    answers.fix("affect", run_stage(program, "affect", corpus.validation, answers))
    before = engine.calls
    run_stage(program, "causes", corpus.validation, answers)
    assert engine.calls - before == len(corpus.validation)


def test_an_outage_ends_the_search(corpus: Corpus) -> None:
    with pytest.raises(BackboneError):
        compiled(corpus, ScriptedEngine(errors={9: AuthError("no such key")}))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.teleprompter)
def test_a_dspy_optimizer_gives_a_program_bound_to_the_task_backbone(corpus: Corpus, recipe: Recipe) -> None:
    engine = ScriptedEngine(answers={"emotion": "sad", "proposed_instruction": "Read the feeling."})
    program, lm = student(corpus, engine), scripted_lm(engine)
    lms = {"task": lm, "teacher": lm, "reflector": lm}
    made = run_teleprompter(
        recipe, program, objective(corpus), train=corpus.train, validation=corpus.validation, lms=lms, seed=1
    )
    assert {predictor.lm for predictor in made.predictors()} == {lm}


def test_labelled_demos_reach_every_stage(corpus: Corpus) -> None:
    engine = ScriptedEngine()
    lm = scripted_lm(engine)
    lms = {"task": lm, "teacher": lm, "reflector": lm}
    made = run_teleprompter(
        recipe_named("labeled"),
        student(corpus, engine),
        objective(corpus),
        train=corpus.train,
        validation=corpus.validation,
        lms=lms,
        seed=1,
    )
    assert [stage for stage, predictor in made.stages.items() if not predictor.demos] == []


def test_demos_cover_the_labels_before_repeating_one(corpus: Corpus) -> None:
    program = student(corpus, ScriptedEngine())
    shown = demonstrations(program, "causes", corpus.train, 4)
    assert len({demo["category"] for demo in shown}) == 4


def test_demos_of_a_program_that_reads_six_emotions_show_six(corpus: Corpus) -> None:
    program = Trace.published(CaseBank(to_cases(corpus.train)))
    shown = demonstrations(program, "affect", corpus.train, 12)
    assert {demo["emotion"] for demo in shown} == {"sadness", "happiness", "anger", "fear"}


@pytest.mark.parametrize(
    ("emotion", "intent", "stance"),
    [("proud", "wishing", "mirror"), ("sad", "sympathizing", "soften"), ("sad", "encouraging", "counter")],
)
def test_the_stance_goes_by_polarity(emotion: str, intent: str, stance: str) -> None:
    example = dspy.Example(dialogue=[{"role": "speaker", "text": "x"}], emotion=emotion, intent=intent)
    assert labelled(example)["stance"] == stance


def test_a_reader_learns_what_the_corpus_says(corpus: Corpus) -> None:
    reader = fit_reader(corpus.train, corpus.validation)
    beliefs = [reader.probabilities(said(example)) for example in corpus.test]
    read = [max(belief, key=belief.__getitem__) for belief in beliefs]
    assert read == [example["emotion"] for example in corpus.test]


def test_a_reader_passes_over_what_has_no_emotion(corpus: Corpus) -> None:
    bare = [dspy.Example(dialogue=[{"role": "speaker", "text": "The kettle."}]).with_inputs("dialogue")]
    assert fit_reader([*corpus.train, *bare], [*corpus.validation, *bare]) == fit_reader(
        corpus.train, corpus.validation
    )


def test_right_answers_are_trusted_more_than_noise(corpus: Corpus) -> None:
    reader = replace(fit_reader(corpus.train, corpus.validation), sharpness=0.0)
    right = fit_trust(reader, [example["emotion"] for example in corpus.test], corpus.test)
    noise = fit_trust(reader, ["terrified"] * len(corpus.test), corpus.test)
    assert right.trust > noise.trust
