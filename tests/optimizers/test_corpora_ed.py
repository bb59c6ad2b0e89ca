"""EmpatheticDialogues in its three layouts. The conversations here are invented."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from optimizers.corpora import Corpus, load_corpus
from programs.errors import CorpusError

COLUMNS = ["conv_id", "utterance_idx", "context", "prompt", "speaker_idx", "utterance", "selfeval", "tags"]
REAL = Path(__file__).parents[3] / "shared" / "data" / "empathetic_dialogues"
FILES = {"train": "train", "validation": "valid", "test": "test"}
Talk = dict[str, Any]


def talk(split: str, *texts: str, emotion: str = "proud") -> Talk:
    usual = (f"My son, {split}, can swim now.", "Since when?", 'Since "Monday", all alone.', "What a week for him.")
    turns = [
        {"role": ("speaker", "listener")[k % 2], "text": text} for k, text in enumerate(texts or (*usual, "Thanks!"))
    ]
    return {"conv_id": f"hit:1_conv:{split}", "emotion": emotion, "situation": "He swam, finally.", "turns": turns}


def rows(one: Talk) -> list[dict[str, str]]:
    return [
        {
            "conv_id": one["conv_id"],
            "utterance_idx": str(number),
            "context": one["emotion"],
            "prompt": one["situation"].replace(",", "_comma_"),
            "speaker_idx": str(7 + number % 2),
            "utterance": turn["text"].replace(",", "_comma_"),
            "selfeval": "5|5|5_2|2|5",
            "tags": "",
        }
        for number, turn in enumerate(one["turns"], 1)
    ]


def write_jsonl(folder: Path, talks: dict[str, Talk]) -> None:
    for split, one in talks.items():
        (folder / f"{FILES[split]}.jsonl").write_text(json.dumps(one) + "\n", "utf-8")


def write_jsonl_gz(folder: Path, talks: dict[str, Talk]) -> None:
    for split, one in talks.items():
        (folder / f"{FILES[split]}.jsonl.gz").write_bytes(gzip.compress(json.dumps(one).encode()))


def write_csv(folder: Path, talks: dict[str, Talk]) -> None:
    for split, one in talks.items():
        lines = [",".join(COLUMNS), *(",".join(row.values()) for row in rows(one))]
        (folder / f"{FILES[split]}.csv").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def write_parquet(folder: Path, talks: dict[str, Talk]) -> None:
    for split, one in talks.items():
        records = [
            row | {"utterance_idx": int(row["utterance_idx"]), "speaker_idx": int(row["speaker_idx"])}
            for row in rows(one)
        ]
        parquet.write_table(pyarrow.Table.from_pylist(records), folder / f"{split}-00000-of-00001.parquet")


def write_parquet_in_folders(folder: Path, talks: dict[str, Talk]) -> None:
    for split, one in talks.items():
        (folder / "plain" / split).mkdir(parents=True)
        parquet.write_table(pyarrow.Table.from_pylist(rows(one)), folder / "plain" / split / "0000.parquet")


Layout = Callable[[Path, dict[str, Talk]], None]
LAYOUTS: list[Layout] = [write_jsonl, write_jsonl_gz, write_csv, write_parquet, write_parquet_in_folders]
TALKS = {split: talk(split) for split in FILES}
every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__.removeprefix("write_"))


def load(folder: Path, layout: Layout = write_jsonl, **talks: Talk) -> Corpus:
    layout(folder, TALKS | talks)
    return load_corpus(f"ed:{folder}")


@pytest.fixture(autouse=True)
def no_progress_bars_at_all(capfd: pytest.CaptureFixture[str]) -> Any:
    yield
    assert capfd.readouterr().err == ""


@every_layout
def test_the_context_ends_before_the_last_reply(tmp_path: Path, layout: Layout) -> None:
    assert load(tmp_path, layout).test[0].dialogue == TALKS["test"]["turns"][:3]


@every_layout
def test_the_labels_are_situation_emotion_and_the_last_reply(tmp_path: Path, layout: Layout) -> None:
    one = load(tmp_path, layout).test[0].toDict()
    assert {name: one[name] for name in one.keys() - {"dialogue"}} == {
        "id": "hit:1_conv:test",
        "conversation": "hit:1_conv:test",
        "situation": "He swam, finally.",
        "emotion": "proud",
        "reply": "What a week for him.",
    }


def test_every_layout_gives_the_same_corpus(tmp_path: Path) -> None:
    digests = set()
    for layout in LAYOUTS:
        folder = tmp_path / layout.__name__
        folder.mkdir()
        digests.add(load(folder, layout).digest)
    assert len(digests) == 1


def test_it_may_not_be_passed_on(tmp_path: Path) -> None:
    assert (load(tmp_path).licence, load(tmp_path).redistributable) == ("CC BY-NC 4.0", False)


def test_the_name_tells_only_the_last_folder(tmp_path: Path) -> None:
    (tmp_path / "my_ed").mkdir()
    assert load(tmp_path / "my_ed").name == "ed:my_ed"


def test_a_stray_quotation_mark_swallows_no_line_of_a_csv(tmp_path: Path) -> None:
    texts = ('"He left', "Who?", 'My "dog', "Where to?")
    assert load(tmp_path, write_csv, test=talk("test", *texts)).test[0].dialogue[2]["text"] == 'My "dog'


def test_a_csv_may_carry_a_ninth_cell_with_candidates(tmp_path: Path) -> None:
    write_csv(tmp_path, TALKS)
    path = tmp_path / "test.csv"
    path.write_text(path.read_text("utf-8").replace("2|2|5,\n", "2|2|5,,Oh|No\n"), "utf-8")
    assert load_corpus(f"ed:{tmp_path}").test[0].reply == "What a week for him."


def test_utterances_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    write_csv(tmp_path, TALKS)
    path = tmp_path / "test.csv"
    header, *lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(header + "".join(reversed(lines)), "utf-8")
    assert load_corpus(f"ed:{tmp_path}").test[0].dialogue == TALKS["test"]["turns"][:3]


SHAPES = {
    "speaker and listener": (("A", "B"), ["A"], "B"),
    "ends on the listener": (("A", "B", "C", "D"), ["A", "B", "C"], "D"),
    "ends on the speaker": (("A", "B", "C", "D", "E"), ["A", "B", "C"], "D"),
    "number that opens it, with the answer to it": (("5", "What 5?", "My cat died.", "Oh."), ["My cat died."], "Oh."),
    "number on the way, with the answer to it": (("A", "B", "4", "What 4?"), ["A"], "B"),
    "number at the end": (("A", "B", "C", "D", "5"), ["A", "B", "C"], "D"),
    "number of the listener": (("A", "5", "C", "D"), ["A C"], "D"),
    "number that was asked for": (("A", "How old were you?", "22", "Oh."), ["A", "How old were you?", "22"], "Oh."),
    "empty turn": (("A", "B", " ", "D"), ["A"], "B D"),
}


@pytest.mark.parametrize(("texts", "context", "reply"), SHAPES.values(), ids=SHAPES)
def test_the_last_reply_and_what_precedes_it(
    tmp_path: Path, texts: tuple[str, ...], context: list[str], reply: str
) -> None:
    one = load(tmp_path, test=talk("test", *texts)).test[0]
    assert ([turn["text"] for turn in one.dialogue], one.reply) == (context, reply)


@pytest.mark.parametrize("texts", [("A",), ("5", "5", "5", "7"), ("A", " ")], ids=["single", "numbers", "blank reply"])
def test_a_conversation_without_a_reply_is_left_out(tmp_path: Path, texts: tuple[str, ...]) -> None:
    write_jsonl(tmp_path, TALKS)
    with (tmp_path / "test.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(talk("silent", *texts)) + "\n")
    assert [one.id for one in load_corpus(f"ed:{tmp_path}").test] == ["hit:1_conv:test"]


def test_a_training_conversation_that_recurs_in_test_is_left_out_of_train(tmp_path: Path) -> None:
    write_jsonl(tmp_path, TALKS)
    with (tmp_path / "train.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(talk("test") | {"conv_id": "copy"}) + "\n")
    assert [one.id for one in load_corpus(f"ed:{tmp_path}").train] == ["hit:1_conv:train"]


def test_a_conversation_in_two_splits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="'hit:1_conv:train' is in train and in test"):
        load(tmp_path, test=talk("test") | {"conv_id": "hit:1_conv:train"})


@pytest.mark.parametrize("layout", [write_jsonl, write_csv, write_parquet])
def test_a_missing_split_is_named(tmp_path: Path, layout: Layout) -> None:
    layout(tmp_path, {split: TALKS[split] for split in ("train", "test")})
    with pytest.raises(CorpusError, match="no validation split: expected valid or validation or dev"):
        load_corpus(f"ed:{tmp_path}")


def test_a_source_that_is_neither_folder_nor_id_is_refused() -> None:
    with pytest.raises(CorpusError, match="neither a folder nor the id of a dataset on the hub"):
        load_corpus("ed:nowhere")


@pytest.mark.skipif(not REAL.is_dir(), reason="EmpatheticDialogues is not in ../shared/data")
def test_the_real_one_keeps_every_answered_conversation() -> None:
    sizes = {split: len(examples) for split, examples in load_corpus(f"ed:{REAL}").splits.items()}
    assert sizes == {"train": 19529, "validation": 2767, "test": 2545}


FAULTS: dict[str, tuple[Talk, str]] = {
    "unknown emotion": ({"emotion": "happy"}, "test.jsonl, line 1, field 'emotion': 'happy' is no emotion"),
    "no emotion": ({"emotion": None}, "test.jsonl, line 1, field 'emotion': missing"),
    "no id": ({"conv_id": ""}, "test.jsonl, line 1, field 'conv_id': missing"),
    "turns that are no list": ({"turns": "hello"}, "test.jsonl, line 1, field 'turns': a list of"),
    "turn without a role": ({"turns": [{"text": "hello"}]}, "test.jsonl, line 1, field 'turns': a turn is"),
    "no reply anywhere": ({"turns": []}, "no conversation with a reply in test"),
}


@pytest.mark.parametrize(("change", "message"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_conversation_is_named(tmp_path: Path, change: Talk, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        load(tmp_path, test=talk("test") | change)


CSV_FAULTS = {
    "unknown emotion": (",proud,", ",happy,", "test.csv, line 2, field 'context': 'happy' is no emotion"),
    "no number": (",3,proud", ",third,proud", "test.csv, line 4, field 'utterance_idx': 'third' is no whole number"),
    "commas in a text": ("_comma_", ",", "test.csv, line 2, field 'tags': too many cells"),
    "other columns": ("conv_id,", "talk,", "test.csv, line 2, field 'conv_id': missing"),
}


@pytest.mark.parametrize(("old", "new", "message"), CSV_FAULTS.values(), ids=CSV_FAULTS)
def test_a_faulty_line_of_a_csv_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    write_csv(tmp_path, TALKS)
    (tmp_path / "test.csv").write_text((tmp_path / "test.csv").read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(CorpusError, match=message):
        load_corpus(f"ed:{tmp_path}")


def test_a_faulty_row_of_a_parquet_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"test-00000-of-00001.parquet, row 1, field 'context': 'happy'"):
        load(tmp_path, write_parquet, test=talk("test", emotion="happy"))


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    write_parquet(tmp_path, TALKS)
    (tmp_path / "test-00000-of-00001.parquet").write_bytes(b"no parquet")
    with pytest.raises(CorpusError, match="cannot be read"):
        load_corpus(f"ed:{tmp_path}")
