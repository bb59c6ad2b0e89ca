"""Reading a mechanism from the whole reply and from its most telling sentence."""

import numpy as np
import pytest

from metrics.mechanism import Mechanism, Shown, most_telling
from programs.errors import CorpusError
from tests.metrics.tagged import ratings

SHOWN = [Shown(row["response"], row["er"], tuple(row["er_rationales"])) for row in ratings()]


def test_the_most_telling_sentence_gives_each_level_its_margin() -> None:
    """Two sentences, then one. Level 0 takes the smaller margin (-1), levels 1 and 2 the larger (0.5 and 3)."""
    scores = np.array([[2.0, 0.5, -2.0], [-1.0, 0.0, 3.0], [4.0, 5.0, 6.0]])
    assert most_telling(scores, [2, 1]).tolist() == [[-1.0, 0.5, 3.0], [4.0, 5.0, 6.0]]


REPLY = "The shop is shut. I am so sorry for you."
CASES = {
    "a rationale is a sentence": (("I am so sorry for you.",), [0, 2]),
    "a rationale is part of one": (("so sorry",), [0, 2]),
    "a rationale goes over both": ((REPLY,), [2, 2]),
    "a rationale is elsewhere": (("you poor thing, come here",), [0, 0]),
}


@pytest.mark.parametrize(("rationales", "levels"), CASES.values(), ids=CASES)
def test_a_sentence_has_the_level_where_a_rationale_is_in_it(rationales: tuple[str, ...], levels: list[int]) -> None:
    assert [level for _, level in Shown(REPLY, 2, rationales).sentences()] == levels


def test_without_the_mechanism_every_sentence_is_without_it() -> None:
    assert [level for _, level in Shown(REPLY, 0).sentences()] == [0, 0]


def test_a_positive_reply_without_a_rationale_says_nothing_of_its_sentences() -> None:
    assert Shown(REPLY, 1).sentences() == []


def test_levels_are_learned_from_replies() -> None:
    fitted = Mechanism.fit(SHOWN)
    assert fitted.levels(["The boat is late. I am terribly sorry about your poor boat.", "The boat is late."]) == [2, 0]


def test_no_reply_has_no_level() -> None:
    assert Mechanism.fit(SHOWN).levels([]) == []


def test_replies_that_lack_a_level_are_too_little() -> None:
    with pytest.raises(CorpusError, match="three labels or more"):
        Mechanism.fit([one for one in SHOWN if one.level != 1])


def test_classifiers_of_other_labels_are_no_mechanism() -> None:
    fitted = Mechanism.fit(SHOWN)
    fitted.whole.classifier.classes_ = np.array([0, 1, 3])
    with pytest.raises(ValueError, match="levels 0, 1 and 2"):
        Mechanism(fitted.whole, fitted.sentence)
