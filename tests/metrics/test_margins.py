"""The linear classifier under the tagger."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.margins import Margins, Recipe
from programs.errors import CorpusError

RECIPE = Recipe(words=2, word_texts=1, letters=(2, 3), letter_texts=1, letter_runs=None, penalty=1.0)
TEXTS = ["I can't sleep", "What a lovely day", "Where is my hat?"] * 2
LABELS = ["tired", "glad", "asking"] * 2


def fitted(**change: Any) -> Margins:
    return Margins.fit(TEXTS, LABELS, replace(RECIPE, **change))


def test_the_largest_margin_names_the_class() -> None:
    assert fitted().labelled(["what a lovely hat", "where is it?"]) == ["glad", "asking"]


def test_scores_have_a_row_a_text_and_a_column_a_class() -> None:
    assert fitted().scores(["one", "two"]).shape == (2, 3)


def test_no_texts_have_no_scores() -> None:
    assert fitted().labelled([]) == []


def test_a_curly_apostrophe_is_an_apostrophe() -> None:
    one = fitted()
    assert one.scores(["I can\u2019t sleep"]).tolist() == one.scores(["I can't sleep"]).tolist()


@pytest.mark.parametrize("text", ["\ud800", "\u65e5\u672c", "\u0301", "\x00 a", "\U0001f642", "\u0645\u0631"])
def test_any_text_has_finite_margins(text: str) -> None:
    assert np.isfinite(fitted(meaning=0.5).scores([text])).all()


def test_a_question_mark_counts() -> None:
    one = fitted()
    column = one.labels.index("asking")
    assert one.scores(["is it?"])[0, column] > one.scores(["is it"])[0, column]


def test_with_meaning_a_synonym_moves_the_margins() -> None:
    plain, meant = fitted(), fitted(meaning=1.0)
    unknown = ["gorgeous", "exhausted"]
    apart = [abs(one.scores(unknown)[0] - one.scores(unknown)[1]).sum() for one in (plain, meant)]
    assert apart[1] > apart[0]


def test_equal_training_gives_an_equal_fingerprint() -> None:
    assert fitted(meaning=0.5).fingerprint() == fitted(meaning=0.5).fingerprint()


@pytest.mark.parametrize("change", [{"penalty": 0.1}, {"words": 1}, {"meaning": 0.5}])
def test_other_settings_give_another_fingerprint(change: dict[str, Any]) -> None:
    assert fitted(**change).fingerprint() != fitted().fingerprint()


def test_another_training_text_gives_another_fingerprint() -> None:
    other = Margins.fit([*TEXTS[:-1], "Where is my coat?"], LABELS, RECIPE)
    assert other.fingerprint() != fitted().fingerprint()


def test_two_classes_are_too_few() -> None:
    with pytest.raises(CorpusError, match="three labels or more"):
        Margins.fit(TEXTS, ["glad", "sad"] * 3, RECIPE)


def test_texts_without_a_common_word_are_too_little() -> None:
    with pytest.raises(CorpusError, match="too little to learn from in 6 texts"):
        Margins.fit(TEXTS, LABELS, replace(RECIPE, word_texts=7))


def test_other_objects_are_no_classifier() -> None:
    with pytest.raises(ValueError, match="not TF-IDF features"):
        Margins(fitted().classifier, fitted().features)
