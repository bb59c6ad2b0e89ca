"""Corpora of the user's own: what they may look like, and what a faulty one is told."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from optimizers.corpora import Corpus, load_corpus
from optimizers.user_corpus import split_of
from programs.errors import CorpusError

SPLITS = ("train", "validation", "test")


def jsonl(folder: Path, rows: list[Any], name: str = "mine.jsonl") -> str:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return f"jsonl:{folder / name}"


def as_csv(folder: Path, header: list[str], rows: list[list[str]]) -> str:
    with (folder / "mine.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return f"csv:{folder / 'mine.csv'}"


def triple(**first: Any) -> list[dict[str, Any]]:
    """Three rows, one for each split; `first` is added to the training row."""
    rows = [{"dialogue": f"the roof leaks in room {split}", "split": split} for split in SPLITS]
    return [rows[0] | first, *rows[1:]]


def load(folder: Path, **first: Any) -> Corpus:
    return load_corpus(jsonl(folder, triple(**first)))


def test_a_text_is_one_turn_of_the_speaker(tmp_path: Path) -> None:
    assert load(tmp_path, dialogue="My  bike\nis gone").train[0].dialogue == [
        {"role": "speaker", "text": "My bike is gone"}
    ]


TURNS = [
    {"role": "speaker", "text": "My bike is gone"},
    {"role": "listener", "text": "Since when?"},
    {"role": "speaker", "text": "This morning"},
]


@pytest.mark.parametrize(
    "given",
    [
        TURNS,
        [{"role": "user" if turn["role"] == "speaker" else "assistant", "content": turn["text"]} for turn in TURNS],
        [[turn["role"], turn["text"]] for turn in TURNS],
        json.dumps(TURNS),
    ],
    ids=["role and text", "chat messages", "pairs", "text that holds a JSON list"],
)
def test_a_dialogue_may_be_a_list_of_turns(tmp_path: Path, given: Any) -> None:
    assert load(tmp_path, dialogue=given).train[0].dialogue == TURNS


def test_a_text_that_only_begins_with_a_bracket_is_a_text(tmp_path: Path) -> None:
    assert load(tmp_path, dialogue="[crying] it broke").train[0].dialogue[0]["text"] == "[crying] it broke"


def test_a_dialogue_may_be_called_turns(tmp_path: Path) -> None:
    rows = triple()
    rows[0]["turns"] = rows[0].pop("dialogue")
    assert load_corpus(jsonl(tmp_path, rows)).train[0].dialogue[0]["text"] == "the roof leaks in room train"


@pytest.mark.parametrize("missing", [{}, {"emotion": None}, {"emotion": "  "}], ids=["absent", "null", "blank"])
def test_a_label_that_the_file_lacks_is_absent(tmp_path: Path, missing: dict[str, Any]) -> None:
    assert "emotion" not in load(tmp_path, **missing).train[0]


@pytest.mark.parametrize(
    ("field", "given", "label"),
    [
        ("emotion", " Sad ", "sad"),
        ("mechanism", "Emotional_Reaction", "emotional reaction"),
        ("support", "NONE", "none"),
        ("category", "Loss", "loss"),
        ("intent", "Questioning", "questioning"),
        ("triggers", ["roof leaks"], ["roof leaks"]),
        ("triggers", "roof leaks", ["roof leaks"]),
        ("cause", "It  rains.", "It rains."),
        ("reply", "Which room?", "Which room?"),
        ("situation", "Rain came in.", "Rain came in."),
        ("id", 7, "7"),
    ],
)
def test_labels_are_read_with_case_and_spacing_forgiven(tmp_path: Path, field: str, given: Any, label: Any) -> None:
    assert load(tmp_path, **{field: given}).train[0][field] == label


def test_field_names_can_be_mapped(tmp_path: Path) -> None:
    rows = [{"text": f"rain in {split}", "label": "sad", "part": split} for split in SPLITS]
    mapped = {"dialogue": "text", "emotion": "label", "split": "part"}
    assert load_corpus(jsonl(tmp_path, rows), fields=mapped).test[0].emotion == "sad"


def test_a_csv_text_is_one_turn_of_the_speaker(tmp_path: Path) -> None:
    spec = as_csv(tmp_path, ["text", "split"], [[f'rain, "again"\nin {split}', split] for split in SPLITS])
    assert load_corpus(spec, fields={"dialogue": "text"}).train[0].dialogue == [
        {"role": "speaker", "text": 'rain, "again" in train'}
    ]


def test_a_csv_cell_may_hold_turns_and_triggers_as_json(tmp_path: Path) -> None:
    rows = [["train", json.dumps(TURNS), '["bike is gone"]'], ["dev", "b", ""], ["test", "c", ""]]
    spec = as_csv(tmp_path, ["split", "dialogue", "triggers"], rows)
    assert (load_corpus(spec).train[0].dialogue, load_corpus(spec).train[0].triggers) == (TURNS, ["bike is gone"])


def test_a_gzipped_file_is_read_as_it_is(tmp_path: Path) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in triple(dialogue="naïve “rain”"))
    (tmp_path / "mine.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    assert load_corpus(f"jsonl:{tmp_path / 'mine.jsonl.gz'}").train[0].dialogue[0]["text"] == "naïve “rain”"


def test_a_byte_order_mark_and_blank_lines_are_no_part_of_the_data(tmp_path: Path) -> None:
    lines = ["\ufeff" + json.dumps(triple()[0]), "", *triple()[1:]]
    assert len(load_corpus(jsonl(tmp_path, lines)).train) == 1


def test_a_file_name_with_wildcards_means_that_file(tmp_path: Path) -> None:
    jsonl(tmp_path, triple(dialogue="another file"), "mine1.jsonl")
    spec = jsonl(tmp_path, triple(dialogue="this file"), "mine[1].jsonl")
    assert load_corpus(spec).train[0].dialogue[0]["text"] == "this file"


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    first = load(tmp_path, dialogue="one word").digest
    assert load(tmp_path, dialogue="one wort").digest != first


def test_the_name_tells_no_folder(tmp_path: Path) -> None:
    assert load(tmp_path).name == "jsonl:mine.jsonl"


def test_a_corpus_of_the_users_own_is_not_passed_on(tmp_path: Path) -> None:
    assert (load(tmp_path).redistributable, load(tmp_path).licence) == (False, "unknown (the user's own)")


@pytest.mark.parametrize(
    ("word", "split"),
    [("Training", "train"), ("valid", "validation"), ("val", "validation"), ("DEV", "validation"), ("testing", "test")],
)
def test_split_names_have_synonyms(tmp_path: Path, word: str, split: str) -> None:
    rows = [*triple(), {"id": "x", "dialogue": "hail", "split": word}]
    assert "x" in [one.id for one in load_corpus(jsonl(tmp_path, rows)).splits[split]]


def unsplit(size: int) -> list[dict[str, Any]]:
    return [{"id": f"talk-{k}", "dialogue": f"it rained {k} days", "emotion": "sad"} for k in range(size)]


def where(corpus: Corpus) -> dict[str, str]:
    return {one.id: split for split, examples in corpus.splits.items() for one in examples}


def test_without_a_split_column_a_conversation_keeps_its_split_whatever_is_added(tmp_path: Path) -> None:
    small, large = (where(load_corpus(jsonl(tmp_path, unsplit(size)))) for size in (60, 90))
    assert small.items() <= large.items()


def test_without_a_split_column_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    assert where(load_corpus(jsonl(tmp_path, unsplit(60)))) == where(load_corpus(jsonl(tmp_path, unsplit(60)[::-1])))


@pytest.mark.parametrize(("conversation", "split"), [("talk-1", "train"), ("talk-2", "validation"), ("talk-5", "test")])
def test_the_split_of_a_conversation_is_the_same_on_every_machine(conversation: str, split: str) -> None:
    assert split_of(conversation) == split


@pytest.mark.parametrize(("split", "share"), [("train", 0.6), ("validation", 0.2), ("test", 0.2)])
def test_splits_hold_60_20_and_20_percent(split: str, share: float) -> None:
    assert sum(split_of(str(k)) == split for k in range(5000)) / 5000 == pytest.approx(share, abs=0.02)


def test_rows_of_one_conversation_stay_together(tmp_path: Path) -> None:
    rows = [row | {"id": f"{row['id']}-{k}", "conversation": row["id"]} for row in unsplit(40) for k in (1, 2)]
    rows = [row | {"dialogue": f"{row['dialogue']} and {row['id']}"} for row in rows]
    split = where(load_corpus(jsonl(tmp_path, rows)))
    assert all(split[f"talk-{k}-1"] == split[f"talk-{k}-2"] for k in range(40))


def test_equal_dialogues_without_ids_stay_together_under_ids_of_their_own(tmp_path: Path) -> None:
    rows = [*({"dialogue": row["dialogue"]} for row in unsplit(60)), {"dialogue": "it rained 3 days"}]
    assert len(where(load_corpus(jsonl(tmp_path, rows)))) == 61


def test_the_same_conversation_in_two_splits_is_refused(tmp_path: Path) -> None:
    rows = [row | {"conversation": "one talk"} for row in triple()]
    with pytest.raises(CorpusError, match="'one talk' is in train and in validation"):
        load_corpus(jsonl(tmp_path, rows))


def test_the_same_dialogue_in_two_splits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="are the same dialogue"):
        load(tmp_path, dialogue="The roof leaks in room TEST!")


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "emotion outside the vocabulary": ({"emotion": "happy"}, "field 'emotion': 'happy' is no emotion: use one of afr"),
    "category outside the vocabulary": ({"category": "weather"}, "field 'category': 'weather' is no category"),
    "mechanism outside the vocabulary": ({"mechanism": "none"}, "field 'mechanism': 'none' is no mechanism"),
    "support outside the vocabulary": ({"support": "advice"}, "field 'support': 'advice' is no support"),
    "intent outside the vocabulary": ({"intent": "joking"}, "field 'intent': 'joking' is no intent"),
    "label that is no text": ({"emotion": 3}, "field 'emotion': a text is expected"),
    "reply that is no text": ({"reply": ["a"]}, "field 'reply': a text is expected"),
    "dialogue missing": ({"dialogue": None}, "field 'dialogue': no dialogue: the file has 'dialogue', 'split'"),
    "dialogue empty": ({"dialogue": ""}, "field 'dialogue': the dialogue is empty"),
    "dialogue blank": ({"dialogue": " \n "}, "field 'dialogue': the dialogue is empty"),
    "dialogue of no turns": ({"dialogue": []}, "field 'dialogue': the dialogue is empty"),
    "dialogue that is a number": ({"dialogue": 5}, "field 'dialogue': a dialogue is a text or a list"),
    "dialogue that is an object": ({"dialogue": {"a": 1}}, "field 'dialogue': a dialogue is a text or a list"),
    "dialogue that is a broken list": ({"dialogue": '[{"role": '}, "field 'dialogue': not JSON"),
    "turn without a text": ({"dialogue": [{"role": "speaker"}]}, "field 'dialogue': a turn is a role and a text"),
    "unknown role": ({"dialogue": [["nurse", "hi"]]}, "field 'dialogue': unknown role 'nurse'"),
    "listener last": ({"dialogue": TURNS[:2]}, "field 'dialogue': the listener speaks last"),
    "trigger not verbatim": ({"triggers": ["roof leeks"]}, "field 'triggers': the span 'roof leeks' is not verbatim"),
    "trigger of the listener": (
        {"dialogue": TURNS, "triggers": ["Since when"]},
        "field 'triggers': the span 'Since when' is not verbatim",
    ),
    "triggers that are no spans": ({"triggers": [1]}, "field 'triggers': a list of spans"),
    "split unknown": ({"split": "holdout"}, "field 'split': 'holdout' is no split"),
    "split missing in one row": ({"split": None}, "field 'split': '' is no split"),
}


@pytest.mark.parametrize(("row", "message"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_row_is_named_by_file_line_and_field(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        load_corpus(jsonl(tmp_path, [*triple()[1:], triple()[0] | row]))
    assert str(caught.value).startswith(f"mine.jsonl, line 3, {message}")


def test_a_mapped_field_is_named_as_the_file_names_it(tmp_path: Path) -> None:
    rows = [row | {"label": "happy"} for row in triple()]
    with pytest.raises(CorpusError, match=r"mine\.jsonl, line 1, field 'label': 'happy' is no emotion"):
        load_corpus(jsonl(tmp_path, rows), fields={"emotion": "label"})


def test_an_id_given_twice_is_refused(tmp_path: Path) -> None:
    rows = [row | {"id": "same"} for row in triple()]
    with pytest.raises(CorpusError, match="line 2, field 'id': the id 'same' is already that of mine"):
        load_corpus(jsonl(tmp_path, rows))


LINES = {
    "broken JSON": ('{"dialogue": ', "line 4: not JSON"),
    "no object": ("[1, 2]", "line 4: a line is one JSON object"),
    "nested without end": ("[" * 100_000, "line 4: not JSON"),
}


@pytest.mark.parametrize(("line", "message"), LINES.values(), ids=LINES)
def test_a_line_that_is_no_json_object_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        load_corpus(jsonl(tmp_path, [*triple(), line]))


BYTES = {
    "empty": (b"", "mine.jsonl: the file is empty"),
    "only blank lines": (b"\n \n", "mine.jsonl: no rows"),
    "not UTF-8": (b'{"dialogue": "a"}\n{"dialogue": "caf\xe9"}\n', "mine.jsonl, line 2: not UTF-8"),
}


@pytest.mark.parametrize(("content", "message"), BYTES.values(), ids=BYTES)
def test_a_file_without_readable_rows_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "mine.jsonl").write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        load_corpus(f"jsonl:{tmp_path / 'mine.jsonl'}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no gzip", "cannot be read|not JSON"),
        (gzip.compress(b"{}\n" * 999)[:-9], "cannot be read"),
        (gzip.compress(b'{}\n"\xff"'), "line 2: not UTF-8"),
        (gzip.compress(b""), "cannot be read"),
    ],
    ids=["not gzipped", "cut off", "not UTF-8", "empty"],
)
def test_a_broken_archive_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "mine.jsonl.gz").write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        load_corpus(f"jsonl:{tmp_path / 'mine.jsonl.gz'}")


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_missing_file_is_named(tmp_path: Path, kind: str) -> None:
    with pytest.raises(CorpusError, match=r"none\.here: no such file"):
        load_corpus(f"{kind}:{tmp_path / 'none.here'}")


def test_a_mapping_of_a_field_unknown_here_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="nothing is called 'emotoin' here: map dialogue, id"):
        load_corpus(jsonl(tmp_path, triple()), fields={"emotoin": "label"})


def test_a_mapping_to_a_field_unknown_in_the_file_is_refused(tmp_path: Path) -> None:
    message = "mine.jsonl, line 1, field 'label': mapped to 'emotion', but the file has dialogue, split"
    with pytest.raises(CorpusError, match=message):
        load_corpus(jsonl(tmp_path, triple()), fields={"emotion": "label"})


def test_a_file_too_small_to_be_split_is_told_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"of 2 conversations none is left for .*about 30 conversations"):
        load_corpus(jsonl(tmp_path, unsplit(2)))


def test_a_split_column_that_leaves_a_split_empty_is_told_which(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="none is left for test: mark at least one conversation as test"):
        load_corpus(jsonl(tmp_path, triple()[:2]))


HEADER = "dialogue,split\n"
TABLES = {
    "cell too many": (f"{HEADER}rain,train\nrain, snow,test\n", "line 3: 3 cells where the header has 2"),
    "cell too few": (f"{HEADER}rain\n", "line 2: 1 cells where the header has 2"),
    "stray quotation mark": (f'{HEADER}a,train\n"rain"y,test\n', "line 3: not CSV"),
    "quotation never closed": (f'{HEADER}"rain,train\n', "line 2: not CSV"),
    "column named twice": ("dialogue,dialogue\n", "line 1: columns named twice: dialogue"),
    "only a header": (HEADER, "no rows"),
    "line after a cell of two lines": (f'{HEADER}"a\nb",train\nc,nowhere\n', "line 4, field 'split': 'nowhere'"),
    "line of a cell of two lines": (f'{HEADER}a,train\n"b\nc",nowhere\n', "line 3, field 'split': 'nowhere'"),
}


@pytest.mark.parametrize(("content", "message"), TABLES.values(), ids=TABLES)
def test_a_faulty_table_is_named_by_line(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "mine.csv").write_text(content, "utf-8")
    with pytest.raises(CorpusError, match=message):
        load_corpus(f"csv:{tmp_path / 'mine.csv'}")
