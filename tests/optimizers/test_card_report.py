"""A report card for people."""

from pathlib import Path
from types import MappingProxyType

import dspy
import pytest

from metrics.card import Card
from metrics.evaluation import COLUMNS, Evaluation
from metrics.figure import Figure
from metrics.score import Score
from optimizers.card_report import card_markdown, card_rows, write_card
from programs.reading import Reading

CARD = Card(
    "mine",
    3,
    0,
    {
        "objective": {"joint": Figure(0.5, 0.25, 0.75, 3), "plan": Figure(None, note="no gold labels for plan")},
        "overlap": {"bleu_4": Figure(12.34, 10.0, 15.0, 3, note="tok:13a")},
        "judge": {"J": Figure(0.4, 0.3, 0.5, 2, 1)},
    },
    ("corpus starter",),
)


@pytest.fixture
def evaluation() -> Evaluation:
    """Two items, the second the worse."""
    items = tuple(
        dspy.Example(id=name, conversation=name, dialogue=[{"role": "speaker", "text": f"Said {name}."}])
        for name in "ab"
    )
    scores = (Score.of(0.9), Score.of(0.1, "It says nothing."))
    columns = MappingProxyType(dict.fromkeys(COLUMNS, scores))
    return Evaluation(items, (Reading(reply="Good."), Reading(reply="Bad.")), columns, ())


@pytest.mark.parametrize(
    "row",
    [
        ("objective", "joint", "0.500", "[0.250, 0.750]", "3"),
        ("objective", "plan", "-", "no gold labels for plan", "0"),
        ("overlap", "bleu 4", "12.3", "[10.0, 15.0]", "3"),
        ("judge", "J", "0.400", "[0.300, 0.500]", "2 (1 unscored)"),
    ],
)
def test_a_row_shows_value_interval_and_items(row: tuple[str, ...]) -> None:
    assert row in list(card_rows(CARD))


def test_the_report_shows_the_worst_reply_first(evaluation: Evaluation) -> None:
    text = card_markdown(CARD, evaluation)
    assert text.index("reply: Bad.") < text.index("reply: Good.")


def test_the_report_says_what_a_figure_was_computed_with(evaluation: Evaluation) -> None:
    assert "- bleu 4: tok:13a" in card_markdown(CARD, evaluation)


def test_report_chart_and_json_are_written(evaluation: Evaluation, tmp_path: Path) -> None:
    files = write_card(CARD, evaluation, tmp_path / "new" / "folder")
    assert [file.name for file in files if file.stat().st_size] == ["report.md", "chart.png", "card.json"]
