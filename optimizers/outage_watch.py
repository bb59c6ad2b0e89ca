"""DSPy's optimizers go on after an outage, or hide it behind a bare `Exception`: here it ends the compile."""

from types import TracebackType
from typing import Any

from dspy.utils.callback import BaseCallback

from programs.errors import BackboneError, TraceError


class OutageWatch(BaseCallback):
    """Remembers what programs raised, and raises it when the `with` block ends.

    An outage is raised even where the block ended well: a candidate that could not be run was taken for a bad one. Any
    other error of a program is raised in place of what DSPy made of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._seen: list[TraceError] = []

    def on_module_end(self, call_id: str, outputs: Any, exception: BaseException | None = None) -> None:
        """Called by DSPy after every module."""
        if isinstance(exception, TraceError):
            self._seen.append(exception)

    def __enter__(self) -> "OutageWatch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if isinstance(error, TraceError) or (error is not None and not isinstance(error, Exception)):
            return
        outages = [seen for seen in self._seen if isinstance(seen, BackboneError)]
        if outages or (error is not None and self._seen):
            raise (outages or self._seen)[0] from error
