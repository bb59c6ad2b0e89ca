"""A score is a value in [0, 1], or unscored with a reason; only values enter a mean."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

_NONE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Score:
    """One judgement. Build one with `Score.of` or `Score.unscored`."""

    value: float | None
    """In [0, 1]; None where nothing could be scored."""
    reason: str = ""
    """Why there is no value; empty where there is one."""
    feedback: str = ""
    """Words for a reflector: what to do better. Never holds the gold reply."""
    parts: Mapping[str, float] = field(default_factory=lambda: _NONE, hash=False)
    """What the value was made from, each in [0, 1]."""

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("an unscored score needs a reason")
        for name, number in {**self.parts, "value": self.value}.items():
            if number is not None and not (math.isfinite(number) and 0.0 <= number <= 1.0):
                raise ValueError(f"{name} must lie in [0, 1], not {number}")

    @classmethod
    def of(cls, value: float, feedback: str = "", parts: Mapping[str, float] = _NONE) -> "Score":
        """A value with what it was made from.

        Raises:
            ValueError: the value or a part is NaN or outside [0, 1].
        """
        frozen = MappingProxyType({name: float(number) for name, number in parts.items()})
        return cls(float(value), feedback=feedback, parts=frozen)

    @classmethod
    def unscored(cls, reason: str) -> "Score":
        """No value, and why.

        Raises:
            ValueError: the reason is empty.
        """
        return cls(None, reason=reason)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {"value": self.value, "reason": self.reason, "feedback": self.feedback, "parts": dict(self.parts)}


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of the values among some scores, and how many scores had none."""

    value: float | None
    """In [0, 1]; None where no score had a value."""
    n: int
    """Scores with a value."""
    unscored: int
    """Scores without; they are in no way part of `value`."""


def mean(scores: Iterable[Score]) -> Mean:
    """The mean over the scored ones only."""
    given = list(scores)
    values = [score.value for score in given if score.value is not None]
    return Mean(math.fsum(values) / len(values) if values else None, len(values), len(given) - len(values))
