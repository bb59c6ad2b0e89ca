"""What every program returns: how it read the speaker, what it planned, and the reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from programs.cases import Case
from programs.vocabulary import BASIC, BASIC_EMOTIONS


@dataclass(frozen=True, slots=True)
class Usage:
    """What a reply cost in model calls; zero tokens where the response cache answered."""

    calls: int = 0
    """Stage calls made."""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt tokens, those the backbone did not have to evaluate again."""
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """The one result type. A field is None where the stage that fills it is switched off."""

    reply: str
    emotion: str | None = None
    """One of the 32 emotions; one of the six where the program was set to read six."""
    triggers: tuple[str, ...] = ()
    """Spans verbatim from the speaker's turns."""
    cause: str | None = None
    category: str | None = None
    mechanism: str | None = None
    support: str | None = None
    intent: str | None = None
    stance: str | None = None
    candidates: tuple[str, ...] = ()
    """Emotions that were proposed to the affect stage, likeliest first."""
    cases: tuple[Case, ...] = ()
    """Cases that the planner and the synthesizer saw."""
    repairs: int = 0
    """Trigger spans that were not verbatim and were mended or dropped."""
    risk: str | None = None
    """The kind of risk that a safety floor found; None where none was found."""
    usage: Usage = field(default_factory=Usage)

    @property
    def basic_emotion(self) -> str | None:
        """The six-way view of `emotion`."""
        return self.emotion if self.emotion in BASIC_EMOTIONS else BASIC.get(self.emotion or "")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, cases by id."""
        plain: dict[str, Any] = {item.name: getattr(self, item.name) for item in fields(self)}
        plain |= {"basic_emotion": self.basic_emotion, "triggers": list(self.triggers)}
        plain |= {"candidates": list(self.candidates), "cases": [case.id for case in self.cases]}
        plain["usage"] = {item.name: getattr(self.usage, item.name) for item in fields(self.usage)}
        return plain

    # DSPy's optimizers read a prediction as a mapping of field names.
    def keys(self) -> list[str]:
        """Names of all fields."""
        return [item.name for item in fields(self)]

    def __getitem__(self, name: str) -> Any:
        if name not in self.keys():
            raise KeyError(name)
        return getattr(self, name)


def usage_of(entries: Mapping[str, Mapping[str, Any]], calls: int) -> Usage:
    """The sum over models of what DSPy's usage tracker reports."""
    totals = list(entries.values())
    return Usage(
        calls=calls,
        prompt_tokens=sum(int(entry.get("prompt_tokens") or 0) for entry in totals),
        cached_tokens=sum(
            int((entry.get("prompt_tokens_details") or {}).get("cached_tokens") or 0) for entry in totals
        ),
        completion_tokens=sum(int(entry.get("completion_tokens") or 0) for entry in totals),
    )
