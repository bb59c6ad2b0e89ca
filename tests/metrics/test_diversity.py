"""Diversity of a set of replies, each pinned by a case worked out by hand."""

import pytest

from metrics.diversity import VOCABULARY, at_equal_count, distinct, duplicate_share, ead, median_length, self_bleu

REPLIES = ["oh no the cat", "oh no the dog"]


@pytest.mark.parametrize(
    ("n", "value"),
    # Words: oh no the cat dog of 8. Bigrams: oh-no, no-the, the-cat, the-dog of 6; none across the two replies.
    [(1, 5 / 8), (2, 4 / 6), (5, None)],
)
def test_distinct(n: int, value: float | None) -> None:
    assert distinct(REPLIES, n) == value


def test_ead_of_two_words_in_a_vocabulary_of_two() -> None:
    """a b a b: N 2, C 4, V 2: 2 (1 - (1/2)^4) = 1.875."""
    assert ead(["a b a b"], 1, vocabulary=2) == pytest.approx(2 / 1.875)


def test_ead_nears_distinct_for_a_large_vocabulary() -> None:
    assert ead(REPLIES, 1, vocabulary=10**9) == pytest.approx(5 / 8, rel=1e-6)


def test_the_vocabulary_is_that_of_trace() -> None:
    assert ead(REPLIES, 1) == ead(REPLIES, 1, vocabulary=VOCABULARY)


@pytest.mark.parametrize("replies", [[], [""], ["one"]])
def test_too_few_words_have_no_diversity(replies: list[str]) -> None:
    assert (distinct(replies, 2), ead(replies, 2)) == (None, None)


def test_a_vocabulary_of_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        ead(REPLIES, 1, vocabulary=1)


@pytest.mark.parametrize(
    ("replies", "share"), [(["a b", "A b!", "a c"], 1 / 3), (["a b", "a c"], 0.0), (["a"] * 4, 0.75), ([], None)]
)
def test_duplicates(replies: list[str], share: float | None) -> None:
    assert duplicate_share(replies) == (share if share is None else pytest.approx(share))


@pytest.mark.parametrize(("replies", "value"), [(["a b c", "a"], 2.0), ([], None)])
def test_median_length(replies: list[str], value: float | None) -> None:
    assert median_length(replies) == value


def test_copies_have_full_self_bleu() -> None:
    assert self_bleu(["oh no the cat sat down"] * 3) == pytest.approx(100)


def test_replies_without_a_common_word_have_hardly_any() -> None:
    assert (self_bleu(["oh no the cat", "what came after lunch", "seven blue kites flew"]) or 0) < 15


def test_one_reply_has_no_others() -> None:
    assert self_bleu(["oh no the cat"]) is None


def test_sets_are_compared_at_the_size_of_the_smallest() -> None:
    found = at_equal_count({"few": REPLIES, "many": REPLIES * 10})
    assert {one.replies for one in found.values()} == {2}


def test_draws_are_the_same_for_the_same_seed() -> None:
    sets = {"few": REPLIES, "many": [f"{word} is here" for word in "abcdefgh"]}
    assert at_equal_count(sets, seed=3) == at_equal_count(sets, seed=3)


def test_the_smallest_set_is_taken_whole() -> None:
    found = at_equal_count({"few": REPLIES, "many": REPLIES * 10})["few"]
    assert (found.figures["dist_1"], found.spread["dist_1"]) == (5 / 8, 0)


def test_an_empty_set_is_refused() -> None:
    with pytest.raises(ValueError, match="empty set"):
        at_equal_count({"none": [], "some": REPLIES})
