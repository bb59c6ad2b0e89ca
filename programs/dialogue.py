"""A conversation between a speaker who tells something and a listener who answers."""

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from programs.errors import DialogueError

Role = Literal["speaker", "listener"]

_ROLES: Mapping[str, Role] = {
    "speaker": "speaker",
    "user": "speaker",
    "seeker": "speaker",
    "human": "speaker",
    "listener": "listener",
    "assistant": "listener",
    "responder": "listener",
}
# C0 and C1 controls (NUL among them), lone surrogates, bidirectional overrides and zero-width spaces carry no meaning a
# reader would miss. Joiners stay: emoji and Persian need them.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; `text` is on one line, without control characters."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Turns that end with the speaker's. Build one with `Dialogue.of`."""

    turns: tuple[Turn, ...]

    @classmethod
    def of(cls, source: "str | Dialogue | Iterable[Any]") -> "Dialogue":
        """A dialogue from a text, `(role, text)` pairs, `Turn`s, or chat messages `{role, content}`.

        Roles may be speaker/listener or user/assistant; neighbouring turns of one role are joined.

        Raises:
            DialogueError: nothing was said, a turn cannot be read, or the listener spoke last.
        """
        if isinstance(source, Dialogue):
            return source
        given = [("speaker", source)] if isinstance(source, str) else [_pair(item) for item in _items(source)]
        turns = _joined(turn for role, text in given if _says(turn := Turn(_role(role), clean(text))))
        if not turns:
            raise DialogueError("the dialogue is empty: give at least one turn with words in it")
        if turns[-1].role != "speaker":
            raise DialogueError(
                "the listener speaks last: there is nothing to answer; end the dialogue with the speaker"
            )
        return cls(turns)

    @property
    def speaker_text(self) -> str:
        """All the speaker said, one line a turn."""
        return "\n".join(turn.text for turn in self.turns if turn.role == "speaker")

    def __str__(self) -> str:
        """One line a turn, `role: text`: what the stages read."""
        return "\n".join(f"{turn.role}: {turn.text}" for turn in self.turns)


def clean(text: str) -> str:
    """`text` on one line: white space folded, control characters dropped, so that it cannot imitate another turn."""
    return " ".join(_INVISIBLE.sub(" ", text).split())


def _items(source: Iterable[Any]) -> list[Any]:
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        raise DialogueError("a dialogue is a text or a list of turns, such as [{'role': 'speaker', 'text': '...'}]")
    return list(source)


def _pair(item: Any) -> tuple[str, str]:
    if isinstance(item, Turn):
        return item.role, item.text
    if isinstance(item, Mapping):
        item = (item.get("role"), item.get("text", item.get("content")))
    if isinstance(item, list | tuple) and len(item) == 2 and all(isinstance(part, str) for part in item):
        return item[0], item[1]
    raise DialogueError(f"a turn is a role and a text, not {str(item)[:80]!r}")


def _role(name: str) -> Role:
    role = _ROLES.get(name.strip().casefold())
    if role is None:
        raise DialogueError(f"unknown role {name!r}: use speaker and listener (or user and assistant)")
    return role


def _says(turn: Turn) -> bool:
    """Whether a reader would see anything of it: marks and joiners alone are no words."""
    return any(letter.isprintable() and letter != " " for letter in turn.text)


def _joined(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    grouped = itertools.groupby(turns, key=lambda turn: turn.role)
    return tuple(Turn(role, " ".join(turn.text for turn in group)) for role, group in grouped)
