"""Reading the research data; every conversation and reply here is made up."""

from pathlib import Path
from typing import Any

import pytest

from metrics.tagger_data import SOURCES, cue_phrases, hand_labels, rated, sources, talks
from programs.errors import CorpusError
from tests.metrics.tagged import files, written

DIALOGUES, RATED, CUES, HAND = (
    "empathetic_dialogues/train",
    "epitome/reddit",
    "empathetic_intents/lexical",
    "empathetic_intents/manual",
)


def changed(folder: Path, name: str, **values: Any) -> Path:
    """The folder with other values in the first row of a file."""
    first, *rest = files()[name]
    return written(folder, {name: [first | values, *rest]})


def test_only_the_speaker_is_read(tmp_path: Path) -> None:
    assert "Tell me more" not in talks(written(tmp_path), "train")[0].said


def test_a_speaker_without_a_word_is_passed_over(tmp_path: Path) -> None:
    folder = changed(tmp_path, DIALOGUES, turns=[{"role": "speaker", "text": "..."}])
    assert len(talks(folder, "train")) == len(files()[DIALOGUES]) - 1


def test_a_reply_has_a_level_for_each_mechanism(tmp_path: Path) -> None:
    found = rated(changed(tmp_path, RATED, er=2, ip=0, ex=1))[0].shown
    assert [found[name].level for name in found] == [2, 0, 1]


@pytest.mark.parametrize(("intent", "read"), [("advising", ["suggesting"]), ("sharing_experience", [])])
def test_finer_hand_labels_are_one_of_the_nine_or_left_out(tmp_path: Path, intent: str, read: list[str]) -> None:
    folder = written(tmp_path, {HAND: [{"text": "Sell it.", "intent": intent, "ed_split": None}]})
    assert [one.intent for one in hand_labels(folder)] == read


def test_every_file_has_its_hash_and_licence(tmp_path: Path) -> None:
    assert {one["name"]: one["licence"] for one in sources(written(tmp_path))} == SOURCES


@pytest.mark.parametrize("name", SOURCES)
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    (written(tmp_path) / name).unlink()
    with pytest.raises(CorpusError, match=f"{name} is missing"):
        sources(tmp_path)


FAULTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown emotion": (DIALOGUES, {"emotion": "cheery"}, "line 1, field 'emotion': 'cheery' is none of"),
    "no turns": (DIALOGUES, {"turns": "hello"}, "line 1, field 'turns'"),
    "no situation": (DIALOGUES, {"situation": " "}, "line 1, field 'situation'"),
    "level beyond 2": (RATED, {"ip": 3}, "line 1, field 'ip': 3 is no level"),
    "level that is a truth value": (RATED, {"ex": True}, "line 1, field 'ex': True is no level"),
    "rationales that are no list": (RATED, {"er_rationales": "sorry"}, "line 1, field 'er_rationales'"),
    "no post": (RATED, {"sp_id": None}, "line 1, field 'sp_id'"),
    "unknown split": (CUES, {"ed_split": "dev"}, "line 1, field 'ed_split'"),
    "no intent": (CUES, {"intent": ""}, "line 1, field 'intent'"),
}


@pytest.mark.parametrize(("name", "values", "message"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_row_is_named(tmp_path: Path, name: str, values: dict[str, Any], message: str) -> None:
    folder = changed(tmp_path, name, **values)
    with pytest.raises(CorpusError, match=message):
        [talks(folder, "train"), rated(folder), cue_phrases(folder)]


def test_a_row_that_does_not_say_its_split_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, {CUES: [{"text": "Where?", "intent": "questioning"}]})
    with pytest.raises(CorpusError, match="without it a leak cannot be seen"):
        cue_phrases(folder)
