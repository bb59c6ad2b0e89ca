"""Trigger spans stand in the speaker's words, or not at all."""

import time

import pytest

from programs.dialogue import Dialogue
from programs.spans import verbatim

TALK = Dialogue.of(
    [
        ("speaker", "My boss yelled at me in front of everyone."),
        ("listener", "That sounds humiliating to hear."),
        ("speaker", "And then the whole team went out for lunch without me, can you believe it?"),
    ]
)

CASES: dict[str, tuple[list[str], tuple[str, ...], int]] = {
    "verbatim spans are kept": (["yelled at me"], ("yelled at me",), 0),
    "from any speaker turn": (["without me", "My boss"], ("without me", "My boss"), 0),
    "white space is folded": (["yelled  at\nme"], ("yelled at me",), 0),
    "repeats are dropped": (["yelled at me", "yelled at me"], ("yelled at me",), 0),
    "another case is mended": (["YELLED AT ME"], ("yelled at me",), 1),
    "a slip is mended": (["boss yeled at me"], ("boss yelled at me",), 1),
    "a changed word is mended": (["went out for a lunch without me"], ("went out for lunch without me,",), 1),
    "two that mend to one are one": (["Yelled at me", "yelled At me"], ("yelled at me",), 2),
    "an invention is dropped": (["my landlord sold the house"], (), 1),
    "the listener's words are dropped": (["sounds humiliating to hear"], (), 1),
    "a blank span is dropped": (["  "], (), 1),
    "a span across two turns is dropped": (["everyone. And then"], (), 1),
    "a span longer than all that was said is dropped": (["zyx " * 400], (), 1),
    "nothing in, nothing out": ([], (), 0),
}


@pytest.mark.parametrize(("spans", "kept", "repairs"), CASES.values(), ids=CASES)
def test_spans(spans: list[str], kept: tuple[str, ...], repairs: int) -> None:
    assert verbatim(spans, TALK) == (kept, repairs)


@pytest.mark.parametrize(("spans", "kept", "repairs"), CASES.values(), ids=CASES)
def test_every_span_stands_in_a_speaker_turn(spans: list[str], kept: tuple[str, ...], repairs: int) -> None:
    turns = [turn.text for turn in TALK.turns if turn.role == "speaker"]
    assert all(any(span in turn for turn in turns) for span in verbatim(spans, TALK)[0])


def test_a_text_without_spaces_between_words_has_verbatim_spans() -> None:
    assert verbatim(["狗死了"], Dialogue.of("我的狗死了。")) == (("狗死了",), 0)


LONG = {
    "short misquotation": "I losst my keys yesterdy",
    "long misquotation": "a very long quotatoin that was never said like this " * 7,
    "beyond any span": "never said like this " * 500,
}


@pytest.mark.parametrize("span", LONG.values(), ids=LONG)
def test_fifty_thousand_characters_are_searched_in_time(span: str) -> None:
    said = "I lost my keys yesterday and this very long day was never said to end like it"
    words = said.split()
    talk = Dialogue.of(" ".join(words[(i * 7 + i // 13) % len(words)] for i in range(11_500)))
    started = time.process_time()
    verbatim([span], talk)
    assert time.process_time() - started < 1.0
