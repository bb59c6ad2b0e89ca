"""How varied a set of replies is. All of it depends on how many replies there are: compare at equal count only."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from sacrebleu.metrics.bleu import BLEU

from metrics.text import ngrams, words

VOCABULARY = 100_277
"""V of EAD unless told otherwise: the size of the cl100k vocabulary, as TRACE's evaluation has it for both orders."""
_DRAWS, _SAMPLE = 20, 500


def distinct(replies: Sequence[str], n: int) -> float | None:
    """Distinct-n of a set, in [0, 1]: different n-grams over all n-grams, none across two replies (Li et al. 2016).

    None where no reply has n words.
    """
    return distinct_of([words(reply) for reply in replies], n)


def distinct_of(rows: Sequence[Sequence[str]], n: int) -> float | None:
    """`distinct` of replies that are cut into words already."""
    found = _ngrams(rows, n)
    return len(set(found)) / len(found) if found else None


def ead(replies: Sequence[str], n: int, vocabulary: int = VOCABULARY) -> float | None:
    """Expectation-adjusted distinct, EAD = N / (V (1 - ((V - 1) / V)^C)), from 0 up (Liu et al. 2022).

    N different n-grams, C n-grams in all, V the vocabulary's size; None where no reply has n words.

    Raises:
        ValueError: the vocabulary has fewer than 2 entries.
    """
    return ead_of([words(reply) for reply in replies], n, vocabulary)


def ead_of(rows: Sequence[Sequence[str]], n: int, vocabulary: int = VOCABULARY) -> float | None:
    """`ead` of replies that are cut into words already."""
    if vocabulary < 2:
        raise ValueError("EAD needs a vocabulary of at least 2 entries")
    found = _ngrams(rows, n)
    if not found:
        return None
    return len(set(found)) / expected_distinct(len(found), vocabulary)


def expected_distinct(count: int, vocabulary: int) -> float:
    """V (1 - ((V - 1) / V)^C): how many different ones to expect of C drawn from V evenly (Liu et al. 2022)."""
    return vocabulary * -math.expm1(count * math.log1p(-1 / vocabulary))


def duplicate_share(replies: Sequence[str]) -> float | None:
    """Share of the replies whose words repeat an earlier reply's, in [0, 1]; None of none."""
    if not replies:
        return None
    return 1 - len({tuple(words(reply)) for reply in replies}) / len(replies)


def median_length(replies: Sequence[str]) -> float | None:
    """Median number of words; None of none."""
    return float(median(len(words(reply)) for reply in replies)) if replies else None


def self_bleu(replies: Sequence[str], sample: int = _SAMPLE, seed: int = 0) -> float | None:
    """Mean BLEU-4 of each reply of a sample against all others of it, in percent (Zhu et al. 2018); None below two.

    Quadratic in `sample`.
    """
    if len(replies) < 2:
        return None
    chosen = list(replies) if len(replies) <= sample else random.Random(seed).sample(list(replies), sample)
    scorer = BLEU(lowercase=True, effective_order=True, force=True)
    return fmean(
        scorer.sentence_score(reply, chosen[:place] + chosen[place + 1 :]).score for place, reply in enumerate(chosen)
    )


@dataclass(frozen=True, slots=True)
class Diversity:
    """Mean over draws of equal size, and the spread between them; each in [0, 1] or, for EAD, from 0 up."""

    replies: int
    """Replies a draw holds."""
    figures: Mapping[str, float]
    """`dist_1`, `dist_2`, `ead_1`, `ead_2`."""
    spread: Mapping[str, float]
    """Highest less lowest draw; 0 for a set that is no larger than a draw."""


def at_equal_count(sets: Mapping[str, Sequence[str]], draws: int = _DRAWS, seed: int = 0) -> dict[str, Diversity]:
    """The diversity of each set at the reply count of the smallest, drawn without replacement.

    Raises:
        ValueError: a set is empty.
    """
    if not all(sets.values()):
        raise ValueError("an empty set of replies has no diversity")
    count = min(map(len, sets.values()))
    chance = random.Random(seed)
    return {name: _drawn(replies, count, draws, chance) for name, replies in sets.items()}


def _drawn(replies: Sequence[str], count: int, draws: int, chance: random.Random) -> Diversity:
    rows = [words(reply) for reply in replies]
    times = draws if len(rows) > count else 1
    found = [_figures(chance.sample(rows, count) if times > 1 else rows) for _ in range(times)]
    means = {name: fmean(one[name] for one in found) for name in found[0]}
    spread = {name: max(one[name] for one in found) - min(one[name] for one in found) for name in found[0]}
    return Diversity(count, means, spread)


def _figures(rows: Sequence[Sequence[str]]) -> dict[str, float]:
    """0 where no reply has enough words: nothing is not varied."""
    dists = {f"dist_{n}": distinct_of(rows, n) or 0.0 for n in (1, 2)}
    return dists | {f"ead_{n}": ead_of(rows, n) or 0.0 for n in (1, 2)}


def _ngrams(rows: Sequence[Sequence[str]], n: int) -> list[tuple[str, ...]]:
    return [gram for row in rows for gram in ngrams(row, n)]
