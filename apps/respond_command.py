"""What `trace-erg respond` reads and prints."""

import json
import sys

from programs.dialogue import Dialogue
from programs.errors import DialogueError
from programs.reading import Reading


def dialogue_of(text: str) -> Dialogue:
    """A dialogue from a plain text or a JSON list of turns.

    Raises:
        DialogueError: it is empty, or starts like a JSON list of turns and is none.
    """
    if text.lstrip().startswith(("[{", "[[")):
        try:
            return Dialogue.of(json.loads(text))
        except ValueError as error:
            raise DialogueError(f"the text starts like a JSON list of turns but is none: {error}") from error
    return Dialogue.of(text)


def standard_input() -> str:
    """What was piped in, or typed until its end.

    Raises:
        DialogueError: it is no text.
    """
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise DialogueError(f"standard input is no {error.encoding} text: {error.reason}") from error


def explained(reading: Reading) -> str:
    """How the speaker was read, then the reply."""
    lines = (
        ("emotion", _with_basic(reading)),
        ("candidates", ", ".join(reading.candidates)),
        ("triggers", " | ".join(f'"{span}"' for span in reading.triggers)),
        ("cause", " ".join(filter(None, (reading.cause, f"({reading.category})" if reading.category else "")))),
        ("plan", ", ".join(filter(None, (reading.mechanism, _support(reading), reading.intent, reading.stance)))),
        ("cases", ", ".join(case.id for case in reading.cases)),
        ("risk", reading.risk or ""),
        (
            "usage",
            f"{reading.usage.calls} calls, {reading.usage.prompt_tokens} prompt tokens "
            f"({reading.usage.cached_tokens} cached), {reading.usage.completion_tokens} completion tokens",
        ),
    )
    return "\n".join([*(f"{name:11} {text}" for name, text in lines if text), "", reading.reply])


def _with_basic(reading: Reading) -> str:
    return f"{reading.emotion} ({reading.basic_emotion})" if reading.emotion else ""


def _support(reading: Reading) -> str:
    return f"with {reading.support}" if reading.support and reading.support != "none" else ""
