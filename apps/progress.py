"""Progress of a compile on a terminal: one bar for what runs, with calls and time left; notes above it."""

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Bars:
    """Shows `optimizers.progress.Progress` events on standard error."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> "Bars":
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._bars.stop()

    def item(self, what: str, done: int, total: int) -> None:
        """Moves the bar of `what`; a finished bar of something else goes away."""
        if what not in self._tasks:
            for name in [name for name, task in self._tasks.items() if self._bars.tasks[task].finished]:
                self._bars.update(self._tasks[name], visible=False)
            self._tasks[what] = self._bars.add_task(what, total=total)
        self._bars.update(self._tasks[what], completed=done, total=total)

    def note(self, text: str) -> None:
        """A line above the bars."""
        self._console.print(text, highlight=False, markup=False)
