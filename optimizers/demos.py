"""Labelled examples as demonstrations of a stage, and which of them to show."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import dspy

from programs.adapter import as_text, closed_labels
from programs.dialogue import Dialogue
from programs.staged import Staged
from programs.vocabulary import BASIC

_CALMING = frozenset({"consoling", "sympathizing", "acknowledging", "agreeing", "questioning"})


def labelled(example: dspy.Example) -> dspy.Example:
    """The example with the dialogue as prompts show it, and the stance that follows from emotion and intent.

    Corpora do not label the stance. As in MIME (Majumder et al. 2020) it goes by polarity: a pleasant feeling is
    mirrored; an unpleasant one is softened by an answer that stays with it, and countered by one that encourages,
    wishes or suggests.
    """
    known: dict[str, Any] = {**example.toDict(), "dialogue": str(Dialogue.of(example.dialogue))}
    if "emotion" in example and "intent" in example:
        pleasant = BASIC.get(example.emotion) in ("happiness", "surprise")
        known["stance"] = "mirror" if pleasant else "soften" if example.intent in _CALMING else "counter"
    return dspy.Example(known).with_inputs("dialogue")


def demonstrations(
    program: Staged,
    stage: str,
    train: Sequence[dspy.Example],
    count: int,
    difficulty: Mapping[str, float] = MappingProxyType({}),
) -> list[dspy.Example]:
    """`count` demos of a stage, chosen for coverage: each next one adds the output labels seen least so far; among
    equals the hardest, and then the one of the best length, since prompts pay for every word.

    Args:
        program: whose stage is to be shown.
        stage: its name.
        train: where demos come from; those that lack an output of the stage are passed over.
        count: how many at most.
        difficulty: by item id, in [0, 1]; an item that is missing counts as easy.
    """
    signature = program.stages[stage].signature
    whole = [example for example in map(labelled, train) if all(name in example for name in signature.output_fields)]
    closed = [name for name in signature.output_fields if name in _CLOSED]
    seen: dict[str, int] = {}
    chosen: list[dspy.Example] = []
    remaining = sorted(whole, key=lambda example: (abs(len(example.dialogue) - _LENGTH), example.id))
    while remaining and len(chosen) < count:
        best = min(
            remaining,
            key=lambda example: (
                sum(seen.get(mark, 0) for mark in _marks(example, closed)),
                -difficulty.get(example.id, 0.0),
            ),
        )
        remaining.remove(best)
        chosen.append(best)
        for mark in _marks(best, closed):
            seen[mark] = seen.get(mark, 0) + 1
    return [shown_demo(signature, example) for example in chosen]


def shown_demo(signature: type[dspy.Signature], example: dspy.Example) -> dspy.Example:
    """Only the fields of the signature, as its prompt shows them; cases and candidates are left out."""
    values = {
        name: example[name] for name in signature.fields if name in example and name not in ("cases", "candidates")
    }
    if (read := values.get("emotion")) and "emotion" in signature.output_fields:
        labels = closed_labels(signature.output_fields["emotion"].annotation)
        values["emotion"] = read if read in labels else BASIC[read]  # a program may read six emotions only
    inputs = {name: as_text(value) for name, value in values.items() if name in signature.input_fields}
    return dspy.Example(**{**values, **inputs})


_LENGTH = 220
"""Characters of a dialogue that make a good demo: long enough to need reading, short enough to pay for."""
_CLOSED = frozenset({"emotion", "category", "mechanism", "support", "intent", "stance"})


def _marks(example: dspy.Example, closed: Sequence[str]) -> list[str]:
    marks = [f"{name}={example[name]}" for name in closed]
    return marks or [f"{name}={example[name]}" for name in ("intent", "category") if name in example]
