"""The local data that a linear tagger learns from, as it lies in the folder of research data.

    empathetic_dialogues/{train,valid,test}.jsonl.gz   conversations with an emotion
    epitome/reddit.jsonl.gz                            posts and replies with levels of three mechanisms
    empathetic_intents/{lexical,manual}.jsonl.gz       replies with an intent, by cue phrase and by hand

None of it may be passed on for commercial use, and neither may what is trained on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from metrics.label_rows import LabelRow, label_rows
from metrics.mechanism import Shown
from metrics.tagger import LEVELS
from metrics.text import words
from programs.errors import CorpusError
from programs.manifest import digest
from programs.vocabulary import EMOTIONS, INTENTS, MECHANISMS

_DIALOGUES, _RATED, _INTENTS = "empathetic_dialogues", "epitome", "empathetic_intents"
_LICENCES: Mapping[str, str] = {
    _DIALOGUES: "CC BY-NC 4.0",
    _RATED: "Althoff academic license, non-commercial",
    _INTENTS: "none stated; its texts are CC BY-NC 4.0",
}
SOURCES: Mapping[str, str] = {
    f"{folder}/{name}.jsonl.gz": _LICENCES[folder]
    for folder, names in ((_DIALOGUES, "train valid test"), (_RATED, "reddit"), (_INTENTS, "lexical manual"))
    for name in names.split()
}
"""Every file that is read, with its licence."""
_COLUMNS: Mapping[str, str] = dict(zip(MECHANISMS, ("er", "ip", "ex"), strict=True))
_KIN: Mapping[str, str] = {"advising": "suggesting"}
"""Intents of the finer hand labels that are one of the nine under another name; other finer ones have no equal."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation of EmpatheticDialogues."""

    emotion: str
    situation: str
    """What the speaker was asked to describe; no responder ever sees it."""
    said: str
    """All turns of the speaker."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A reply to a post, rated for the three mechanisms."""

    post: str
    """The id of the post; several replies share one."""
    shown: Mapping[str, Shown]
    """By mechanism."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A reply, or a part of one, with its intent."""

    text: str
    intent: str
    split: str | None
    """The split of EmpatheticDialogues that has this very text; None for a part of an utterance."""


def talks(data: Path, split: str) -> list[Talk]:
    """The conversations of `train`, `valid` or `test` in which the speaker says a word.

    Raises:
        CorpusError: the file is missing or malformed.
    """
    found = [_talk(row) for row in _rows(data, f"{_DIALOGUES}/{split}.jsonl.gz")]
    return [talk for talk in found if words(talk.said)]


def rated(data: Path) -> list[Rated]:
    """The replies of EPITOME's Reddit part that hold a word.

    Raises:
        CorpusError: the file is missing or malformed.
    """
    return [
        Rated(row.name("sp_id"), {name: _shown(row, column) for name, column in _COLUMNS.items()})
        for row in _rows(data, f"{_RATED}/reddit.jsonl.gz")
        if words(row.text("response"))
    ]


def cue_phrases(data: Path) -> list[Meant]:
    """Replies whose intent was found by a phrase in them and not looked at; 9 classes.

    Raises:
        CorpusError: the file is missing or malformed.
    """
    return _meant(data, "lexical")


def hand_labels(data: Path) -> list[Meant]:
    """Replies whose intent is a hand label that is one of the nine, or "advising", which is taken for "suggesting".

    Raises:
        CorpusError: the file is missing or malformed.
    """
    return _meant(data, "manual")


def sources(data: Path) -> list[dict[str, str]]:
    """Name, sha256 and licence of every file.

    Raises:
        CorpusError: one is missing.
    """
    return [
        {"name": name, "sha256": digest(_path(data, name)), "licence": licence} for name, licence in SOURCES.items()
    ]


def _path(data: Path, name: str) -> Path:
    path = data / name
    if not path.is_file():
        raise CorpusError(f"{path} is missing: give the folder that holds {', '.join(SOURCES)}")
    return path


def _rows(data: Path, name: str) -> list[LabelRow]:
    return list(label_rows(_path(data, name)))


def _talk(row: LabelRow) -> Talk:
    said = " ".join(turn.text for turn in row.turns("turns") if turn.role == "speaker")
    return Talk(_emotion(row), row.text("situation"), said)


def _shown(row: LabelRow, column: str) -> Shown:
    level, parts = row.values.get(column), row.values.get(f"{column}_rationales")
    if type(level) is not int or level not in LEVELS:
        raise row.fault(column, f"{level!r} is no level from 0 to 2")
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise row.fault(f"{column}_rationales", "must be a list of texts")
    return Shown(row.text("response"), level, tuple(part for part in parts if words(part)))


def _meant(data: Path, name: str) -> list[Meant]:
    rows = _rows(data, f"{_INTENTS}/{name}.jsonl.gz")
    found = [Meant(row.text("text"), _intent(row), _split(row)) for row in rows]
    return [one for one in found if one.intent in INTENTS and words(one.text)]


def _intent(row: LabelRow) -> str:
    return _KIN.get(row.text("intent"), row.text("intent"))


def _split(row: LabelRow) -> str | None:
    value: str | None = row.values.get("ed_split")
    if "ed_split" not in row.values or value not in (None, "train", "valid", "test"):
        raise row.fault("ed_split", "must be train, valid, test or null: without it a leak cannot be seen")
    return value


def _emotion(row: LabelRow) -> str:
    value = row.text("emotion")
    if value not in EMOTIONS:
        raise row.fault("emotion", f"{value!r} is none of {', '.join(EMOTIONS)}")
    return value
