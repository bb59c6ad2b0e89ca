"""Before and after on the same untouched items: both programs side by side, so that a stop leaves whole pairs."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import dspy

from metrics import Difference, Evaluation, Objective, Score, compare_evaluations, evaluate, joined
from metrics.evaluation import COLUMNS
from optimizers.clock import Clock
from optimizers.overlap import spoken
from optimizers.stage_runs import Answers, reading_of, run_stage
from programs.errors import StageError
from programs.reading import Reading
from programs.staged import Staged

_ROUND = 8
"""Items a round: both programs answer them before the clock is looked at."""
OnItem = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Verdict:
    """What the test showed."""

    before: Evaluation
    after: Evaluation
    """Whole replies, on as many items as there was time for."""
    affect_before: Evaluation
    affect_after: Evaluation
    """The affect stage alone, on every test item; the same as the whole replies for a program without that stage."""
    differences: dict[str, Difference]
    """By joint, stage and part; the affect stage's are those of every test item."""
    seconds: dict[str, float]
    """Seconds a whole reply took, `before` and `after`, four at a time."""
    waiting: int
    """Test items whose whole reply there was no time for."""


def verdict(
    before: Staged,
    after: Staged,
    items: Sequence[dspy.Example],
    objective: Objective,
    *,
    least: int,
    clock: Clock,
    on_item: OnItem,
) -> Verdict:
    """Runs both programs on the test items.

    Args:
        before: the uncompiled program.
        after: the compiled one.
        items: the test split, in an order of which every beginning is a fair sample (`by_turns`).
        objective: the joint score.
        least: items that are answered whole whatever the clock says.
        clock: says whether a further round, which will last as long as the one before, may begin.
        on_item: told what runs and how many of how many items are done.
    """
    programs = {"before": before, "after": after}
    affect = {name: _affect(program, items, objective, f"test, {name}", on_item) for name, program in programs.items()}
    rounds: dict[str, list[Evaluation]] = {"before": [], "after": []}
    spent = dict.fromkeys(programs, 0.0)
    done, lasted = 0, 0.0
    while done < len(items) and (done < least or clock.allows(f"test: from item {done + 1}", lasting=lasted)):
        started = time.monotonic()
        for name, program in programs.items():
            begun = time.monotonic()
            rounds[name].append(evaluate(program, items[done : done + _ROUND], objective))
            spent[name] += time.monotonic() - begun
        done, lasted = min(done + _ROUND, len(items)), time.monotonic() - started
        on_item("test, whole replies", done, len(items))
    whole = {name: joined(found) for name, found in rounds.items()}
    first, second = affect["before"] or whole["before"], affect["after"] or whole["after"]
    differences = compare_evaluations(whole["before"], whole["after"]) | compare_evaluations(first, second)
    seconds = {name: total / max(done, 1) for name, total in spent.items()}
    return Verdict(whole["before"], whole["after"], first, second, differences, seconds, len(items) - done)


def by_turns(items: Sequence[dspy.Example]) -> list[dspy.Example]:
    """The items so that every emotion comes once before any comes twice."""
    seen: dict[str, int] = {}
    ranked = []
    for item in sorted(items, key=spoken):
        label = item.get("emotion", "")
        ranked.append((seen.get(label, 0), item))
        seen[label] = seen.get(label, 0) + 1
    return [item for _, item in sorted(ranked, key=lambda pair: pair[0])]


def _affect(
    program: Staged, items: Sequence[dspy.Example], objective: Objective, what: str, on_item: OnItem
) -> Evaluation | None:
    """The affect stage alone. Its calls are not lost: the journal answers them when the whole reply is asked for."""
    if "affect" not in program.stages:
        return None
    answers = run_stage(program, "affect", items, Answers(), on_item=lambda done, total: on_item(what, done, total))
    readings = [_read(program, item, answers[item.id]) for item in items]
    rows = [_scores(objective, item, reading) for item, reading in zip(items, readings, strict=True)]
    failed = tuple((item.id, str(answer)) for item in items if isinstance(answer := answers[item.id], StageError))
    columns = {name: tuple(row[name] for row in rows) for name in COLUMNS}
    return Evaluation(tuple(items), tuple(readings), MappingProxyType(columns), failed)


def _read(program: Staged, item: dspy.Example, answer: object) -> Reading | None:
    if isinstance(answer, StageError):
        return None
    return Reading(reply="", emotion=reading_of(program, item, {"affect": answer}).emotion)


def _scores(objective: Objective, item: dspy.Example, reading: Reading | None) -> dict[str, Score]:
    scores = {name: Score.unscored("only the affect stage was run") for name in COLUMNS}
    failed = Score.of(0.0, "the affect stage failed", {"emotion": 0.0, "emotion_6way": 0.0})
    return {**scores, "affect": objective.stages(item, reading)["affect"] if reading else failed}
