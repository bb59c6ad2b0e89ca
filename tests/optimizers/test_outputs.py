"""Anybody's reply file."""

import json
from pathlib import Path
from typing import Any

import pytest

from optimizers.corpora import load_corpus
from optimizers.outputs import read_outputs
from programs.errors import CorpusError, StageError
from tests.optimizers.invented import corpus_file

ROW: dict[str, Any] = {"id": "Turin-sad", "reply": "A canary that stops in March, of all months."}


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Reads rows against the invented corpus's test split."""

    def reading(*rows: Any) -> Any:
        path = tmp_path / "outputs.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return read_outputs(path, load_corpus(corpus_file(tmp_path)).test)

    return reading


def test_replies_come_in_the_order_of_the_corpus(read: Any) -> None:
    items, _, _ = read({"id": "Osaka-sad", "reply": "So."}, ROW)
    assert [item.id for item in items] == ["Turin-sad", "Osaka-sad"]


def test_items_without_a_reply_are_left_out(read: Any) -> None:
    assert len(read(ROW)[0]) == 1


def test_labels_are_read_where_there_are_any(read: Any) -> None:
    assert read({**ROW, "emotion": "Sad", "triggers": ["canary"]})[1][0].emotion == "sad"


def test_an_empty_reply_is_a_failure_of_the_system(read: Any) -> None:
    assert isinstance(read({**ROW, "reply": " "})[1][0], StageError)


def test_seconds_are_kept(read: Any) -> None:
    assert read({**ROW, "seconds": 2})[2] == [2.0]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([{"reply": "So."}], "line 1, field 'id'"),
        ([{"id": "Turin-sad"}], "line 1, field 'reply'"),
        ([ROW, ROW], "line 2, field 'id': 'Turin-sad' occurs twice"),
        ([{**ROW, "emotion": "hungry"}], "'hungry' is no emotion"),
        ([{**ROW, "seconds": -1}], "line 1, field 'seconds'"),
        ([{**ROW, "triggers": "canary"}], "line 1, field 'triggers'"),
        ([{**ROW, "id": "elsewhere"}], "none of its 1 ids is an item"),
    ],
)
def test_a_malformed_file_is_told_by_line_and_field(read: Any, rows: list[Any], says: str) -> None:
    with pytest.raises(CorpusError, match=says):
        read(*rows)
