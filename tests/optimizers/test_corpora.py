"""What a corpus guarantees, whatever it was read from."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import dspy
import pytest

from optimizers.corpora import Corpus, check_disjoint, limit, load_corpus, to_cases
from optimizers.overlap import Item
from programs.cases import Case
from programs.errors import CorpusError


def example(name: str, text: str = "", **labels: Any) -> dspy.Example:
    said = text or f"the {name} kettle boiled over"
    fields = {"id": name, "conversation": name, "dialogue": [{"role": "speaker", "text": said}], **labels}
    return dspy.Example(**fields).with_inputs("dialogue")


def corpus(**splits: list[dspy.Example]) -> Corpus:
    usual = {"train": [example("a")], "validation": [example("b")], "test": [example("c")]}
    return Corpus("mine", **(usual | splits), licence="CC0-1.0", redistributable=True)


def many(prefix: str, emotion: str, size: int) -> list[dspy.Example]:
    return [example(f"{prefix}{emotion}{k}", emotion=emotion) for k in range(size)]


@pytest.mark.parametrize("spec", ["", "foo", "foo:bar", "ed:", "jsonl:", "csv:", "starter:x"])
def test_a_corpus_that_does_not_exist_is_refused_with_what_there_is(spec: str) -> None:
    with pytest.raises(CorpusError, match="use starter, ed:"):
        load_corpus(spec)


def test_fields_are_mapped_only_for_files_of_the_users_own() -> None:
    with pytest.raises(CorpusError, match="fields are known"):
        load_corpus("starter", fields={"emotion": "label"})


def test_equal_content_has_an_equal_digest() -> None:
    assert corpus().digest == corpus().digest


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_the_digest_changes_with_one_character_in_any_split(split: str) -> None:
    assert corpus(**{split: [example("z", "one word")]}).digest != corpus(**{split: [example("z", "one wort")]}).digest


def test_the_digest_of_a_split_stays_when_another_split_changes() -> None:
    assert corpus().digests["test"] == corpus(train=[example("z")]).digests["test"]


def test_the_same_conversation_in_two_splits_is_refused() -> None:
    twin = example("z", "other words", conversation="a")
    with pytest.raises(CorpusError, match="conversation 'a' is in train and in test"):
        corpus(test=[twin])


def test_the_same_words_in_two_splits_are_refused_whatever_case_and_punctuation() -> None:
    with pytest.raises(CorpusError, match="'a' in train and 'z' in test are the same dialogue"):
        corpus(test=[example("z", "The A kettle... boiled over!")])


def test_an_id_that_occurs_twice_is_refused() -> None:
    with pytest.raises(CorpusError, match="id 'a' occurs twice"):
        corpus(train=[example("a"), example("a", "other words")])


DEMO_WITHOUT_ID = {"dialogue": "The C kettle boiled over!", "emotion": "angry"}
RENDERED_DEMO = {"dialogue": "speaker: the c kettle boiled over", "emotion": "angry"}
LEAKS = {
    "id of a test item": "c",
    "id of a validation item": "b",
    "test item itself": example("c"),
    "copy under another id": example("z", "the C kettle boiled over."),
    "demo that holds only words": DEMO_WITHOUT_ID,
    "demo as a prompt shows it": RENDERED_DEMO,
    "case with its words": Case(id="z", text="the c kettle boiled over", reply="Did it?"),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_held_out_item_among_the_demos_is_refused(leak: Item) -> None:
    with pytest.raises(CorpusError, match=r"demo .* is also in the (test|validation) split"):
        check_disjoint(corpus(), demos=["a", leak])


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_held_out_item_among_the_cases_is_refused(leak: Item) -> None:
    with pytest.raises(CorpusError, match=r"case .* is also in the (test|validation) split"):
        check_disjoint(corpus(), cases=[leak])


def test_an_item_of_a_held_out_conversation_is_refused() -> None:
    held = example("c1", conversation="long talk")
    with pytest.raises(CorpusError, match="'long talk'"):
        check_disjoint(corpus(test=[held]), demos=["long talk"])


def test_training_items_may_be_demos_and_cases() -> None:
    check_disjoint(corpus(), demos=["a", example("a")], cases=to_cases([example("a", reply="Oh no.")]))


def test_validation_may_be_allowed() -> None:
    check_disjoint(corpus(), demos=["b"], held_out=("test",))


TEST = many("t", "angry", 20) + many("t", "proud", 60)


def test_a_limited_split_keeps_each_emotions_share() -> None:
    small = limit(corpus(test=TEST), test=8)
    assert [one.emotion for one in small.test].count("angry") == 2


def test_a_limited_split_does_not_depend_on_the_order_of_the_file() -> None:
    taken = limit(corpus(test=TEST), test=8).test
    assert {one.id for one in limit(corpus(test=TEST[::-1]), test=8).test} == {one.id for one in taken}


def test_a_smaller_sample_is_part_of_a_larger_one() -> None:
    small, large = (limit(corpus(test=TEST), test=size).test for size in (9, 30))
    assert {one.id for one in small} <= {one.id for one in large}


def test_another_seed_takes_other_items() -> None:
    first, second = (limit(corpus(test=TEST), test=8, seed=seed).test for seed in (0, 1))
    assert {one.id for one in first} != {one.id for one in second}


def test_a_limit_beyond_the_split_keeps_it_whole() -> None:
    assert limit(corpus(test=TEST), test=1000).test == TEST


def test_splits_without_a_limit_stay() -> None:
    assert limit(corpus(), test=1).train == corpus().train


def test_a_limited_corpus_has_a_digest_of_its_own() -> None:
    whole = corpus(test=TEST)
    assert limit(whole, test=8).digest != whole.digest


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        limit(corpus(), test=-1)


def test_a_case_holds_the_speakers_words_and_the_labels() -> None:
    turns = [("speaker", "He left."), ("listener", "Who?"), ("speaker", "My dog.")]
    labels: dict[str, Any] = {
        "emotion": "sad",
        "triggers": ["He left"],
        "reply": "Where did he go?",
        "mechanism": "exploration",
    }
    one = replace_dialogue(example("a", **labels), turns)
    expected = Case("a", "He left.\nMy dog.", "Where did he go?", "", "sad", ("He left",), "", "exploration")
    assert to_cases([one]) == [expected]


def replace_dialogue(one: dspy.Example, turns: list[tuple[str, str]]) -> dspy.Example:
    return one.copy(dialogue=[{"role": role, "text": text} for role, text in turns])


def test_an_example_without_a_reply_is_no_case() -> None:
    assert to_cases([example("a", emotion="sad")]) == []


def test_a_corpus_can_be_replaced_in_part_and_is_checked_again() -> None:
    with pytest.raises(CorpusError, match="conversation 'c'"):
        replace(corpus(), train=[example("c")])


def test_the_dialogue_is_the_only_input(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    rows = [{"dialogue": f"it rains on {day}", "emotion": "sad", "split": day} for day in ("train", "dev", "test")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert set(load_corpus(f"jsonl:{path}").train[0].inputs().keys()) == {"dialogue"}
