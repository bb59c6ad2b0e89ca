"""Soft marks against a reply: what a listener does not say, and texts that are no sentences."""

import pytest

from metrics.tact import MARKED, concise, in_order, tact, whole


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        ("My own mother kept a canary, so this is close to home.", "own"),
        ("When I was nineteen the same tram left without me.", "own"),
        ("As a language model, trams are only words to me.", "machine"),
        ("That is a textbook anxiety disorder.", "diagnoses"),
        ("Two tablets at noon and the tram will not matter.", "diagnoses"),
        ("Well, that was your own fault.", "blames"),
        ("You should have left the house earlier.", "blames"),
        ("It's not a big deal, trams come and go.", "light"),
        ("There are people without any tram at all.", "light"),
        ("On the bright side, you had a walk.", "bright side"),
        ("I'm the only one who sees what trams do to you.", "binds"),
        ("I promise the next tram will wait.", "promises"),
        ("Go ahead and kick the timetable down.", "approves"),
        ("The speaker is annoyed, so a short answer is best.", "aloud"),
        ("Somebody call the papers, a tram was late.", "mocks"),
        ("A tomb on rails, a hearse of steel, and doom at every stop!", "blacker"),
    ],
)
def test_what_a_listener_does_not_say_is_marked(reply: str, advice: str) -> None:
    value, wrong = tact(reply)
    assert (value, advice in wrong) == (MARKED, True)


@pytest.mark.parametrize(
    "reply",
    [
        "Twenty minutes in the rain, and then it drove straight past you.",
        "None of that was your fault.",
        "That was your own doing, and what a length it was!",
        "What did the driver say when you knocked?",
        "I remember you said the stop has no roof.",
        "You should have been told that the line was closed.",
    ],
)
def test_an_honest_reply_is_not(reply: str) -> None:
    assert tact(reply) == (1.0, "")


def test_the_speakers_own_words_may_be_taken_up() -> None:
    assert tact("And then those tablets, on top of the tram.", "They gave me tablets and the tram was late.") == (
        1.0,
        "",
    )


def test_a_typographic_apostrophe_is_an_apostrophe() -> None:
    assert tact("It\u2019s not a big deal.")[0] == MARKED


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("The tram drove past you.", 1.0),
        ("The tram drove past you?!", 1.0),
        ("The tram drove past you \u2764", 1.0),
        ("\u201cIt drove past.\u201d", 1.0),
        ("The tram drove past you", 0.7),
        ("The tram drove past the", 0.1),
    ],
)
def test_a_reply_has_an_end(reply: str, value: float) -> None:
    assert whole(reply) == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Of course the tram of all things had to be late.", 1.0),
        ("To be late, and of course in the rain.", 1.0),
        ("tram the of late was rain in", 0.2),
        ("past rain It drove the", 0.2),
    ],
)
def test_words_stand_in_an_english_order(reply: str, value: float) -> None:
    assert in_order(reply) == value


@pytest.mark.parametrize(("count", "value"), [(1, 1.0), (4, 1.0), (5, 0.5), (7, 0.125)])
def test_each_sentence_beyond_four_halves_it(count: int, value: float) -> None:
    assert concise(" ".join(["It rained."] * count)) == value
