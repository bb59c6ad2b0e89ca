"""Words, n-grams and how rare a word is: the one tokenisation behind every number of this package."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

TOKENISER = "trace-words-1: NFKC, casefold, contractions spelled out, runs of letters and digits"
"""Name of the tokenisation; printed beside every number that depends on it."""

_APOSTROPHES = str.maketrans("\u2019\u2018\u02bc\u00b4`", "'''''")
_CONTRACTION = re.compile(r"\b(?:can't|cannot|won't|shan't)\b|n't\b|(?<=\w)'(?:m|re|ve|ll)\b")
_SPELLED = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "n't": " not",
    "'m": " am",
    "'re": " are",
    "'ve": " have",
    "'ll": " will",
}
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|(?<=\w)'[sd]\b|[^\W_]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+")


def words(text: str) -> list[str]:
    """Lower-cased words of `text` in order; "I'm" and "I am" are the same two words. Punctuation is dropped."""
    plain = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold()
    return _WORD.findall(_CONTRACTION.sub(lambda match: _SPELLED[match.group()], plain))


def ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """All runs of `n` neighbouring tokens, in order; none where there are fewer than `n` tokens."""
    return list(zip(*(tokens[start:] for start in range(n)), strict=False))


def sentences(text: str) -> list[str]:
    """Sentences of `text` that hold a word; line breaks count as spaces."""
    return [part for part in _SENTENCE_END.split(" ".join(text.split())) if words(part)]


def token_f1(predicted: Iterable[str], gold: Iterable[str]) -> float:
    """F1 of the multisets of words, in [0, 1], spans joined; two empty sides agree (1), one empty side does not (0).

    Source: the F1 of SQuAD (Rajpurkar et al. 2016), articles kept, tokens as `words` cuts them.
    """
    found, wanted = Counter(words(" ".join(predicted))), Counter(words(" ".join(gold)))
    if not found or not wanted:
        return float(found == wanted)
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total())


def token_recall(predicted: Iterable[str], gold: Iterable[str]) -> float | None:
    """Share of the gold words that were found, in [0, 1], as multisets, spans joined; None without a gold word."""
    found, wanted = Counter(words(" ".join(predicted))), Counter(words(" ".join(gold)))
    return (found & wanted).total() / wanted.total() if wanted else None


@dataclass(frozen=True, slots=True)
class Nidf:
    """Normalised inverse document frequency: 0 for the word that most replies use, 1 for the rarest known one.

    NIDF(w) = (ln c_max - ln c_w) / (ln c_max - ln c_min), c_w the number of training replies that use w
    (See et al. 2019). Lower-cased, and unknown words have none, so that a misspelling never counts as specific.
    """

    counts: Mapping[str, int]
    most: int = field(init=False)
    least: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "most", max(self.counts.values(), default=1))
        object.__setattr__(self, "least", min(self.counts.values(), default=1))

    @classmethod
    def fit(cls, replies: Iterable[str]) -> "Nidf":
        """Counts in how many of the training replies each word occurs."""
        return cls(Counter(word for reply in replies for word in set(words(reply))))

    def of(self, word: str) -> float | None:
        """In [0, 1], or None for a word that no training reply uses; 1 where all words are equally common."""
        count = self.counts.get(word)
        if count is None:
            return None
        return math.log(self.most / count) / math.log(self.most / self.least) if self.most > self.least else 1.0

    def specificity(self, text: str) -> float | None:
        """Mean over the distinct known words of `text`, in [0, 1]; None where it has none."""
        known = [value for word in sorted(set(words(text))) if (value := self.of(word)) is not None]
        return math.fsum(known) / len(known) if known else None
