"""The linear tagger, and its folder: complete, unchanged and nothing but weights, or refused."""

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skops import io as skops

from metrics.linear_tagger import LinearTagger, libraries, part_names
from metrics.tagger import TaggerError
from metrics.tagger_folder import MANIFEST, check_place
from metrics.tagger_training import train_tagger
from programs.manifest import digest, manifest_text
from programs.vocabulary import MECHANISMS
from tests.metrics.tagged import written

SORRY = "I am so sorry to hear about the boat. I am terribly sorry about your poor boat."
WHERE = "Where did you find the boat? What would help you feel safe near the boat?"


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> LinearTagger:
    """A tagger trained on made-up data."""
    return train_tagger(written(tmp_path_factory.mktemp("data")))


@pytest.fixture
def folder(tagger: LinearTagger, tmp_path: Path) -> Path:
    """The same, saved."""
    return tagger.save(tmp_path / "tagger")


def edited(folder: Path, **values: Any) -> None:
    """Other entries in the manifest, properly sealed again."""
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    (folder / MANIFEST).write_text(manifest_text({**manifest, **values}), "utf-8")


def planted(folder: Path, raw: bytes) -> None:
    """Other bytes in the file of the intents, as somebody would plant them who knows about the hashes."""
    (folder / "intent.skops").write_bytes(raw)
    files = {file.name: digest(file) for file in sorted(folder.glob("*.skops"))}
    edited(folder, files=files)


def test_the_mechanisms_are_read_from_the_reply(tagger: LinearTagger) -> None:
    found = [tags.levels for tags in tagger.tag(["", ""], [SORRY, WHERE])]
    assert found == [dict(zip(MECHANISMS, levels, strict=True)) for levels in ((2, 0, 0), (0, 0, 2))]


def test_the_intent_is_read_from_the_reply(tagger: LinearTagger) -> None:
    assert [tags.intent for tags in tagger.tag(["", ""], [SORRY, WHERE])] == ["sympathizing", "questioning"]


def test_the_emotion_is_read_from_any_text(tagger: LinearTagger) -> None:
    assert tagger.emotions(["I am scared of the dark noise", "I envy my neighbour"]) == ["afraid", "jealous"]


@pytest.mark.parametrize("reply", ["", "  \n", "...", "\U0001f642"], ids=["empty", "blank", "dots", "emoji"])
def test_a_reply_without_a_word_is_unscored_among_others(tagger: LinearTagger, reply: str) -> None:
    assert [tags.reason for tags in tagger.tag(["", "", ""], [SORRY, reply, WHERE])] == [
        "",
        "the reply has no word",
        "",
    ]


@pytest.mark.parametrize("reply", ["word " * 5_000, "Das tut mir leid.", "ok", "\ud800 ok", "# A\n- b"])
def test_any_reply_with_a_word_is_tagged(tagger: LinearTagger, reply: str) -> None:
    assert tagger.tag([""], [reply])[0].reason == ""


def test_a_reply_is_tagged_alike_alone_and_among_others(tagger: LinearTagger) -> None:
    assert tagger.tag(["", ""], [SORRY, WHERE])[1] == tagger.tag([""], [WHERE])[0]


def test_no_reply_has_no_tags(tagger: LinearTagger) -> None:
    assert (tagger.tag([], []), tagger.emotions([])) == ([], [])


def test_posts_and_replies_of_different_number_are_refused(tagger: LinearTagger) -> None:
    with pytest.raises(ValueError, match="1 posts for 2 replies"):
        tagger.tag([""], [SORRY, WHERE])


def test_what_is_loaded_is_what_was_saved(tagger: LinearTagger, folder: Path) -> None:
    assert LinearTagger.load(folder).identity() == tagger.identity()


def test_what_is_loaded_tags_alike(tagger: LinearTagger, folder: Path) -> None:
    assert LinearTagger.load(folder).tag(["", ""], [SORRY, WHERE]) == tagger.tag(["", ""], [SORRY, WHERE])


def test_what_it_was_trained_on_is_kept(tagger: LinearTagger, folder: Path) -> None:
    assert LinearTagger.load(folder).details == tagger.details


def test_nothing_but_the_tagger_is_left_behind(folder: Path) -> None:
    assert ([file.name for file in folder.parent.iterdir()], {file.name for file in folder.iterdir()}) == (
        ["tagger"],
        {MANIFEST, *(f"{name}.skops" for name in part_names())},
    )


def test_an_earlier_tagger_is_replaced(tagger: LinearTagger, folder: Path) -> None:
    (folder / "intent.skops").write_bytes(b"old")
    tagger.save(folder)
    assert LinearTagger.load(folder).identity() == tagger.identity()


def test_somebody_elses_folder_stays(tagger: LinearTagger, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x", "utf-8")
    with pytest.raises(TaggerError, match="no tagger: choose another place"):
        tagger.save(tmp_path)


def test_somebody_elses_file_stays(tagger: LinearTagger, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x", "utf-8")
    with pytest.raises(TaggerError, match="no tagger: choose another place"):
        tagger.save(tmp_path / "thesis.tex")


def test_an_empty_folder_is_a_place(tmp_path: Path) -> None:
    assert check_place(tmp_path) == tmp_path.resolve()


def flipped(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(bytes(raw))


def retold(folder: Path) -> None:
    text = (folder / MANIFEST).read_text("utf-8")
    (folder / MANIFEST).write_text(text.replace('"seed": 0', '"seed": 1'), "utf-8")


DAMAGE: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no manifest": (lambda folder: (folder / MANIFEST).unlink(), "no tagger at .*: train one with"),
    "manifest cut short": (lambda folder: (folder / MANIFEST).write_text("{", "utf-8"), "is not JSON"),
    "manifest that is no object": (lambda folder: (folder / MANIFEST).write_text("[]", "utf-8"), "no tagger of format"),
    "manifest edited": (retold, r"tagger\.json was changed"),
    "another format": (partial(edited, format=2), "no tagger of format 1"),
    "a further key": (partial(edited, owner="me"), "unknown ones"),
    "a key of another type": (partial(edited, data="mine"), "malformed: data"),
    "another list of files": (partial(edited, files={"intent.skops": ""}), "does not list the files"),
    "another release of a library": (partial(edited, libraries={"scikit-learn": "1.0"}), "train it again"),
    "a file missing": (lambda folder: (folder / "intent.skops").unlink(), r"intent\.skops cannot be read"),
    "a file cut short": (lambda folder: (folder / "intent.skops").write_bytes(b""), r"intent\.skops was changed"),
    "a bit flipped": (lambda folder: flipped(folder / "emotion.skops"), r"emotion\.skops was changed"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_folder_is_refused(folder: Path, damage: Callable[[Path], Any], message: str) -> None:
    damage(folder)
    with pytest.raises(TaggerError, match=message):
        LinearTagger.load(folder)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TaggerError, match="no tagger at"):
        LinearTagger.load(tmp_path / "nowhere")


class Trap:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Path.touch, (self.mark,)


def test_a_planted_pickle_is_refused_and_not_run(folder: Path, tmp_path: Path) -> None:
    planted(folder, pickle.dumps(Trap(tmp_path / "mark")))
    with pytest.raises(TaggerError, match="holds no classifier"):
        LinearTagger.load(folder)
    assert not (tmp_path / "mark").exists()


def test_a_type_that_skops_does_not_trust_is_refused(folder: Path, tmp_path: Path) -> None:
    planted(folder, skops.dumps({"features": Trap(tmp_path / "mark"), "classifier": None, "meaning": 0.0}))
    with pytest.raises(TaggerError, match="holds what no tagger does: do not use it"):
        LinearTagger.load(folder)


def test_every_file_holds_trusted_types_only(folder: Path) -> None:
    assert [skops.get_untrusted_types(file=file) for file in folder.glob("*.skops")] == [[]] * len(part_names())


def archive(name: str, text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(name, text)
    return buffer.getvalue()


STRANGE = {
    "text": b"weights",
    "archive without a schema": archive("readme", "x"),
    "archive with a broken schema": archive("schema.json", "{"),
    "archive with another schema": archive("schema.json", "{}"),
    "array": skops.dumps(np.zeros(3)),
    "parts of other types": skops.dumps({"features": "words", "classifier": "svm", "meaning": 0.0}),
    "a part missing": skops.dumps({"features": "words"}),
}


@pytest.mark.parametrize("raw", STRANGE.values(), ids=STRANGE)
def test_anything_but_a_classifier_is_refused(folder: Path, raw: bytes) -> None:
    planted(folder, raw)
    with pytest.raises(TaggerError, match="holds no classifier"):
        LinearTagger.load(folder)


def test_a_classifier_in_the_place_of_another_is_refused(folder: Path) -> None:
    planted(folder, (folder / "emotion.skops").read_bytes())
    with pytest.raises(TaggerError, match="no emotion or no intent"):
        LinearTagger.load(folder)


def test_the_libraries_that_change_a_tag_are_named() -> None:
    assert set(libraries()) == {"scikit-learn", "wordllama"}
