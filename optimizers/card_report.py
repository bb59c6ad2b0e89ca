"""A report card for people: markdown with a chart, rows for a terminal, and a run in the MLflow store."""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from metrics.card import Card
from metrics.evaluation import Evaluation
from metrics.figure import Figure
from optimizers.recording import experiment_of
from optimizers.store import Store
from programs.dialogue import Dialogue

_SAMPLES = 3
_CHARTED = ("objective", "reading", "judge")
_SCALES = {"judge": 4.0}
"""Groups whose figures do not go from 0 to 1."""


def card_rows(card: Card) -> Iterator[tuple[str, str, str, str, str]]:
    """Group, name, value, 95 % interval, items (and how many are unscored): as text, for whoever shows them."""
    for head, group in card.groups.items():
        for name, figure in group.items():
            yield head, name.replace("_", " "), _number(figure.value), _interval(figure), _items(figure)


def card_markdown(card: Card, evaluation: Evaluation, chart: str = "") -> str:
    """The whole report.

    Args:
        card: the figures.
        evaluation: what they were computed from; its worst replies are shown.
        chart: file name of the picture beside it, if there is one.
    """
    lines = [f"# Report card: {card.name}", "", f"{card.items} items, {card.failures} without a reply.", ""]
    lines += [f"![scores]({chart})", ""] if chart else []
    lines += ["| | figure | value | 95 % interval | items |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in card_rows(card)]
    lines += ["", "## What they rest on", "", *(f"- {note}" for note in card.notes), *_rests(card)]
    return "\n".join([*lines, "", *_worst(evaluation), ""])


def write_card(card: Card, evaluation: Evaluation, folder: Path) -> list[Path]:
    """`report.md`, `chart.png` and `card.json` in a folder, which is made if need be; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    picture, text, plain = folder / "chart.png", folder / "report.md", folder / "card.json"
    _chart(card, picture)
    text.write_text(card_markdown(card, evaluation, picture.name), "utf-8")
    plain.write_text(json.dumps(card.to_dict(), indent=2, ensure_ascii=False) + "\n", "utf-8")
    return [text, picture, plain]


def log_card(store: Store, card: Card, files: Sequence[Path], tags: Mapping[str, str]) -> str:
    """Logs a card as a run of its own; returns the run's id.

    Raises:
        RegistryError: the store refuses or cannot be reached.
    """
    with store.locked():
        store.make()
        client = store.client()
        from mlflow.entities import Metric  # not before the store has quieted MLflow

        run = client.create_run(experiment_of(store, client), run_name=f"evaluate {card.name}", tags=dict(tags)).info
        now = int(time.time() * 1000)
        metrics = [Metric(_metric_name(name), value, now, 0) for name, value in card.numbers().items()]
        client.log_batch(run.run_id, metrics=metrics)
        for file in files:
            client.log_artifact(run.run_id, str(file))
        client.set_terminated(run.run_id, "FINISHED")
    return str(run.run_id)


def _metric_name(name: str) -> str:
    return re.sub(r"[^\w./ -]", "", name)


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"


def _interval(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return figure.note if figure.value is None else ""
    return f"[{_number(figure.low)}, {_number(figure.high)}]"


def _items(figure: Figure) -> str:
    return f"{figure.n} ({figure.unscored} unscored)" if figure.unscored else str(figure.n)


def _rests(card: Card) -> list[str]:
    """What each figure was computed with, where it is not said for all of them."""
    noted = {figure.note: name for group in card.groups.values() for name, figure in group.items() if figure.note}
    return [f"- {name.replace('_', ' ')}: {note}" for note, name in noted.items()]


def _worst(evaluation: Evaluation) -> list[str]:
    """The replies with the lowest joint score, and what the objective says of them."""
    scored = [(score.value, place) for place, score in enumerate(evaluation.scores["joint"]) if score.value is not None]
    lines = ["## Lowest scores", ""] if scored else []
    for value, place in sorted(scored)[:_SAMPLES]:
        said = str(Dialogue.of(evaluation.examples[place]["dialogue"])).replace("\n", "\n> ")
        reading = evaluation.readings[place]
        reply = reading.reply if reading else "(no reply)"
        lines += [
            f"> {said}",
            "",
            f"- reply: {reply}",
            f"- joint {value:.3f}. {evaluation.scores['joint'][place].feedback}",
            "",
        ]
    return lines


def _chart(card: Card, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure as Picture

    rows = [
        (f"{head}: {name.replace('_', ' ')}", figure, _SCALES.get(head, 1.0) if name != "J" else 1.0)
        for head in _CHARTED
        for name, figure in card.groups.get(head, {}).items()
        if figure.value is not None
    ][::-1]
    picture = Picture(figsize=(8, 0.35 * len(rows) + 1), layout="constrained")
    axes = picture.add_subplot()
    for place, (_, figure, scale) in enumerate(rows):
        value = (figure.value or 0.0) / scale
        axes.barh(place, value, 0.6, color="#2f6f9f")
        if figure.low is not None and figure.high is not None:
            axes.plot([figure.low / scale, figure.high / scale], [place, place], color="#1b1b1b", linewidth=1.5)
    axes.set_yticks(range(len(rows)), [title for title, _, _ in rows])
    axes.set_xlim(0, 1.02)
    axes.set_xlabel(f"{card.name}: score, as a share of its scale, with the 95 % interval")
    picture.savefig(path, dpi=120)
