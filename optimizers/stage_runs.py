"""Running one stage on items whose earlier stages were already answered, so that nothing is computed twice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import dspy

from metrics import Objective, Score
from metrics.parallel import in_parallel
from programs.dialogue import Dialogue
from programs.errors import StageError
from programs.reading import Reading
from programs.staged import Staged, failures

_BLANK = dspy.Prediction(
    emotion="", triggers=[], cause="", category=None, mechanism=None, support=None, intent=None, stance=None, reply=""
)


@dataclass
class Answers:
    """What each stage answered on each item so far, by item id."""

    by_stage: dict[str, dict[str, Any]] = field(default_factory=dict)

    def fix(self, stage: str, answers: Mapping[str, Any]) -> None:
        """Takes a stage's answers as the inputs of the stages after it."""
        self.by_stage[stage] = dict(answers)

    def of(self, example: dspy.Example) -> dict[str, Any]:
        """The answers to one item, by stage."""
        return {stage: answers[example.id] for stage, answers in self.by_stage.items() if example.id in answers}


def run_stage(
    program: Staged,
    stage: str,
    examples: Sequence[dspy.Example],
    earlier: Answers,
    *,
    threads: int = 4,
    on_item: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """The answers of one stage by item id; a StageError stands for an answer that could not be parsed.

    Any other error cancels the rest and is raised: an outage is never an answer.
    """
    answers = in_parallel(
        lambda example: _ask(program, stage, example, earlier.of(example)), examples, threads=threads, on_item=on_item
    )
    return {example.id: answer for example, answer in zip(examples, answers, strict=True)}


def score_stage(
    program: Staged,
    stage: str,
    examples: Sequence[dspy.Example],
    answers: Mapping[str, Any],
    objective: Objective,
    earlier: Answers,
) -> list[Score]:
    """The stage's own score of its answers, in the examples' order."""
    return [
        _score(program, stage, example, answers[example.id], objective, earlier.of(example)) for example in examples
    ]


def reading_of(program: Staged, example: dspy.Example, answers: Mapping[str, Any]) -> Reading:
    """The reading that the program makes of the answers; stages without one are left blank."""
    steps = program.steps(Dialogue.of(example.dialogue), None)
    answer: Any = None
    while True:
        try:
            stage, _ = steps.send(answer)
        except StopIteration as done:
            reading: Reading = done.value
            return reading
        answer = answers.get(stage, _BLANK)


def _ask(program: Staged, stage: str, example: dspy.Example, answers: Mapping[str, Any]) -> Any:
    """An earlier stage that was not answered yet, for want of labels to compile it by, is asked on the way; one that is
    asked twice gives the answer that the program made its own."""
    steps = program.steps(Dialogue.of(example.dialogue), None)
    asked, inputs = steps.send(None)
    given: list[Any] = []
    try:
        with dspy.context(adapter=program.adapter):
            while asked == stage or not given:
                known = asked in answers and asked != stage
                answer = answers[asked] if known else _answer(program, asked, inputs)
                if isinstance(answer, StageError):
                    return answer
                given += [answer] if asked == stage else []
                asked, inputs = steps.send(answer)
    except StageError as error:
        return error
    except StopIteration as done:
        return next((answer for answer in given if _replied(answer) == done.value.reply), given[-1])
    return given[-1]


def _replied(answer: Any) -> str:
    return str(answer.get("reply", "")).strip()


def _answer(program: Staged, stage: str, inputs: dict[str, Any]) -> Any:
    with failures(stage):
        return program.stages[stage](**inputs)


def _score(
    program: Staged, stage: str, example: dspy.Example, answer: Any, objective: Objective, answers: dict[str, Any]
) -> Score:
    if isinstance(answer, StageError):
        return objective.failed_stages(example, answer)[answer.stage]
    reading = reading_of(program, example, {**answers, stage: answer})
    return objective.stages(example, reading)[stage]
