"""What `trace-erg compile` does with its options."""

from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from apps.judging import certified_judge, refuse_same_model
from apps.progress import Bars
from optimizers.compiling import compile_order
from optimizers.corpora import limit, load_corpus
from optimizers.order import Order
from optimizers.recipes import recipe_named
from optimizers.registry import Registry
from optimizers.report import ROWS
from optimizers.result import Compiled
from optimizers.run_folders import remembered
from programs.backbones import Backbone
from programs.catalogue import program_class
from programs.errors import CorpusError, RecipeError


@dataclass(frozen=True)
class Options:
    """What is to be compiled, as the command line spells it."""

    program: str
    recipe: str
    corpus: str
    fields: tuple[str, ...]
    backbone: str
    teacher: str | None
    reflector: str | None
    judges: tuple[str, ...]
    certificate: str | None
    same_model: bool
    test_items: int
    minutes: float
    seed: int


def resumed(runs: Path, key: str) -> Options:
    """The options that a run was started with.

    Raises:
        RecipeError: there is no such run, or it was started by another release.
    """
    known: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in remembered(runs, key).items()
    }
    try:
        return Options(**known)
    except TypeError as error:
        raise RecipeError(f"run {key} was started by another release: give its options again ({error})") from error


def ordered(options: Options, runs: Path) -> Order:
    """The order that the options spell.

    Args:
        options: from the command line.
        runs: where judgements are kept.

    Raises:
        TraceError: one of them is wrong; says which.
    """
    if options.test_items < 1:
        raise RecipeError("--test-items must be at least 1")
    backbone = Backbone.of(options.backbone)
    refuse_same_model(options.judges, backbone.model, options.same_model)
    certificate = Path(options.certificate) if options.certificate else None
    judge = certified_judge(options.judges, None, certificate, runs / "judgements.jsonl")
    recipe = recipe_named(options.recipe)
    program_class(options.program)
    names = dict(_pair(field) for field in options.fields)
    found = limit(load_corpus(options.corpus, fields=names or None), test=options.test_items)
    return Order(
        corpus=found,
        recipe=recipe,
        backbone=backbone,
        program=options.program,
        teacher=Backbone.of(options.teacher) if options.teacher else None,
        reflector=Backbone.of(options.reflector) if options.reflector else None,
        judge=judge,
        seed=options.seed,
        minutes=options.minutes,
    )


def told(order: Order, runs: Path, options: Options) -> Compiled:
    """Compiles with progress on the terminal, then prints the table and a sample reply."""
    with Bars() as bars:
        compiled = compile_order(order, runs, bars, asdict(options))
    _print_table(compiled)
    click.echo(_section(compiled.report, "## One reply"))
    return compiled


def registered(order: Order, compiled: Compiled, store: str | None) -> None:
    """Registers the version and says where everything is."""
    code = find_spec("apps.model")
    if code is None or code.origin is None:
        raise RecipeError("apps/model.py is not installed: reinstall trace-erg")
    tags = {
        "backbone": order.backbone.alias,
        "recipe": order.recipe.name,
        "program": order.program,
        "objective": "joint",
        "data": order.corpus.name,
        "data_sha256": order.corpus.digest,
        "data_licence": order.corpus.licence,
    }
    made = Registry(store).record(
        compiled.version,
        key=compiled.key,
        params={"seed": order.seed, "minutes": order.minutes, **{f"recipe.{k}": v for k, v in _flat(order).items()}},
        metrics={**compiled.scores, "score": compiled.scores.get("joint_after", 0.0)},
        tags=tags,
        model_code=Path(code.origin),
        files=compiled.files,
    )
    aliases = ", ".join(made.aliases) or "none"
    click.echo(f"\nregistered as version {made.version} of trace-erg (aliases: {aliases})")
    click.echo(f"folder: {compiled.version}\nchart:  {compiled.files[0]}")


def _flat(order: Order) -> dict[str, str]:
    return {name: str(value) for name, value in order.recipe.identity().items() if name != "summary"}


def _pair(field: str) -> tuple[str, str]:
    ours, equals, theirs = field.partition("=")
    if not (ours and equals and theirs):
        raise CorpusError(f"--field {field!r}: write OURS=THEIRS, for instance --field emotion=label")
    return ours, theirs


def _print_table(compiled: Compiled) -> None:
    table = Table(title="before -> after, untouched test split", title_justify="left")
    for column in ("score", "uncompiled", "compiled", "difference, paired 95 % interval", "items"):
        table.add_column(column, justify="left" if column == "score" else "right")
    titles = {title.strip() for _, title in ROWS}
    for line in compiled.report.partition("\n## ")[0].splitlines():
        cells = [cell.rstrip() for cell in line.strip("|").split("|")]
        if len(cells) == len(table.columns) and cells[0].strip() in titles:
            table.add_row(cells[0][1:], *(cell.strip() for cell in cells[1:]))
    Console(width=100).print(table)


def _section(report: str, heading: str) -> str:
    after = report.partition(heading)[2]
    return after.partition("\n## ")[0].strip()
