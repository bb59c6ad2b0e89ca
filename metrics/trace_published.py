"""Diversity as TRACE's own evaluation computes it, to compare with its published figures and with nothing else.

Dist-n: lower-cased words between spaces, over the whole set. EAD-n: tokens of cl100k, all replies in one row so that
n-grams cross from one reply to the next, V = 100,277 for both orders. Runs of white space count as one space, and
replies of nothing else are left out. Facts from reading the published code (sunbus100/TRACE, evaluation.py).
"""

import importlib.util
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from metrics.diversity import VOCABULARY, expected_distinct
from metrics.text import ngrams
from programs.errors import BackboneError


def published_dist(replies: Sequence[str], n: int) -> float:
    """Distinct-n in percent; 0 where no reply has n words."""
    grams = [gram for reply in replies for gram in ngrams(reply.lower().split(), n)]
    return 100 * len(set(grams)) / len(grams) if grams else 0.0


def published_ead(replies: Sequence[str], n: int) -> float:
    """EAD-n in percent; 0 where there are fewer than n tokens.

    Raises:
        BackboneError: the cl100k vocabulary is not at hand.
    """
    encoder = _encoder()
    # A reply may well spell a control token; it is text like any other.
    rows = (encoder.encode(" ".join(reply.split()), disallowed_special=()) for reply in replies)
    grams = ngrams([token for row in rows for token in row], n)
    if not grams:
        return 0.0
    return 100 * len(set(grams)) / expected_distinct(len(grams), VOCABULARY)


@lru_cache(maxsize=1)
def _encoder() -> Any:
    """cl100k from litellm's package, which ships the file: no network."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        raise BackboneError("the published EAD needs cl100k: pip install 'trace-erg[compile]'")
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"))
    import tiktoken

    return tiktoken.get_encoding("cl100k_base")
