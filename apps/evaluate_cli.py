"""`trace-erg evaluate`."""

from pathlib import Path

import click

from apps.shared import BACKBONE, STORE, folder_of, one_clear_error

MEMORY = Path(".trace-erg/judgements.jsonl")


@click.command()
@click.argument("target")
@click.option(
    "--corpus",
    default="starter",
    show_default=True,
    metavar="SPEC",
    help="Whose items: starter, ed:FOLDER, ed-pairs:FOLDER (the 5,255 published items), jsonl:FILE, csv:FILE.",
)
@click.option("--split", type=click.Choice(["validation", "test"]), default="test", show_default=True)
@click.option("--items", default=200, show_default=True, help="Items to use, at most; every emotion keeps its share.")
@click.option("--backbone", metavar="SPEC", help=f"Run a version on another model: {BACKBONE}.")
@click.option("--judge", "judges", multiple=True, metavar="SPEC", help="Who judges: a backbone; several make a panel.")
@click.option("--rubric", type=click.Path(path_type=Path), help="A rubric of your own [default: the one inside].")
@click.option("--certificate", type=click.Path(path_type=Path), help="The judge's, from `trace-erg judge calibrate`.")
@click.option("--same-model", is_flag=True, help="Let a model judge its own replies.")
@click.option("--tagger", metavar="FOLDER", help="A trained linear tagger, or llm:BACKBONE.")
@click.option("--bertscore", "encoder", type=click.Path(path_type=Path), help="An encoder's folder, for BERTScore.")
@click.option("--perplexity", "reader", type=click.Path(path_type=Path), help="A causal model's folder.")
@click.option("--against", metavar="TARGET", help="Compare with it, item by item; with a judge, in pairs too.")
@click.option("--memory", type=click.Path(path_type=Path), default=MEMORY, show_default=True, help="Judgements made.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the report [default: evaluations/<name>].")
@STORE
@one_clear_error
def evaluate(
    target: str,
    corpus: str,
    split: str,
    items: int,
    backbone: str | None,
    judges: tuple[str, ...],
    rubric: Path | None,
    certificate: Path | None,
    same_model: bool,
    tagger: str | None,
    encoder: Path | None,
    reader: Path | None,
    against: str | None,
    memory: Path,
    out: Path | None,
    store: str | None,
) -> None:
    """Score a version, or anybody's replies, and print one report card.

    TARGET: a version folder, a number or an alias in the registry, or a JSONL file with one {"id", "reply"} a line
    (and "emotion", "triggers", "category", "mechanism", "intent", "seconds", where there are any). Report, chart and
    JSON are written to a folder and logged to the MLflow store.

    \b
    trace-erg evaluate champion
    trace-erg evaluate champion --judge openai/gpt-4.1 --certificate certificate.json
    trace-erg evaluate champion --against 3
    trace-erg evaluate replies.jsonl --corpus ed-pairs:data/empathetic_dialogues --items 5255 --tagger tagger
    """
    from apps.evaluate_command import Asked, carded, compared, kept, shown
    from optimizers.corpora import load_corpus

    asked = Asked(
        _place(target, store),
        load_corpus(corpus),
        split,
        items,
        backbone,
        judges,
        rubric,
        certificate,
        same_model,
        tagger,
        encoder,
        reader,
    )
    card, evaluation, objective = carded(asked, memory)
    shown(card)
    if against:
        compared(asked, evaluation, _place(against, store), objective)
    tags = {"evaluated": asked.name, "corpus": asked.corpus.name, "split": split}
    kept(card, evaluation, out or Path("evaluations") / asked.name, store, tags)


def _place(target: str, store: str | None) -> Path:
    return Path(target) if target.endswith(".jsonl") else folder_of(target, store)
