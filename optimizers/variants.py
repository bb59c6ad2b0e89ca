"""Candidate changes of a stage: what a stagewise compile tries, cheapest and likeliest first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import dspy

from optimizers.demos import demonstrations
from optimizers.proposals import proposed
from optimizers.trial import Trial
from programs.adapter import closed_labels
from programs.errors import StageError
from programs.reader import LinearReader
from programs.staged import Staged
from programs.vocabulary import GLOSS

_FULL = 0.999
"""Until trust is fitted, the stage's own answer stands."""


@dataclass(frozen=True)
class Sizes:
    """How much a stagewise compile tries for a stage."""

    demos: int
    """Demonstrations a prompt may hold."""
    trial: int = 0
    """Training items the stage is run on to see what it gets wrong; 0 leaves hard demos and proposals out."""
    proposals: int = 0
    """Instructions the reflector may propose."""
    reflector: dspy.LM | None = None
    """Who proposes them."""


Change = Callable[[Staged], None]


@dataclass(frozen=True)
class Variant:
    """One candidate: what it is called in reports, and how it changes a program."""

    name: str
    change: Change


def variants(program: Staged, trial: Trial, train: Sequence[dspy.Example], size: Sizes) -> Iterator[Variant]:
    """What can be tried for a stage, likeliest first: time may not be enough for all, so each is made when it is asked
    for.

    Args:
        program: the program so far.
        trial: which stage, and what it gets wrong.
        train: labelled examples.
        size: how much of each.
    """
    stage = trial.stage
    glossed = _glossed(program.stages[stage].signature)
    if stage == "affect":  # more of the same demos were measured not to help it; candidates and meanings do
        yield Variant("meanings of the labels", lambda copy: _set(copy, stage, glossed))
    elif stage == "response" and hasattr(program, "plan"):
        yield RETAKE
        yield BRIEF
    if stage != "affect":
        yield from _shown(program, stage, train, size.demos, glossed)
    if size.trial and train and size.demos:
        hard = demonstrations(program, stage, train, size.demos, trial.difficulty)
        yield Variant(f"{len(hard)} hard demos", lambda copy: _set(copy, stage, demos=hard))
    if size.trial and size.reflector:
        yield from _proposals(program, trial, size.reflector, size.proposals)


def _shown(program: Staged, stage: str, train: Sequence[dspy.Example], demos: int, glossed: str) -> Iterator[Variant]:
    shown = demonstrations(program, stage, train, demos)
    if shown:
        yield Variant(f"{len(shown)} demos", lambda copy: _set(copy, stage, demos=shown))
    if shown and glossed:
        yield Variant(f"meanings and {len(shown)} demos", lambda copy: _set(copy, stage, glossed, shown))


def _proposals(program: Staged, trial: Trial, reflector: dspy.LM, count: int) -> Iterator[Variant]:
    """Instructions by the reflector; one that cannot be read is passed over."""
    signature, tried = program.stages[trial.stage].signature, list[str]()
    mistakes = trial.mistakes()
    for number in range(1, count + 1 if mistakes else 1):
        try:
            text = proposed(reflector, signature, mistakes, tried)
        except StageError:
            continue
        if text:
            tried.append(text)
            yield Variant(f"proposed instruction {number}", partial(_set, stage=trial.stage, instruction=text))


def proposing(reader: LinearReader, count: int) -> Variant:
    """Let the linear reader propose its `count` likeliest emotions to the affect stage."""

    def change(program: Staged) -> None:
        program.reader = replace(reader, trust=_FULL)
        program.configuration = replace(program.configuration, candidates=count)

    return Variant(f"{count} candidates", change)


def _retake(program: Staged) -> None:
    program.configuration = replace(program.configuration, retake=True)


def _brief(program: Staged) -> None:
    program.configuration = replace(program.configuration, brief=True, retake=True)


RETAKE = Variant("asked again", _retake)
"""Where the reply takes nothing up: see `Configuration.retake`."""
BRIEF = Variant("told the essentials, asked again", _brief)
"""Let the synthesizer see what the speaker feels and why, and what leads the answer: see `Configuration.brief`."""


def _set(program: Staged, stage: str, instruction: str = "", demos: Sequence[dspy.Example] = ()) -> None:
    predictor = program.stages[stage]
    if instruction:
        predictor.signature = predictor.signature.with_instructions(instruction)
    predictor.demos = list(demos)


def _glossed(signature: type[dspy.Signature]) -> str:
    """The instruction with the vocabulary's gloss of every label; empty where the stage has no labels."""
    labels = [label for field in signature.output_fields.values() for label in closed_labels(field.annotation)]
    meanings = "\n".join(f"{label}: {GLOSS[label]}" for label in dict.fromkeys(labels) if label in GLOSS)
    return f"{signature.instructions}\n\nMeanings:\n{meanings}" if meanings else ""
