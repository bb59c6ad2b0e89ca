"""The guard P: a free check that a reply is not a clear case of a bad one. It is no measure of quality.

    P = Tact * Whole * Order * Brief
        * min(1, sqrt(Len * NoParrot * NoDemo * NoRepeat * Ask * Flow) * (.55 Ground + .45 NoStock) / .6)

x context, r reply, n words of r, G_k(.) the set of k-grams of lower-cased words. P saturates at 1, which a plain
honest reply reaches; the formula and its constants are this project's own, set on public ratings of dialogue replies,
with which P deliberately does not correlate.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import dspy
import numpy as np

from metrics.embeddings import Vectors, embed, embed_words
from metrics.gate import FUNCTION_WORDS, data_lines, failed_gate
from metrics.score import Score
from metrics.tact import concise, in_order, tact, tact_identity, whole
from metrics.text import TOKENISER, Nidf, ngrams, sentences, words

FORMULA = "guard-2"
LOW = 0.7
"""Factors under this are named in the feedback."""
FLOW_BIGRAMS = 50_000
"""Distinct reference bigrams from which on Flow can be judged: with fewer, good English is mostly unseen."""
_SPECIFIC, _SAME_WORD, _SAME_PHRASE = 0.35, 0.55, 0.6
_STOCK = tuple(data_lines("stock_phrases.txt"))
_VAGUE = FUNCTION_WORDS | {word for phrase in _STOCK for word in words(phrase)}
"""Words that are no concrete detail, however rare they are in a small corpus."""

_ADVICE: Mapping[str, str] = {
    "Len": "the reply's length is off: aim for one or two full sentences, 8 to 45 words",
    "NoParrot": "it repeats the speaker's own wording: say it in fresh words",
    "NoDemo": "it copies the wording of an example it was shown",
    "NoRepeat": "it repeats itself",
    "Ask": "it asks too many questions: at most two",
    "Flow": "its words do not follow each other as in natural English talk",
    "Ground": "it does not take up concrete details of what the speaker said",
    "NoStock": "it leans on stock phrases that would fit any speaker",
    "Whole": "it breaks off: end the sentence",
    "Order": "its words are out of order",
    "Brief": "it has too many sentences: one or two are enough",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Gate and guard over the reference tables of one training corpus; immutable, safe to share between threads."""

    nidf: Nidf
    """Word counts of the training replies."""
    bigrams: frozenset[tuple[str, str]] = field(repr=False)
    """All neighbouring word pairs in the training dialogues and replies."""
    vocabulary: frozenset[str] = field(repr=False)
    """All words of the training dialogues and replies."""
    identity: str
    """Hash of formula, tokeniser, word lists and tables: equal hashes give equal scores."""

    @classmethod
    def fit(cls, train: Iterable[dspy.Example]) -> "Guard":
        """The tables of a training corpus; takes about a second for 20,000 conversations.

        Raises:
            ValueError: no training example has a reply.
        """
        examples = list(train)
        replies = [str(example["reply"]) for example in examples if "reply" in example]
        if not replies:
            raise ValueError("the guard is fitted from training replies, and no example has one")
        turns = [turn["text"] for example in examples for turn in example["dialogue"]]
        said = [words(text) for text in (*turns, *replies)]
        bigrams = frozenset((a, b) for tokens in said for a, b in ngrams(tokens, 2))
        vocabulary = frozenset(token for tokens in said for token in tokens)
        nidf = Nidf.fit(replies)
        return cls(nidf, bigrams, vocabulary, _identity(nidf, bigrams, vocabulary))

    def score(self, dialogue_text: str, reply: str, demos: Iterable[str] = ()) -> Score:
        """Gate times P, in [0, 1].

        Args:
            dialogue_text: what was said before, all turns.
            reply: the reply to judge.
            demos: replies that the program was shown; copying them costs.

        Returns:
            A score whose parts are `gate` and, where that is 1, every factor; `Flow` is no factor (and no part) where
            the reference holds fewer than 50,000 distinct bigrams. The feedback names the failed gate, or each factor
            under .7.
        """
        shown, said = tuple(demos), words(dialogue_text)
        broken = failed_gate(reply, said, shown, self.vocabulary)
        if broken:
            return Score.of(0.0, f"The reply is refused: {broken}.", {"gate": 0.0})
        parts = self._factors(said, reply, shown)
        parts["Tact"], wrong = tact(reply, dialogue_text)
        low = [_ADVICE[name] for name, value in parts.items() if value < LOW and name in _ADVICE]
        advice = "; ".join([wrong, *low] if wrong else low)
        return Score.of(_joined(parts), f"The reply: {advice}." if advice else "", {"gate": 1.0, **parts})

    def _factors(self, said: Sequence[str], reply: str, demos: Sequence[str]) -> dict[str, float]:
        tokens = words(reply)
        pairs = ngrams(tokens, 2)
        parts = {
            "Len": length(len(tokens)),
            "NoParrot": no_parrot(tokens, said),
            "NoDemo": no_demo(tokens, demos),
            "NoRepeat": len(set(pairs)) / len(pairs),
            "Ask": ask(reply),
            "Ground": self._ground(tokens, said),
            "NoStock": no_stock(reply),
            "Whole": whole(reply),
            "Order": in_order(reply),
            "Brief": concise(reply),
        }
        if len(self.bigrams) >= FLOW_BIGRAMS:
            parts["Flow"] = min(1.0, sum((a, b) in self.bigrams for a, b in pairs) / len(pairs) / 0.4)
        return parts

    def _ground(self, tokens: Sequence[str], said: Sequence[str]) -> float:
        """min(1, k/2), k the distinct specific words of the reply that mean about the same as a specific word of x."""
        reply, context = self._specific(tokens), self._specific(said)
        if not reply or not context:
            return 0.0
        near = embed_words(reply) @ embed_words(context).T > _SAME_WORD
        return min(1.0, float(near.any(axis=1).sum()) / 2)

    def _specific(self, tokens: Sequence[str]) -> list[str]:
        """Distinct words with NIDF over .35; one that no training reply uses counts, a function or stock word never."""
        distinct = (word for word in dict.fromkeys(tokens) if word.isalpha() and word not in _VAGUE)
        return [word for word in distinct if (rare := self.nidf.of(word)) is None or rare > _SPECIFIC]


def length(n: int) -> float:
    """Len = min(1, n/8) up to 45 words, exp(-(n - 45)/15) above."""
    return min(1.0, n / 8) if n <= 45 else math.exp(-(n - 45) / 15)


def no_parrot(reply: Sequence[str], context: Sequence[str]) -> float:
    """NoParrot = 1 - clip((|G3(r) & G3(x)| / |G3(r)| - .15) / .35, 0, 1); 1 for a reply without a trigram."""
    own = set(ngrams(reply, 3))
    share = len(own & set(ngrams(context, 3))) / len(own) if own else 0.0
    return 1.0 - min(1.0, max(0.0, (share - 0.15) / 0.35))


def no_demo(reply: Sequence[str], demos: Iterable[str]) -> float:
    """NoDemo = 1 - the largest share, over the demos, of the reply's 4-grams that the demo has too."""
    own = set(ngrams(reply, 4))
    return 1.0 - max((len(own & _fourgrams(demo)) / len(own) for demo in demos), default=0.0) if own else 1.0


def ask(reply: str) -> float:
    """Ask = 1 for up to two questions, .5^(count - 2) above; "??" is one question mark."""
    marks = sum(mark == "?" and before != "?" for before, mark in zip(" " + reply, reply, strict=False))
    return 1.0 if marks <= 2 else float(0.5 ** (marks - 2))


def no_stock(reply: str) -> float:
    """NoStock = 1 - share of the reply's sentences with a cosine over .6 to a stock phrase."""
    said = sentences(reply)
    stock = (embed(said) @ _stock_vectors().T > _SAME_PHRASE).any(axis=1)
    return 1.0 - float(np.mean(stock))


def _joined(parts: Mapping[str, float]) -> float:
    """P from its factors; a factor that could not be judged is 1."""
    form = math.prod(parts.get(name, 1.0) for name in ("Len", "NoParrot", "NoDemo", "NoRepeat", "Ask", "Flow"))
    saturated = min(1.0, math.sqrt(form) * (0.55 * parts["Ground"] + 0.45 * parts["NoStock"]) / 0.6)
    return saturated * math.prod(parts[name] for name in ("Tact", "Whole", "Order", "Brief"))


@lru_cache(maxsize=1)
def _stock_vectors() -> Vectors:
    return embed(_STOCK)


@lru_cache(maxsize=4096)
def _fourgrams(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(ngrams(words(text), 4))


def _identity(nidf: Nidf, bigrams: Iterable[tuple[str, str]], vocabulary: Iterable[str]) -> str:
    tables = [sorted(nidf.counts.items()), sorted(bigrams), sorted(vocabulary)]
    everything = [FORMULA, TOKENISER, _STOCK, tact_identity(), sorted(FUNCTION_WORDS), *tables]
    return hashlib.sha256(json.dumps(everything, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
