"""The report card: every figure with its interval, in groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dspy
import pytest

from metrics.card import Card, report_card
from metrics.evaluate import scored
from metrics.guard import Guard
from metrics.judgement import Judgement
from metrics.objective import Objective
from metrics.tagger import Tags
from programs.errors import JudgeError, StageError
from programs.reading import Reading, Usage
from programs.vocabulary import MECHANISMS
from tests.metrics.judging import TableJudge, judgement

REPLIES = (
    "Again? A rusty bicycle would annoy me as well, I think.",
    "Four tries took patience, where will you drive first?",
    "That watch must feel like a last bit of him.",
)


@dataclass
class StubTagger:
    """Tags every reply alike."""

    tags: Tags

    def identity(self) -> dict[str, Any]:
        """A backend that exists nowhere else."""
        return {"backend": "stub"}

    def emotions(self, texts: Sequence[str]) -> list[str | None]:
        """The same for all."""
        return [self.tags.emotion for _ in texts]

    def tag(self, posts: Sequence[str], replies: Sequence[str]) -> list[Tags]:
        """The same for all."""
        return [self.tags for _ in replies]


def card(corpus: list[dspy.Example], guard: Guard, **options: Any) -> Card:
    """The card of three replies and a failure."""
    items = [example.copy(emotion="annoyed", triggers=["my bicycle"]) for example in corpus[:4]]
    readings = [Reading(reply=reply, emotion="annoyed", usage=Usage(calls=4)) for reply in REPLIES]
    outcomes = [*readings, StageError("response", "the reply is empty")]
    evaluation = scored(items, outcomes, Objective.joint(guard), [1.0, 2.0, 3.0, 2.0])
    return report_card("three", evaluation, guard, **options)


def test_a_failure_is_counted(corpus: list[dspy.Example], guard: Guard) -> None:
    found = card(corpus, guard)
    assert (found.items, found.failures) == (4, 1)


def test_every_group_that_can_be_filled_is_there(corpus: list[dspy.Example], guard: Guard) -> None:
    assert list(card(corpus, guard).groups) == ["objective", "reading", "reply", "overlap", "cost"]


def test_the_emotion_is_a_figure_with_its_items(corpus: list[dspy.Example], guard: Guard) -> None:
    figure = card(corpus, guard).groups["reading"]["emotion"]
    assert (figure.value, figure.n) == (1.0, 3)


def test_seconds_are_per_reply(corpus: list[dspy.Example], guard: Guard) -> None:
    assert card(corpus, guard).groups["cost"]["seconds"].value == 2.0


def test_a_tagger_adds_its_figures(corpus: list[dspy.Example], guard: Guard) -> None:
    tagger = StubTagger(Tags("annoyed", dict.fromkeys(MECHANISMS, 1), "questioning"))
    figures = card(corpus, guard, tagger=tagger).groups["tags"]
    assert [figures[name].value for name in ("reply_emotion", "intent_agreement", "diff_epitome")] == [1.0, 1.0, 0.0]


def test_replies_that_cannot_be_tagged_stop_it(corpus: list[dspy.Example], guard: Guard) -> None:
    with pytest.raises(JudgeError, match="3 of 3 replies could not be tagged"):
        card(corpus, guard, tagger=StubTagger(Tags(None, {}, None, "slow")))


def test_a_judge_adds_its_levels(corpus: list[dspy.Example], guard: Guard) -> None:
    judge = TableJudge({reply: judgement(3) for reply in REPLIES})
    figures = card(corpus, guard, judge=judge).groups["judge"]
    assert [figures[name].value for name in ("cognitive", "J", "safety, passed")] == [3.0, 0.75, 1.0]


def test_a_judge_without_a_certificate_is_named_as_such(corpus: list[dspy.Example], guard: Guard) -> None:
    judge = TableJudge({reply: judgement(3) for reply in REPLIES})
    assert any("no certificate" in note for note in card(corpus, guard, judge=judge).notes)


def test_more_than_one_unjudged_reply_in_twenty_stops_it(corpus: list[dspy.Example], guard: Guard) -> None:
    judge = TableJudge({REPLIES[0]: Judgement.unscored("slow"), REPLIES[1]: judgement(), REPLIES[2]: judgement()})
    with pytest.raises(JudgeError, match="1 of 3 replies could not be judged"):
        card(corpus, guard, judge=judge)


def test_a_singing_canary_stops_it(corpus: list[dspy.Example], guard: Guard) -> None:
    with pytest.raises(JudgeError, match="the batch is void"):
        card(corpus, guard, judge=TableJudge({}, rest=judgement(4)))


def test_numbers_are_named_by_group(corpus: list[dspy.Example], guard: Guard) -> None:
    assert card(corpus, guard).numbers()["reading.emotion"] == 1.0


@pytest.mark.parametrize(
    "reply", ["\U0001f642", "word " * 10_000, "Das tut mir sehr leid f\u00fcr dich.", "# Heading\n- item\n- item"]
)
def test_any_reply_can_be_scored(corpus: list[dspy.Example], guard: Guard, reply: str) -> None:
    evaluation = scored(corpus[:1], [Reading(reply=reply)], Objective.joint(guard))
    assert report_card("one", evaluation, guard).groups["reply"]["gate"].value == 0.0
