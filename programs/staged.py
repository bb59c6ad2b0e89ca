"""What all programs share: one pipeline of stages, called plainly or awaited, without any global setting."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError, LMError
from dspy.utils.usage_tracker import track_usage

from programs.adapter import CompactAdapter
from programs.cases import CaseBank
from programs.dialogue import Dialogue
from programs.errors import BackboneError, ContextExceeded, StageError, TraceError
from programs.outages import outage
from programs.reader import LinearReader
from programs.reading import Reading, usage_of

Steps = Generator[tuple[str, dict[str, Any]], Any, Reading]
"""Yields a stage and its inputs, is sent that stage's prediction, and returns the reading."""


@dataclass(frozen=True)
class Configuration:
    """The switches of a program: everything about its shape that a version must remember."""

    affect: bool = True
    causes: bool = True
    plan: bool = True
    cases: int = 2
    """Cases shown to planner and synthesizer; 0 switches retrieval off."""
    candidates: int = 0
    """Emotions proposed to the affect stage, by the linear reader or else by a vote of near cases; 0 proposes none."""
    cause_precedent: float = 0.0
    """How far the cause category yields to what goes with the emotion in the case bank; 0 not at all, 1 entirely."""
    plan_precedent: float = 0.0
    """How far mechanism and intent yield to what the bank's cases did after as many listener turns; 0 to 1."""
    brief: bool = False
    """Tell the synthesizer what the speaker feels, why, and the leading mechanism and act; not the cases and the finer
    points of the plan: a small backbone loses the speaker among many fields."""
    retake: bool = False
    """Where a reply takes up fewer than two details of what was said, ask the synthesizer once more with only the
    dialogue and the triggers before it; the reply that takes up more stands."""
    basic: bool = False
    """Read six emotions instead of 32."""
    by_situation: bool = False
    """Let retrieval see the speaker's hidden situation, as the published code does."""


DEFAULTS = Configuration()


class Staged(dspy.Module):
    """A program whose stages are `dspy.Predict`s named after them.

    Args:
        configuration: which stages and inputs are on.
        bank: cases to look up; none means that no case is shown.
        reader: a fitted linear reader of emotion, if the version has one.
    """

    name: ClassVar[str]

    def __init__(
        self,
        configuration: Configuration = DEFAULTS,
        bank: CaseBank | None = None,
        reader: LinearReader | None = None,
    ) -> None:
        super().__init__()
        self.configuration = configuration
        self.bank = bank or CaseBank(())
        self.reader = reader
        self.adapter = CompactAdapter()
        self.declare()

    def declare(self) -> None:
        """Creates the predictors that the configuration asks for, each named after its stage."""
        raise NotImplementedError

    def steps(self, dialogue: Dialogue, situation: str | None) -> Steps:
        """The pipeline, without the calls."""
        raise NotImplementedError

    @property
    def stages(self) -> dict[str, dspy.Predict]:
        """The predictors that are on, by stage, in order."""
        return dict(self.named_predictors())

    def forward(self, dialogue: Any, situation: str | None = None) -> Reading:
        """Reads and answers a dialogue.

        Args:
            dialogue: whatever `Dialogue.of` takes.
            situation: the speaker's hidden description; only `by_situation` retrieval looks at it.

        Raises:
            DialogueError: there is nothing to answer.
            StageError: a stage gave no typed output.
            BackboneError: the model could not be reached, or refused.
        """
        steps = self.steps(Dialogue.of(dialogue), situation)
        with _calling(self.adapter) as tracker:
            answer, count = None, 0
            while True:
                try:
                    stage, inputs = steps.send(answer)
                except StopIteration as done:
                    return _finished(done.value, stage, tracker, count)
                with failures(stage):
                    answer, count = _bound(getattr(self, stage))(**inputs), count + 1

    async def aforward(self, dialogue: Any, situation: str | None = None) -> Reading:
        """`forward`, awaited."""
        steps = self.steps(Dialogue.of(dialogue), situation)
        with _calling(self.adapter) as tracker:
            answer, count = None, 0
            while True:
                try:
                    stage, inputs = steps.send(answer)
                except StopIteration as done:
                    return _finished(done.value, stage, tracker, count)
                with failures(stage):
                    answer, count = await _bound(getattr(self, stage)).acall(**inputs), count + 1

    def configured(self) -> dict[str, Any]:
        """The switches as plain data."""
        return asdict(self.configuration)


def _bound(predictor: Any) -> Any:
    if isinstance(predictor, dspy.Predict) and predictor.lm is None and dspy.settings.lm is None:
        raise BackboneError("no backbone is bound to the program: call program.set_lm(Backbone.of(...).lm())")
    return predictor


def _finished(reading: Reading, stage: str, tracker: Any, count: int) -> Reading:
    if not reading.reply:
        raise StageError(stage, "the reply is empty")
    return replace(reading, usage=usage_of(tracker.get_total_tokens(), count))


@contextmanager
def _calling(adapter: dspy.Adapter) -> Iterator[Any]:
    """Everything inside uses `adapter` and is counted; nothing outside notices."""
    with dspy.context(adapter=adapter), track_usage() as tracker:
        yield tracker


@contextmanager
def failures(stage: str) -> Iterator[None]:
    """Turns DSPy's failures into ours, by who must act: the program's stage, or whoever set the backbone up."""
    try:
        yield
    except AdapterParseError as error:
        raise StageError(stage, f"the answer is not the typed output it must be: {error.lm_response!r:.200}") from error
    except ContextWindowExceededError as error:
        raise ContextExceeded(str(error)) from error
    except LMError as error:
        if isinstance(error.__cause__, TraceError):
            raise error.__cause__ from None
        raise BackboneError(outage(error)) from error
