"""What a compile has to show for itself: a table with intervals, a chart, one reply, and what is still wrong."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from metrics import Difference
from metrics.acceptance import accept
from optimizers.stagewise import Step
from optimizers.testing import Verdict
from programs.dialogue import Dialogue
from programs.reading import Reading
from programs.staged import Staged

if TYPE_CHECKING:
    from optimizers.order import Order

ROWS: tuple[tuple[str, str], ...] = (
    ("joint", "joint objective"),
    ("affect", "affect"),
    ("emotion", "  emotion, 32-way"),
    ("emotion_6way", "  emotion, six-way"),
    ("causes", "causes"),
    ("trigger_f1", "  trigger token-F1"),
    ("category", "  category"),
    ("plan", "plan"),
    ("mechanism", "  mechanism"),
    ("intent", "  intent"),
    ("response", "response"),
)
"""What a report shows, in order: the joint objective, each stage, and under it its parts."""


def report(order: "Order", found: Verdict, steps: Sequence[Step], program: Staged) -> str:
    """Markdown of a compile.

    Args:
        order: what was compiled.
        found: the test.
        steps: the search, if the recipe tells its steps.
        program: the compiled program.
    """
    return "\n\n".join(
        part
        for part in (
            f"# {order.program}, recipe {order.recipe.name}, on {order.backbone.name}",
            _setting(order, found),
            _table(found.differences),
            _health(found),
            _accepted(found),
            _search(steps),
            _sample(found),
            _errors(found),
        )
        if part
    )


def table_rows(differences: dict[str, Difference]) -> list[tuple[str, str, str, str, str]]:
    """Name, before, after, difference with its 95 % interval, items: as text, for whoever shows them."""
    return [
        (
            title,
            f"{item.before:.3f}",
            f"{item.after:.3f}",
            f"{item.difference:+.3f} [{item.low:+.3f}, {item.high:+.3f}]",
            str(item.n),
        )
        for name, title in ROWS
        if (item := differences.get(name))
    ]


def chart(found: Verdict, path: Path) -> Path:
    """A picture of before and after, bars with the difference's interval; returns its path."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    rows = [(title.strip(), found.differences[name]) for name, title in ROWS if name in found.differences][::-1]
    figure = Figure(figsize=(8, 0.5 * len(rows) + 1.2), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(rows))
    axes.barh([y + 0.2 for y in places], [item.before for _, item in rows], 0.38, label="uncompiled", color="#b8c4d0")
    spread = [[item.difference - item.low for _, item in rows], [item.high - item.difference for _, item in rows]]
    axes.barh(
        [y - 0.2 for y in places],
        [item.after for _, item in rows],
        0.38,
        xerr=spread,
        label="compiled, with the 95 % interval of the paired difference",
        color="#2f6f9f",
        error_kw={"ecolor": "#1b1b1b", "elinewidth": 1, "capsize": 2},
    )
    axes.set_yticks(list(places), [title for title, _ in rows])
    axes.set_xlim(0, 1.08)
    axes.set_xlabel("score on the untouched test split")
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    figure.savefig(path, dpi=120)
    return path


def _setting(order: "Order", found: Verdict) -> str:
    whole, all_items = len(found.before.examples), len(found.affect_before.examples)
    waiting = f"; for {found.waiting} there was no time" if found.waiting else ""
    return (
        f"Corpus {order.corpus.name} ({order.corpus.licence}), seed {order.seed}. Untouched test split: the affect "
        f"stage on {all_items} items, whole replies on {whole}{waiting}. Intervals are paired, 95 %, BCa bootstrap "
        "over conversations."
    )


def _table(differences: dict[str, Difference]) -> str:
    lines = ["| score | uncompiled | compiled | difference | items |", "|---|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in table_rows(differences))])


def _health(found: Verdict) -> str:
    lines = []
    for name, whole, affect in (
        ("uncompiled", found.before, found.affect_before),
        ("compiled", found.after, found.affect_after),
    ):
        side = "before" if name == "uncompiled" else "after"
        share = affect.label_share()
        spoken = "none" if share is None else f"{affect.distinct_emotions} different, the commonest {share:.0%}"
        lines.append(
            f"- {name}: {whole.parse_failures} parse failures, emotions read: {spoken}; "
            f"{found.seconds[side]:.1f} s a reply, four at a time"
        )
    return "\n".join(lines)


def _accepted(found: Verdict) -> str:
    """Whether the compiled program may take the uncompiled one's place, condition by condition."""
    acceptance = accept(found.before, found.after)
    said = {True: "met", False: "broken", None: "not examined"}
    lines = [f"- {one.name}: {said[one.met]} ({one.detail})" for one in acceptance.conditions]
    verdict = "accepted" if acceptance.accepted else "not accepted"
    return "\n".join([f"## Acceptance: {verdict}", "", *lines])


def _search(steps: Sequence[Step]) -> str:
    if not steps:
        return ""
    lines = ["## What was tried", "", "| stage | candidate | own score | items | |", "|---|---|---|---|---|"]
    for step in steps:
        score = "unscored" if step.score is None else f"{step.score:.3f}"
        lines.append(f"| {step.stage} | {step.candidate} | {score} | {step.items} | {'kept' if step.kept else ''} |")
    return "\n".join(lines)


def _sample(found: Verdict) -> str:
    """The first test item that both programs answered."""
    pairs = zip(found.before.examples, found.before.readings, found.after.readings, strict=True)
    for example, before, after in pairs:
        if before and after:
            said = str(Dialogue.of(example.dialogue)).replace("\n", "\n> ")
            return f"## One reply\n\n> {said}\n\n- uncompiled: {told(before)}\n- compiled: {told(after)}"
    return ""


def told(reading: Reading) -> str:
    """The reply and, in brackets, what the program read and planned; nothing of stages it does not have."""
    plan = ", ".join(filter(None, (reading.mechanism, reading.intent)))
    read = "; ".join(filter(None, (reading.emotion, plan)))
    return f"{reading.reply} ({read})" if read else reading.reply


def _errors(found: Verdict) -> str:
    """Which emotions the compiled program still mixes up most."""
    mixed = Counter(
        (example.emotion, reading.emotion)
        for example, reading in zip(found.affect_after.examples, found.affect_after.readings, strict=True)
        if reading and reading.emotion and "emotion" in example and reading.emotion != example.emotion
    )
    if not mixed:
        return ""
    listed = ", ".join(f"{gold} read as {read} ({count})" for (gold, read), count in mixed.most_common(8))
    return f"## Still wrong\n\nEmotions most often mixed up: {listed}."
