"""The closed sets hold together."""

import pytest

from programs.reading import Reading
from programs.vocabulary import (
    BASIC,
    BASIC_EMOTIONS,
    CATEGORIES,
    EMOTIONS,
    GLOSS,
    INTENTS,
    MECHANISMS,
    STANCES,
    SUPPORTS,
    canonical,
)

SIZES = {
    "emotions": (EMOTIONS, 32),
    "basic emotions": (BASIC_EMOTIONS, 6),
    "categories": (CATEGORIES, 6),
    "mechanisms": (MECHANISMS, 3),
    "supports": (SUPPORTS, 4),
    "intents": (INTENTS, 9),
    "stances": (STANCES, 3),
}


@pytest.mark.parametrize(("labels", "size"), SIZES.values(), ids=SIZES)
def test_a_set_has_its_size_without_repeats(labels: tuple[str, ...], size: int) -> None:
    assert len(set(labels)) == len(labels) == size


@pytest.mark.parametrize("labels", [labels for labels, _ in SIZES.values()], ids=SIZES)
def test_labels_are_told_apart_whatever_their_case(labels: tuple[str, ...]) -> None:
    assert [canonical(label.upper(), labels) for label in labels] == list(labels)


def test_every_emotion_has_a_six_way_view() -> None:
    assert set(BASIC) == set(EMOTIONS)


def test_every_basic_emotion_is_the_view_of_some() -> None:
    assert set(BASIC.values()) == set(BASIC_EMOTIONS)


def test_everything_but_the_six_way_view_has_a_gloss() -> None:
    assert set(GLOSS) == {*EMOTIONS, *CATEGORIES, *MECHANISMS, *SUPPORTS, *INTENTS, *STANCES}


SPELLINGS = {
    "as it is": ("sad", "sad"),
    "another case": ("SaD", "sad"),
    "spaces": ("  sad \n", "sad"),
    "quotes": ('"sad"', "sad"),
    "a full stop": ("Sad.", "sad"),
    "no member": ("gloomy", None),
    "two members": ("sad angry", None),
    "part of a member": ("sa", None),
    "a member within": ("sad indeed", None),
    "nothing": ("", None),
}


@pytest.mark.parametrize(("spelt", "meant"), SPELLINGS.values(), ids=SPELLINGS)
def test_spelling_of_an_emotion(spelt: str, meant: str | None) -> None:
    assert canonical(spelt, EMOTIONS) == meant


@pytest.mark.parametrize("spelt", ["Emotional_Reaction", "emotional  reaction", "EMOTIONAL REACTION"])
def test_spelling_of_a_label_of_two_words(spelt: str) -> None:
    assert canonical(spelt, MECHANISMS) == "emotional reaction"


@pytest.mark.parametrize(("emotion", "basic"), [("furious", "anger"), ("sadness", "sadness"), (None, None)])
def test_a_reading_knows_its_six_way_view(emotion: str | None, basic: str | None) -> None:
    assert Reading(reply="x", emotion=emotion).basic_emotion == basic
