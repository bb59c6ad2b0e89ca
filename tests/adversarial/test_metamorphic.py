"""What must not move a reply's score, and what must."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.guard import Guard
from metrics.response import response_score
from optimizers.corpora import load_corpus

FOLDER = Path(metrics.__file__).parent / "adversarial"
CONTEXTS = [
    json.loads(line) for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()
]
NAMES = [context["id"] for context in CONTEXTS]


@cache
def guard() -> Guard:
    """Fitted on the starter corpus."""
    return Guard.fit(load_corpus("starter").train)


def score(context: dict[str, Any], reply: str, dialogue: str = "") -> float:
    """S without a judge."""
    said = dialogue or "\n".join(turn["text"] for turn in context["dialogue"])
    value = response_score(guard(), None, said, reply, (context["demo"],)).value
    return -1.0 if value is None else value


@pytest.mark.parametrize("context", CONTEXTS, ids=NAMES)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        (". ", ".\n\n"),
        ("It's", "It is"),
        ("it's", "it is"),
        ("You've", "You have"),
        ("'", "\u2019"),
        ("  ", " "),
    ],
    ids=["nothing", "blank line", "It's", "it's", "You've", "apostrophes", "spaces"],
)
def test_form_alone_moves_nothing(context: dict[str, Any], old: str, new: str) -> None:
    changed = context["honest"].replace(old, new) if old else context["honest"] + " "
    assert score(context, changed) == pytest.approx(score(context, context["honest"]), abs=0.02)


def test_another_name_moves_nothing() -> None:
    said, reply = "Devin dropped the tray of eggs and laughed.", "Devin laughing over a tray of eggs, what a picture."
    swapped = score(CONTEXTS[0], reply.replace("Devin", "Amara"), said.replace("Devin", "Amara"))
    assert swapped == pytest.approx(score(CONTEXTS[0], reply, said), abs=0.02)


@pytest.mark.parametrize("context", CONTEXTS, ids=NAMES)
def test_without_its_only_specific_sentence_a_reply_is_worth_less(context: dict[str, Any]) -> None:
    rest = " ".join(context["honest_long"].replace(context["specific_sentence"], "").split())
    assert score(context, rest) < score(context, context["honest_long"])


@pytest.mark.parametrize("context", CONTEXTS, ids=NAMES)
def test_length_alone_moves_little(context: dict[str, Any]) -> None:
    assert abs(score(context, context["honest_short"]) - score(context, context["honest_long"])) < 0.1
