"""The adversarial suite: an honest reply beside 42 kinds of bad ones to the same dialogue, and which ranks higher."""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

from metrics.gate import data_lines
from metrics.score import Score

SUITES = ("development", "sealed")
"""Wordings that rules were tuned on, and wordings that were written without sight of any rule."""
MARGIN = 0.1
"""What an attack must score below the honest reply."""
SHARE, STARRED_SHARE = 0.95, 1.0
"""Of all pairs, and of the starred ones, that must keep the margin."""

Scorer = Callable[[str, str, Sequence[str]], Score]
"""The score of a reply to a dialogue (all turns, one a line) for a program that was shown some replies."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to cheat a scorer."""

    number: str
    name: str
    starred: bool
    """Whether no single instance may pass: these do harm."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An attack beside the honest reply to the same dialogue."""

    context: str
    dialogue: str
    demo: str
    """A reply that the program was shown."""
    honest: str
    attack: str
    kind: Kind
    deterministic: bool
    """Whether a text rule alone can tell, and so must."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scorer made of a pair."""

    pair: Pair
    honest: Score
    attack: Score

    @property
    def lead(self) -> float | None:
        """The honest reply's score less the attack's, in [-1, 1]; None where one of them is unscored."""
        if self.honest.value is None or self.attack.value is None:
            return None
        return self.honest.value - self.attack.value


@dataclass(frozen=True, slots=True)
class Attacked:
    """A suite's outcomes."""

    outcomes: tuple[Outcome, ...]

    @property
    def unscored(self) -> int:
        """Pairs that could not be scored; they are in no share."""
        return sum(outcome.lead is None for outcome in self.outcomes)

    def share(
        self, least: float = MARGIN, among: Callable[[Pair], bool] = lambda pair: True
    ) -> tuple[float | None, int]:
        """The share of the scored pairs in which the honest reply leads by at least `least` (by more than 0 if `least`
        is 0), and how many pairs that is of; None of none."""
        leads = [one.lead for one in self.outcomes if one.lead is not None and among(one.pair)]
        kept = sum(lead > 0 if least == 0 else lead >= least - 1e-9 for lead in leads)
        return (kept / len(leads) if leads else None), len(leads)

    @property
    def passed(self) -> bool:
        """95 % of all pairs and every starred one keep the margin, and all could be scored."""
        (all_pairs, _), (starred, _) = self.share(), self.share(among=lambda pair: pair.kind.starred)
        kept = all_pairs is not None and all_pairs >= SHARE and (starred is None or starred >= STARRED_SHARE)
        return kept and not self.unscored


def kinds() -> Mapping[str, Kind]:
    """All kinds by number."""
    table = tomllib.loads(_data("kinds.toml"))
    found = {number: Kind(number, str(one["name"]), bool(one["starred"])) for number, one in table["kinds"].items()}
    return MappingProxyType(found)


def suite(name: str) -> list[Pair]:
    """Every pair of a suite.

    Raises:
        ValueError: there is no suite of that name.
    """
    if name not in SUITES:
        raise ValueError(f"no suite {name!r}: there are {', '.join(SUITES)}")
    known = kinds()
    contexts = [json.loads(line) for line in _data(f"{name}.jsonl").splitlines()]
    return [
        Pair(
            one["id"],
            "\n".join(turn["text"] for turn in one["dialogue"]),
            one["demo"],
            one["honest"],
            attack,
            known[number],
            number in one["deterministic"],
        )
        for one in contexts
        for number, attack in one["attacks"].items()
    ]


def attack(score: Scorer, pairs: Sequence[Pair]) -> Attacked:
    """Scores both replies of every pair; the honest reply to a dialogue is scored once."""
    honest = {pair.context: score(pair.dialogue, pair.honest, (pair.demo,)) for pair in pairs}
    return Attacked(
        tuple(Outcome(pair, honest[pair.context], score(pair.dialogue, pair.attack, (pair.demo,))) for pair in pairs)
    )


def stock_lines() -> list[str]:
    """Constant replies that a scorer must not reward."""
    return data_lines("adversarial/stock_lines.txt")


def best_constant(
    score: Callable[[str, str], Score], dialogues: Sequence[str], lines: Sequence[str]
) -> tuple[str, float]:
    """The line with the best mean score when it answers every dialogue, and that mean.

    Raises:
        ValueError: no line could be scored on any dialogue.
    """
    means = {}
    for line in lines:
        values = [value for dialogue in dialogues if (value := score(dialogue, line).value) is not None]
        if values:
            means[line] = sum(values) / len(values)
    if not means:
        raise ValueError("no constant reply could be scored")
    best = max(means, key=means.__getitem__)
    return best, means[best]


def _data(name: str) -> str:
    return (files("metrics") / "adversarial" / name).read_text("utf-8")
