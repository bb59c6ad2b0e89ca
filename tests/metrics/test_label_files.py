"""Label files of every kind. The rows are invented."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from metrics.label_files import KINDS, load_labels
from metrics.labels import Labelled
from programs.errors import CorpusError
from tests.metrics.labelled import OWN, ROWS

REAL = Path(__file__).parents[3] / "shared" / "data" / "human_ratings"


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    """A label file of these rows."""
    path = folder / "mine.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def first(folder: Path, kind: str) -> Labelled:
    """The first item of the invented row of a kind."""
    return load_labels(write(folder, ROWS[kind])).items[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_known_by_its_fields(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path, ROWS[kind])
    assert load_labels(path) == load_labels(path, kind)


@pytest.mark.parametrize(("kind", "expert"), [(kind, kind.startswith(("kumar", "own"))) for kind in KINDS])
def test_experts_are_told_from_crowds(tmp_path: Path, kind: str, expert: bool) -> None:
    assert load_labels(write(tmp_path, ROWS[kind])).expert is expert


@pytest.mark.parametrize("kind", ["kumar2026_ed", "kumar2026_lend_an_ear"])
def test_the_last_turn_of_the_listener_is_the_reply(tmp_path: Path, kind: str) -> None:
    item = first(tmp_path, kind)
    assert (len(item.dialogue.turns), item.reply) == (3, "Of all days!")


def test_a_listener_rated_as_a_whole_keeps_all_turns(tmp_path: Path) -> None:
    item = first(tmp_path, "kumar2026_ed")
    assert (len(item.transcript), item.listener_side) == (5, "Oh no, today?\nOf all days!")


@pytest.mark.parametrize(
    ("kind", "dimension", "levels"),
    [
        ("kumar2026_ed", "empathy", {"expert1": 3, "expert2": 4, "expert3": 1}),
        ("kumar2026_epitome", "er", {"expert1": 0, "expert2": 4, "expert3": 2}),
        ("kumar2026_lend_an_ear", "validating_emotions", {"expert1": 2, "expert2": 1, "expert3": 1}),
        ("kumar2026_lend_an_ear", "no_advice", {"expert1": 4, "expert2": 1, "expert3": 4}),
        ("kumar2026_lend_an_ear", "unintrusive", {"expert1": 0, "expert2": 1, "expert3": 4}),
        ("empo_he", "emotion", {"1": 4 * 0.82, "2": 4 * 0.65}),
        ("welivita2024_ed", "empathy", {"5": 0}),
        ("own", "warmth", {"ann": 1, "bo": 4}),
    ],
)
def test_what_the_raters_of_a_kind_gave(tmp_path: Path, kind: str, dimension: str, levels: dict[str, float]) -> None:
    assert first(tmp_path, kind).levels(dimension) == pytest.approx(levels)


def test_only_experts_are_taken_from_an_expert_file(tmp_path: Path) -> None:
    assert set(first(tmp_path, "kumar2026_ed").ratings["empathy"]) == {"expert1", "expert2", "expert3"}


def test_texts_in_turn_are_speaker_and_listener(tmp_path: Path) -> None:
    assert [turn.role for turn in first(tmp_path, "empo_he").dialogue.turns] == ["speaker", "listener", "speaker"]


def test_each_system_of_a_row_is_an_item_of_one_conversation(tmp_path: Path) -> None:
    items = load_labels(write(tmp_path, ROWS["welivita2024_ed"])).items
    assert [(item.conversation, item.system) for item in items] == [("w1", "human"), ("w1", "chatgpt")]


def test_own_labels_match_dimensions_of_the_same_name(tmp_path: Path) -> None:
    assert load_labels(write(tmp_path, OWN)).matches == {"warmth": ("warmth",)}


@pytest.mark.parametrize(
    ("given", "conversation"), [({}, "k1"), ({"conversation": "c4"}, "c4"), ({"conversation": 4}, "4")]
)
def test_an_item_is_its_own_conversation_unless_told(tmp_path: Path, given: dict[str, Any], conversation: str) -> None:
    assert load_labels(write(tmp_path, {**OWN, **given})).items[0].conversation == conversation


def test_packed_files_with_blank_lines_and_a_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl.gz"
    path.write_bytes(gzip.compress(f"\ufeff{json.dumps(OWN)}\n\n".encode()))
    assert len(load_labels(path).items) == 1


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "no rater": ({"ratings": {"warmth": {}}}, "field 'ratings.warmth': no rater"),
    "no dimension": ({"ratings": {}}, "field 'ratings': must be an object"),
    "ratings in a list": ({"ratings": [3, 4]}, "field 'ratings': must be an object"),
    "a word": ({"ratings": {"warmth": {"ann": "good"}}}, "field 'ratings.warmth.ann': 'good' is no number"),
    "null": ({"ratings": {"warmth": {"ann": None}}}, "field 'ratings.warmth.ann': None is no number; leave out"),
    "true": ({"ratings": {"warmth": {"ann": True}}}, "field 'ratings.warmth.ann': True is no number"),
    "not a number": ({"ratings": {"warmth": {"ann": float("nan")}}}, "field 'ratings.warmth.ann': nan is no number"),
    "vast": ({"ratings": {"warmth": {"ann": 10**400}}}, "field 'ratings.warmth.ann': 1000"),
    "too high": ({"ratings": {"warmth": {"ann": 6}}}, "field 'ratings.warmth.ann': 6 is off the scale from 1 to 5"),
    "too low": ({"ratings": {"warmth": {"ann": 0.5}}}, "field 'ratings.warmth.ann': 0.5 is off the scale from 1 to 5"),
    "no scale": ({"scale": None}, "field 'scale': must be the lowest and the highest"),
    "scale of one level": ({"scale": [3, 3]}, "field 'scale': must be the lowest and the highest"),
    "no id": ({"id": ""}, "field 'id': must be a text"),
    "no reply": ({"reply": " "}, "field 'reply': must be a text"),
    "nothing said": ({"dialogue": ""}, "field 'dialogue': the dialogue is empty"),
    "listener last": ({"dialogue": [["speaker", "Hi."], ["listener", "Hi!"]]}, "field 'dialogue': the listener speaks"),
}


@pytest.mark.parametrize(("changed", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_file_line_and_field(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    path = write(tmp_path, {**OWN, "id": "k0"}, {**OWN, **changed})
    with pytest.raises(CorpusError) as caught:
        load_labels(path)
    assert str(caught.value).startswith(f"mine.jsonl, line 2, {message}")


KIND_FAULTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "listener silent": ("kumar2026_ed", {"turns": [{"role": "speaker", "text": "Hi."}]}, "'turns': the listener says"),
    "unknown role": ("kumar2026_ed", {"turns": [{"role": "bot", "text": "Hi."}]}, "'turns': must be turns"),
    "no expert": ("kumar2026_epitome", {"ratings": {"gpt": {"er": 1}}}, "'ratings': none of expert1"),
    "a fault unrated": (
        "kumar2026_lend_an_ear",
        {"ratings": {"expert1": {"validating_emotions": 3}}},
        "'ratings': nobody rated advice_giving",
    ),
    "off the sliders": ("empo_he", {"ratings": [[1, 101, 5, 5, 5, 1]]}, "'ratings.appropriate.1': 101 is off"),
    "sliders missing": ("empo_he", {"ratings": [[1, 50]]}, "'ratings': must be lists"),
    "no context": ("empo_he", {"context": []}, "'context': must be a list"),
    "no rating": (
        "welivita2024_ed",
        {"responses": {"human": {"text": "Hi.", "rater": 5}}},
        "'responses.human', field 'rating.5': None is no number",
    ),
}


@pytest.mark.parametrize(("kind", "changed", "message"), KIND_FAULTS.values(), ids=KIND_FAULTS.keys())
def test_public_sets_are_checked_alike(tmp_path: Path, kind: str, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        load_labels(write(tmp_path, {**ROWS[kind], **changed}))
    assert str(caught.value).startswith(f"mine.jsonl, line 1, field {message}")


def test_an_id_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"mine.jsonl, line 2, field 'id': the id 'k1' occurs twice"):
        load_labels(write(tmp_path, OWN, OWN))


def test_two_scales_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"mine.jsonl, line 2, field 'scale': differs from that of 'k1'"):
        load_labels(write(tmp_path, OWN, {**OWN, "id": "k2", "scale": [0, 5]}))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no rows in it"),
        (b"{}\n", "line 1: fits no kind of labels; your own need dialogue, id, ratings, reply, scale"),
        (b"[1]\n", "line 1: a line is one JSON object"),
        (b"{\n", "line 1: not JSON"),
        (b"\n\xff\n", "line 2: not UTF-8"),
    ],
    ids=["empty", "other fields", "list", "broken", "other encoding"],
)
def test_files_that_are_no_labels_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        load_labels(path)


@pytest.mark.parametrize("name", ["absent.jsonl", "broken.jsonl.gz"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "broken.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(CorpusError, match=f"{name}: cannot be read"):
        load_labels(tmp_path / name)


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no kind of labels is called 'grade': use empo_he"):
        load_labels(write(tmp_path, OWN), "grade")


@pytest.mark.skipif(not REAL.is_dir(), reason="human_ratings is not in ../shared/data")
@pytest.mark.parametrize(
    ("kind", "items"),
    [
        ("kumar2026_ed", 50),
        ("kumar2026_epitome", 50),
        ("kumar2026_lend_an_ear", 50),
        ("empo_he", 675),
        ("welivita2024_ed", 6000),
    ],
)
def test_the_real_ones_are_read_whole(kind: str, items: int) -> None:
    assert len(load_labels(REAL / f"{kind}.jsonl.gz").items) == items
