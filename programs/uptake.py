"""How many details of what was said a reply takes up: what the synthesizer is asked for, checked without a model."""

import re
from collections import Counter
from collections.abc import Iterable

from programs.cases import Case

_WORD = re.compile(r"[^\W_]{4,}")
_STEM = 5
_COMMON = 0.02
"""Share of the cases whose replies use a stem, from which on it is nothing of this speaker's own."""


def stems(text: str) -> frozenset[str]:
    """The first five letters of every word of four or more, lower-cased."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.casefold()))


def commonplace(cases: Iterable[Case]) -> frozenset[str]:
    """Stems that answers use whatever was said: those in the replies of more than 2 % of the cases, and of two at
    least."""
    replies = [stems(case.reply) for case in cases]
    counts = Counter(stem for reply in replies for stem in reply)
    return frozenset(stem for stem, count in counts.items() if count > max(1.0, _COMMON * len(replies)))


def details(reply: str, said: str, common: frozenset[str]) -> int:
    """How many different stems of the reply are the speaker's too, and no commonplace."""
    return len((stems(reply) & stems(said)) - common)
