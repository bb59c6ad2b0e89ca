"""Diversity as TRACE's evaluation has it, each rule pinned by a case worked out by hand."""

import pytest

from metrics.trace_published import published_dist, published_ead

V = 100_277


def expected(count: int) -> float:
    """V (1 - ((V - 1) / V)^C), written out."""
    return float(V * (1 - ((V - 1) / V) ** count))


@pytest.mark.parametrize(
    ("replies", "n", "percent"),
    [
        # Words between spaces, lower-cased: oh no the cat | oh no. the dog. Different: oh no the cat no. dog, of 8.
        (["Oh no the cat", "oh no. the dog"], 1, 100 * 6 / 8),
        # oh-no no-the the-cat | oh-no. no.-the the-dog: six different of six; none from cat to oh.
        (["Oh no the cat", "oh no. the dog"], 2, 100.0),
        # Bigrams a-b twice, b-a once.
        (["a b a b"], 2, 100 * 2 / 3),
        (["one", "two"], 2, 0.0),
        ([], 1, 0.0),
    ],
)
def test_dist(replies: list[str], n: int, percent: float) -> None:
    assert published_dist(replies, n) == pytest.approx(percent)


def test_ead_1_counts_tokens() -> None:
    """Of cl100k: `the`, ` cat`, ` the`, ` cat` are four tokens of three kinds."""
    assert published_ead(["the cat the cat"], 1) == pytest.approx(100 * 3 / expected(4))


def test_bigrams_of_ead_cross_from_one_reply_to_the_next() -> None:
    """`a`, `b`, `a` in a row are the bigrams a-b and b-a, though no reply has two tokens."""
    assert published_ead(["a", "b", "a"], 2) == pytest.approx(100 * 2 / expected(2))


def test_white_space_counts_as_one_space() -> None:
    assert published_ead(["  the cat\n\nsat  down "], 1) == published_ead(["the cat sat down"], 1)


def test_a_reply_of_white_space_is_left_out() -> None:
    assert published_ead(["the cat", " \n"], 2) == published_ead(["the cat"], 2)


def test_case_matters_to_ead_and_not_to_dist() -> None:
    replies = ["the", "The"]
    assert (published_dist(replies, 1), published_ead(replies, 1)) == (50.0, pytest.approx(100 * 2 / expected(2)))


def test_the_name_of_a_control_token_is_text() -> None:
    assert published_ead(["<|endoftext|>"], 1) > 0


@pytest.mark.parametrize(("replies", "n"), [([], 1), ([""], 1), (["a"], 2)])
def test_too_few_tokens_have_no_ead(replies: list[str], n: int) -> None:
    assert published_ead(replies, n) == 0
