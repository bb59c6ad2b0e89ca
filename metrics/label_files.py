"""Label files: the public sets of human ratings that this project knows, and the user's own."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from metrics.label_rows import LabelRow, label_rows
from metrics.labels import Labelled, LabelSet
from metrics.public_labels import empo, kumar_ed, kumar_epitome, kumar_role_plays, welivita
from programs.errors import CorpusError

Reader = Callable[[LabelRow], Iterator[Labelled]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One layout."""

    marks: frozenset[str]
    """Fields by which a row of this layout is known; the first kind whose marks are all there is taken."""
    expert: bool
    read: Reader
    matches: Mapping[str, tuple[str, ...]]
    """What was rated, and the dimensions of the standard rubric that ask for the same; empty if by the same name."""


def load_labels(path: Path, kind: str | None = None) -> LabelSet:
    """The rated replies of a file.

    Args:
        path: JSON lines, may be gzipped. The user's own have `id`, `dialogue` (a text, or turns), `reply`, `ratings`
            ({dimension: {rater: level}}, more being better), `scale` ([lowest, highest]), and may have `conversation`
            and `system`.
        kind: one of `KINDS`; None goes by the fields of the first row.

    Raises:
        CorpusError: file, line and field that are wrong, an id that occurs twice, two scales, or no such kind.
    """
    rows = list(label_rows(path))
    if not rows:
        raise CorpusError(f"{path}: no rows in it")
    layout = KINDS[kind_of(rows[0], kind)]
    items = _unique((row.place, item) for row in rows for item in layout.read(row))
    rated = dict.fromkeys(dimension for item in items for dimension in item.ratings)
    return LabelSet(path.name, items, layout.expert, layout.matches or {name: (name,) for name in rated})


def kind_of(row: LabelRow, kind: str | None = None) -> str:
    """The name of a row's layout, checked where it is given.

    Raises:
        CorpusError: there is no such kind, or the fields fit none.
    """
    if kind is not None and kind not in KINDS:
        raise CorpusError(f"no kind of labels is called {kind!r}: use {', '.join(KINDS)}")
    fitting = [name for name, layout in KINDS.items() if layout.marks <= row.values.keys()]
    if not (kind or fitting):
        raise CorpusError(f"{row.place}: fits no kind of labels; your own need {', '.join(sorted(KINDS['own'].marks))}")
    return kind or fitting[0]


def _own(row: LabelRow) -> Iterator[Labelled]:
    scale = row.scale("scale")
    given = row.table("ratings")
    name = row.name("id")
    yield Labelled(
        name,
        row.name("conversation") if "conversation" in row.values else name,
        row.dialogue("dialogue", row.values.get("dialogue")),
        row.text("reply"),
        {dimension: row.ratings(f"ratings.{dimension}", levels, scale) for dimension, levels in given.items()},
        scale,
        system=row.name("system") if "system" in row.values else "",
    )


def _unique(placed: Iterator[tuple[str, Labelled]]) -> tuple[Labelled, ...]:
    items: dict[str, Labelled] = {}
    for place, item in placed:
        if item.id in items:
            raise CorpusError(f"{place}, field 'id': the id {item.id!r} occurs twice: give every item one of its own")
        if item.scale != (first := next(iter(items.values()), item)).scale:
            raise CorpusError(f"{place}, field 'scale': differs from that of {first.id!r}: one file has one scale")
        items[item.id] = item
    return tuple(items.values())


KINDS: Mapping[str, Kind] = {
    "empo_he": Kind(frozenset({"item", "system", "context", "response"}), False, empo, {}),
    "welivita2024_ed": Kind(frozenset({"conv_id", "context", "responses"}), False, welivita, {}),
    "kumar2026_epitome": Kind(
        frozenset({"seeker", "response"}), True, kumar_epitome, {"er": ("affective",), "ip": ("cognitive",)}
    ),
    "kumar2026_ed": Kind(
        frozenset({"conv_id", "turns", "ratings"}),
        True,
        kumar_ed,
        {"empathy": ("affective", "cognitive"), "relevance": ("relevance",), "fluency": ("naturalness",)},
    ),
    "kumar2026_lend_an_ear": Kind(
        frozenset({"id", "turns", "ratings"}),
        True,
        kumar_role_plays,
        {
            "validating_emotions": ("affective",),
            "demonstrating_understanding": ("cognitive",),
            "unintrusive": ("non_intrusive",),
        },
    ),
    "own": Kind(frozenset({"id", "dialogue", "reply", "ratings", "scale"}), True, _own, {}),
}
