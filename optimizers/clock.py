"""The time of a run, over all its processes; what was once decided by it stays decided when the run is continued."""

import json
import time
from pathlib import Path


class Clock:
    """Answers whether there is time for the next piece of work, and remembers the answers.

    Wall time differs from one process to the next, so a continued run that asked it anew would try other candidates
    than the process that was killed. Each question is therefore answered once and for all.

    Args:
        seconds: wall time of the whole run.
        record: a file of earlier answers, written as questions are asked; None remembers nothing.
    """

    def __init__(self, seconds: float = float("inf"), record: Path | None = None) -> None:
        self.seconds = seconds
        self._record = record
        self._answers: dict[str, bool] = {}
        self._before = 0.0
        for question, answer, elapsed in _recorded(record):
            self._answers[question], self._before = answer, max(self._before, elapsed)
        self._begun = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds that this process and those before it have worked."""
        return self._before + time.monotonic() - self._begun

    def allows(self, question: str, share: float = 1.0, lasting: float = 0.0) -> bool:
        """Whether the work may begin.

        Args:
            question: names the work; the same name gets the same answer for ever.
            share: of the run's time, after which it may not, in (0, 1].
            lasting: seconds that it will take; it must end within the share.
        """
        if question not in self._answers:
            self._answers[question] = self.elapsed + lasting < self.seconds * share
            self._write(question)
        return self._answers[question]

    def _write(self, question: str) -> None:
        if self._record is None:
            return
        line = json.dumps([question, self._answers[question], round(self.elapsed, 3)])
        with self._record.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}")  # begins anew after a line that a kill cut short


def _recorded(record: Path | None) -> list[tuple[str, bool, float]]:
    if record is None or not record.exists():
        return []
    found = []
    for line in record.read_text("utf-8").splitlines():
        try:
            question, answer, elapsed = json.loads(line)
        except ValueError:
            continue
        found.append((question, answer, elapsed))
    return found
