"""Replies that people rated: what a judge is compared with, calibrated on and certified against."""

import hashlib
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from metrics.rubric import TOP
from programs.dialogue import Dialogue, Turn
from programs.errors import CorpusError
from programs.manifest import canonical_json


@dataclass(frozen=True, slots=True)
class Labelled:
    """One rated reply."""

    id: str
    conversation: str
    """Items of one conversation are never on both sides of a cross-validation."""
    dialogue: Dialogue
    """The turns before the reply."""
    reply: str
    ratings: Mapping[str, Mapping[str, float]] = field(hash=False)
    """Level by dimension and rater, on `scale`; more is always better. A rater who gave none is left out."""
    scale: tuple[float, float]
    """The lowest and the highest level."""
    transcript: tuple[Turn, ...] = ()
    """The whole conversation, where the listener's side of all of it was rated; empty where the reply was."""
    system: str = ""
    """Who wrote the reply, where several systems answered the same dialogues."""

    @property
    def pair(self) -> tuple[str, str]:
        """Dialogue and reply, as a judge takes them."""
        return str(self.dialogue), self.reply

    @property
    def listener_side(self) -> str:
        """All that the raters rated: every turn of the listener, one a line, or the reply alone."""
        said = [turn.text for turn in self.transcript if turn.role == "listener"]
        return "\n".join(said) or self.reply

    def levels(self, dimension: str) -> dict[str, float]:
        """The ratings on one dimension by rater, moved to [0, 4]; empty where there are none."""
        low, high = self.scale
        return {rater: TOP * (level - low) / (high - low) for rater, level in self.ratings.get(dimension, {}).items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "id": self.id,
            "conversation": self.conversation,
            "dialogue": str(self.dialogue),
            "reply": self.reply,
            "ratings": {dimension: dict(given) for dimension, given in self.ratings.items()},
            "scale": list(self.scale),
            "transcript": [[turn.role, turn.text] for turn in self.transcript],
            "system": self.system,
        }


@dataclass(frozen=True)
class LabelSet:
    """Rated replies of one source."""

    name: str
    items: tuple[Labelled, ...] = field(repr=False)
    expert: bool
    """Whether the raters are good enough to calibrate on; a crowd only ranks systems."""
    matches: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False, hash=False)
    """What was rated, and the dimensions of a rubric that ask for the same."""

    @property
    def conversations(self) -> list[str]:
        """The conversation of each item."""
        return [item.conversation for item in self.items]

    @property
    def dimensions(self) -> tuple[str, ...]:
        """All that was rated, in order of first appearance."""
        return tuple(dict.fromkeys(dimension for item in self.items for dimension in item.ratings))

    @cached_property
    def identity(self) -> str:
        """SHA-256 of every text and rating, whatever their order."""
        items = sorted((item.to_dict() for item in self.items), key=lambda plain: str(plain["id"]))
        return hashlib.sha256(canonical_json({"expert": self.expert, "items": items}).encode()).hexdigest()

    def ratings(self, dimension: str) -> list[dict[str, float]]:
        """By item, the level of each rater in [0, 4].

        Raises:
            CorpusError: nobody rated this dimension.
        """
        if dimension not in self.dimensions:
            raise CorpusError(f"{self.name}: nothing is rated on {dimension!r}, only on {', '.join(self.dimensions)}")
        return [item.levels(dimension) for item in self.items]

    def medians(self, dimension: str) -> list[float | None]:
        """By item, the median over raters in [0, 4]; None where nobody rated it.

        Raises:
            CorpusError: nobody rated this dimension.
        """
        return [statistics.median(given.values()) if given else None for given in self.ratings(dimension)]

    def require_experts(self) -> None:
        """Refuses to have a judge calibrated or certified on a crowd.

        Raises:
            CorpusError: the raters are a crowd.
        """
        if not self.expert:
            raise CorpusError(
                f"{self.name}: its raters are a crowd, too noisy for a judge to be calibrated or certified on; "
                "take expert labels, and use these with system_order"
            )
