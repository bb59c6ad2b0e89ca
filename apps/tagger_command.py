"""What `trace-erg tagger` does: trains the linear tagger, and tells what one is worth."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from metrics.linear_tagger import LinearTagger
from metrics.tagger_folder import check_place

_CAUTION = "trained on data for non-commercial research: do not pass the folder on"


def trained(data: Path, out: Path) -> str:
    """Trains on the folder `data`, writes the tagger to `out`, and returns the held-out table; progress on stderr.

    Raises:
        CorpusError: the data is missing or malformed.
        TaggerError: the place holds something else than a tagger.
    """
    from metrics.tagger_training import train_tagger

    check_place(out)
    tagger = train_tagger(data, on_step=lambda line: click.echo(line, err=True))
    tagger.save(out)
    return f"{_told(tagger)}\n\nwritten to {out}; {_CAUTION}"


def shown(folder: Path) -> str:
    """What a trained tagger was trained on, and its held-out figures.

    Raises:
        TaggerError: there is none, or it was changed.
    """
    tagger = LinearTagger.load(folder)
    data = [f"data       {one['name']} ({one['licence']})" for one in tagger.details["data"]]
    return "\n".join(["backend    linear", f"hash       {tagger.identity()['hash']}", *data, "", _told(tagger)])


def _told(tagger: LinearTagger) -> str:
    rows = [_row(name, figure) for name, figure in tagger.identity()["held_out"].items()]
    return "\n".join([f"{'held out':32} {'value':>6}   95 %             items  on", *rows])


def _row(name: str, figure: Mapping[str, Any]) -> str:
    if figure["low"] is None:
        return f"{name:32} {'-':>6}   {'':13} {figure['n']:8}  {figure['note']}"
    between = f"[{figure['low']:.3f}, {figure['high']:.3f}]"
    return f"{name:32} {figure['value']:6.3f}   {between} {figure['n']:8}  {figure['note']}"
