"""Stagewise compiling: each stage against its own score, on the outputs of the compiled stages before it.

Labels exist per stage, so one call an item judges a change instead of four. Candidates race: after half of the items
only those that may still win go on. A change is kept only where it beats the stage as it was.
"""

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import dspy

from metrics import Objective, evaluate, mean
from optimizers.fitting import fit_reader
from optimizers.runner import Runner
from optimizers.settling import by_precedent, largest_share, settled
from optimizers.stage_runs import Answers, run_stage, score_stage
from optimizers.variants import Variant, proposing, variants
from programs.staged import Staged

_MARGIN = 0.03
"""After half of the items, candidates further than this behind the best are dropped."""
_SHARE = 0.2
"""One emotion read on more of the items than this is a collapse: it wins only if every candidate collapses."""
_AFFECT, _ALONE = 2, 4
"""How many times the items of another stage the affect stage is judged on: beside labelled stages, and alone."""
_SHARES = {"affect": 0.3, "causes": 0.55, "plan": 0.75}
"""How much of the time is over when a stage must be done; later stages get what is left, so that none is starved."""
_JOINT = 8
"""Validation items on which the compiled program must beat the uncompiled one as a whole."""
_LABEL = {"affect": "emotion", "causes": "triggers", "plan": "intent"}


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
    demos: int
    """Demonstrations a stage may show, at most."""
    seconds: float = float("inf")
    """Time after which no further candidate is begun; what was found until then stands."""
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
            trainset: where demos and the linear reader come from.
            valset: what candidates are judged on; never shown to the program.
        """
        program, earlier, steps = copy.deepcopy(student), Answers(), []
        begun = time.monotonic()
        for stage in program.stages:
            items, until = self._items(stage, valset), begun + self.seconds * _SHARES.get(stage, 1.0)
            if items and time.monotonic() - begun < self.seconds:
                winner, tried = self._race(program, stage, trainset, items, valset, earlier, until)
                program = winner.program
                steps += tried
                earlier.fix(stage, winner.answers)
        return self._jointly(student, program, valset, steps)

    def _jointly(
        self, student: Staged, program: Staged, valset: Sequence[dspy.Example], steps: list[Step]
    ) -> tuple[Staged, list[Step]]:
        """Stages that each did better may still do worse together: then nothing is changed."""
        items = valset[:_JOINT]
        means = []
        for name, candidate in (("uncompiled", student), ("compiled", program)):
            found = evaluate(candidate, items, self.objective, on_item=partial(self.on_call, f"joint: {name}"))
            means.append(found.means()["joint"].value or 0.0)
        kept = program if means[1] > means[0] else student
        checks = [
            Step("joint", "uncompiled", means[0], len(items), kept is student),
            Step("joint", "compiled", means[1], len(items), kept is program),
        ]
        for check in checks:
            self.on_step(check, kept)
        return kept, [*steps, *checks]

    def _items(self, stage: str, valset: Sequence[dspy.Example]) -> list[dspy.Example]:
        """What a stage is judged on. The affect stage answers in a word, so it gets more, and still more where no other
        stage has labels."""
        alone = not any(_LABEL["plan"] in example for example in valset)
        size = self.items * ((_ALONE if alone else _AFFECT) if stage == "affect" else 1)
        return [example for example in valset if _LABEL.get(stage, "id") in example][:size]

    def _race(
        self,
        program: Staged,
        stage: str,
        train: Sequence[dspy.Example],
        items: Sequence[dspy.Example],
        valset: Sequence[dspy.Example],
        earlier: Answers,
        until: float,
    ) -> tuple[Runner, list[Step]]:
        reader = fit_reader(train, valset) if stage == "affect" and not program.configuration.basic else None
        candidates = [Variant("as it is", lambda copied: None), *variants(program, stage, train, self.demos)]
        if reader:
            candidates.insert(1, proposing(reader, 5))
        runners = self._heats(program, stage, candidates, items, earlier, until)
        finished = [runner for runner in runners if len(runner.scores) == len(items)]
        if reader:
            found = [settled(runner, reader, items, self.objective, earlier) for runner in finished]
            runners, finished = [*runners, *found], [*finished, *found]
        if stage in ("causes", "plan"):
            found = [more for one in finished for more in by_precedent(one, stage, items, self.objective, earlier)]
            runners, finished = [*runners, *found], [*finished, *found]
        winner = self._winner(stage, runners[0], finished, items)
        steps = [
            Step(stage, runner.name, mean(runner.scores).value, len(runner.scores), runner is winner)
            for runner in runners
        ]
        for step in steps:
            self.on_step(step, winner.program)
        return winner, steps

    def _winner(self, stage: str, unchanged: Runner, finished: list[Runner], items: Sequence[dspy.Example]) -> Runner:
        """The best candidate, if it beats the unchanged stage by more than the standard error of the difference."""
        clear = [runner for runner in finished if runner is unchanged or runner.gain(unchanged) > 0]
        return max(clear, key=lambda runner: (stage != "affect" or largest_share(runner, items) <= _SHARE, runner.mean))

    def _heats(
        self,
        program: Staged,
        stage: str,
        candidates: list[Variant],
        items: Sequence[dspy.Example],
        earlier: Answers,
        until: float,
    ) -> list[Runner]:
        """Half of the items for everyone, the rest for those close to the best and for the unchanged stage."""
        half = (len(items) + 1) // 2
        runners: list[Runner] = []
        for number, variant in enumerate(candidates):
            if number and time.monotonic() > until:
                break
            runners.append(Runner(variant.name, _changed(program, variant)))
            self._run(runners[-1], stage, items[:half], earlier)
        best = max(runner.mean for runner in runners)
        for runner in runners:
            if runner is runners[0] or runner.mean >= best - _MARGIN:
                self._run(runner, stage, items[half:], earlier)
        return runners

    def _run(self, runner: Runner, stage: str, items: Sequence[dspy.Example], earlier: Answers) -> None:
        found = run_stage(
            runner.program,
            stage,
            items,
            earlier,
            on_item=lambda done, total: self.on_call(f"{stage}: {runner.name}", done, total),
        )
        runner.answers.update(found)
        runner.scores.extend(score_stage(runner.program, stage, items, found, self.objective, earlier))


def _changed(program: Staged, variant: Variant) -> Staged:
    changed = copy.deepcopy(program)
    variant.change(changed)
    return changed
