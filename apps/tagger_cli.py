"""`trace-erg tagger`: train and show the linear tagger."""

from pathlib import Path

import click

from apps.shared import one_clear_error


@click.group()
def tagger() -> None:
    """Reads emotion, empathy mechanisms and intent from replies."""


@tagger.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of the research data.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("tagger"), show_default=True)
@one_clear_error
def train(data: Path, out: Path) -> None:
    """Train the linear tagger from local data and print what it is worth on held-out items.

    \b
    trace-erg tagger train --data ../shared/data --out tagger
    """
    from apps.tagger_command import trained

    click.echo(trained(data, out))


@tagger.command()
@click.argument("folder", type=click.Path(path_type=Path))
@one_clear_error
def show(folder: Path) -> None:
    """What a trained tagger in FOLDER was trained on, and its held-out figures.

    \b
    trace-erg tagger show tagger
    """
    from apps.tagger_command import shown

    click.echo(shown(folder))
