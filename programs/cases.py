"""Answered conversations that the planner and the synthesizer look up, and how they are found."""

import heapq
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from programs.errors import VersionError
from programs.vocabulary import BASIC

_SHOWN_WORDS = 24


@dataclass(frozen=True, slots=True)
class Case:
    """One answered conversation. Labels that the corpus does not have are empty."""

    id: str
    text: str
    """What the speaker said, one line a turn: what retrieval searches."""
    reply: str
    situation: str = ""
    """The speaker's hidden description; searched only by the leaky, paper-like query."""
    emotion: str = ""
    triggers: tuple[str, ...] = ()
    category: str = ""
    mechanism: str = ""
    support: str = ""
    intent: str = ""

    @property
    def heard(self) -> int:
        """How often the listener had spoken before the reply."""
        return self.text.count("\n")

    @property
    def gist(self) -> str:
        """The words that carry it: the first trigger, or else the opening of what was said, since every word costs."""
        return _line(self.triggers[0]) if self.triggers else " ".join(self.text.split()[:_SHOWN_WORDS])

    def planned(self) -> str:
        """One line for the planner: what was said, and what kind of answer fitted; no reply, since it only plans."""
        labels = ", ".join(label for label in (self.mechanism, self.support, self.intent) if label)
        return f'"{self.gist}" ({self.emotion or "unlabelled"}): {labels or _line(self.reply)}'

    def answered(self) -> str:
        """One line for the synthesizer: what was said, and what was answered."""
        return f'"{self.gist}" ({self.emotion or "unlabelled"}): {_line(self.reply)}'


class Retriever(Protocol):
    """Scores every text of a bank against a query; higher is closer."""

    def scores(self, query: str) -> Sequence[float]:
        """One score a text, in the bank's order."""


class BM25:
    """Okapi BM25 over lower-cased words, English stop words left out (bm25s)."""

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s

        self._tokenize = bm25s.tokenize
        self._index = bm25s.BM25()
        self._vocabulary: Mapping[str, int] = {}
        tokens = self._tokenize(list(texts), stopwords="en", show_progress=False)
        if any(tokens.ids):  # texts without a single word cannot be indexed
            self._index.index(tokens, show_progress=False)
            self._vocabulary = self._index.vocab_dict
        self._size = len(texts)

    def scores(self, query: str) -> Sequence[float]:
        """One score a text; all zero where no word of the query is known."""
        [tokens] = self._tokenize([query], stopwords="en", show_progress=False, return_ids=False)
        known = [token for token in tokens if token in self._vocabulary]
        return self._index.get_scores(known) if known else [0.0] * self._size


class CaseBank:
    """Cases and the retriever over them; immutable, shared by all copies of a program."""

    def __init__(self, cases: Iterable[Case], retriever: type[BM25] | Any = BM25) -> None:
        self.cases = tuple(cases)
        self._retriever = retriever

    def __len__(self) -> int:
        return len(self.cases)

    def __deepcopy__(self, memo: dict[int, Any]) -> "CaseBank":
        return self

    @cached_property
    def by_text(self) -> Retriever:
        """Searches what speakers said: the leak-free side."""
        return self._retriever([case.text for case in self.cases])

    @cached_property
    def by_situation(self) -> Retriever:
        """Searches the speakers' hidden descriptions, as the published code does."""
        return self._retriever([case.situation or case.text for case in self.cases])

    def nearest(self, query: str, k: int, emotion: str | None = None, *, situation: bool = False) -> tuple[Case, ...]:
        """The `k` closest cases, of `emotion` first; others fill up where it has too few.

        Args:
            query: what the speaker said (or, leaky, their situation).
            k: how many; 0 gives none.
            emotion: the emotion that was read, if any; one of the six stands for all that belong to it.
            situation: search the cases' situations instead of their words.
        """
        if not k or not self.cases:
            return ()
        scores = (self.by_situation if situation else self.by_text).scores(query)
        wanted = _same(emotion) if emotion else frozenset()
        alike = [i for i, case in enumerate(self.cases) if case.emotion in wanted]
        ranked = heapq.nlargest(k, alike, key=scores.__getitem__)
        if len(ranked) < k:
            others = set(range(len(self.cases))).difference(alike)
            ranked += heapq.nlargest(k - len(ranked), sorted(others), key=scores.__getitem__)
        return tuple(self.cases[i] for i in ranked)


def read_cases(path: Path) -> tuple[Case, ...]:
    """Cases of a `cases.jsonl`.

    Raises:
        VersionError: a line is not a case; the message names it.
    """
    cases = []
    # A text may hold other line separators, so only the line feed ends a record.
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        try:
            if line:
                cases.append(_case(json.loads(line)))
        except (TypeError, ValueError, AttributeError) as error:
            raise VersionError(f"{path.name}, line {number}: not a case with fields {_FIELDS}: {error}") from error
    return tuple(cases)


def write_cases(cases: Iterable[Case], path: Path) -> None:
    """One JSON object a line, empty fields left out."""
    lines = (json.dumps({k: v for k, v in asdict(case).items() if v}, ensure_ascii=False) for case in cases)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _case(record: dict[str, Any]) -> Case:
    case = Case(**record | {"triggers": tuple(_texts(record.get("triggers", [])))})
    _texts([getattr(case, item.name) for item in fields(Case) if item.name != "triggers"])
    return case


def _texts(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("every field is a text, and triggers a list of texts")
    return values


def _same(emotion: str) -> frozenset[str]:
    """The labels that say an emotion: itself, or for one of the six all that belong to it."""
    return frozenset({emotion, *(label for label, basic in BASIC.items() if basic == emotion)})


def _line(text: str) -> str:
    return " ".join(text.split())


_FIELDS = ", ".join(item.name for item in fields(Case))
