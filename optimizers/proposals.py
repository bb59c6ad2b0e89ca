"""Asking a reflector for a better instruction of a stage, from the mistakes that the stage makes most often."""

from collections.abc import Mapping, Sequence
from typing import Any

import dspy

from programs.adapter import CompactAdapter
from programs.staged import failures


class ImproveInstruction(dspy.Signature):
    """Write a better instruction for one step of a program that answers people with empathy. It should keep the step's
    purpose, prevent the frequent mistakes by a general rule each, and quote none of the conversations. Three sentences
    at most."""

    inputs: str = dspy.InputField(desc="what the step is given")
    outputs: str = dspy.InputField(desc="what the step answers with")
    mistakes: str = dspy.InputField(desc="its most frequent mistakes, each with one conversation")
    tried: str = dspy.InputField(desc="instructions that were tried and did not help")
    instruction: str = dspy.InputField(desc="the present instruction")
    improved: str = dspy.OutputField(desc="the better instruction")


def proposed(
    reflector: dspy.LM, signature: type[dspy.Signature], mistakes: str, tried: Sequence[str] = ()
) -> str | None:
    """An instruction that was not tried yet, or None where the reflector has no other.

    Args:
        reflector: who proposes.
        signature: of the stage as it is.
        mistakes: the stage's frequent mistakes, in words.
        tried: instructions proposed before.

    Raises:
        BackboneError: the reflector cannot be reached.
        StageError: its answer cannot be read.
    """
    propose = dspy.Predict(ImproveInstruction)
    propose.set_lm(reflector)
    with failures("proposal"), dspy.context(adapter=CompactAdapter()):
        answer = propose(
            inputs=_described(signature.input_fields),
            outputs=_described(signature.output_fields),
            mistakes=mistakes,
            tried="\n".join(tried),
            instruction=signature.instructions,
        )
    text = str(answer.improved).strip()
    return None if not text or text in (signature.instructions, *tried) else text


def _described(fields: Mapping[str, Any]) -> str:
    return "; ".join(f"{name}: {field.json_schema_extra['desc']}" for name, field in fields.items())
