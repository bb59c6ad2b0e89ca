"""What a judge's certificate says, and what it refuses."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.calibration import Cuts
from metrics.certificate import Certificate
from metrics.certificate_table import render
from metrics.certifying import certify
from metrics.labels import LabelSet
from programs.errors import CorpusError, JudgeError
from programs.manifest import canonical_json
from tests.metrics.labelled import label_set

TRUTH = [0, 1, 2, 3, 4] * 12
LABELS = label_set(TRUTH, noise=0.8)
JUDGE = {"backbone": {"name": "small", "parts": [1, 2]}, "prompt": "ab12"}
RUBRIC = "f" * 64


def harsh(noise: float = 0.4) -> list[float | None]:
    """A judge 1.3 levels too low."""
    return np.clip(np.asarray(TRUTH) - 1.3 + np.random.default_rng(5).normal(0, noise, len(TRUTH)), 0, 4).tolist()


def certified(levels: list[float | None], labels: LabelSet = LABELS) -> Certificate:
    """The certificate of one dimension."""
    return certify({"affective": levels}, labels, JUDGE, RUBRIC)


SMALL = certified(harsh()[:9], label_set(TRUTH[:9]))
"""Of too few items for any figure."""


def sealed(plain: dict[str, Any]) -> str:
    """The seal of a certificate's content."""
    return hashlib.sha256(canonical_json(plain).encode()).hexdigest()


@pytest.fixture(scope="module")
def good() -> Certificate:
    return certified(harsh())


def test_a_harsh_judge_that_ranks_well_is_certified(good: Certificate) -> None:
    assert good.certified == ("affective",)


def test_its_agreement_is_restored_out_of_sample(good: Certificate) -> None:
    found = good.findings["affective"]
    assert found.raw_kappa.value is not None and found.kappa.value is not None
    assert found.raw_kappa.value < 0.65 < 0.8 < found.kappa.value


def test_the_humans_agreement_stands_beside_it(good: Certificate) -> None:
    found = good.findings["affective"]
    assert found.humans_alpha.positive and found.humans_kappa.positive


def test_its_cuts_lie_below_the_middle_of_each_level(good: Certificate) -> None:
    assert all(cut < middle for cut, middle in zip(good.cuts["affective"].points, Cuts().points, strict=True))


def levels_of(change: Callable[[int], float | None]) -> list[float | None]:
    """A judge by the number of the item."""
    return [change(number) for number in range(len(TRUTH))]


REFUSALS: dict[str, tuple[list[float | None], LabelSet, str]] = {
    "constant judge": (levels_of(lambda i: 2), LABELS, "Spearman's correlation is undefined: all levels of one side"),
    "reversed judge": (levels_of(lambda i: 4 - TRUTH[i]), LABELS, "Spearman's correlation may be 0 or less: -0."),
    "often silent": (
        levels_of(lambda i: None if i % 12 == 0 else TRUTH[i]),
        LABELS,
        "the judge could not score 5 of 60",
    ),
    "one rater": (harsh(), label_set(TRUTH, raters=1), "the raters' alpha is undefined: no item has two raters"),
    "raters at odds": (harsh(), label_set([2] * 60, noise=2), "the raters' alpha may be 0 or less"),
    "few items": (harsh()[:19], label_set(TRUTH[:19]), "the judge scored items of 19 conversations; 20 are needed"),
    "few conversations": (
        harsh(),
        label_set(TRUTH, systems=("a", "b", "c", "d")),
        "the judge scored items of 15 conversations; 20 are needed",
    ),
    "noisy judge": (
        harsh(noise=4),
        label_set(TRUTH, noise=0.1),
        "the judge's kappa is 0.37; half the raters' own is 0.50",
    ),
    "blunt judge": (
        levels_of(lambda i: min(4, TRUTH[i] + (i % 2))),
        label_set(TRUTH, noise=0.1),
        "it fails the alternative annotator test: it beats 0% of the raters",
    ),
}


@pytest.mark.parametrize(("levels", "labels", "reason"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_dimension_is_refused_with_the_reason(levels: list[float | None], labels: LabelSet, reason: str) -> None:
    assert certified(levels, labels).findings["affective"].refusal.startswith(reason)


def test_unscored_items_are_counted_and_no_part_of_the_figures() -> None:
    found = certified([None, *harsh()[1:]]).findings["affective"]
    assert (found.unscored, found.kappa.n, found.certified) == (1, 59, True)


def test_two_raters_are_enough_without_the_annotator_test() -> None:
    found = certified(harsh(), label_set(TRUTH, raters=2)).findings["affective"]
    assert (found.certified, found.alternative.passed) == (True, None)


def test_twenty_conversations_are_enough() -> None:
    truth: list[float | None] = [float(level) for level in TRUTH[:20]]
    assert certified(truth, label_set(TRUTH[:20])).certified == ("affective",)


def test_a_label_may_stand_for_several_dimensions() -> None:
    matches = {"empathy": ("affective", "cognitive")}
    found = certify({"affective": harsh(), "cognitive": levels_of(lambda i: 2)}, LABELS, JUDGE, RUBRIC, matches)
    assert {name: one.certified for name, one in found.findings.items()} == {"affective": True, "cognitive": False}


def test_a_crowd_cannot_certify() -> None:
    with pytest.raises(CorpusError, match="a crowd"):
        certified(harsh(), replace(LABELS, expert=False))


@pytest.mark.parametrize(
    ("levels", "matches", "error", "message"),
    [
        ({"relevance": harsh()}, None, CorpusError, "rates empathy, and the judge was asked for none of it"),
        ({"affective": harsh()}, {"warmth": ["affective"]}, CorpusError, "nothing is rated on 'warmth'"),
        ({"affective": harsh()}, {"empathy": ["affective"], "warmth": ["affective"]}, ValueError, "two labels"),
        ({"affective": [1.0, 2.0]}, None, ValueError, r"shorter|longer"),
    ],
    ids=["nothing in common", "unrated", "matched twice", "other items"],
)
def test_what_cannot_be_certified_is_refused(levels: Any, matches: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        certify(levels, LABELS, JUDGE, RUBRIC, matches)


def test_a_saved_certificate_is_read_back_whole(good: Certificate, tmp_path: Path) -> None:
    good.save(tmp_path / "certificate.json")
    assert Certificate.load(tmp_path / "certificate.json") == good


def test_the_same_levels_and_labels_give_the_same_certificate(good: Certificate) -> None:
    assert certified(harsh()).identity == good.identity


EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "verdict": lambda plain: plain["findings"]["affective"].update(refusal=""),
    "figure": lambda plain: plain["findings"]["affective"]["kappa"].update(value=0.99),
    "cuts": lambda plain: plain["findings"]["affective"]["cuts"].update(points=[0.5, 1.5, 2.5, 3.0]),
    "judge": lambda plain: plain["judge"].update(prompt="cd34"),
    "rubric": lambda plain: plain.update(rubric="0" * 64),
    "labels": lambda plain: plain["labels"].update(identity="0" * 64),
    "something new": lambda plain: plain.update(note="fine"),
    "seal": lambda plain: plain.update(sha256="0" * 64),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_an_edited_certificate_is_refused(tmp_path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    path = tmp_path / "certificate.json"
    SMALL.save(path)
    plain = json.loads(path.read_text("utf-8"))
    edit(plain)
    path.write_text(json.dumps(plain), "utf-8")
    with pytest.raises(JudgeError, match=r"certificate.json was changed after it was sealed: certify the judge again"):
        Certificate.load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "cannot read certificate"),
        ("\x00{", "cannot read certificate"),
        ("[]", "is no judge's certificate of format 1"),
        ("{}", "is no judge's certificate of format 1"),
        ('{"format": 2, "sha256": ""}', "is no judge's certificate of format 1"),
        ('{"format": 1}', "is no judge's certificate of format 1"),
    ],
    ids=["empty", "binary", "list", "nothing in it", "another format", "no seal"],
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(content, "utf-8")
    with pytest.raises(JudgeError, match=message):
        Certificate.load(path)


@pytest.mark.parametrize(
    "findings",
    [None, [], {"affective": {}}, {"affective": {"cuts": {"points": [1, 1, 2, 3], "reason": ""}, "label": "empathy"}}],
    ids=["null", "list", "no figures", "impossible cuts"],
)
def test_a_sealed_file_of_another_form_is_refused(tmp_path: Path, findings: Any) -> None:
    path = tmp_path / "certificate.json"
    plain = {"format": 1, "judge": {}, "rubric": "", "labels": {}, "findings": findings}
    path.write_text(json.dumps({**plain, "sha256": sealed(plain)}), "utf-8")
    with pytest.raises(JudgeError, match=r"is no judge's certificate: .*certify the judge again"):
        Certificate.load(path)


def test_an_absent_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="cannot read certificate"):
        Certificate.load(tmp_path / "absent.json")


def test_a_folder_cannot_be_written(good: Certificate, tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="cannot write certificate"):
        good.save(tmp_path)


def test_it_covers_its_own_judge_and_rubric(good: Certificate) -> None:
    good.covers({"prompt": "ab12", "backbone": {"parts": (1, 2), "name": "small"}}, RUBRIC)


@pytest.mark.parametrize(
    ("judge", "rubric", "message"),
    [
        ({**JUDGE, "prompt": "other"}, RUBRIC, "of another judge, which differs in prompt: certify"),
        ({**JUDGE, "panel": None}, RUBRIC, "of another judge, which differs in panel"),
        ({"prompt": "ab12"}, RUBRIC, "of another judge, which differs in backbone"),
        (JUDGE, "0" * 64, "for another rubric .ffffffffffff, not 000000000000.: certify"),
    ],
    ids=["changed", "more", "less", "rubric"],
)
def test_it_covers_no_other(good: Certificate, judge: dict[str, Any], rubric: str, message: str) -> None:
    with pytest.raises(JudgeError, match=message):
        good.covers(judge, rubric)


def test_the_table_has_a_row_for_each_dimension(good: Certificate) -> None:
    assert "| affective | empathy | yes | " in render(good)


@pytest.mark.parametrize(
    "said",
    [
        "- affective is not certified: the judge scored items of 9 conversations; 20 are needed.",
        "- affective keeps the judge's levels: 9 conversations; 20 are needed to fit cuts.",
        "- affective has no alternative annotator test: 0 raters share 30 items with others; 3 are needed.",
        "This rule is the project's own.",
    ],
)
def test_what_is_undefined_is_told_with_its_reason(said: str) -> None:
    assert said in render(SMALL)
