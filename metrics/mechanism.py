"""A reader of one EPITOME mechanism: the margins of the whole reply plus those of its most telling sentence.

A mechanism is shown in one sentence and lost in the average of a long post. The annotators' rationales say in which, so
that a second classifier can learn sentences; on held-out posts the sum of both beats either one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.margins import Floats, Margins, Recipe
from metrics.tagger import LEVELS
from metrics.text import sentences, token_recall

RECIPE = Recipe(words=3, word_texts=2, letters=(2, 4), letter_texts=3, letter_runs=None, penalty=0.2, balanced=True)
_SHARED = 0.7
"""Share of a sentence's words in a rationale, or the reverse, from which on the sentence shows the mechanism."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A reply with the level at which it shows one mechanism, and where."""

    reply: str
    level: int
    """0, 1 or 2."""
    rationales: tuple[str, ...] = ()
    """The parts of the reply that show it."""

    def sentences(self) -> list[tuple[str, int]]:
        """Each sentence with its own level; none for a positive reply of which nobody said where it shows."""
        if self.level and not self.rationales:
            return []
        return [(text, self.level if self._told(text) else 0) for text in sentences(self.reply)]

    def _told(self, text: str) -> bool:
        return any(
            max(token_recall([text], [part]) or 0.0, token_recall([part], [text]) or 0.0) >= _SHARED
            for part in self.rationales
        )


@dataclass(frozen=True, slots=True)
class Mechanism:
    """The two classifiers of one mechanism.

    Raises:
        ValueError: one of them does not tell the levels 0, 1 and 2 apart.
    """

    whole: Margins
    sentence: Margins

    def __post_init__(self) -> None:
        if self.whole.labels != list(LEVELS) or self.sentence.labels != list(LEVELS):
            raise ValueError("the classifiers of a mechanism tell the levels 0, 1 and 2 apart")

    @classmethod
    def fit(cls, shown: Sequence[Shown], seed: int = 0) -> "Mechanism":
        """Fits both on the same replies.

        Raises:
            CorpusError: there is too little to learn from, for instance no reply or sentence of some level.
        """
        parts = [pair for one in shown for pair in one.sentences()]
        whole = Margins.fit([one.reply for one in shown], [one.level for one in shown], RECIPE, seed)
        return cls(whole, Margins.fit([text for text, _ in parts], [level for _, level in parts], RECIPE, seed))

    def levels(self, replies: Sequence[str]) -> list[int]:
        """0, 1 or 2 for each reply; every one must hold a word."""
        if not replies:
            return []
        cut = [sentences(reply) for reply in replies]
        telling = most_telling(self.sentence.scores([text for part in cut for text in part]), [len(p) for p in cut])
        return [int(level) for level in (self.whole.scores(replies) + telling).argmax(axis=1)]


def most_telling(scores: Floats, counts: Sequence[int]) -> Floats:
    """For each reply the largest margin of its sentences for levels 1 and 2, and the smallest for level 0.

    Args:
        scores: a row a sentence, a column a level, the sentences of one reply after those of another.
        counts: sentences of each reply, 1 or more.
    """
    starts = np.cumsum([0, *counts[:-1]])
    found: Floats = np.maximum.reduceat(scores, starts, axis=0)
    found[:, 0] = np.minimum.reduceat(scores[:, 0], starts)
    return found
