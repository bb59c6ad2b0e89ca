"""EmpatheticDialogues by reply. The conversations here are invented."""

import json
from pathlib import Path
from typing import Any

import pytest

from optimizers.corpora import load_corpus
from programs.errors import CorpusError
from tests.optimizers.test_corpora_ed import REAL, talk, write_jsonl

PAIR: dict[str, Any] = {
    "item": 4,
    "conv_id": "hit:1_conv:test",
    "emotion": "proud",
    "situation": "He swam, finally.",
    "context": ["My son can dive now.", "Since when?", "Since Monday."],
    "gold": "What a week for him.",
}


def pairs_of(folder: Path, *rows: dict[str, Any]) -> list[Any]:
    """The test split of a folder with these pairs."""
    write_jsonl(folder, {split: talk(split) for split in ("train", "validation", "test")})
    (folder / "test_pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return load_corpus(f"ed-pairs:{folder}").test


def test_an_item_is_known_by_its_number(tmp_path: Path) -> None:
    assert [item.id for item in pairs_of(tmp_path, PAIR, {**PAIR, "item": 7})] == ["4", "7"]


def test_replies_of_one_conversation_share_it(tmp_path: Path) -> None:
    assert {item.conversation for item in pairs_of(tmp_path, PAIR, {**PAIR, "item": 7})} == {"hit:1_conv:test"}


def test_the_speaker_has_the_first_and_the_last_turn(tmp_path: Path) -> None:
    assert [turn["role"] for turn in pairs_of(tmp_path, PAIR)[0].dialogue] == ["speaker", "listener", "speaker"]


@pytest.mark.parametrize("flaw", [{"spoiled": True}, {"gold": " "}, {"context": [" "]}])
def test_what_cannot_be_compared_is_left_out(tmp_path: Path, flaw: dict[str, Any]) -> None:
    assert [item.id for item in pairs_of(tmp_path, PAIR, {**PAIR, "item": 7, **flaw})] == ["4"]


@pytest.mark.parametrize(
    ("flaw", "says"),
    [
        ({"context": ["One.", "Two."]}, "line 1, field 'context': an odd number"),
        ({"emotion": "hungry"}, "line 1, field 'emotion': 'hungry' is no emotion"),
        ({"item": None}, "line 1, field 'item': missing"),
    ],
)
def test_a_malformed_row_is_named(tmp_path: Path, flaw: dict[str, Any], says: str) -> None:
    with pytest.raises(CorpusError, match=says):
        pairs_of(tmp_path, {**PAIR, **flaw})


def test_a_folder_without_pairs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="ed-pairs needs a folder"):
        load_corpus(f"ed-pairs:{tmp_path}")


@pytest.mark.skipif(not REAL.is_dir(), reason="needs the EmpatheticDialogues files of shared/data")
def test_the_published_items_are_all_there_but_the_spoiled_ones() -> None:
    assert len(load_corpus(f"ed-pairs:{REAL}").test) == 5_249
