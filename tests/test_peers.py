"""The peers benchmark: which items are compared, how texts are written alike, and the anchors on the real data."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.peer_anchors import Anchor, anchors, print_anchors
from benchmarks.peer_data import Items, last_replies, read_peers, shared_items, spelled_out, train_replies
from benchmarks.peers import Task, score

REAL = Path(__file__).parents[2] / "shared" / "data"
GOLDS = ("did it rain all day?", "what a long day that was", "you did well")


def write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode()))


def pair(item: int, **more: Any) -> dict[str, Any]:
    return {"item": item, "gold": f"Gold {item}", "context": ["Hi."], "emotion": "sad", "conv_id": f"c{item}"} | more


def shared(*answers: Sequence[str], spoiled: int = -1) -> list[Items]:
    """Items of which each names the systems that answered it."""
    outputs: dict[str, dict[int, str]] = {}
    for item, systems in enumerate(answers):
        for name in systems:
            outputs.setdefault(name, {})[item] = f"{name} {item}"
    return shared_items({item: pair(item, spoiled=item == spoiled) for item in range(len(answers))}, outputs)


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("I'm glad", "i am glad"),
        ("i ' m glad", "i am glad"),
        ("It\u2019s late", "it is late"),
        ("they 'll come", "they will come"),
        ("you can't, you won't", "you cannot, you will not"),
        ("i don ' t know", "i do not know"),
        ("my sister's cat", "my sister's cat"),
        ("he said 'maybe'", "he said 'maybe'"),
        ("already so", "already so"),
    ],
)
def test_contractions_are_spelled_out_however_they_are_cut(text: str, alike: str) -> None:
    assert spelled_out(text) == alike


def test_only_items_that_all_answered_are_compared() -> None:
    assert shared(["a", "b"], ["a"], ["a", "b"])[0].outputs == {"a": ["a 0", "a 2"], "b": ["b 0", "b 2"]}


def test_a_spoiled_item_is_left_out() -> None:
    assert shared(["a"], ["a"], spoiled=0)[0].golds == ("gold 1",)


def test_the_systems_that_answered_other_turns_stand_apart() -> None:
    parts = shared(["a"], ["b_empdgrepo"])
    assert [list(part.outputs) for part in parts] == [["a"], ["b_empdgrepo"]]


def turns(*texts: str) -> list[dict[str, str]]:
    return [{"role": ("speaker", "listener")[k % 2], "text": text} for k, text in enumerate(texts)]


def test_the_last_listener_turn_is_the_row_of_a_conversation(tmp_path: Path) -> None:
    talks = [
        {"emotion": "sad", "turns": turns("Hi.", "Yes?", "Rain.", "Again?", "Bye.")},
        {"emotion": "prepared", "turns": turns("Hi.", "No.")},
        {"emotion": "sad", "turns": turns("Hi.")},
    ]
    write(tmp_path / "empathetic_dialogues" / "test.jsonl.gz", talks)
    assert last_replies(tmp_path) == ["Again?"]


def test_all_listener_turns_train_specificity(tmp_path: Path) -> None:
    write(tmp_path / "empathetic_dialogues" / "train.jsonl.gz", [{"turns": turns("Hi.", "Yes?", "Rain.", "Again?")}])
    assert train_replies(tmp_path) == ["Yes?", "Again?"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"test_pairs.jsonl.gz is missing: name the folder"):
        read_peers(tmp_path)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """The gold replies as a system's own, but for one that has no word that training knows."""
    write(tmp_path / "empathetic_dialogues" / "train.jsonl.gz", [{"turns": turns("Hi.", *GOLDS)}])
    replies = (*GOLDS[:2], "zzz")
    items = Items("made up", GOLDS, ("Hi.",) * 3, ("sad",) * 3, ("a", "b", "c"), {"one": replies})
    return Task("made up", "one", replies, items, tmp_path, None)


def test_an_item_without_a_known_word_has_no_specificity_and_is_no_zero(task: Task) -> None:
    figure = score(task).bounded["NIDF"]
    assert (figure.n, figure.unscored) == (2, 1)


def test_half_matching_words_are_half_of_bleu(task: Task) -> None:
    """13a cuts 'day?' in two: 6 + 6 of 13 words match, the gold has 15: 12/13 exp(1 - 15/13)."""
    assert score(task).plain["BLEU-1"] == pytest.approx(100 * 12 / 13 * 2.718281828 ** (1 - 15 / 13))


def test_without_a_tagger_there_is_no_figure_of_it(task: Task) -> None:
    assert set(score(task).bounded) == {"BLEU-4", "R-L", "NIDF"}


@pytest.mark.parametrize(("found", "verdict"), [(1.85, "ok"), (1.89, "ok"), (1.91, "differs"), (1.79, "differs")])
def test_an_anchor_is_met_within_a_twentieth(found: float, verdict: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_anchors([Anchor("BLEU-4, one", "made up", 1.85, found)])
    assert f"| 1.85 | {found:.2f} | {verdict} |" in capsys.readouterr().out


@pytest.mark.skipif(not REAL.is_dir(), reason=f"{REAL} is absent: the anchors need the research data")
def test_every_anchor_is_met_on_the_real_data() -> None:
    assert [one for one in anchors(REAL, *read_peers(REAL)) if not one.met] == []
