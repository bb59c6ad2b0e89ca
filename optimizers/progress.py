"""How a compile tells what it does; whoever shows it implements this."""

from typing import Protocol


class Progress(Protocol):
    """Receives events from the compiling thread."""

    def item(self, what: str, done: int, total: int) -> None:
        """`done` of `total` items of the work called `what` are finished."""

    def note(self, text: str) -> None:
        """Something worth a line: a candidate's score, a saved version."""


class Silent:
    """Shows nothing."""

    def item(self, what: str, done: int, total: int) -> None:
        """Ignored."""

    def note(self, text: str) -> None:
        """Ignored."""
