"""How near replies come to gold replies: reported, never optimised, since a constant apology beats published systems.

BLEU and chrF by sacrebleu, over the whole set; ROUGE by rouge-score, mean of the replies. All in percent.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from metrics.figure import Figure, corpus_figure, number_of

ORDERS = (1, 2, 4)
"""Longest n-grams of the BLEU figures."""
_LONGEST = 4
_ROUGES = ("rouge1", "rouge2", "rougeL")


def overlap(replies: Sequence[str], golds: Sequence[str], conversations: Sequence[Hashable]) -> dict[str, Figure]:
    """BLEU-1/2/4, chrF and ROUGE-1/2/L of some replies, each with its interval and what it was computed with.

    Args:
        replies: one an item.
        golds: the reply a person gave to each.
        conversations: the conversation of each item.

    Raises:
        ValueError: the three differ in length.
    """
    if not len(replies) == len(golds) == len(conversations):
        raise ValueError("replies, gold replies and conversations must be of the same items")
    if not replies:
        return {}
    counts = bleu_counts(replies, golds)
    figures = {
        f"bleu_{order}": corpus_figure(partial(bleu_of, counts, order), conversations, _signature(_bleu(order)))
        for order in ORDERS
    }
    figures["chrf"] = corpus_figure(
        lambda part: chrf([replies[i] for i in part], [golds[i] for i in part]), conversations, _signature(CHRF())
    )
    return figures | _rouges(replies, golds, conversations)


def bleu_counts(replies: Sequence[str], golds: Sequence[str]) -> NDArray[np.int64]:
    """What BLEU needs of each reply, one row each: matching n-grams of order 1 to 4, all n-grams, words of the reply,
    words of the gold reply. Rows of a set may be added."""
    scorer = _bleu(_LONGEST)
    found = [scorer.corpus_score([reply], [[gold]]) for reply, gold in zip(replies, golds, strict=True)]
    rows = [[*one.counts, *one.totals, one.sys_len, one.ref_len] for one in found]
    return np.asarray(rows, dtype=np.int64).reshape(len(rows), 2 * _LONGEST + 2)


def bleu_of(counts: NDArray[np.int64], order: int, part: Sequence[int] | None = None) -> float:
    """Corpus BLEU with n-grams up to `order`, in percent, of the rows in `part` (of all, if None)."""
    total = (counts if part is None else counts[list(part)]).sum(axis=0).tolist()
    return float(
        BLEU.compute_bleu(
            correct=total[:order],
            total=total[_LONGEST : _LONGEST + order],
            sys_len=total[-2],
            ref_len=total[-1],
            max_ngram_order=order,
            smooth_method="exp",
        ).score
    )


def chrf(replies: Sequence[str], golds: Sequence[str]) -> float:
    """Corpus chrF2, in percent."""
    return float(CHRF().corpus_score(list(replies), [list(golds)]).score)


def rouge_scores(replies: Sequence[str], golds: Sequence[str]) -> list[tuple[float, ...]]:
    """F1 of ROUGE-1, -2 and -L for each reply, in percent; no stemming."""
    scorer = RougeScorer(list(_ROUGES), tokenizer=DefaultTokenizer(use_stemmer=False))
    found = [scorer.score(gold, reply) for reply, gold in zip(replies, golds, strict=True)]
    return [tuple(100 * one[name].fmeasure for name in _ROUGES) for one in found]


def _rouges(replies: Sequence[str], golds: Sequence[str], conversations: Sequence[Hashable]) -> dict[str, Figure]:
    scores = rouge_scores(replies, golds)
    note = "rouge-score 0.1.2, F1, no stemmer"
    return {
        f"rouge_{name.removeprefix('rouge').lower()}": number_of([one[place] for one in scores], conversations, note)
        for place, name in enumerate(_ROUGES)
    }


def _signature(scorer: BLEU | CHRF) -> str:
    """What the library prints so that a figure can be repeated; it knows it only once it has scored something."""
    scorer.corpus_score(["a b c d"], [["a b c d"]])
    return str(scorer.get_signature())


@lru_cache(maxsize=4)
def _bleu(order: int) -> BLEU:
    return BLEU(max_ngram_order=order, tokenize="13a", lowercase=True, force=True)  # else it warns of tokenised text
