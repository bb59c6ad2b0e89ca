"""Figures that need weights: on tiny ones, drawn at random, where the extra is installed; a clear message elsewhere."""

import importlib.util
import json
from pathlib import Path

import pytest

from metrics.neural import bert_scores, perplexity
from programs.errors import BackboneError

HERE = importlib.util.find_spec("torch") is not None and importlib.util.find_spec("transformers") is not None
installed = pytest.mark.skipif(not HERE, reason="the extra 'neural' (torch, transformers) is not installed")
WORDS = ("[UNK]", "the", "kettle", "sings", "on", "moving", "day")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of eight numbers a word that knows seven words: encoder and causal model at once."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    place = tmp_path_factory.mktemp("weights")
    words = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]").save_pretrained(place)
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=len(WORDS), n_positions=32, n_embd=8, n_layer=2, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(place)
    return place


@installed
def test_equal_texts_have_a_bertscore_of_one(folder: Path) -> None:
    assert bert_scores(["the kettle sings"], ["the kettle sings"], folder) == [pytest.approx(1.0, abs=1e-5)]


@installed
def test_other_texts_have_less(folder: Path) -> None:
    assert (bert_scores(["the kettle sings"], ["on moving day"], folder)[0] or 1) < 1


@installed
def test_a_blank_side_has_none(folder: Path) -> None:
    assert bert_scores([" "], ["the kettle"], folder) == [None]


@installed
def test_a_layer_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(ValueError, match="layer 9"):
        bert_scores(["the kettle"], ["the kettle"], folder, layer=9)


@installed
def test_an_untrained_model_is_about_as_perplexed_as_it_has_words(folder: Path) -> None:
    assert perplexity(["the kettle sings on moving day"], folder) == pytest.approx(len(WORDS), rel=0.3)


@installed
def test_nothing_to_read_has_no_perplexity(folder: Path) -> None:
    assert perplexity([" "], folder) is None


def test_a_folder_without_weights_is_told(tmp_path: Path) -> None:
    with pytest.raises(BackboneError, match="holds no weights: name a folder"):
        perplexity(["the kettle"], tmp_path)


@pytest.mark.skipif(HERE, reason="the extra 'neural' is installed")
def test_a_missing_extra_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({}), "utf-8")
    with pytest.raises(BackboneError, match="pip install 'trace-erg\\[neural\\]'"):
        bert_scores(["the kettle"], ["the kettle"], tmp_path)
