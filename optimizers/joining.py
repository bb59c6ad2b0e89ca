"""Do the stages that each did better also do better together? And without which change would they do better still?"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import dspy

from metrics import Objective, evaluate
from optimizers.clock import Clock
from optimizers.runner import Runner
from programs.staged import Staged

_OWNED = {
    "affect": ("candidates",),
    "causes": ("cause_precedent",),
    "plan": ("plan_precedent",),
    "response": ("brief", "retake"),
}
"""The switches that belong to a stage."""
UNCOMPILED, COMPILED = "uncompiled", "compiled"


@dataclass(frozen=True)
class Joining:
    """Compares whole programs on validation items."""

    objective: Objective
    items: Sequence[dspy.Example]
    clock: Clock
    on_call: Callable[[str, int, int], None]

    def settle(self, student: Staged, program: Staged, changed: Sequence[str]) -> tuple[Runner, list[Runner]]:
        """The winner, and everything that ran: the uncompiled program, the compiled one, and the compiled one without
        each change, the latest stage first, since leaving that out costs the fewest new calls.

        Leaving a change out must gain more than its standard error. Nothing is changed unless the rest beats the
        uncompiled program.

        Args:
            student: the uncompiled program.
            program: all changes made.
            changed: the stages that were changed.
        """
        first, whole = self._run(UNCOMPILED, student), self._run(COMPILED, program)
        runners, best = [first, whole], whole
        for stage in reversed(changed) if len(changed) > 1 else ():
            if not self.clock.allows(f"joint: without {stage}"):
                break
            runners.append(self._run(f"without the change of {stage}", without(program, student, stage)))
            if runners[-1].gain(whole) > 0 and runners[-1].mean > best.mean:
                best = runners[-1]
        return (best if best.mean > first.mean else first), runners

    def _run(self, name: str, program: Staged) -> Runner:
        found = evaluate(program, self.items, self.objective, on_item=partial(self.on_call, f"joint: {name}"))
        return Runner(name, program, scores=list(found.scores["joint"]))


def without(program: Staged, student: Staged, stage: str) -> Staged:
    """The program with one stage as the student has it."""
    changed = copy.deepcopy(program)
    predictor, original = changed.stages[stage], student.stages[stage]
    predictor.signature, predictor.demos = original.signature, list(original.demos)
    switches: dict[str, Any] = {name: getattr(student.configuration, name) for name in _OWNED.get(stage, ())}
    changed.configuration = replace(changed.configuration, **switches)
    if stage == "affect":
        changed.reader = student.reader
    return changed
