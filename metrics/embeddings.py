"""Static word vectors (wordllama, 256 dimensions, weights in its wheel): what means about the same."""

import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from programs.errors import BackboneError

Vectors = NDArray[np.float32]

_loading = threading.Lock()
_CACHED_WORDS = 20_000


def embed(texts: Sequence[str]) -> Vectors:
    """One row of length 1 for each text, the mean of its tokens' vectors; no text may be blank.

    Raises:
        BackboneError: wordllama is not installed.
        ValueError: a text is blank.
    """
    if any(not text.strip() for text in texts):
        raise ValueError("a blank text has no vector")
    if not texts:
        return np.empty((0, 256), dtype=np.float32)
    # A lone surrogate, as a torn emoji leaves it, is no text that the tokeniser takes.
    whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
    vectors: Vectors = _model().embed(whole, norm=True)
    return vectors


def embed_words(words: Sequence[str]) -> Vectors:
    """As `embed`, for single words; the latest 20,000 are remembered."""
    return np.stack([_word(word) for word in words]) if words else np.empty((0, 256), dtype=np.float32)


@lru_cache(maxsize=_CACHED_WORDS)
def _word(word: str) -> Vectors:
    vector: Vectors = embed([word])[0]
    vector.setflags(write=False)
    return vector


def _model() -> Any:
    with _loading:
        return _load()


@lru_cache(maxsize=1)
def _load() -> Any:
    try:
        import wordllama
    except ImportError as error:
        raise BackboneError("the guard needs word vectors: pip install 'trace-erg[compile]'") from error
    # The loader's own default folder name misses the one in the wheel, and would then ask the hub.
    folder = os.path.dirname(wordllama.__file__)
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
