"""Overlap with gold replies, each pinned by a case worked out by hand."""

import math

import pytest
from sacrebleu.metrics import BLEU

from metrics.overlap import bleu_counts, bleu_of, chrf, overlap, rouge_scores

REPLIES = ["the dog sat on the mat", "what a long day that was for you"]
GOLDS = ["the dog sat on a mat", "what a day that was"]


def test_bleu_1_of_one_pair() -> None:
    """Five of six words match (the second 'the' does not); as long as the gold: 5/6."""
    assert bleu_of(bleu_counts(REPLIES[:1], GOLDS[:1]), 1) == pytest.approx(100 * 5 / 6)


def test_bleu_2_of_one_pair() -> None:
    """Bigrams: the dog, dog sat, sat on of five: sqrt(5/6 * 3/5)."""
    assert bleu_of(bleu_counts(REPLIES[:1], GOLDS[:1]), 2) == pytest.approx(100 * math.sqrt(5 / 6 * 3 / 5))


def test_a_short_reply_pays_the_brevity_penalty() -> None:
    """All 2 words match, gold has 4: exp(1 - 4/2)."""
    assert bleu_of(bleu_counts(["the dog"], ["the dog sat down"]), 1) == pytest.approx(100 * math.exp(-1))


def test_case_is_ignored() -> None:
    assert bleu_of(bleu_counts(["THE DOG SAT"], ["the dog sat"]), 1) == pytest.approx(100)


def test_counts_of_a_set_add_up_to_the_corpus_score() -> None:
    whole = BLEU(tokenize="13a", lowercase=True).corpus_score(REPLIES, [GOLDS]).score
    assert bleu_of(bleu_counts(REPLIES, GOLDS), 4) == pytest.approx(whole)


def test_a_part_of_the_rows_is_scored_alone() -> None:
    counts = bleu_counts(REPLIES, GOLDS)
    assert bleu_of(counts, 1, [0]) == bleu_of(bleu_counts(REPLIES[:1], GOLDS[:1]), 1)


def test_rouge_1_of_one_pair() -> None:
    """Five words shared of six and six: F1 5/6; longest common subsequence the dog sat on mat: 5/6."""
    one, _, longest = rouge_scores(REPLIES[:1], GOLDS[:1])[0]
    assert (one, longest) == (pytest.approx(100 * 5 / 6), pytest.approx(100 * 5 / 6))


def test_equal_texts_have_full_chrf() -> None:
    assert chrf(GOLDS, GOLDS) == pytest.approx(100)


def test_every_figure_says_what_it_was_computed_with() -> None:
    found = overlap(REPLIES, GOLDS, "ab")
    assert (list(found), "tok:13a" in found["bleu_4"].note) == (
        ["bleu_1", "bleu_2", "bleu_4", "chrf", "rouge_1", "rouge_2", "rouge_l"],
        True,
    )


def test_no_replies_have_no_figures() -> None:
    assert overlap([], [], []) == {}


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same items"):
        overlap(REPLIES, GOLDS[:1], "ab")
