"""Tags, and the figures made of them."""

from typing import Any

import pytest

from metrics.score import Score
from metrics.tagger import (
    TaggerError,
    Tags,
    diff_epitome,
    emotion_accuracy,
    epitome_levels,
    intent_agreement,
    means,
    presence,
    same_backend,
)
from programs.vocabulary import MECHANISMS

LINEAR = {"backend": "linear", "hash": "a"}
UNREAD = Tags(reason="the reply has no word")


def tags(*levels: int, emotion: str = "sad", intent: str = "consoling") -> Tags:
    """Tags with these levels, in the order of the mechanisms."""
    return Tags(emotion, dict(zip(MECHANISMS, levels or (0, 0, 0), strict=True)), intent)


FAULTS: dict[str, dict[str, Any]] = {
    "unknown emotion": {"emotion": "cheery"},
    "no emotion": {"emotion": None},
    "unknown intent": {"intent": "advising"},
    "no intent": {"intent": None},
    "level beyond 2": {"levels": dict.fromkeys(MECHANISMS, 3)},
    "level below 0": {"levels": dict.fromkeys(MECHANISMS, -1)},
    "missing mechanism": {"levels": {"exploration": 1}},
    "tags beside a reason": {"reason": "the reply has no word"},
}


@pytest.mark.parametrize("change", FAULTS.values(), ids=FAULTS)
def test_tags_are_all_or_nothing(change: dict[str, Any]) -> None:
    whole = {"emotion": "sad", "levels": dict.fromkeys(MECHANISMS, 1), "intent": "consoling"}
    with pytest.raises(ValueError, match=r"no such emotion|a level from 0 to 2|reason"):
        Tags(**{**whole, **change})


def test_levels_cannot_be_changed_afterwards() -> None:
    levels = dict.fromkeys(MECHANISMS, 1)
    kept = Tags("sad", levels, "consoling")
    levels["exploration"] = 2
    assert kept.levels["exploration"] == 1


@pytest.mark.parametrize(("label", "value"), [("sad", 1.0), ("lonely", 0.0)])
def test_emotion_accuracy_is_agreement_with_the_dialogue(label: str, value: float) -> None:
    assert emotion_accuracy([tags(emotion="sad")], [label]) == [Score.of(value)]


@pytest.mark.parametrize(("intent", "value"), [("wishing", 1.0), ("neutral", 0.0)])
def test_intent_agreement_is_agreement_with_the_gold_reply(intent: str, value: float) -> None:
    assert intent_agreement([tags(intent=intent)], [tags(intent="wishing")]) == [Score.of(value)]


def test_the_two_accuracies_are_separate_figures() -> None:
    """The reply sounds like the dialogue (1), and does something else than the gold reply (0)."""
    reply, gold = tags(emotion="sad", intent="questioning"), tags(emotion="proud", intent="consoling")
    assert (emotion_accuracy([reply], ["sad"])[0].value, intent_agreement([reply], [gold])[0].value) == (1.0, 0.0)


def test_an_untagged_reply_is_unscored_and_not_wrong() -> None:
    assert [emotion_accuracy([UNREAD], ["sad"])[0].reason, intent_agreement([UNREAD], [tags()])[0].reason] == [
        UNREAD.reason
    ] * 2


@pytest.mark.parametrize("gold", [None, UNREAD])
def test_without_a_gold_label_an_item_is_unscored(gold: Tags | None) -> None:
    assert intent_agreement([tags()], [gold])[0].reason == "there is no gold label"


def test_diff_epitome_is_the_squared_difference_by_mechanism_and_on_average() -> None:
    """Levels 2, 0, 1 against 0, 0, 2: (2 - 0)^2 = 4, 0, (1 - 2)^2 = 1; their average is 5 / 3."""
    found = diff_epitome([tags(2, 0, 1)], [tags(0, 0, 2)])
    assert found == {
        "emotional reaction": [4.0],
        "interpretation": [0.0],
        "exploration": [1.0],
        "average": [pytest.approx(5 / 3)],
    }


def test_the_figure_is_the_mean_over_the_items_that_have_one() -> None:
    """Exploration: (0 - 2)^2 = 4 and (1 - 1)^2 = 0, mean 2; the untagged item is left out."""
    gaps = diff_epitome([tags(0, 0, 0), tags(0, 0, 1), UNREAD], [tags(0, 0, 2), tags(0, 0, 1), tags()])
    assert means(gaps)["exploration"] == 2.0


def test_the_average_figure_is_the_average_of_the_three() -> None:
    found = means(diff_epitome([tags(2, 1, 0), tags(0, 1, 2)], [tags(0, 0, 0), tags(1, 1, 0)]))
    assert found["average"] == pytest.approx(sum(found[name] or 0.0 for name in MECHANISMS) / 3)


@pytest.mark.parametrize(("reply", "gold"), [(UNREAD, tags()), (tags(), UNREAD), (tags(), None)])
def test_an_untagged_side_leaves_no_difference(reply: Tags, gold: Tags | None) -> None:
    assert {name: values for name, values in diff_epitome([reply], [gold]).items() if values != [None]} == {}


def test_levels_are_listed_by_mechanism() -> None:
    assert epitome_levels([tags(2, 0, 1), UNREAD, tags(0, 0, 1)])["emotional reaction"] == [2.0, None, 0.0]


def test_presence_is_any_level_above_none() -> None:
    found = presence([tags(2, 1, 0), UNREAD])
    assert [found[name][0].value for name in MECHANISMS] == [1.0, 1.0, 0.0]


def test_presence_of_an_untagged_reply_is_unscored() -> None:
    assert presence([UNREAD])["exploration"][0].reason == UNREAD.reason


def test_means_of_nothing_are_none() -> None:
    assert means({"exploration": [None]}) == {"exploration": None}


@pytest.mark.parametrize("figure", [emotion_accuracy, intent_agreement, diff_epitome])
def test_sides_of_different_length_are_refused(figure: Any) -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        figure([tags()], [])


def test_equal_identities_are_one_backend() -> None:
    assert same_backend([LINEAR, dict(LINEAR)]) == LINEAR


@pytest.mark.parametrize("other", [{"backend": "llm", "hash": "a"}, {"backend": "linear", "hash": "b"}])
def test_figures_of_two_taggers_are_never_mixed(other: dict[str, Any]) -> None:
    with pytest.raises(TaggerError, match="cannot stand in one table"):
        same_backend([LINEAR, other])


def test_no_backend_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="no tagger"):
        same_backend([])
