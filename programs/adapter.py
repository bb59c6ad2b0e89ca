"""The compact JSON adapter: rules once, in the cached system message; after it nothing but the fields."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, get_args, get_origin

import dspy
from dspy.adapters.json_adapter import _get_structured_outputs_response_format
from dspy.utils.exceptions import AdapterParseError

from programs.vocabulary import canonical

_KINDS: Mapping[Any, str] = {str: "text", bool: "true or false", int: "a whole number", float: "a number"}


class CompactAdapter(dspy.JSONAdapter):
    """Sends typed outputs as a JSON schema where the backbone takes one, and says each rule exactly once.

    A demo that lacks an output of the stage is left out; an input that is empty or missing is not sent.
    """

    def __init__(self) -> None:
        super().__init__(use_native_function_calling=False)

    def _prepare_response_format(self, lm: Any, lm_kwargs: dict[str, Any], signature: Any) -> None:
        """As DSPy does, except that a signature's schema is built once and not at every call."""
        if "response_format" in lm.supported_params and lm.supports_response_schema:
            lm_kwargs["response_format"] = _schema(signature)
        else:
            super()._prepare_response_format(lm, lm_kwargs, signature)

    def format_system_message(self, signature: type[dspy.Signature]) -> str:
        """The instruction, what the inputs are, and the JSON object to answer with."""
        inputs = "\n".join(f"{name}: {_desc(field)}" for name, field in signature.input_fields.items())
        outputs = "\n".join(
            f'"{name}": {_desc(field)}; {_kind(field.annotation)}' for name, field in signature.output_fields.items()
        )
        return f"{signature.instructions.strip()}\n\nGiven:\n{inputs}\n\nAnswer with one JSON object:\n{outputs}"

    def format_user_message_content(
        self,
        signature: type[dspy.Signature],
        inputs: Mapping[str, Any],
        prefix: str = "",
        suffix: str = "",
        main_request: bool = False,
    ) -> str:
        """One block an input, by name; a single input stands alone."""
        given = [(name, text) for name in signature.input_fields if (text := as_text(inputs.get(name)))]
        if len(given) == 1:
            return given[0][1]
        return "\n".join(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}" for name, text in given)

    def format_assistant_message_content(
        self, signature: type[dspy.Signature], outputs: Mapping[str, Any], missing_field_message: str | None = None
    ) -> str:
        """A demo's outputs, as one line of JSON."""
        return json.dumps({name: _plain(outputs.get(name)) for name in signature.output_fields}, ensure_ascii=False)

    def format_demos(self, signature: type[dspy.Signature], demos: Sequence[Any]) -> list[dict[str, Any]]:
        """Demos as earlier exchanges, only those that hold every output."""
        messages: list[dict[str, Any]] = []
        for demo in demos:
            if all(demo.get(name) not in (None, "") for name in signature.output_fields):
                shown = self.format_user_message_content(signature, demo)
                answer = self.format_assistant_message_content(signature, demo)
                messages += [{"role": "user", "content": shown}, {"role": "assistant", "content": answer}]
        return messages

    def parse(self, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        """Typed fields; a label of a closed set is normalised first (case, spacing), and refused where none fits."""
        parsed: dict[str, Any] = super().parse(signature, _normalised(signature, completion))
        return parsed


@lru_cache(maxsize=128)
def _schema(signature: type[dspy.Signature]) -> Any:
    """What the outputs must look like. Half of a call's time outside the model went into building it."""
    return _get_structured_outputs_response_format(signature, use_native_function_calling=False)


def as_text(value: Any) -> str:
    """How an input value reads in a prompt: turns one a line, other lists joined."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return f"{value.get('role', '')}: {value.get('text', '')}"
    if isinstance(value, list | tuple):
        return ("\n" if value and isinstance(value[0], Mapping) else " | ").join(as_text(item) for item in value)
    return str(value).strip()


def _desc(field: Any) -> str:
    return str((field.json_schema_extra or {}).get("desc", ""))


def _kind(annotation: Any) -> str:
    if labels := get_args(annotation) if get_origin(annotation) is not list else ():
        return "one of: " + ", ".join(map(str, labels))
    return "a list of texts" if get_origin(annotation) is list else _KINDS.get(annotation, "JSON")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _normalised(signature: type[dspy.Signature], completion: str) -> str:
    try:
        # Backbones without schemas like to wrap the object in a fence or in a sentence.
        answer = json.loads(completion[completion.find("{") : completion.rfind("}") + 1])
    except ValueError:
        return completion
    for name, field in signature.output_fields.items():
        if field.annotation is str and not isinstance(answer.get(name), str):
            answer.pop(name, None)  # null would be read as the text "None"
        if (labels := closed_labels(field.annotation)) and isinstance(answer.get(name), str):
            answer[name] = canonical(answer[name], labels) or answer[name]
    return json.dumps(answer, ensure_ascii=False)


def closed_labels(annotation: Any) -> tuple[str, ...]:
    """The labels of a closed set; none where the type is open."""
    """The labels of a closed set; none where the type is open."""
    arguments = get_args(annotation)
    return arguments if arguments and all(isinstance(label, str) for label in arguments) else ()


__all__ = ["AdapterParseError", "CompactAdapter", "as_text"]
