"""`trace-erg compile` and `trace-erg runs`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from apps.shared import BACKBONE, STORE, one_clear_error

_INTERRUPTED = 130
RUNS = click.option(
    "--runs",
    type=click.Path(path_type=Path),
    default=Path(".trace-erg/runs"),
    show_default=True,
    help="Where run directories live.",
)


@contextmanager
def _continuing() -> Iterator[None]:
    """An interrupted compile says how it goes on."""
    try:
        yield
    except KeyboardInterrupt as error:
        click.echo("\ninterrupted: start the same command again to continue; nothing is paid for twice", err=True)
        raise SystemExit(_INTERRUPTED) from error


@click.command()
@click.option("--program", default="trace", show_default=True, help="What to compile; see `trace-erg programs`.")
@click.option("--recipe", default="stagewise", show_default=True, help="How; see `trace-erg recipes`.")
@click.option(
    "--corpus",
    default="starter",
    show_default=True,
    metavar="SPEC",
    help="What to learn from and test on: starter, ed:FOLDER or ed:HUB/ID, jsonl:FILE, csv:FILE.",
)
@click.option("--field", "fields", multiple=True, metavar="OURS=THEIRS", help="Name of a field in your own corpus.")
@click.option("--backbone", default="embedded", show_default=True, metavar="SPEC", help=f"The model: {BACKBONE}.")
@click.option("--teacher", metavar="SPEC", help="Who runs the demonstrations of bootstraps [default: the backbone].")
@click.option("--reflector", metavar="SPEC", help="Who proposes instructions [default: the backbone].")
@click.option("--judge", "judges", multiple=True, metavar="SPEC", help="Who judges replies; several make a panel.")
@click.option("--certificate", type=click.Path(path_type=Path), help="The judge's, from `trace-erg judge calibrate`.")
@click.option("--same-model", is_flag=True, help="Let a model judge its own replies.")
@click.option("--test-items", default=200, show_default=True, help="Test items to use, at most.")
@click.option("--minutes", default=28.0, show_default=True, help="Wall time for search and test.")
@click.option("--seed", default=0, show_default=True)
@RUNS
@click.option(
    "--resume", metavar="RUN", help="Continue this run (see `trace-erg runs`) with the options it began with."
)
@STORE
@one_clear_error
def compile(  # the command's name is the product's main verb
    program: str,
    recipe: str,
    corpus: str,
    fields: tuple[str, ...],
    backbone: str,
    teacher: str | None,
    reflector: str | None,
    judges: tuple[str, ...],
    certificate: Path | None,
    same_model: bool,
    test_items: int,
    minutes: float,
    seed: int,
    runs: Path,
    resume: str | None,
    store: str | None,
) -> None:
    """Compile a program, test it, and register the result.

    The search looks at the train and validation splits only. Then the uncompiled and the compiled program answer the
    same untouched test items; the table shows both, with paired 95 % intervals. The result is a version folder and a
    registered model version with the aliases of its backbone and, for the first one, `champion`.

    Interrupt it whenever you like: the same command continues, and pays for no call twice.

    \b
    trace-erg compile
    trace-erg compile --corpus ed:data/empathetic_dialogues
    trace-erg compile --backbone openai/gpt-4.1-mini --recipe mipro
    """
    with _continuing():
        from apps.compile_command import Options, ordered, registered, resumed, told

        given = Options(
            program=program,
            recipe=recipe,
            corpus=corpus,
            fields=fields,
            backbone=backbone,
            teacher=teacher,
            reflector=reflector,
            judges=judges,
            certificate=str(certificate) if certificate else None,
            same_model=same_model,
            test_items=test_items,
            minutes=minutes,
            seed=seed,
        )
        options = resumed(runs, resume) if resume else given
        order = ordered(options, runs)
        registered(order, told(order, runs, options), store)


@click.command("runs")
@RUNS
@one_clear_error
def list_runs(runs: Path) -> None:
    """List the compiles that were begun here, the one last touched first.

    \b
    trace-erg runs
    trace-erg compile --resume 3f2a
    """
    from optimizers import run_folders

    found = run_folders.list_runs(runs)
    if not found:
        click.echo(f"no run in {runs}: run `trace-erg compile`")
    for run in found:
        score = "-" if run.score is None else f"{run.score:.3f}"
        what = "  ".join(run.order.get(name, "?") for name in ("program", "recipe", "backbone", "corpus"))
        click.echo(f"{run.key}  {run.state:8}  {score:6} {run.touched:%Y-%m-%d %H:%M}  {what}")
