"""The public sets of rated replies, as they are laid out in files.

Experts: Kumar et al. 2026, three experts each on EmpatheticDialogues, on EPITOME pairs and on role-plays.
Crowds: EmPO's human evaluation on EmpatheticDialogues; Welivita and Pu 2024, one rater a reply.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

from metrics.label_rows import LabelRow, Scale
from metrics.labels import Labelled
from programs.dialogue import Dialogue

EXPERTS = ("expert1", "expert2", "expert3")
EMPO_SLIDERS = ("appropriate", "emotion", "natural", "would_continue")
"""What EmPO's raters moved, 0 to 100; their fifth answer, a yes or no, has another scale and is left out."""
FAULTS = {"no_advice": "advice_giving", "not_self_oriented": "self_oriented", "not_dismissing": "dismissing_emotions"}
"""Scales of the role-plays that count a fault, by their name once they are turned round."""


def kumar_ed(row: LabelRow) -> Iterator[Labelled]:
    """A conversation with its listener rated as a whole."""
    yield _whole(row, "conv_id", _by_dimension(row, (1, 5)))


def kumar_role_plays(row: LabelRow) -> Iterator[Labelled]:
    """A role-play with its listener rated as a whole.

    Scales that count a fault are turned round; `unintrusive` is the worst of those three, rater by rater.
    """
    ratings = _by_dimension(row, (1, 5))
    if missing := [fault for fault in FAULTS.values() if fault not in ratings]:
        raise row.fault("ratings", f"nobody rated {missing[0]}")
    turned = {name: {who: 6 - level for who, level in ratings.pop(old).items()} for name, old in FAULTS.items()}
    worst = {who: min(levels[who] for levels in turned.values() if who in levels) for who in turned["no_advice"]}
    yield _whole(row, "id", {**ratings, **turned, "unintrusive": worst})


def kumar_epitome(row: LabelRow) -> Iterator[Labelled]:
    """A post and an answer to it; levels of EPITOME's mechanisms."""
    dialogue = row.dialogue("seeker", row.text("seeker"))
    ratings = _by_dimension(row, (0, 2))
    yield Labelled(row.name("rp_id"), row.name("sp_id"), dialogue, row.text("response"), ratings, (0, 2))


def empo(row: LabelRow) -> Iterator[Labelled]:
    """A reply of one system, on four sliders."""
    scale = (0, 100)
    columns: dict[str, dict[str, Any]] = {name: {} for name in EMPO_SLIDERS}
    for given in _list(row, "ratings"):
        if not isinstance(given, list) or len(given) <= len(EMPO_SLIDERS):
            raise row.fault("ratings", "must be lists of a rater and their answers")
        for name, level in zip(EMPO_SLIDERS, given[1:], strict=False):
            columns[name][str(given[0])] = level
    ratings = {name: row.ratings(f"ratings.{name}", levels, scale) for name, levels in columns.items()}
    item, system = row.name("item"), row.text("system")
    yield Labelled(f"{item}/{system}", item, _alternating(row), row.text("response"), ratings, scale, system=system)


def welivita(row: LabelRow) -> Iterator[Labelled]:
    """Three replies to one first turn, Bad to Good."""
    scale = (1, 3)
    conversation = row.name("conv_id")
    for system, given in row.table("responses").items():
        answer = LabelRow(f"{row.place}, field 'responses.{system}'", given if isinstance(given, dict) else {})
        levels = {answer.name("rater"): given.get("rating")}
        ratings = {"empathy": answer.ratings("rating", levels, scale)}
        name = f"{conversation}/{row.name('part')}/{system}"
        yield Labelled(name, conversation, _alternating(row), answer.text("text"), ratings, scale, system=system)


def _whole(row: LabelRow, key: str, ratings: Mapping[str, Mapping[str, float]]) -> Labelled:
    """A conversation whose listener was rated as a whole: the reply is their last turn, the transcript keeps all."""
    turns = row.turns("turns")
    last = max((place for place, turn in enumerate(turns) if turn.role == "listener"), default=0)
    if not last:
        raise row.fault("turns", "the listener says nothing")
    dialogue = row.dialogue("turns", turns[:last])
    return Labelled(row.name(key), row.name(key), dialogue, turns[last].text, ratings, (1, 5), turns)


def _by_dimension(row: LabelRow, scale: Scale) -> dict[str, dict[str, float]]:
    """The experts' ratings; in the file they stand by rater, among those of models and of a crowd."""
    given = row.table("ratings")
    experts = {rater: given[rater] for rater in EXPERTS if isinstance(given.get(rater), dict)}
    dimensions = dict.fromkeys(dimension for levels in experts.values() for dimension in levels)
    if not dimensions:
        raise row.fault("ratings", f"none of {', '.join(EXPERTS)} rated it")
    by_rater = {
        dimension: {rater: levels[dimension] for rater, levels in experts.items() if dimension in levels}
        for dimension in dimensions
    }
    return {dimension: row.ratings(f"ratings.{dimension}", given, scale) for dimension, given in by_rater.items()}


def _alternating(row: LabelRow) -> Dialogue:
    """The dialogue of a list of texts, by speaker and listener in turn."""
    texts = _list(row, "context")
    return row.dialogue("context", list(zip(cycle(("speaker", "listener")), texts, strict=False)))


def _list(row: LabelRow, field: str) -> Sequence[Any]:
    value = row.values.get(field)
    if not isinstance(value, list) or not value:
        raise row.fault(field, "must be a list with something in it")
    return value
