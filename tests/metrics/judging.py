"""Judges for tests: one that answers from a table, and the real one on a scripted model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from metrics.judge import ModelJudge
from metrics.judgement import Judgement
from metrics.rubric import Rubric, standard_rubric
from programs.backbones import Backbone
from tests.scripted import ScriptedEngine, scripted_lm

SCALES = tuple(standard_rubric().scales)
DIALOGUE = "speaker: My kettle broke on the morning of the move."
GOOD = "The kettle, on moving day of all days!"


def judgement(level: float = 3, **levels: float) -> Judgement:
    """The same level on every scale but those named."""
    return Judgement.of({name: levels.get(name, level) for name in SCALES}, {name: f"of {name}" for name in SCALES})


@dataclass
class TableJudge:
    """Answers by reply; anything unknown is known to be bad."""

    table: Mapping[str, Judgement]
    rest: Judgement = field(default_factory=lambda: judgement(0))
    name: str = "table"
    asked: list[str] = field(default_factory=list)
    rubric: Rubric = field(default_factory=standard_rubric)

    def identity(self) -> dict[str, Any]:
        """By name."""
        return {"name": self.name}

    def judge(self, dialogue: str, reply: str) -> Judgement:
        """See `Judge.judge`."""
        self.asked.append(reply)
        return self.table.get(reply, self.rest)


def model_judge(engine: ScriptedEngine) -> ModelJudge:
    """The real judge on a scripted model."""
    return ModelJudge(Backbone("scripted", "scripted/x"), lm=scripted_lm(engine))
