"""Two figures that need a language model's weights on disk: BERTScore and perplexity. Optional, never optimised.

BERTScore F1 (Zhang et al. 2020, section 3) without idf weights and without baseline rescaling, which a local folder has
none of: unrelated pairs then score about .85, so compare systems only with each other. Perplexity is that of an outside
causal model on the replies alone, exp(total negative log-likelihood / total tokens): it rewards bland text.
"""

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from metrics.evaluation import Answered
from metrics.figure import Figure, number_of
from programs.errors import BackboneError

_MOST_TOKENS = 512


def bert_scores(replies: Sequence[str], golds: Sequence[str], folder: Path, layer: int = -1) -> list[float | None]:
    """BERTScore F1 of each reply against its gold reply, at most 1; None where one of the two is blank.

    Each token of one side is matched with the most similar token of the other, by the cosine of their hidden states;
    precision and recall are the means over the tokens of reply and gold reply, special tokens left out.

    Args:
        replies: one an item.
        golds: the reply a person gave to each.
        folder: an encoder's weights and tokeniser, as transformers saves them.
        layer: whose hidden states are compared, such as 17 for roberta-large; -1 is the last.

    Raises:
        BackboneError: the extra `neural` is not installed, or the folder holds no encoder.
        ValueError: replies and gold replies differ in number, or there is no such layer.
    """
    model, tokenizer = _loaded(folder, "AutoModel")
    pairs = list(zip(replies, golds, strict=True))
    return [
        _f1(_states(model, tokenizer, reply, layer), _states(model, tokenizer, gold, layer))
        if reply.strip() and gold.strip()
        else None
        for reply, gold in pairs
    ]


def perplexity(replies: Sequence[str], folder: Path) -> float | None:
    """Perplexity of the replies together, from 1 up; None where no reply has two tokens.

    Args:
        replies: what is read; each by itself, cut at 512 tokens.
        folder: a causal model's weights and tokeniser, as transformers saves them.

    Raises:
        BackboneError: the extra `neural` is not installed, or the folder holds no causal model.
    """
    model, tokenizer = _loaded(folder, "AutoModelForCausalLM")
    losses = [_loss(model, tokenizer, reply) for reply in replies if reply.strip()]
    tokens = sum(count for _, count in losses)
    return math.exp(math.fsum(loss for loss, _ in losses) / tokens) if tokens else None


def neural_figures(answered: Answered, encoder: Path | None, reader: Path | None) -> dict[str, Figure]:
    """BERTScore by the last layer of `encoder`, and perplexity by `reader`; each only where its folder is named.

    Raises:
        BackboneError: the extra `neural` is not installed, or a folder holds no model of the kind.
    """
    figures = {}
    known = [(item, one) for item, one in answered if item.get("reply")]
    if encoder:
        found = bert_scores([one.reply for _, one in known], [item["reply"] for item, _ in known], encoder)
        note = f"{encoder.name}, last layer, not rescaled"
        figures["bertscore"] = number_of(found, [item["conversation"] for item, _ in known], note)
    if reader:
        value = perplexity([one.reply for _, one in answered], reader)
        figures["perplexity"] = Figure(value, n=len(answered), note=f"of {reader.name}, replies alone")
    return figures


def _loaded(folder: Path, kind: str) -> tuple[Any, Any]:
    """Model and tokeniser from a folder, never from a hub."""
    if not (folder / "config.json").is_file():
        raise BackboneError(
            f"{folder} holds no weights: name a folder with a model's config.json, weights and tokeniser"
        )
    try:
        import_module("torch")  # transformers imports without it, and fails only later
        import transformers
    except ImportError as error:
        raise BackboneError(f"this figure needs {error.name}: pip install 'trace-erg[neural]'") from error
    try:
        model = getattr(transformers, kind).from_pretrained(folder, local_files_only=True).eval()
        return model, transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError) as error:
        raise BackboneError(f"{folder} holds no model that transformers can load: {error}") from error


def _states(model: Any, tokenizer: Any, text: str, layer: int) -> Any:
    """One row of length 1 for each token, special ones left out."""
    import torch

    taken = tokenizer(
        text, return_tensors="pt", truncation=True, max_length=_MOST_TOKENS, return_special_tokens_mask=True
    )
    ordinary = taken.pop("special_tokens_mask")[0] == 0
    with torch.no_grad():
        layers = model(**taken, output_hidden_states=True).hidden_states
    if not -len(layers) <= layer < len(layers):
        raise ValueError(f"layer {layer}: the model has hidden states 0 to {len(layers) - 1}")
    return torch.nn.functional.normalize(layers[layer][0][ordinary], dim=-1)


def _f1(reply: Any, gold: Any) -> float | None:
    if not len(reply) or not len(gold):
        return None
    similar = reply @ gold.T
    precision, recall = similar.max(dim=1).values.mean().item(), similar.max(dim=0).values.mean().item()
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _loss(model: Any, tokenizer: Any, text: str) -> tuple[float, int]:
    """Summed negative log-likelihood of all tokens but the first, and how many they are."""
    import torch

    ids = tokenizer(text, return_tensors="pt", truncation=True, max_length=_MOST_TOKENS).input_ids
    if ids.shape[1] < 2:
        return 0.0, 0
    with torch.no_grad():
        mean = model(ids, labels=ids).loss.item()
    return mean * (ids.shape[1] - 1), ids.shape[1] - 1
