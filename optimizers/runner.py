"""A candidate in a race."""

import math
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

from metrics import Score, mean
from programs.staged import Staged


@dataclass
class Runner:
    """Its program, and what it answered and scored so far."""

    name: str
    program: Staged
    answers: dict[str, Any] = field(default_factory=dict)
    """By item id; a StageError where an answer could not be parsed."""
    scores: list[Score] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """Mean of what was scored; -1 where nothing was."""
        value = mean(self.scores).value
        return -1.0 if value is None else value

    def gain(self, other: "Runner") -> float:
        """The mean paired difference to `other` on items both scored, less its standard error: above 0, it is more than
        luck is likely to give."""
        differences = self.differences(other)
        if len(differences) < 2:
            return 0.0
        return fmean(differences) - stdev(differences) / math.sqrt(len(differences))

    def differences(self, other: "Runner") -> list[float]:
        """The score less that of `other`, for each item both scored; the one that ran further is cut to the other."""
        pairs = zip(self.scores, other.scores, strict=False)
        return [a.value - b.value for a, b in pairs if a.value is not None and b.value is not None]
