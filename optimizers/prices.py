"""What tokens cost, by the price list that comes with litellm; a model it does not list has no price, not a zero."""

import os
from dataclasses import dataclass
from functools import lru_cache

from programs.reading import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a token."""

    prompt: float
    cached: float
    """For prompt tokens that the provider did not evaluate again."""
    completion: float

    def of(self, usage: Usage) -> float:
        """US dollars for some usage."""
        fresh = usage.prompt_tokens - usage.cached_tokens
        return fresh * self.prompt + usage.cached_tokens * self.cached + usage.completion_tokens * self.completion


@lru_cache(maxsize=64)
def price_of(model: str) -> Price | None:
    """The price of a model, spelled as a backbone spells it (`openai/gpt-4.1-mini`); None where none is known."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "true")
    import litellm

    found = litellm.model_cost.get(model) or litellm.model_cost.get(model.partition("/")[2])
    if not found or found.get("input_cost_per_token") is None or found.get("output_cost_per_token") is None:
        return None
    prompt = float(found["input_cost_per_token"])
    return Price(
        prompt, float(found.get("cache_read_input_token_cost") or prompt), float(found["output_cost_per_token"])
    )
