"""Prices of tokens."""

import pytest

from optimizers.prices import Price, price_of
from programs.reading import Usage


def test_cached_tokens_are_cheaper_where_the_provider_says_so() -> None:
    """100 prompt tokens, 40 of them cached: 60 * 2 + 40 * .5 + 10 * 8 = 220."""
    usage = Usage(calls=1, prompt_tokens=100, cached_tokens=40, completion_tokens=10)
    assert Price(2.0, 0.5, 8.0).of(usage) == 220


@pytest.mark.parametrize("model", ["openai/gpt-4.1-mini", "gpt-4.1-mini"])
def test_a_listed_model_has_a_price(model: str) -> None:
    price = price_of(model)
    assert price is not None and 0 < price.cached < price.prompt < price.completion


@pytest.mark.parametrize("model", ["embedded/qwen2.5-coder-1.5b", "house/llama", "nobody"])
def test_an_unlisted_model_has_none(model: str) -> None:
    assert price_of(model) is None
