"""Soft marks against a reply, from its text alone: what a listener does not say, and sentences that are none.

Tact and the form factors enter the guard; see guard.py. The rules are tuned on the development wordings of the
adversarial suite only; what they are worth on wordings nobody tuned on, `trace-erg judge attack` measures.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from metrics.gate import data_lines
from metrics.text import sentences, words

MARKED = 0.2
"""Tact of a reply that one or more rules mark."""
_MOST_SENTENCES = 4
_CUT, _BARE = 0.1, 0.7
_APOSTROPHES = str.maketrans("\u2019\u2018\u02bc\u00b4`", "'''''")
_END = re.compile(r"[.!?\u2026)\"'\u201d\u2019]\W*$|[^\w\s]\s*$")
_CONNECTING = frozenset(data_lines("connecting_words.txt"))
_OWNER = r"(?:the|an?|your|my|their|our|his)"
_STRANGER = (
    r"(?:the|an?|and|or|of|to|is|are|was|were|you|it|in|on|with|from|by|but|if|at|as|than|they|he|she|we|has|had)"
)
_SCRAMBLED = (
    re.compile(rf"\b{_OWNER} {_STRANGER}\b|\b(to|of|the|a|and|in|on|with|from|you|your) \1\b", re.IGNORECASE),
    re.compile(r"\b(?:to|of|and|with|from|than|as|by) (?:and|of(?! course)|or|is|are|was|were)\b", re.IGNORECASE),
    re.compile(r"[a-z] (?:You|He|She|It|That|This|Of|And|Your|They|We|Is|Was|To|With)\b"),
)
_DARK = frozenset(data_lines("dark_words.txt"))
_MOST_DARK = 2


@dataclass(frozen=True, slots=True)
class _Rule:
    advice: str
    pattern: re.Pattern[str]


def tact(reply: str, dialogue: str = "") -> tuple[float, str]:
    """1, or .2 and what to mend where a rule marks the reply; words that stand in the dialogue too do not count."""
    plain, said = _plain(reply), _plain(dialogue)
    for rule in _rules():
        if any(found.group() not in said for found in rule.pattern.finditer(plain)):
            return MARKED, rule.advice
    if len((_DARK & set(words(reply))) - set(words(dialogue))) > _MOST_DARK:
        return MARKED, "it paints the speaker's lot blacker than they do"
    return 1.0, ""


def whole(reply: str) -> float:
    """1 for a text with an end; .7 for one without an end mark, .1 where it breaks off after a connecting word."""
    if _END.search(reply.strip()):
        return 1.0
    tokens = words(reply)
    return _CUT if tokens and tokens[-1] in _CONNECTING else _BARE


def in_order(reply: str) -> float:
    """.2 where words stand side by side that no English sentence joins, 1 elsewhere."""
    return MARKED if any(rule.search(reply) for rule in _SCRAMBLED) else 1.0


def concise(reply: str) -> float:
    """1 up to four sentences, half as much for each one more."""
    return float(0.5 ** max(0, len(sentences(reply)) - _MOST_SENTENCES))


def tact_identity() -> str:
    """All rules as they are read: equal texts mark alike."""
    return (files("metrics") / "tact.toml").read_text("utf-8") + " ".join(sorted(_DARK) + sorted(_CONNECTING))


def _plain(text: str) -> str:
    return " ".join(text.translate(_APOSTROPHES).casefold().split())


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    table = tomllib.loads((files("metrics") / "tact.toml").read_text("utf-8"))
    return tuple(_Rule(one["advice"], re.compile("|".join(one["patterns"]))) for one in table.values())
