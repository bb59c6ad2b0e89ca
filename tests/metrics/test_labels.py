"""Rated replies."""

from dataclasses import replace

import pytest

from metrics.labels import Labelled, LabelSet
from programs.dialogue import Dialogue, Turn
from programs.errors import CorpusError

ITEM = Labelled(
    "i1",
    "c1",
    Dialogue.of("My kettle broke."),
    "Of all days!",
    {"empathy": {"a": 2, "b": 5, "c": 1}, "fluency": {"a": 3, "b": 4}},
    (1, 5),
)
LABELS = LabelSet("mine.jsonl", (ITEM, replace(ITEM, id="i2", conversation="c2", ratings={"fluency": {"b": 1}})), True)


def test_a_judge_takes_dialogue_and_reply() -> None:
    assert ITEM.pair == ("speaker: My kettle broke.", "Of all days!")


def test_levels_move_to_the_judges_scale() -> None:
    assert ITEM.levels("empathy") == {"a": 1, "b": 4, "c": 0}


def test_a_wider_scale_moves_too() -> None:
    assert replace(ITEM, scale=(0, 100), ratings={"warmth": {"a": 25}}).levels("warmth") == {"a": 1}


def test_the_listener_side_is_all_turns_of_the_listener() -> None:
    turns = (Turn("speaker", "Hi."), Turn("listener", "Hello."), Turn("speaker", "Bad day."), Turn("listener", "Oh?"))
    assert replace(ITEM, transcript=turns, reply="Oh?").listener_side == "Hello.\nOh?"


def test_without_a_transcript_the_listener_side_is_the_reply() -> None:
    assert ITEM.listener_side == "Of all days!"


@pytest.mark.parametrize(("dimension", "medians"), [("empathy", [1, None]), ("fluency", [2.5, 0])])
def test_the_target_is_the_median_of_those_who_rated(dimension: str, medians: list[float | None]) -> None:
    assert LABELS.medians(dimension) == medians


def test_raters_may_be_missing() -> None:
    assert LABELS.ratings("empathy") == [{"a": 1, "b": 4, "c": 0}, {}]


def test_what_nobody_rated_is_refused() -> None:
    with pytest.raises(CorpusError, match=r"mine.jsonl: nothing is rated on 'warmth', only on empathy, fluency"):
        LABELS.ratings("warmth")


def test_the_identity_does_not_depend_on_the_order() -> None:
    assert replace(LABELS, items=LABELS.items[::-1]).identity == LABELS.identity


@pytest.mark.parametrize(
    "changed",
    [
        replace(ITEM, reply="Of all days."),
        replace(ITEM, ratings={"empathy": {"a": 2}}),
        replace(ITEM, scale=(0, 5)),
        replace(ITEM, conversation="c9"),
    ],
    ids=["text", "rating", "scale", "conversation"],
)
def test_the_identity_changes_with_any_part(changed: Labelled) -> None:
    assert replace(LABELS, items=(changed, LABELS.items[1])).identity != LABELS.identity


def test_a_crowd_is_refused_as_a_standard() -> None:
    with pytest.raises(CorpusError, match=r"a crowd, too noisy .* use these with system_order"):
        replace(LABELS, expert=False).require_experts()
