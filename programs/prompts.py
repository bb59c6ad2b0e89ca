"""The exact messages each stage sends, for a reader's eye."""

import re

from programs.adapter import CompactAdapter
from programs.staged import Staged

_NOTE = "`{field}` stands for a dialogue's value. An empty input is not sent; a single one is sent without its name."


def rendered(program: Staged) -> str:
    """Markdown: for every stage its messages, with `{field}` where a dialogue's values go."""
    return "\n".join((f"{_NOTE}\n", *(f"# {stage}\n\n{_messages(program, stage)}" for stage in program.stages)))


def _messages(program: Staged, stage: str) -> str:
    predictor = program.stages[stage]
    blanks = {name: f"{{{name}}}" for name in predictor.signature.input_fields}
    messages = CompactAdapter().format(predictor.signature, predictor.demos, blanks)
    return "\n".join(f"**{message['role']}**\n\n{_fenced(message['content'])}\n" for message in messages)


def _fenced(text: str) -> str:
    """The text as it is, in a fence longer than any it holds."""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}text\n{text}\n{fence}"
