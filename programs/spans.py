"""Trigger spans must stand in the speaker's words: near misses are mended, inventions dropped."""

import heapq
import itertools
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from programs.dialogue import Dialogue

_CLOSE = 0.7
"""Least similarity (share of matching characters) at which a span counts as a misquotation."""
_COMPARED = 24
"""Runs that are compared letter by letter."""
_LONGEST = 400
"""Letters of a span that is looked for at all: a longer one is no short span, and is dropped unless verbatim."""


def verbatim(spans: Iterable[str], dialogue: Dialogue) -> tuple[tuple[str, ...], int]:
    """The spans as the speaker said them, without repeats, and how many had to be mended or dropped."""
    turns = [turn.text for turn in dialogue.turns if turn.role == "speaker"]
    kept: dict[str, None] = {}
    repairs = 0
    for span in spans:
        wanted = " ".join(span.split())
        found = next((wanted for turn in turns if wanted and wanted in turn), None)
        if found is None:
            repairs += 1
            found = _closest(wanted, turns)
        if found:
            kept[found] = None
    return tuple(kept), repairs


def _closest(wanted: str, turns: list[str]) -> str | None:
    """The run of words most like `wanted`, if any is close."""
    if not wanted or len(wanted) > _LONGEST:
        return None
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted.casefold())
    best, score = None, _CLOSE
    for run in _promising(wanted, turns):
        matcher.set_seq1(run.casefold())
        if (ratio := matcher.ratio()) > score or (best is None and ratio == score):
            best, score = run, ratio
    return best


def _promising(wanted: str, turns: list[str]) -> list[str]:
    """The few runs that share the most three-letter pieces with `wanted`: comparing every run of a long text in full
    would take minutes."""
    pieces, length = _pieces(wanted), len(wanted.split())
    runs = (run for turn in turns for run in _runs(turn, length, pieces))
    return [text[start:end] for _, text, start, end in heapq.nlargest(_COMPARED, runs, key=lambda run: run[0])]


def _runs(turn: str, length: int, pieces: set[str]) -> Iterator[tuple[float, str, int, int]]:
    """Runs of about `length` words: share of pieces in common, the turn, start and end."""
    words = [match.span() for match in re.finditer(r"\S+", turn)]
    found = [_pieces(turn[start:end]) for start, end in words]
    common = list(itertools.accumulate((len(word & pieces) for word in found), initial=0))
    sizes = list(itertools.accumulate((len(word) for word in found), initial=0))
    for size in range(max(1, length - 1), min(length + 1, len(words)) + 1):
        for start in range(len(words) - size + 1):
            shared = common[start + size] - common[start]
            if shared:
                share = 2 * shared / (sizes[start + size] - sizes[start] + len(pieces))
                yield share, turn, words[start][0], words[start + size - 1][1]


def _pieces(text: str) -> set[str]:
    """Three-letter pieces of each word, its borders included."""
    padded = (f" {word} " for word in text.casefold().split())
    return {word[i : i + 3] for word in padded for i in range(len(word) - 2)}
