"""All published output sets on their shared items, beside anchors that any right scorer must meet.

    python -m benchmarks.peers [--data ../shared/data] [--tagger FOLDER]

Two parts, because one family of systems answered other turns of the same conversations. Replies and gold replies are
compared in lower case with contractions spelled out; diversity is at the reply count of the smaller part. Intervals
are 95 %, by conversation.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, median

from benchmarks.peer_anchors import anchors, print_anchors
from benchmarks.peer_data import Items, read_peers, shared_items, spelled_out, train_replies
from metrics.diversity import Diversity, at_equal_count, duplicate_share, self_bleu
from metrics.figure import Figure, corpus_figure, number_of
from metrics.linear_tagger import LinearTagger
from metrics.overlap import ORDERS, bleu_counts, bleu_of, chrf, rouge_scores
from metrics.tagger import Tags, diff_epitome, emotion_accuracy, intent_agreement
from metrics.text import TOKENISER, Nidf, words

_HUMAN = "human gold"
_PROCESSES = 2
_SAMPLE = 100
"""Replies of each set that self-BLEU is taken on."""
_VARIED = {"Dist-1": "dist_1", "Dist-2": "dist_2", "EAD-1": "ead_1", "EAD-2": "ead_2"}
_COLUMNS = (
    "system", "BLEU-1", "BLEU-2", "BLEU-4", "chrF", "R-L", "Dist-1", "Dist-2", "EAD-1", "EAD-2", "NIDF", "copies %",
    "self-BLEU", "mean words", "median", "EmoAcc", "intent", "dEPI",
)  # fmt: skip
_BOUNDED = ("BLEU-4", "R-L", "NIDF", "EmoAcc", "intent", "dEPI")


@dataclass(frozen=True)
class Task:
    """One set of replies to score."""

    title: str
    name: str
    replies: Sequence[str] = field(repr=False)
    items: Items = field(repr=False)
    data: Path
    tagger: Path | None


@dataclass(frozen=True)
class Row:
    """What was found for one set; all in percent but words and dEPI."""

    title: str
    name: str
    plain: dict[str, float | None]
    bounded: dict[str, Figure]


def main() -> int:
    """Prints the tables; 1 where an anchor is missed."""
    begun = time.monotonic()
    options = _options()
    pairs, outputs = read_peers(options.data)
    parts = shared_items(pairs, outputs)
    with ProcessPoolExecutor(_PROCESSES, get_context("spawn")) as pool:
        known = pool.submit(anchors, options.data, pairs, outputs)
        varied = pool.submit(
            at_equal_count, {_key(one.title, name): texts for one in parts for name, texts in _sets(one)}
        )
        rows = list(pool.map(score, [task for one in parts for task in _tasks(one, options.data, options.tagger)]))
    for part, (_, found) in zip(parts, groupby(rows, lambda row: row.title), strict=True):
        _print_part(part, list(found), varied.result())
    print_anchors(known.result())
    print(f"\nwords: {TOKENISER}; {time.monotonic() - begun:.0f} s")
    return 0 if all(one.met for one in known.result()) else 1


def score(task: Task) -> Row:
    """Everything about one set but its diversity at equal count."""
    replies, groups = task.replies, task.items.conversations
    counts = bleu_counts(replies, task.items.golds)
    lengths = [len(words(reply)) for reply in replies]
    plain: dict[str, float | None] = {
        **{f"BLEU-{order}": bleu_of(counts, order) for order in ORDERS[:-1]},
        "chrF": chrf(replies, task.items.golds),
        "copies %": _hundredfold(duplicate_share(replies)),
        "self-BLEU": self_bleu(replies, _SAMPLE),
        "mean words": fmean(lengths),
        "median": float(median(lengths)),
    }
    longest = [one[2] for one in rouge_scores(replies, task.items.golds)]
    rare = _nidf(task.data)
    bounded = {
        "BLEU-4": corpus_figure(partial(bleu_of, counts, 4), groups),
        "R-L": number_of(longest, groups),
        "NIDF": number_of([_hundredfold(rare.specificity(reply)) for reply in replies], groups),
    }
    return Row(task.title, task.name, plain, bounded | (_tagged(task) if task.tagger else {}))


def _tagged(task: Task) -> dict[str, Figure]:
    items, folder, groups = task.items, task.tagger or Path(), task.items.conversations
    golds = _gold_tags(folder, items.contexts, items.golds)
    tags = golds if task.name == _HUMAN else _tagger(folder).tag(items.contexts, task.replies)
    agreed = {"EmoAcc": emotion_accuracy(tags, items.emotions), "intent": intent_agreement(tags, golds)}
    shares = {name: number_of([_hundredfold(one.value) for one in scores], groups) for name, scores in agreed.items()}
    return {**shares, "dEPI": number_of(diff_epitome(tags, golds)["average"], groups)}


def _key(title: str, name: str) -> str:
    return f"{title}: {name}"


def _hundredfold(share: float | None) -> float | None:
    return None if share is None else 100 * share


@lru_cache(maxsize=1)
def _nidf(data: Path) -> Nidf:
    return Nidf.fit(map(spelled_out, train_replies(data)))


@lru_cache(maxsize=1)
def _tagger(folder: Path) -> LinearTagger:
    return LinearTagger.load(folder)


@lru_cache(maxsize=2)
def _gold_tags(folder: Path, contexts: tuple[str, ...], golds: tuple[str, ...]) -> list[Tags]:
    return _tagger(folder).tag(contexts, golds)


def _sets(items: Items) -> list[tuple[str, Sequence[str]]]:
    return [*items.outputs.items(), (_HUMAN, items.golds)]


def _tasks(items: Items, data: Path, tagger: Path | None) -> list[Task]:
    return [Task(items.title, name, replies, items, data, tagger) for name, replies in _sets(items)]


def _print_part(items: Items, rows: Sequence[Row], varied: Mapping[str, Diversity]) -> None:
    print(f"\n### {items.title}: {len(items.golds):,} items, {len(items.outputs)} systems\n")
    _print_table(_COLUMNS, [_cells(row, varied[_key(row.title, row.name)]) for row in rows])
    print(f"\n95 % intervals, {items.title}:\n")
    _print_table(
        ("system", *_BOUNDED), [[row.name, *(_bounds(row.bounded.get(name)) for name in _BOUNDED)] for row in rows]
    )


def _cells(row: Row, varied: Diversity) -> list[str]:
    """The columns of the first table, in their order."""
    values = {name: figure.value for name, figure in row.bounded.items()} | row.plain
    values |= {column: 100 * varied.figures[name] for column, name in _VARIED.items()}
    return [row.name, *(_number(values.get(name)) for name in _COLUMNS[1:])]


def _bounds(figure: Figure | None) -> str:
    if figure is None or figure.low is None or figure.high is None:
        return "–"
    return f"{_number(figure.value)} [{figure.low:.2f}, {figure.high:.2f}]"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--tagger", type=Path, help="a folder that `trace-erg tagger train` wrote")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
