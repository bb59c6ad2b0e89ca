"""What a judge looks for, as data: dimensions and gates, each with a question and one anchor for every level."""

import hashlib
import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from programs.errors import JudgeError

LEVELS = 5
"""Levels of every dimension and gate: 0 to 4."""
TOP = LEVELS - 1


@dataclass(frozen=True)
class Scale:
    """One thing that is judged."""

    question: str
    anchors: tuple[str, ...]
    """What each level looks like, 0 first."""
    weight: float = 0.0
    """Share in J; 0 for a gate."""
    floor: int = 0
    """A gate is shut below this level; 0 for a dimension."""


@dataclass(frozen=True)
class Rubric:
    """Dimensions, which are weighed, and gates, which are not.

    Raises:
        JudgeError: a scale lacks an anchor, a weight or a floor is out of range, or the weights do not sum to 1.
    """

    version: str
    dimensions: Mapping[str, Scale]
    gates: Mapping[str, Scale]

    def __post_init__(self) -> None:
        for name, scale in self.scales.items():
            if len(scale.anchors) != LEVELS or not all(anchor.strip() for anchor in scale.anchors):
                raise JudgeError(f"rubric, {name}: give {LEVELS} anchors, one for each level from 0 to {TOP}")
            if not 0 <= scale.weight <= 1 or not 0 <= scale.floor <= TOP:
                raise JudgeError(f"rubric, {name}: a weight lies in [0, 1] and a floor in 0 to {TOP}")
        total = math.fsum(scale.weight for scale in self.dimensions.values())
        if abs(total - 1) > 1e-9:
            raise JudgeError(f"rubric: the weights of the dimensions sum to {total:g}, not to 1")

    @property
    def scales(self) -> dict[str, Scale]:
        """Everything that gets a level, in the order it is asked."""
        return {**self.dimensions, **self.gates}

    @cached_property
    def identity(self) -> str:
        """SHA-256 of every word and number in it."""
        plain = {"version": self.version, **{name: asdict(scale) for name, scale in self.scales.items()}}
        return hashlib.sha256(json.dumps(plain, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@lru_cache(maxsize=1)
def standard_rubric() -> Rubric:
    """The rubric that comes with this package."""
    return _parsed(tomllib.loads(files("metrics").joinpath("rubric.toml").read_text("utf-8")), "rubric.toml")


def read_rubric(path: Path) -> Rubric:
    """A rubric of the user's own, in the same layout.

    Raises:
        JudgeError: the file cannot be read, or a part of it is missing or out of range.
    """
    try:
        return _parsed(tomllib.loads(path.read_text("utf-8")), path.name)
    except (OSError, ValueError) as error:
        raise JudgeError(f"cannot read rubric {path}: {error}") from error


def _parsed(table: Mapping[str, Any], source: str) -> Rubric:
    try:
        dimensions, gates = (
            MappingProxyType({name: _scale(scale) for name, scale in table[part].items()})
            for part in ("dimensions", "gates")
        )
        return Rubric(str(table["version"]), dimensions, gates)
    except (KeyError, TypeError, AttributeError) as error:
        raise JudgeError(f"{source}: missing or misspelt in the rubric: {error}") from error


def _scale(table: Mapping[str, Any]) -> Scale:
    return Scale(**{**table, "anchors": tuple(table["anchors"])})
