"""Candidate changes of a stage: what a stagewise compile tries, cheapest and likeliest first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import dspy

from optimizers.demos import demonstrations
from programs.adapter import closed_labels
from programs.reader import LinearReader
from programs.staged import Staged
from programs.vocabulary import GLOSS

_FULL = 0.999
"""Until trust is fitted, the stage's own answer stands."""

Change = Callable[[Staged], None]


@dataclass(frozen=True)
class Variant:
    """One candidate: what it is called in reports, and how it changes a program."""

    name: str
    change: Change


def variants(program: Staged, stage: str, train: Sequence[dspy.Example], demos: int) -> Iterator[Variant]:
    """What can be tried for a stage, likeliest first: time may not be enough for all.

    Args:
        program: the uncompiled program.
        stage: which stage.
        train: labelled examples.
        demos: how many demos a prompt may hold.
    """
    glossed = _glossed(program.stages[stage].signature)
    if stage == "affect":  # more of the same demos were measured not to help it; candidates and meanings do
        yield Variant("meanings of the labels", lambda copy: _set(copy, stage, glossed))
        return
    if stage == "response" and hasattr(program, "plan"):
        yield BRIEF
    shown = demonstrations(program, stage, train, demos)
    if shown:
        yield Variant(f"{len(shown)} demos", lambda copy: _set(copy, stage, demos=shown))
    if shown and glossed:
        yield Variant(f"meanings and {len(shown)} demos", lambda copy: _set(copy, stage, glossed, shown))


def proposing(reader: LinearReader, count: int) -> Variant:
    """Let the linear reader propose its `count` likeliest emotions to the affect stage."""

    def change(program: Staged) -> None:
        program.reader = replace(reader, trust=_FULL)
        program.configuration = replace(program.configuration, candidates=count)

    return Variant(f"{count} candidates", change)


def _brief(program: Staged) -> None:
    program.configuration = replace(program.configuration, brief=True)


BRIEF = Variant("told the essentials", _brief)
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
