"""Training the linear tagger: nothing that is held out has a part in the weights."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.linear_tagger import LinearTagger
from metrics.tagger_data import Meant, Talk, cue_phrases, hand_labels, rated, talks
from metrics.tagger_training import MOST, emotion_texts, some_of_each, train_tagger, unseen
from metrics.tagger_worth import FOLDS, grouped_folds, share
from metrics.text import words
from programs.errors import CorpusError
from programs.vocabulary import MECHANISMS
from tests.metrics.tagged import files, meanings, written

REAL = Path(__file__).parents[3] / "shared" / "data"
CUES, HAND, TEST = "empathetic_intents/lexical", "empathetic_intents/manual", "empathetic_dialogues/test"
here = pytest.mark.skipif(not (REAL / "epitome").is_dir(), reason="the research data is not in ../shared/data")


def trained(folder: Path, changed: dict[str, Any] | None = None, **arguments: Any) -> LinearTagger:
    return train_tagger(written(folder, changed), **arguments)


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> LinearTagger:
    """A tagger trained on the made-up data."""
    return trained(tmp_path_factory.mktemp("data"))


def meant(text: str, split: str | None = None, intent: str = "questioning") -> Meant:
    return Meant(text, intent, split)


LEAKS = {
    "text of the test split": ([meant("Where?", "test")], []),
    "text of a hand label": ([meant("What's  up")], []),
    "text of another split": ([meant("Where?", "valid")], ["Where?"]),
    "part of an utterance": ([meant("Where?")], ["Where?"]),
    "text that recurs": ([meant("Where?"), meant("where")], ["where"]),
}


@pytest.mark.parametrize(("rows", "kept"), LEAKS.values(), ids=LEAKS)
def test_leaks_are_left_out(rows: list[Meant], kept: list[str]) -> None:
    assert [one.text for one in unseen(rows, [meant("what\u2019s up?")])] == kept


def test_a_text_of_the_test_split_is_no_training_text() -> None:
    train = [Talk("sad", "My dog died.", "Hello there"), Talk("proud", "I won.", "my DOG died!")]
    assert emotion_texts(train, [Talk("sad", "My dog died", "He was old.")])[0] == ["Hello there", "I won."]


def test_no_intent_outweighs_the_others() -> None:
    rows = [meant(str(number)) for number in range(MOST + 9)] + [meant("Congratulations!", intent="wishing")]
    assert Counter(one.intent for one in some_of_each(rows, 0)) == {"questioning": MOST, "wishing": 1}


def test_the_draw_depends_on_nothing_but_the_seed() -> None:
    rows = [meant(str(number)) for number in range(2 * MOST)]
    assert some_of_each(rows, 1) == some_of_each(rows, 1) != some_of_each(rows, 2)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=8, max_size=40), st.integers(0, 9))
def test_folds_share_no_post(posts: list[str], seed: int) -> None:
    groups = [*"vwxyz", *posts]
    for train, test in grouped_folds(groups, seed):
        assert {groups[place] for place in train} & {groups[place] for place in test} == set()


def test_every_place_is_tested_once() -> None:
    groups = [str(number // 2) for number in range(20)]
    tested = [place for _, test in grouped_folds(groups) for place in test]
    assert (sorted(tested), len(list(grouped_folds(groups)))) == (list(range(20)), FOLDS)


def test_four_posts_are_too_few_for_the_folds() -> None:
    with pytest.raises(CorpusError, match="5 posts or more, not to 4"):
        list(grouped_folds("aabbccdd"))


def test_a_share_has_wilsons_interval() -> None:
    """58 of 100: (.58 + 1.9207/100 ± 1.96 sqrt(.58 * .42/100 + .9604/10000)) / 1.038415 = .577 ± .0949."""
    found = share([True] * 58 + [False] * 42, "")
    assert (found.low, found.high) == (pytest.approx(0.4821, abs=5e-4), pytest.approx(0.6720, abs=5e-4))


def test_a_share_of_nothing_is_undefined() -> None:
    assert share([], "hand labels").note == "hand labels: no item"


def test_every_part_is_measured(tagger: LinearTagger) -> None:
    names = [f"{name}, {what}" for name in MECHANISMS for what in ("accuracy", "macro-F1", "presence F1")]
    both = ["emotion, accuracy", "emotion, top 5", "intent, accuracy", "intent, macro-F1"]
    assert list(tagger.identity()["held_out"]) == [*both, *names]


def test_the_data_is_named_with_its_licence(tagger: LinearTagger) -> None:
    assert {one["licence"] for one in tagger.details["data"] if "dialogues" in one["name"]} == {"CC BY-NC 4.0"}


def test_all_that_is_told_of_it_is_plain_json(tagger: LinearTagger) -> None:
    assert json.loads(json.dumps([tagger.identity(), tagger.details])) == [tagger.identity(), tagger.details]


def test_equal_data_and_seed_give_an_equal_tagger(tagger: LinearTagger, tmp_path: Path) -> None:
    assert trained(tmp_path).identity() == tagger.identity()


HELD_OUT = {
    "emotions of the test split": {TEST: [{**row, "emotion": "proud"} for row in files()[TEST]]},
    "hand labels": {HAND: meanings("shovel", split=None)},
    "cue phrases of the test split": {CUES: [*files()[CUES], *meanings("shovel", split="test")]},
}


@pytest.mark.parametrize("changed", HELD_OUT.values(), ids=HELD_OUT)
def test_what_is_held_out_has_no_part_in_the_weights(
    changed: dict[str, Any], tagger: LinearTagger, tmp_path: Path
) -> None:
    assert trained(tmp_path, changed).identity()["hash"] == tagger.identity()["hash"]


def test_what_is_trained_on_has_a_part_in_the_weights(tagger: LinearTagger, tmp_path: Path) -> None:
    more = {CUES: [*files()[CUES], *meanings("shovel", split="train")]}
    assert trained(tmp_path, more).identity()["hash"] != tagger.identity()["hash"]


def test_every_step_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    trained(tmp_path, on_step=told.append)
    assert [line.split(":")[0] for line in told] == ["reading the data", "emotion", "intent", *MECHANISMS]


def test_data_without_three_intents_is_too_little(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="three labels or more"):
        trained(tmp_path, {CUES: [{"text": "Where?", "intent": "questioning", "ed_split": None}]})


@here
def test_no_real_training_text_is_in_the_test_split() -> None:
    test = talks(REAL, "test")
    held_out = {tuple(words(text)) for talk in test for text in (talk.situation, talk.said)}
    texts, _ = emotion_texts([*talks(REAL, "train"), *talks(REAL, "valid")], test)
    assert (len(texts) > 44_000, {tuple(words(text)) for text in texts} & held_out) == (True, set())


@here
def test_no_real_cue_phrase_is_of_the_test_split_or_a_hand_label() -> None:
    hand = hand_labels(REAL)
    kept = unseen(cue_phrases(REAL), hand)
    held_out = {tuple(words(one.text)) for one in hand}
    leaks = [one for one in kept if one.split == "test" or tuple(words(one.text)) in held_out]
    assert (len(kept) > 25_000, leaks) == (True, [])


@here
def test_no_real_post_is_on_both_sides_of_a_fold() -> None:
    posts = [one.post for one in rated(REAL)]
    shared = [{posts[i] for i in train} & {posts[i] for i in test} for train, test in grouped_folds(posts)]
    assert (len(posts) > 3_000, shared) == (True, [set()] * FOLDS)
