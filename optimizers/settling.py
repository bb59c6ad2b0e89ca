"""Joining the linear reader to an affect stage that has already answered: costs no call."""

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import dspy

from metrics import Objective, Score
from optimizers.fitting import fit_trust
from optimizers.runner import Runner
from optimizers.stage_runs import Answers, reading_of, score_stage
from programs.errors import StageError
from programs.reader import LinearReader
from programs.staged import Staged

_STAGE = "affect"
_SWITCH = {"causes": "cause_precedent", "plan": "plan_precedent"}
_WEIGHTS = (0.5, 0.7, 0.9)
"""Below a half, a precedent can never outvote an answer."""


def settled(
    runner: Runner, reader: LinearReader, items: Sequence[dspy.Example], objective: Objective, earlier: Answers
) -> Runner:
    """The candidate whose answers are weighed against the reader's belief.

    How far to trust an answer is fitted on one half of the items and scored on the other, both ways round; the program
    then carries the fit on all of them.
    """
    scores: dict[str, Score] = {}
    for fitted, scored in ((items[::2], items[1::2]), (items[1::2], items[::2])):
        trial = _with_reader(runner, reader, fitted)
        found = score_stage(trial, _STAGE, scored, runner.answers, objective, earlier)
        scores |= {example.id: score for example, score in zip(scored, found, strict=True)}
    program = _with_reader(runner, reader, items)
    return Runner(f"{runner.name}, weighed", program, runner.answers, [scores[example.id] for example in items])


def by_precedent(
    runner: Runner, stage: str, items: Sequence[dspy.Example], objective: Objective, earlier: Answers
) -> list[Runner]:
    """The candidate with its answers yielding more and more to what the case bank did in like places; costs no call."""
    found = []
    for weight in _WEIGHTS:
        program = copy.deepcopy(runner.program)
        switch: dict[str, Any] = {_SWITCH[stage]: weight}
        program.configuration = replace(program.configuration, **switch)
        scores = score_stage(program, stage, items, runner.answers, objective, earlier)
        found.append(Runner(f"{runner.name}, precedent {weight:.1f}", program, runner.answers, scores))
    return found


def largest_share(runner: Runner, items: Sequence[dspy.Example]) -> float:
    """The share of the emotion that is read most often, in (0, 1]."""
    answers = {example.id: runner.answers[example.id] for example in items}
    read = [
        reading_of(runner.program, example, {_STAGE: answers[example.id]}).emotion
        for example in items
        if not isinstance(answers[example.id], StageError)
    ]
    return max(Counter(read).values()) / len(read) if read else 1.0


def _with_reader(runner: Runner, reader: LinearReader, items: Sequence[dspy.Example]) -> Staged:
    program = copy.deepcopy(runner.program)
    answered = [example for example in items if not isinstance(runner.answers[example.id], StageError)]
    program.reader = fit_trust(reader, [runner.answers[example.id].emotion for example in answered], answered)
    return program
