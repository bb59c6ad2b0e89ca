"""Words, n-grams, sentences and NIDF."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.text import Nidf, ngrams, sentences, token_f1, token_recall, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm sad.", ["i", "am", "sad"]),
        ("I\u2019m sad", ["i", "am", "sad"]),
        ("They're here, we've won", ["they", "are", "here", "we", "have", "won"]),
        ("can't, cannot, won't, didn't", ["can", "not", "can", "not", "will", "not", "did", "not"]),
        ("the dog's bowl", ["the", "dog", "'s", "bowl"]),
        ("1,200 miles at 5:30", ["1,200", "miles", "at", "5:30"]),
        ("na\u00efve caf\u00e9", ["na\u00efve", "caf\u00e9"]),
        ("snake_case", ["snake", "case"]),
        ("?! \U0001f622", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_words_do_not_depend_on_white_space_around(text: str) -> None:
    assert words(f"\n\n  {text}\n") == words(text)


def test_ngrams_in_order() -> None:
    assert ngrams(["a", "b", "a", "b"], 2) == [("a", "b"), ("b", "a"), ("a", "b")]


def test_fewer_tokens_than_n_give_no_ngram() -> None:
    assert ngrams(["a", "b"], 3) == []


def test_sentences_ignore_line_breaks_and_bare_marks() -> None:
    assert sentences("Oh no!\n\nYour\ndog died? ...") == ["Oh no!", "Your dog died?"]


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        (["the dog died"], ["the dog died"], 1.0),
        (["dog died"], ["my dog died"], 0.8),
        (["died"], ["dog", "bowl"], 0.0),
        (["the the"], ["the"], 2 / 3),
        (["dog", "bowl"], ["bowl dog"], 1.0),
        ([], ["dog"], 0.0),
        ([], [], 1.0),
    ],
)
def test_token_f1(predicted: list[str], gold: list[str], expected: float) -> None:
    assert token_f1(predicted, gold) == pytest.approx(expected)


@given(st.lists(st.text("ab ")), st.lists(st.text("ab ")))
def test_token_f1_is_symmetric_and_in_range(one: list[str], two: list[str]) -> None:
    assert 0 <= token_f1(one, two) == token_f1(two, one) <= 1


NIDF = Nidf.fit(["the dog", "the cat", "the bird sang", "the dog the dog"])


@pytest.mark.parametrize(
    ("word", "expected"),
    [("the", 0.0), ("dog", math.log(4 / 2) / math.log(4 / 1)), ("cat", 1.0), ("bird", 1.0), ("whale", None)],
)
def test_nidf_by_hand(word: str, expected: float | None) -> None:
    """Four replies: `the` in all of them (c_max), `dog` in two, `cat` in one (c_min)."""
    assert NIDF.of(word) == pytest.approx(expected)


def test_specificity_is_the_mean_over_distinct_known_words() -> None:
    assert NIDF.specificity("The dog, the DOG, the whale") == pytest.approx((0 + 0.5) / 2)


def test_specificity_of_unknown_words_is_none() -> None:
    assert NIDF.specificity("whales") is None


def test_equally_common_words_are_all_specific() -> None:
    assert Nidf.fit(["one two"]).of("one") == 1.0


@pytest.mark.parametrize(
    ("predicted", "gold", "recall"),
    [
        (["the bowl"], ["the bowl"], 1.0),
        (["the bowl in the kitchen"], ["the bowl"], 1.0),
        (["the"], ["the bowl"], 0.5),
        ([], ["the bowl"], 0.0),
        (["the bowl"], [], None),
    ],
)
def test_recall_of_words(predicted: list[str], gold: list[str], recall: float | None) -> None:
    assert token_recall(predicted, gold) == recall
