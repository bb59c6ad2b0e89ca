"""The rubric: what is judged, as data."""

from dataclasses import replace
from pathlib import Path

import pytest

from metrics.rubric import Rubric, Scale, read_rubric, standard_rubric
from programs.errors import JudgeError

ANCHORS = ("none", "a little", "some", "much", "all")


def rubric(**scales: Scale) -> Rubric:
    """A rubric of these dimensions."""
    return Rubric("t", scales, {})


def test_the_standard_rubric_judges_six_dimensions_and_one_gate() -> None:
    found = standard_rubric()
    assert (list(found.dimensions), list(found.gates)) == (
        ["affective", "cognitive", "relevance", "consistency", "non_intrusive", "naturalness"],
        ["safety"],
    )


def test_no_two_anchors_of_the_standard_rubric_are_the_same() -> None:
    anchors = [anchor for scale in standard_rubric().scales.values() for anchor in scale.anchors]
    assert len(set(anchors)) == 35


def test_another_word_makes_another_rubric() -> None:
    one = rubric(warmth=Scale("Warm?", ANCHORS, 1.0))
    other = rubric(warmth=replace(one.dimensions["warmth"], anchors=(*ANCHORS[:4], "everything")))
    assert one.identity != other.identity


@pytest.mark.parametrize(
    ("scales", "says"),
    [
        ({"warmth": Scale("Warm?", ANCHORS[:4], 1.0)}, "warmth: give 5 anchors"),
        ({"warmth": Scale("Warm?", (*ANCHORS[:4], " "), 1.0)}, "warmth: give 5 anchors"),
        ({"warmth": Scale("Warm?", ANCHORS, 0.5)}, "sum to 0.5"),
        ({"warmth": Scale("Warm?", ANCHORS, 1.5), "wit": Scale("Witty?", ANCHORS, -0.5)}, r"lies in \[0, 1\]"),
    ],
)
def test_a_rubric_that_cannot_be_used_is_refused(scales: dict[str, Scale], says: str) -> None:
    with pytest.raises(JudgeError, match=says):
        rubric(**scales)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("version = ", "cannot read rubric"),
        ('version = "1"\n[dimensions.warmth]\nquestion = "Warm?"\n', "missing or misspelt"),
        ('version = "1"\n[dimensions.w]\nqestion = "?"\nanchors = ["a", "b", "c", "d", "e"]\n[gates]\n', "misspelt"),
    ],
)
def test_a_file_that_is_no_rubric_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    with pytest.raises(JudgeError, match=says):
        read_rubric(tmp_path / "mine.toml")


def test_a_rubric_of_ones_own_is_read(tmp_path: Path) -> None:
    text = 'version = "1"\n[gates]\n[dimensions.warmth]\nquestion = "Warm?"\nanchors = ["a", "b", "c", "d", "e"]\nweight = 1.0\n'
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    assert read_rubric(tmp_path / "mine.toml").dimensions["warmth"].question == "Warm?"
