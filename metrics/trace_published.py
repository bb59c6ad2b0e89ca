"""Diversity as TRACE's own evaluation computes it, to compare with its published figures and with nothing else.

Dist-n: lower-cased words between spaces, over the whole set. EAD-n: tokens of cl100k, all replies in one row so that
n-grams cross from one reply to the next, V = 100,277 for both orders. Facts from reading the published code.
"""

import importlib.util
import math
import os
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from metrics.diversity import VOCABULARY
from programs.errors import BackboneError


def published_dist(replies: Sequence[str], n: int) -> float:
    """Distinct-n in percent; 0 where no reply has n words."""
    grams = [gram for reply in replies for gram in _grams(reply.lower().split(), n)]
    return 100 * len(set(grams)) / len(grams) if grams else 0.0


def published_ead(replies: Sequence[str], n: int) -> float:
    """EAD-n in percent; 0 where there are fewer than n tokens.

    Raises:
        BackboneError: the cl100k vocabulary is not at hand.
    """
    encoder = _encoder()
    grams = _grams([token for reply in replies for token in encoder.encode(reply)], n)
    if not grams:
        return 0.0
    expected = VOCABULARY * -math.expm1(len(grams) * math.log1p(-1 / VOCABULARY))
    return 100 * len(set(grams)) / expected


def _grams(tokens: list[Any], n: int) -> list[Any]:
    return tokens if n == 1 else list(pairwise(tokens))


@lru_cache(maxsize=1)
def _encoder() -> Any:
    """cl100k from litellm's package, which ships the file: no network."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        raise BackboneError("the published EAD needs cl100k: pip install 'trace-erg[compile]'")
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"))
    import tiktoken

    return tiktoken.get_encoding("cl100k_base")
