"""Stagewise compiling: each stage against its own score, on the outputs of the compiled stages before it.

Labels exist per stage, so one call an item judges a change instead of four. Candidates race, and a change is kept only
where it beats the stage as it was. At the end the changes must prove themselves together.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import dspy

from metrics import Objective, mean
from optimizers.clock import Clock
from optimizers.fitting import fit_reader
from optimizers.joining import Joining
from optimizers.racing import raced
from optimizers.runner import Runner
from optimizers.settling import by_precedent, largest_share, settled
from optimizers.stage_runs import Answers, run_stage, score_stage
from optimizers.testing import by_turns
from optimizers.trial import Trial
from optimizers.variants import Sizes, Variant, proposing, variants
from programs.staged import Staged

_SHARE = 0.2
"""One emotion read on more of the items than this is a collapse: it wins only if every candidate collapses."""
_AFFECT, _ALONE = 2, 4
"""How many times the items of another stage the affect stage is judged on: beside labelled stages, and alone."""
_SHARES = {"affect": 0.3, "causes": 0.5, "plan": 0.65, "response": 0.8}
"""How much of the search's time is over when a stage must be done; later ones get what is left, so that none is
starved, and the rest is for seeing the changes together."""
LABEL = {"affect": "emotion", "causes": "triggers", "plan": "intent", "response": "id"}
"""What an item needs for a stage to be scored on it; a reply is scored without a label."""


@dataclass(frozen=True)
class Step:
    """What the search found out about one candidate, for reports."""

    stage: str
    candidate: str
    score: float | None
    """Mean of the stage's own score over `items` validation items; None where nothing could be scored."""
    items: int
    kept: bool


@dataclass(frozen=True)
class Stagewise:
    """Compiles a program stage by stage."""

    objective: Objective
    """Gives each stage's own score."""
    items: int
    """Validation items a stage is judged on, at most."""
    size: Sizes
    """How much is tried for a stage."""
    joint: int = 8
    """Validation items on which the changes must prove themselves together."""
    share: float = 1.0
    """Of the clock's time, what the search may take."""
    clock: Clock = field(default_factory=Clock)
    """Says whether a further candidate may begin; what was found until then stands."""
    on_step: Callable[[Step, Staged], None] = lambda step, program: None
    """Told after each candidate of a finished race, with the best program so far."""
    on_call: Callable[[str, int, int], None] = lambda what, done, total: None
    """Told while a candidate runs: what runs, and how many of how many items are done."""

    def compile(
        self, student: Staged, *, trainset: Sequence[dspy.Example], valset: Sequence[dspy.Example]
    ) -> tuple[Staged, list[Step]]:
        """The compiled program and every step of the search; the student is left as it is.

        Args:
            student: an uncompiled program, bound to its backbone.
            trainset: where demos, mistakes and the linear reader come from.
            valset: what candidates are judged on; never shown to the program.
        """
        program, earlier, steps, changed = copy.deepcopy(student), Answers(), list[Step](), list[str]()
        for stage in program.stages:
            items = self._items(stage, valset)
            if items and self.clock.allows(f"{stage}: begin", self.share * _SHARES[stage]):
                race = _Race(self, program, stage, items, earlier, trainset, valset)
                winner, runners = race.run()
                steps += self._told(stage, winner, runners)
                if winner is not runners[0]:
                    program, changed = winner.program, [*changed, stage]
                earlier.fix(stage, winner.answers)
        return self._together(student, program, changed, valset, steps)

    def _together(
        self, student: Staged, program: Staged, changed: list[str], valset: Sequence[dspy.Example], steps: list[Step]
    ) -> tuple[Staged, list[Step]]:
        """Stages that each did better may still do worse together."""
        if not changed:
            return student, steps
        joining = Joining(self.objective, valset[: self.joint], self.clock, self.on_call)
        winner, runners = joining.settle(student, program, changed)
        return winner.program, steps + self._told("joint", winner, runners)

    def _told(self, stage: str, winner: Runner, runners: Sequence[Runner]) -> list[Step]:
        steps = [Step(stage, one.name, mean(one.scores).value, len(one.scores), one is winner) for one in runners]
        for step in steps:
            self.on_step(step, winner.program)
        return steps

    def _items(self, stage: str, valset: Sequence[dspy.Example]) -> list[dspy.Example]:
        """What a stage is judged on; nothing where it has no score of its own. The affect stage answers in a word, so
        it gets more, and still more where no other stage has labels."""
        if stage not in LABEL:
            return []
        alone = not any(LABEL["plan"] in example for example in valset)
        size = self.items * ((_ALONE if alone else _AFFECT) if stage == "affect" else 1)
        return [example for example in valset if LABEL[stage] in example][:size]


@dataclass(frozen=True)
class _Race:
    """The race of one stage."""

    search: Stagewise
    program: Staged
    stage: str
    items: Sequence[dspy.Example]
    earlier: Answers
    train: Sequence[dspy.Example]
    valset: Sequence[dspy.Example]

    def run(self) -> tuple[Runner, list[Runner]]:
        """The winner and every candidate, the unchanged stage first."""
        on = self.program.configuration
        reader = fit_reader(self.train, self.valset) if self.stage == "affect" and not on.basic else None
        candidates = chain([proposing(reader, 5)] if reader else [], self._variants())
        runners = raced(self._runners(candidates), self.items, self._run)
        finished = [runner for runner in runners if len(runner.scores) == len(self.items)]
        objective, earlier = self.search.objective, self.earlier
        if reader:
            found = [settled(runner, reader, self.items, objective, earlier) for runner in finished]
        elif self.stage in ("causes", "plan"):
            found = [more for one in finished for more in by_precedent(one, self.stage, self.items, objective, earlier)]
        else:
            found = []
        return self._winner(runners[0], [*finished, *found]), [*runners, *found]

    def _winner(self, unchanged: Runner, finished: list[Runner]) -> Runner:
        """The best candidate, if it beats the unchanged stage by more than the standard error of the difference."""
        clear = [runner for runner in finished if runner is unchanged or runner.gain(unchanged) > 0]
        return max(clear, key=lambda runner: (self._spread(runner), runner.mean))

    def _spread(self, runner: Runner) -> bool:
        return self.stage != "affect" or largest_share(runner, self.items) <= _SHARE

    def _variants(self) -> Iterator[Variant]:
        size = self.search.size
        sample = by_turns([item for item in self.train if LABEL[self.stage] in item])[: size.trial]
        told = self._on_item(f"{self.stage}: mistakes on training items")
        trial = Trial(self.program, self.stage, sample, self.search.objective, told)
        return variants(self.program, trial, self.train, size)

    def _runners(self, candidates: Iterator[Variant]) -> Iterator[Runner]:
        """The unchanged stage, then the candidates for which there is time."""
        yield Runner("as it is", copy.deepcopy(self.program))
        number, share = 1, self.search.share * _SHARES[self.stage]
        while self.search.clock.allows(f"{self.stage}: candidate {number}", share):
            variant = next(candidates, None)
            if variant is None:
                return
            changed = copy.deepcopy(self.program)
            variant.change(changed)
            yield Runner(variant.name, changed)
            number += 1

    def _run(self, runner: Runner, items: Sequence[dspy.Example]) -> None:
        told = self._on_item(f"{self.stage}: {runner.name}")
        found = run_stage(runner.program, self.stage, items, self.earlier, on_item=told)
        runner.answers.update(found)
        scores = score_stage(runner.program, self.stage, items, found, self.search.objective, self.earlier)
        runner.scores.extend(scores)

    def _on_item(self, what: str) -> Callable[[int, int], Any]:
        return lambda done, total: self.search.on_call(what, done, total)
