"""What the starter corpus promises: its README, as a specification."""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from optimizers.corpora import load_corpus, to_cases
from programs.vocabulary import CATEGORIES, EMOTIONS, INTENTS, MECHANISMS, SUPPORTS

Row = dict[str, Any]
Gram = tuple[str, ...]

PER_EMOTION = {"train": 6, "validation": 2, "test": 2}
FIELDS = {
    *("id", "situation", "emotion", "turns", "triggers", "cause"),
    *("category", "mechanism", "support", "intent", "reply"),
}
STOCK_SYMPATHY = """
sorry to hear|sorry for your loss|must be hard|must be so hard|must be tough|must have been hard|here for you
i understand how you feel|everything happens|hang in there|stay strong|that sucks|time heals|i know how you feel
sorry you're going through|you've got this|you got this
""".strip().replace("\n", "|")
ED = Path(__file__).parents[3] / "shared" / "data" / "empathetic_dialogues"


def rows_of(split: str) -> list[Row]:
    text = (files("optimizers") / "starter" / f"{split}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def splits() -> dict[str, list[Row]]:
    return {split: rows_of(split) for split in PER_EMOTION}


@pytest.fixture(scope="module")
def rows(splits: dict[str, list[Row]]) -> list[Row]:
    return list(chain.from_iterable(splits.values()))


def plain(text: str) -> str:
    return text.lower().replace("\u2019", "'")


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", plain(text))


def said(row: Row) -> list[str]:
    return [turn["text"] for turn in row["turns"] if turn["role"] == "speaker"]


def grams(texts: Iterable[str]) -> set[Gram]:
    """All runs of five words within a text."""
    listed = [words(text) for text in texts]
    return {gram for one in listed for gram in zip(one, one[1:], one[2:], one[3:], one[4:], strict=False)}


def spoken(row: Row) -> list[str]:
    return [*(turn["text"] for turn in row["turns"]), row["reply"]]


def faulty(rows: list[Row], fine: Any) -> list[str]:
    return [row["id"] for row in rows if not fine(row)]


# Numbers


def test_there_are_320_conversations(rows: list[Row]) -> None:
    assert len(rows) == 320


@pytest.mark.parametrize(("split", "size"), PER_EMOTION.items())
def test_every_emotion_has_its_share_of_each_split(splits: dict[str, list[Row]], split: str, size: int) -> None:
    assert Counter(row["emotion"] for row in splits[split]) == dict.fromkeys(EMOTIONS, size)


def test_the_ids_of_an_emotion_run_from_01_to_10(rows: list[Row]) -> None:
    expected = {f"{emotion}-{number:02}" for emotion in EMOTIONS for number in range(1, 11)}
    assert Counter(row["id"] for row in rows) == dict.fromkeys(expected, 1)


def test_an_id_begins_with_its_emotion(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: row["id"].startswith(f"{row['emotion']}-")) == []


# Form


def test_every_row_has_exactly_the_documented_fields(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: row.keys() == FIELDS) == []


def test_there_are_1_3_or_5_turns(rows: list[Row]) -> None:
    assert {len(row["turns"]) for row in rows} == {1, 3, 5}


def test_roles_alternate_and_the_speaker_is_first_and_last(rows: list[Row]) -> None:
    alternating = ["speaker", "listener"] * 2 + ["speaker"]
    roles = {row["id"]: [turn["role"] for turn in row["turns"]] for row in rows}
    assert faulty(rows, lambda row: roles[row["id"]] == alternating[: len(row["turns"])]) == []


def test_no_turn_is_blank(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: all(turn["text"].strip() for turn in row["turns"])) == []


def test_texts_are_on_one_line_without_spaces_around(rows: list[Row]) -> None:
    def tidy(row: Row) -> bool:
        texts = [*spoken(row), *row["triggers"], row["situation"], row["cause"]]
        return all(text == text.strip() and len(text.splitlines()) == 1 for text in texts)

    assert faulty(rows, tidy) == []


# Labels


@pytest.mark.parametrize(
    ("field", "labels"),
    [
        ("emotion", EMOTIONS),
        ("category", CATEGORIES),
        ("mechanism", MECHANISMS),
        ("support", SUPPORTS),
        ("intent", INTENTS),
    ],
)
def test_labels_are_in_the_vocabulary(rows: list[Row], field: str, labels: tuple[str, ...]) -> None:
    assert faulty(rows, lambda row: row[field] in labels) == []


@pytest.mark.parametrize(("field", "labels"), [("category", CATEGORIES), ("mechanism", MECHANISMS)])
def test_no_label_is_missing_from_a_split(splits: dict[str, list[Row]], field: str, labels: tuple[str, ...]) -> None:
    assert [{row[field] for row in rows} for rows in splits.values()] == [set(labels)] * 3


def test_the_support_differs_from_the_mechanism(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: row["support"] != row["mechanism"]) == []


def test_a_reply_asks_if_and_only_if_exploration_leads_or_supports(rows: list[Row]) -> None:
    def fits(row: Row) -> bool:
        return ("?" in row["reply"]) == ("exploration" in (row["mechanism"], row["support"]))

    assert faulty(rows, fits) == []


def test_the_intent_is_questioning_if_and_only_if_exploration_leads(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: (row["intent"] == "questioning") == (row["mechanism"] == "exploration")) == []


def test_there_are_one_or_two_triggers(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: len(row["triggers"]) in (1, 2)) == []


def test_triggers_are_verbatim_from_a_turn_of_the_speaker(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: all(any(span in text for text in said(row)) for span in row["triggers"])) == []


def test_a_trigger_is_a_clause_not_a_turn(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: all(2 <= len(words(span)) <= 16 for span in row["triggers"])) == []


def test_a_cause_is_one_sentence_of_5_to_30_words(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: 5 <= len(words(row["cause"])) <= 30) == []


# Replies


def test_a_reply_has_8_to_35_words(rows: list[Row]) -> None:
    assert faulty(rows, lambda row: 8 <= len(words(row["reply"])) <= 35) == []


@pytest.mark.parametrize("phrase", STOCK_SYMPATHY.split("|"))
def test_no_reply_holds_stock_sympathy(rows: list[Row], phrase: str) -> None:
    assert faulty(rows, lambda row: phrase not in plain(row["reply"])) == []


def test_no_two_words_open_more_than_6_replies(rows: list[Row]) -> None:
    openings = Counter(" ".join(words(row["reply"])[:2]) for row in rows)
    assert {opening: count for opening, count in openings.items() if count > 6} == {}


# Originality


def test_no_two_conversations_share_five_words_in_a_row(rows: list[Row]) -> None:
    owners: dict[Gram, set[str]] = {}
    for row in rows:
        for gram in grams(spoken(row)):
            owners.setdefault(gram, set()).add(row["id"])
    assert {" ".join(gram): sorted(ids) for gram, ids in owners.items() if len(ids) > 1} == {}


def ed_texts() -> Iterator[list[str]]:
    for name in ("train", "valid", "test"):
        with gzip.open(ED / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                yield [row["situation"], *(turn["text"] for turn in row["turns"])]


@pytest.mark.skipif(not ED.is_dir(), reason="EmpatheticDialogues is not in ../shared/data")
def test_no_conversation_shares_a_fifth_of_its_five_word_runs_with_one_of_empathetic_dialogues(
    rows: list[Row],
) -> None:
    owners: dict[Gram, list[str]] = {}
    sizes = {}
    for row in rows:
        own = grams([row["situation"], *spoken(row)])
        sizes[row["id"]] = len(own)
        for gram in own:
            owners.setdefault(gram, []).append(row["id"])
    copied = set()
    for texts in ed_texts():
        shared = Counter(name for gram in grams(texts) & owners.keys() for name in owners[gram])
        copied |= {name for name, count in shared.items() if count > 0.2 * sizes[name]}
    assert copied == set()


# As a corpus


def test_it_loads_with_its_splits() -> None:
    assert {split: len(rows) for split, rows in load_corpus("starter").splits.items()} == {
        "train": 192,
        "validation": 64,
        "test": 64,
    }


def test_it_is_in_the_public_domain() -> None:
    starter = load_corpus("starter")
    assert (starter.licence, starter.redistributable) == ("CC0-1.0", True)


def test_every_conversation_stands_for_itself() -> None:
    assert all(one.conversation == one.id for one in load_corpus("starter").test)


def test_every_training_conversation_is_a_case() -> None:
    assert len(to_cases(load_corpus("starter").train)) == 192
