"""`trace-erg judge`: calibrate a judge on expert labels, and attack the objective."""

from pathlib import Path

import click

from apps.evaluate_cli import MEMORY
from apps.shared import one_clear_error


@click.group()
def judge() -> None:
    """How far a judge can be trusted."""


@judge.command()
@click.option(
    "--labels", required=True, type=click.Path(path_type=Path), help="Rated replies: an expert set, or JSONL."
)
@click.option("--kind", metavar="NAME", help="Layout of the labels [default: recognised by its fields].")
@click.option("--judge", "judges", multiple=True, default=("embedded",), show_default=True, metavar="SPEC")
@click.option("--rubric", type=click.Path(path_type=Path), help="A rubric of your own.")
@click.option("--items", type=int, help="Use the first items only.")
@click.option("--memory", type=click.Path(path_type=Path), default=MEMORY, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("certificate.json"), show_default=True)
@one_clear_error
def calibrate(
    labels: Path,
    kind: str | None,
    judges: tuple[str, ...],
    rubric: Path | None,
    items: int | None,
    memory: Path,
    out: Path,
) -> None:
    """Fit a judge's cut points on expert labels, say how far it agrees with them, and write its certificate.

    The certificate holds for this judge, this rubric and these labels only; an objective counts the dimensions that it
    certifies, and no others.

    \b
    trace-erg judge calibrate --labels kumar2026_ed.jsonl.gz --judge openai/gpt-4.1
    """
    from apps.judge_command import certified

    certified(labels, kind, judges, rubric, items, memory, out)


@judge.command()
@click.option("--suite", type=click.Choice(["development", "sealed"]), multiple=True, help="[default: both]")
@click.option("--corpus", default="starter", show_default=True, metavar="SPEC", help="Whose guard.")
@click.option("--judge", "judges", multiple=True, metavar="SPEC", help="Who judges [default: the rules alone].")
@click.option("--rubric", type=click.Path(path_type=Path), help="A rubric of your own.")
@click.option("--certificate", type=click.Path(path_type=Path), help="The judge's.")
@click.option("--memory", type=click.Path(path_type=Path), default=MEMORY, show_default=True)
@one_clear_error
def attack(
    suite: tuple[str, ...],
    corpus: str,
    judges: tuple[str, ...],
    rubric: Path | None,
    certificate: Path | None,
    memory: Path,
) -> None:
    """Set 42 kinds of bad replies against honest ones, and a constant reply against a corpus.

    Exits with 1 unless 95 % of the pairs, and every starred one, keep a tenth between them.

    \b
    trace-erg judge attack
    trace-erg judge attack --suite sealed --judge openai/gpt-4.1 --certificate certificate.json
    """
    from apps.judge_command import attacked

    if not attacked(suite or ("development", "sealed"), corpus, judges, rubric, certificate, memory):
        raise SystemExit(1)
