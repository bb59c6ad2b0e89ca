"""Judgements remembered by judge, rubric, context and reply: the same question is never paid for twice.

A judge is not deterministic; without a memory, one candidate would be compared by two different judgements.
"""

import hashlib
import json
import threading
from pathlib import Path
from typing import Any

from metrics.judge import Judge
from metrics.judgement import Judgement
from metrics.rubric import Rubric
from programs.manifest import canonical_json


class Remembering:
    """A judge with a memory, safe to share between threads; what could not be judged is asked again next time.

    Args:
        judge: who is asked what is not remembered.
        path: a file of JSON lines that the memory is kept in as well, created where there is none; a torn last line, as
            a killed process leaves it, is passed over.

    Raises:
        OSError: the file cannot be read or written.
    """

    def __init__(self, judge: Judge, path: Path | None = None) -> None:
        self._judge, self._path = judge, path
        self._salt = canonical_json([judge.identity(), judge.rubric.identity])
        self._known = _read(path) if path and path.exists() else {}
        self._lock = threading.Lock()

    @property
    def rubric(self) -> Rubric:
        """What the judge looks for."""
        return self._judge.rubric

    def identity(self) -> dict[str, Any]:
        """The judge's own."""
        return self._judge.identity()

    def judge(self, dialogue: str, reply: str) -> Judgement:
        """See `Judge.judge`."""
        key = hashlib.sha256(canonical_json([self._salt, dialogue, reply]).encode()).hexdigest()
        with self._lock:
            if known := self._known.get(key):
                return known
        found = self._judge.judge(dialogue, reply)
        if not found.scored:
            return found
        with self._lock:
            kept = self._known.setdefault(key, found)
            if kept is found and self._path:
                _write(self._path, {"key": key, **found.to_dict()})
        return kept


def _write(path: Path, row: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _read(path: Path) -> dict[str, Judgement]:
    known = {}
    for line in path.read_text("utf-8", errors="replace").splitlines():
        try:
            row = json.loads(line)
            known[str(row["key"])] = Judgement.from_dict(row)
        except (ValueError, KeyError, TypeError):
            continue
    return known
