"""What `trace-erg evaluate` does: a report card of a version, or of anybody's reply file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from apps.judging import certificate_at, judge_named, refuse_same_model, tagger_named
from apps.progress import Bars
from metrics import Guard, Objective, evaluate, scored
from metrics.card import Card, report_card
from metrics.certified import CertifiedJudge
from metrics.evaluation import Evaluation
from metrics.figure import number_of
from metrics.neural import neural_figures
from metrics.pairwise import PairJudge
from metrics.versus import differences, preferred
from optimizers.card_report import card_rows, log_card, write_card
from optimizers.corpora import Corpus, limit
from optimizers.outputs import read_outputs
from optimizers.prices import price_of
from optimizers.store import Store
from optimizers.testing import by_turns
from programs import Backbone, load
from programs.errors import CorpusError
from programs.loading import read_manifest


@dataclass(frozen=True)
class Asked:
    """What is to be evaluated, and how."""

    target: Path
    """A version folder, or a file of replies."""
    corpus: Corpus
    split: str
    items: int
    backbone: str | None
    judges: Sequence[str]
    rubric: Path | None
    certificate: Path | None
    same_model: bool
    tagger: str | None
    encoder: Path | None = None
    reader: Path | None = None
    """Weights for BERTScore and perplexity."""

    @property
    def name(self) -> str:
        """How the report calls it."""
        return self.target.stem if self.target.is_file() else self.target.name


def carded(asked: Asked, memory: Path) -> tuple[Card, Evaluation, Objective]:
    """Runs or reads the replies and scores them; the judge counts in the objective only where it is certified."""
    certificate = certificate_at(asked.certificate)
    judge = judge_named(asked.judges, asked.rubric, memory)
    flattery = refuse_same_model(asked.judges, _task(asked), asked.same_model)
    guard = Guard.fit(asked.corpus.train)
    counted = CertifiedJudge(judge, certificate) if judge and certificate and certificate.certified else None
    objective = Objective.joint(guard, judge=counted)
    tagger = tagger_named(asked.tagger)
    with Bars() as bars:
        evaluation = _evaluated(asked, objective, bars)
        card = report_card(
            asked.name,
            evaluation,
            guard,
            tagger=tagger,
            judge=judge,
            certificate=certificate,
            on_item=lambda done, total: bars.item("judging", done, total),
        )
    answered = evaluation.answered
    if figures := neural_figures(answered, asked.encoder, asked.reader):
        card = replace(card, groups={**card.groups, "of language models": figures})
    if price := price_of(_task(asked) or ""):
        dollars = number_of(
            [price.of(one.usage) for _, one in answered], [item["conversation"] for item, _ in answered]
        )
        card = replace(card, groups={**card.groups, "cost": {**card.groups["cost"], "dollars": dollars}})
    about = f"corpus {asked.corpus.name}, {asked.split} split ({asked.corpus.licence})"
    return replace(card, notes=(about, *card.notes, *([flattery] if flattery else []))), evaluation, objective


def shown(card: Card) -> None:
    """Prints the table."""
    table = Table(title=f"report card: {card.name}, {card.items} items", title_justify="left")
    for column in ("", "figure", "value", "95 % interval", "items"):
        table.add_column(column, justify="left" if column in ("", "figure") else "right")
    before = ""
    for head, *cells in card_rows(card):
        table.add_row(head if head != before else "", *cells, end_section=False)
        before = head
    Console(width=110).print(table)
    for note in card.notes:
        click.echo(f"- {note}")


def compared(asked: Asked, after: Evaluation, rival: Path, objective: Objective) -> None:
    """Prints the differences to a rival, scored by the same objective on the same items, and whom a judge prefers."""
    with Bars() as bars:
        before = _evaluated(replace(asked, target=rival), objective, bars)
        before, after = _in_common(before, after)
        votes = None
        if asked.judges:
            pair_judge = PairJudge(Backbone.of(asked.judges[0]))
            votes = preferred(before, after, pair_judge, lambda done, total: bars.item("comparing", done, total))
    click.echo(f"\n{asked.name} against {rival.stem}, {len(before.examples)} items; p is Holm's over these rows")
    for row in differences(before, after):
        one = row.difference
        moved = f"{one.difference:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"
        click.echo(f"  {row.name:14} {one.before:.3f} -> {one.after:.3f}  {moved}  p {row.p:.4f}")
    if votes:
        rate = votes.rate.overall
        click.echo(
            f"  preferred in {rate.value:.1%} [{rate.low:.1%}, {rate.high:.1%}] of the pairs, ties as half; "
            f"{votes.flips:.0%} turned with the order, {votes.unscored} could not be compared"
        )


def _in_common(before: Evaluation, after: Evaluation) -> tuple[Evaluation, Evaluation]:
    """Both on the items that both have, in one order."""
    shared = {item["id"] for item in before.examples} & {item["id"] for item in after.examples}
    if not shared:
        raise CorpusError("the two answered no item in common")
    return before.only(shared), after.only(shared)


def kept(card: Card, evaluation: Evaluation, out: Path, store: str | None, tags: dict[str, str]) -> None:
    """Writes the report and logs it."""
    files = write_card(card, evaluation, out)
    run = log_card(Store.of(store), card, files, tags)
    click.echo(f"\nreport: {files[0]}\nlogged as run {run}")


def _evaluated(asked: Asked, objective: Objective, bars: Bars) -> Evaluation:
    chosen = by_turns(limit(asked.corpus, **{asked.split: asked.items}).splits[asked.split])
    if asked.target.is_file():
        items, readings, seconds = read_outputs(asked.target, chosen)
        return scored(items, readings, objective, seconds if len(seconds) == len(items) else ())
    program = load(asked.target, asked.backbone)
    return evaluate(program, chosen, objective, on_item=lambda done, total: bars.item("replies", done, total))


def _task(asked: Asked) -> str | None:
    if asked.target.is_file():
        return None
    return (
        Backbone.of(asked.backbone).model if asked.backbone else str(read_manifest(asked.target)["backbone"]["model"])
    )
