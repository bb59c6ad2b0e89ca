"""What a judge found about one reply: a level on every scale, with evidence, or nothing and why."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from metrics.rubric import TOP

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judgement. Build one with `Judgement.of` or `Judgement.unscored`."""

    levels: Mapping[str, float] = field(default_factory=lambda: _EMPTY, hash=False)
    """Level of every dimension and gate, in [0, 4]; empty where unscored."""
    evidence: Mapping[str, str] = field(default_factory=lambda: _EMPTY, hash=False)
    """What the judge pointed at, by scale."""
    addresses_grader: bool = False
    """Whether the reply speaks to whoever judges it."""
    spread: Mapping[str, float] = field(default_factory=lambda: _EMPTY, hash=False)
    """Highest less lowest level of a panel's members; empty for a single judge."""
    reason: str = ""
    """Why there is no judgement; empty where there is one."""

    @property
    def scored(self) -> bool:
        """Whether there are levels."""
        return not self.reason

    @classmethod
    def of(
        cls,
        levels: Mapping[str, float],
        evidence: Mapping[str, str] = _EMPTY,
        addresses_grader: bool = False,
        spread: Mapping[str, float] = _EMPTY,
    ) -> "Judgement":
        """Levels with their evidence.

        Raises:
            ValueError: no level, or one that is not in [0, 4].
        """
        if not levels or not all(math.isfinite(level) and 0 <= level <= TOP for level in levels.values()):
            raise ValueError(f"levels lie in [0, {TOP}], at least one: {dict(levels)}")
        frozen = MappingProxyType({name: float(level) for name, level in levels.items()})
        return cls(frozen, MappingProxyType(dict(evidence)), addresses_grader, MappingProxyType(dict(spread)))

    @classmethod
    def unscored(cls, reason: str) -> "Judgement":
        """No levels, and why.

        Raises:
            ValueError: the reason is empty.
        """
        if not reason:
            raise ValueError("an unscored judgement needs a reason")
        return cls(reason=reason)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "levels": dict(self.levels),
            "evidence": dict(self.evidence),
            "addresses_grader": self.addresses_grader,
            "spread": dict(self.spread),
            "reason": self.reason,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Judgement":
        """The inverse of `to_dict`.

        Raises:
            ValueError: it is none.
        """
        try:
            if plain["reason"]:
                return cls.unscored(str(plain["reason"]))
            return cls.of(plain["levels"], plain["evidence"], bool(plain["addresses_grader"]), plain["spread"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a judgement: {error}") from error
