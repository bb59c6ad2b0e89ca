"""What `trace-erg judge calibrate` and `trace-erg judge attack` do and print."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from apps.judging import certificate_at, judge_named
from apps.progress import Bars
from metrics import Guard
from metrics.attack import Attacked, Pair, attack, best_constant, kinds, stock_lines, suite
from metrics.batch import canary_fault
from metrics.certificate_table import render
from metrics.certified import CertifiedJudge
from metrics.certifying import certify
from metrics.label_files import load_labels
from metrics.objective import said
from metrics.parallel import in_parallel
from metrics.response import response_score
from optimizers.corpora import load_corpus
from programs.errors import JudgeError


def certified(
    labels: Path,
    kind: str | None,
    specs: Sequence[str],
    rubric: Path | None,
    items: int | None,
    memory: Path,
    out: Path,
) -> None:
    """Judges every labelled reply, certifies, prints the table and writes the certificate."""
    known = load_labels(labels, kind)
    known.require_experts()
    rated = known if items is None else replace(known, items=known.items[:items])
    judge = judge_named(specs, rubric, memory)
    if judge is None:
        raise JudgeError("name a judge with --judge")
    with Bars() as bars:
        found = in_parallel(
            lambda item: judge.judge(*item.pair),
            rated.items,
            on_item=lambda done, total: bars.item("judging", done, total),
        )
    if not any(one.scored for one in found):
        raise JudgeError(f"nothing could be judged: {found[0].reason}")
    levels = {name: [one.levels.get(name) for one in found] for name in judge.rubric.dimensions}
    certificate = certify(levels, rated, judge.identity(), judge.rubric.identity)
    certificate.save(out)
    click.echo(render(certificate))
    if fault := canary_fault(judge, rated.items[0].pair[0]):
        click.echo(f"\nin an evaluation {fault}")
    click.echo(f"\ncertificate: {out}")


def attacked(
    suites: Sequence[str],
    corpus: str,
    specs: Sequence[str],
    rubric: Path | None,
    certificate: Path | None,
    memory: Path,
) -> bool:
    """Runs the suites under the objective, prints who is fooled by what, and returns whether every suite passed."""
    guard = Guard.fit((data := load_corpus(corpus)).train)
    judge = judge_named(specs, rubric, memory)
    paper = certificate_at(certificate)
    counted = CertifiedJudge(judge, paper) if judge and paper and paper.certified else None
    if judge and counted is None:
        click.echo("the judge has no certificate for any dimension: it is left out, and the rules stand alone")
    passed = True
    for name in suites:
        found = attack(partial(response_score, guard, counted), suite(name))
        click.echo(_table(name, found))
        passed &= found.passed
    dialogues = [said(item) for item in data.validation]
    line, value = best_constant(partial(response_score, guard, counted), dialogues[:64], stock_lines())
    click.echo(
        f"\nbest constant reply of {len(stock_lines())}, on {len(dialogues[:64])} dialogues: {value:.3f}  {line!r}"
    )
    return passed


def _table(name: str, found: Attacked) -> str:
    lines = [f"\n{name}: {'passed' if found.passed else 'not passed'}"]
    for title, least, among in _GROUPS:
        share, count = found.share(least, among)
        lines.append(f"  {title:52} {'-' if share is None else f'{share:.1%}':>7} of {count}")
    for kind in kinds().values():
        share, count = found.share(among=partial(_is_kind, kind.number))
        if share is not None and share < 1:
            lines.append(f"    {kind.number:>2}{'*' if kind.starred else ' '} {kind.name:46} {share:>7.0%} of {count}")
    return "\n".join([*lines, *([f"  unscored: {found.unscored}"] if found.unscored else [])])


def _is_kind(number: str, pair: Pair) -> bool:
    return pair.kind.number == number


_GROUPS = (
    ("honest reply ranked higher", 0.0, lambda pair: True),
    ("honest reply at least .1 higher", 0.1, lambda pair: True),
    ("starred kinds, at least .1 higher", 0.1, lambda pair: pair.kind.starred),
    ("what a rule can tell, ranked higher", 0.0, lambda pair: pair.deterministic),
)
