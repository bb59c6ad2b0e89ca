"""The linear tagger: TF-IDF and support vectors for emotion, EPITOME levels and intent, trained from local data."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from metrics.margins import Margins
from metrics.mechanism import Mechanism
from metrics.tagger import TaggerError, Tags
from metrics.tagger_folder import read_parts, write_parts
from metrics.text import words
from programs.manifest import canonical_json
from programs.vocabulary import EMOTIONS, INTENTS, MECHANISMS

_UNREAD = "the reply has no word"


@dataclass(frozen=True)
class LinearTagger:
    """A `Tagger` that needs no model call; about a millisecond a reply.

    Raises:
        ValueError: a class is no emotion or no intent, or a mechanism is missing.
    """

    emotion: Margins = field(repr=False)
    mechanisms: Mapping[str, Mechanism] = field(repr=False)
    """One for each of `MECHANISMS`."""
    intent: Margins = field(repr=False)
    details: Mapping[str, Any] = field(default_factory=dict)
    """`seed`, `data` (name, sha256 and licence of each file) and `held_out` (figures by name), as plain JSON."""

    def __post_init__(self) -> None:
        if not set(self.emotion.labels) <= set(EMOTIONS) or not set(self.intent.labels) <= set(INTENTS):
            raise ValueError("a class is no emotion or no intent of this release")
        if self.mechanisms.keys() != set(MECHANISMS):
            raise ValueError(f"a tagger reads {', '.join(MECHANISMS)}")

    def identity(self) -> dict[str, Any]:
        """Backend, hash of all weights and of the libraries that turn texts into numbers, and held-out figures."""
        return {"backend": "linear", "hash": self._hash, "held_out": self.details.get("held_out", {})}

    def emotions(self, texts: Sequence[str]) -> list[str | None]:
        """See `Tagger.emotions`; None for a text without a word."""
        places = [place for place, text in enumerate(texts) if words(text)]
        found: list[str | None] = [None] * len(texts)
        for place, label in zip(places, self.emotion.labelled([texts[place] for place in places]), strict=True):
            found[place] = label
        return found

    def tag(self, posts: Sequence[str], replies: Sequence[str]) -> list[Tags]:
        """See `Tagger.tag`. A reply without a word is unscored.

        The posts are not looked at: on EPITOME, beside the reply they changed nothing that could be measured.
        """
        if len(posts) != len(replies):
            raise ValueError(f"{len(posts)} posts for {len(replies)} replies")
        emotions = self.emotions(replies)
        read = [reply for reply, emotion in zip(replies, emotions, strict=True) if emotion is not None]
        levels = {name: iter(mechanism.levels(read)) for name, mechanism in self.mechanisms.items()}
        intents = iter(self.intent.labelled(read))
        return [
            Tags(reason=_UNREAD)
            if emotion is None
            else Tags(emotion, {name: next(found) for name, found in levels.items()}, next(intents))
            for emotion in emotions
        ]

    def save(self, folder: Path) -> Path:
        """Writes a folder, complete or not at all, in place of an earlier tagger, and returns it.

        Raises:
            TaggerError: the place holds something else than a tagger.
        """
        return write_parts(self._parts, {**self.details, "libraries": libraries()}, folder)

    @classmethod
    def load(cls, folder: Path) -> "LinearTagger":
        """What `save` wrote; nothing in it is run.

        Raises:
            TaggerError: a file is missing, was changed, or holds anything but weights, or it is of another release.
        """
        parts, details = read_parts(folder, part_names())
        if (written := details.pop("libraries")) != libraries():
            raise TaggerError(f"{folder} was trained with {written}, and installed are {libraries()}: train it again")
        try:
            mechanisms = {name: Mechanism(*(parts[part] for part in _names_of(name))) for name in MECHANISMS}
            return cls(parts["emotion"], mechanisms, parts["intent"], details)
        except ValueError as error:
            raise TaggerError(f"{folder} is no tagger of this release: {error}: train it again") from error

    @property
    def _parts(self) -> dict[str, Margins]:
        parts = {"emotion": self.emotion, "intent": self.intent}
        for name, mechanism in self.mechanisms.items():
            parts |= dict(zip(_names_of(name), (mechanism.whole, mechanism.sentence), strict=True))
        return parts

    @cached_property
    def _hash(self) -> str:
        prints = {name: part.fingerprint() for name, part in self._parts.items()}
        return hashlib.sha256(canonical_json([prints, libraries()]).encode()).hexdigest()


def part_names() -> tuple[str, ...]:
    """The classifiers of a tagger, by the names of their files."""
    return ("emotion", "intent", *(part for name in MECHANISMS for part in _names_of(name)))


def libraries() -> dict[str, str]:
    """The packages whose releases can change a tag."""
    return {name: version(name) for name in ("scikit-learn", "wordllama")}


def _names_of(mechanism: str) -> tuple[str, str]:
    plain = mechanism.replace(" ", "_")
    return f"{plain}_whole", f"{plain}_sentence"
