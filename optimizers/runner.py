"""A candidate in a race."""

from dataclasses import dataclass, field
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
