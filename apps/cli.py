"""The command line: compile, look at, and talk to empathetic programs."""

import json
import os
import sys
from typing import Any

import click

from apps.compile_cli import compile, list_runs
from apps.evaluate_cli import evaluate
from apps.judge_cli import judge
from apps.shared import BACKBONE, STORE, folder_of, one_clear_error
from apps.tagger_cli import tagger

# Off-line machines would otherwise wait for a price list at the first call.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "true")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="trace-erg")
def main() -> None:
    """Compile empathetic response programs for a language model, and talk to them.

    \b
    trace-erg compile                        compile TRACE on the embedded model and register it
    trace-erg runs                           compiles that were begun, and how to continue one
    trace-erg respond "I failed again."      answer with the registered champion
    trace-erg versions                       what is registered
    trace-erg show champion                  a version's prompts, configuration and scores

    Research software: not a clinical service, and no substitute for help in an emergency.
    """


@main.command()
@one_clear_error
def recipes() -> None:
    """What recipes there are, and about how many model calls each makes on the starter corpus with TRACE.

    \b
    trace-erg recipes
    trace-erg compile --recipe random-search
    """
    from optimizers.recipes import RECIPES

    for recipe in RECIPES.values():
        calls = recipe.estimate(stages=4, train=192, validation=64)
        click.echo(f"{recipe.name:14} ~{calls:5} calls  {recipe.summary}")
    click.echo("\nEach is followed by a test of at most 2 x 64 replies: up to 512 calls more.")


@main.command()
@one_clear_error
def programs() -> None:
    """What programs there are.

    \b
    trace-erg programs
    trace-erg compile --program single-call --recipe bootstrap
    """
    from programs.catalogue import PROGRAMS

    for name, kind in PROGRAMS.items():
        click.echo(f"{name:12} {(sys.modules[kind.__module__].__doc__ or '').splitlines()[0]}")
        click.echo(f"{'':12} {(kind.__doc__ or '').splitlines()[0]}")


@main.command()
@click.argument("text")
@click.option(
    "--version",
    "reference",
    default="champion",
    show_default=True,
    metavar="REF",
    help=("A version folder, or a number or alias in the registry."),
)
@click.option("--backbone", metavar="SPEC", help=f"Run it on another model: {BACKBONE}.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole reading as JSON.")
@click.option("--explain", is_flag=True, help="Print how the speaker was read, then the reply.")
@STORE
@one_clear_error
def respond(text: str, reference: str, backbone: str | None, as_json: bool, explain: bool, store: str | None) -> None:
    """Answer TEXT: what one person said, `-` for standard input, or a JSON list of turns.

    \b
    trace-erg respond "My dog died this morning and I keep hearing his bowl." --explain
    echo '[{"role":"speaker","text":"I got it!"}]' | trace-erg respond - --json
    """
    from apps.respond_command import dialogue_of, explained, standard_input

    dialogue = dialogue_of(standard_input() if text == "-" else text)
    reading = _loaded(reference, backbone, store)(dialogue)
    if as_json:
        click.echo(json.dumps(reading.to_dict(), ensure_ascii=False, indent=2))
    else:
        click.echo(explained(reading) if explain else reading.reply)


@main.command()
@click.argument("reference", default="champion")
@STORE
@one_clear_error
def show(reference: str, store: str | None) -> None:
    """Show a version's configuration, scores and exact prompts. REFERENCE: a folder, a number or an alias.

    \b
    trace-erg show
    trace-erg show 3 --store sqlite:///mlflow.db
    """
    from apps.show_command import shown

    click.echo(shown(folder_of(reference, store)))


@main.command()
@click.option("--backbone", help="Only versions compiled for it.")
@click.option("--recipe", help="Only versions made by it.")
@click.option("--alias", help="Only the holder of it.")
@STORE
@one_clear_error
def versions(backbone: str | None, recipe: str | None, alias: str | None, store: str | None) -> None:
    """List the registered versions, newest first.

    \b
    trace-erg versions
    trace-erg versions --backbone embedded --recipe stagewise
    """
    from optimizers.registry import Registry

    found = Registry(store).versions(backbone=backbone, recipe=recipe, alias=alias)
    if not found:
        click.echo("no version yet: run `trace-erg compile`")
    for item in found:
        score = "-" if item.score is None else f"{item.score:.3f}"
        aliases = ", ".join(item.aliases) or "-"
        made = f"{item.created:%Y-%m-%d %H:%M}"
        click.echo(
            f"{item.version:3}  {item.program:12} {item.backbone:14} {item.recipe:14} {score:6} {made}  {aliases}"
        )


def _loaded(reference: str, backbone: str | None, store: str | None) -> Any:
    from programs.loading import load

    return load(folder_of(reference, store), backbone)


for command in (compile, list_runs, evaluate, judge, tagger):
    main.add_command(command)


if __name__ == "__main__":
    main()
