"""What the cases of a bank did in like places, and how far a stage's answer yields to it."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from programs.cases import Case, CaseBank
from programs.vocabulary import BASIC

Label = TypeVar("Label", bound=Hashable)
Plan = tuple[str, str]
"""A mechanism and an intent."""
_LATE = 2
"""Listener turns from which on it makes no difference how often the listener has spoken."""


@dataclass(frozen=True)
class Precedents:
    """Shares of plans by how often the listener had spoken, and of cause categories by emotion."""

    plans: Mapping[int, Mapping[Plan, float]] = field(default_factory=dict)
    categories: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, cases: Iterable[Case]) -> "Precedents":
        """Counted over cases; those without the labels do not count."""
        plans: dict[int, Counter[Plan]] = {}
        categories: dict[str, Counter[str]] = {}
        for case in cases:
            if case.mechanism and case.intent:
                plans.setdefault(min(case.heard, _LATE), Counter())[case.mechanism, case.intent] += 1
            if case.category and case.emotion in BASIC:
                for name in (case.emotion, BASIC[case.emotion]):
                    categories.setdefault(name, Counter())[case.category] += 1
        return cls(
            {heard: _shares(counts) for heard, counts in plans.items()},
            {emotion: _shares(counts) for emotion, counts in categories.items()},
        )

    def plan(self, heard: int, answer: Plan, weight: float) -> Plan:
        """The plan, given the planner's answer and what was done after `heard` listener turns."""
        return pooled(answer, self.plans.get(min(heard, _LATE), {}), weight)

    def category(self, emotion: str, answer: str, weight: float) -> str:
        """The cause category, given the stage's answer and what goes with the emotion and with its six-way group."""
        exact, group = self.categories.get(emotion, {}), self.categories.get(BASIC.get(emotion, ""), {})
        shares = {name: (exact.get(name, 0.0) + group.get(name, 0.0)) / 2 for name in {**group, **exact}}
        return pooled(answer, shares, weight)


@lru_cache(maxsize=32)
def precedents_of(bank: CaseBank) -> Precedents:
    """The precedents of a bank, counted once."""
    return Precedents.of(bank.cases)


def pooled(answer: Label, shares: Mapping[Label, float], weight: float) -> Label:
    """The likeliest label of a linear opinion pool (Stone 1961): `weight` for the shares, the rest for the answer.

    Args:
        answer: what a stage said.
        shares: how common each label is; they sum to at most 1.
        weight: from 0, the answer stands, to 1, it is ignored.
    """
    pool = {label: weight * share for label, share in shares.items()}
    pool[answer] = pool.get(answer, 0.0) + 1 - weight
    return max(pool, key=pool.__getitem__)


def _shares(counts: Counter[Label]) -> dict[Label, float]:
    return {label: count / counts.total() for label, count in counts.items()}
