"""What a stage gets wrong on training items, and what a reflector makes of it."""

import pytest

from metrics import Guard, Objective
from optimizers.corpora import Corpus, load_corpus
from optimizers.demos import demonstrations
from optimizers.proposals import proposed
from optimizers.trial import Trial
from optimizers.variants import Sizes, variants
from programs import Trace
from programs.signatures import IdentifyAffect
from tests.optimizers.invented import corpus_file
from tests.scripted import ScriptedEngine, prompt_of, scripted_lm


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The invented corpus."""
    return load_corpus(corpus_file(tmp_path_factory.mktemp("corpus")))


def trial(corpus: Corpus, stage: str, engine: ScriptedEngine) -> Trial:
    """A stage on all training items."""
    program = Trace()
    program.set_lm(scripted_lm(engine))
    return Trial(program, stage, corpus.train, Objective.joint(Guard.fit(corpus.train)))


def test_earlier_stages_are_stood_in_for_by_labels(corpus: Corpus) -> None:
    engine = ScriptedEngine()
    assert (len(trial(corpus, "causes", engine).scores), engine.calls) == (len(corpus.train), len(corpus.train))


def test_the_labels_reach_the_stage(corpus: Corpus) -> None:
    engine = ScriptedEngine()
    assert trial(corpus, "causes", engine).scores
    assert {line for one in engine.requests for line in prompt_of(one).splitlines() if line.startswith("emotion")} == {
        "emotion: sad",
        "emotion: proud",
        "emotion: annoyed",
        "emotion: anxious",
    }


def test_mistakes_are_grouped_by_what_was_taken_for_what(corpus: Corpus) -> None:
    found = trial(corpus, "affect", ScriptedEngine(answers={"emotion": "sad"})).mistakes()
    assert [line for line in found.splitlines() if "times" in line] == [
        f"3 times: emotion: said 'sad', expected '{label}'." for label in ("proud", "annoyed", "anxious")
    ]


def test_a_stage_without_mistakes_has_none_to_tell(corpus: Corpus) -> None:
    right = {"canary": "sad", "welded": "proud", "tram": "annoyed", "scan": "anxious"}
    engine = ScriptedEngine(answers={"emotion": lambda one: next(v for k, v in right.items() if k in prompt_of(one))})
    assert trial(corpus, "affect", engine).mistakes() == ""


def test_among_equals_the_hardest_items_are_shown(corpus: Corpus) -> None:
    hard = {example.id: 1.0 for example in corpus.train if "Quito" in str(example.dialogue)}
    shown = demonstrations(Trace(), "causes", corpus.train, 4, hard)
    assert [demo for demo in shown if "Quito" not in demo["dialogue"]] == []


def test_a_reflector_is_told_the_mistakes() -> None:
    engine = ScriptedEngine(answers={"improved": "Name the feeling."})
    assert proposed(scripted_lm(engine), IdentifyAffect, "3 times: said sad, expected proud.") == "Name the feeling."
    assert "3 times: said sad, expected proud." in prompt_of(engine.requests[0])


def test_an_instruction_that_was_tried_is_no_proposal() -> None:
    engine = ScriptedEngine(answers={"improved": "Name the feeling."})
    assert proposed(scripted_lm(engine), IdentifyAffect, "mistakes", ["Name the feeling."]) is None


def names(corpus: Corpus, engine: ScriptedEngine, **sizes: int) -> list[str]:
    """The candidates of the causes stage."""
    tried = trial(corpus, "causes", engine)
    size = Sizes(reflector=scripted_lm(engine), **sizes)
    return [variant.name for variant in variants(tried.program, tried, corpus.train, size)]


def test_hard_demos_and_proposals_come_last(corpus: Corpus) -> None:
    engine = ScriptedEngine(answers={"improved": "Find the reason.", "category": "novelty"})
    found = names(corpus, engine, demos=2, trial=12, proposals=1)
    assert found == ["2 demos", "meanings and 2 demos", "2 hard demos", "proposed instruction 1"]


def test_a_proposal_that_cannot_be_read_is_passed_over(corpus: Corpus) -> None:
    engine = ScriptedEngine(raw=lambda one: "no JSON" if "better instruction" in str(one.system) else None)
    assert names(corpus, engine, demos=2, trial=12, proposals=2)[-1] == "2 hard demos"
