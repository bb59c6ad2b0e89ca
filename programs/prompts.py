"""The exact messages each stage sends, for a reader's eye."""

from programs.adapter import CompactAdapter
from programs.staged import Staged


def rendered(program: Staged) -> str:
    """Markdown: for every stage its messages, with `{field}` where a dialogue's values go."""
    return "\n".join(f"# {stage}\n\n{_messages(program, stage)}" for stage in program.stages)


def _messages(program: Staged, stage: str) -> str:
    predictor = program.stages[stage]
    blanks = {name: f"{{{name}}}" for name in predictor.signature.input_fields}
    messages = CompactAdapter().format(predictor.signature, predictor.demos, blanks)
    return "\n".join(f"**{message['role']}**\n\n```text\n{_fenced(message['content'])}\n```\n" for message in messages)


def _fenced(text: str) -> str:
    return text.replace("```", "` ` `")
