"""What is to be compiled, and the key under which its run is found again."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

from metrics.certified import CertifiedJudge
from metrics.stages import STAGES
from optimizers.corpora import Corpus, to_cases
from optimizers.recipes import STAGEWISE, Recipe
from programs.backbones import Backbone
from programs.cases import CaseBank
from programs.catalogue import program_class
from programs.errors import RecipeError
from programs.manifest import canonical_json, stages_of
from programs.staged import Configuration, Staged

_BANK = 2_000
"""Cases a version carries, at most: more would make it slow to load without being closer."""


@dataclass(frozen=True)
class Order:
    """One compile.

    Raises:
        RecipeError: the recipe cannot compile the program.
    """

    corpus: Corpus
    recipe: Recipe
    backbone: Backbone
    program: str = "trace"
    configuration: Configuration = field(default_factory=Configuration)
    teacher: Backbone | None = None
    reflector: Backbone | None = None
    judge: CertifiedJudge | None = None
    """Counts in the objective on its certified dimensions; without one the guard stands alone."""
    seed: int = 0
    minutes: float = 28.0
    """Wall time for search and test together. The search gets the smaller part; the test then scores as many items as
    there is time for, but at least one for every emotion."""

    def __post_init__(self) -> None:
        if self.minutes <= 0:
            raise RecipeError("the time for a compile must be more than 0 minutes")
        own = program_class(self.program)(self.configuration).stages.keys() & set(STAGES)
        if self.recipe.teleprompter == STAGEWISE and not own:
            raise RecipeError(
                f"recipe 'stagewise' needs one of the stages {', '.join(STAGES)}, of which {self.program!r} has none: "
                "use labeled, bootstrap, random-search or mipro"
            )

    def roles(self) -> dict[str, Backbone]:
        """The backbone of each role; a role without one of its own is played by the task backbone."""
        return {
            "task": self.backbone,
            "teacher": self.teacher or self.backbone,
            "reflector": self.reflector or self.backbone,
        }

    def student(self) -> Staged:
        """A fresh, uncompiled program with the training cases."""
        cases = [case for case in to_cases(self.corpus.train) if case.reply]
        step = -(-len(cases) // _BANK) or 1
        return program_class(self.program)(self.configuration, CaseBank(cases[::step]))

    def key(self, objective: dict[str, Any]) -> str:
        """A name for everything that decides the result: the same order gives the same run directory."""
        student = self.student()
        parts = {
            "program": self.program,
            "configuration": student.configured(),
            "stages": stages_of(student),
            "instructions": {stage: predictor.signature.instructions for stage, predictor in student.stages.items()},
            "recipe": self.recipe.identity(),
            "objective": objective,
            "corpus": self.corpus.digest,
            "backbones": {role: backbone.identity() for role, backbone in self.roles().items()},
            "seed": self.seed,
        }
        return hashlib.sha256(canonical_json(parts).encode()).hexdigest()[:16]
