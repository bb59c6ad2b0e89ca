"""The free gate: what no reply may be, whatever else it is. It asks no model."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from importlib.resources import files

from metrics.text import words

FEWEST_WORDS, MOST_WORDS, MOST_CHARACTERS = 3, 120, 2_000
ASCII_SHARE, KNOWN_SHARE, FUNCTION_SHARE = 0.97, 0.8, 0.15
LARGE_VOCABULARY = 10_000
"""Distinct reference words from which on a word that is not among them speaks against the reply."""
_WORDS_TO_JUDGE_GRAMMAR, _WORDS_TO_EXPECT_ANY = 8, 6


def data_lines(name: str) -> list[str]:
    """Lines of a data file of this package, comments and blank lines left out."""
    lines = (files("metrics") / name).read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


FUNCTION_WORDS = frozenset(word for line in data_lines("function_words.txt") for word in line.split())
"""Words that any English text is built with."""

_ROLES = (
    "speaker|listener|user|assistant|human|system|seeker|responder|therapist|client|counsell?or"
    "|ai|bot|response|reply|answer|dialogue|emotion|grader|judge"
)
_ITEM = r"[ \t]*(?:[-*+\u2022]|\d{1,2}[.)])[ \t]+\S"
_GRADER = r"(?:grader|judge|evaluator|examiner|scorer|rater|reviewer|marker|assessor)"
_MARKS = r"(?:marks?|scores?|points|ratings?|levels?|stars|grades?)"
_AWARD = r"\b(?:give|award|assign)\s+(?:(?:this|it|me|an?|the|reply|response|answer)\s+)+"
_IGNORE = r"\b(?:ignore|disregard|forget)\s+(?:(?:all|any|of|the|your)\s+)*"
_RULES = {
    "leaked field markers": [r"\[\[\s*##", r"##\s*\]\]", r"<\|[a-z_]+\|>", r"\{\{|\}\}", r"\[/?INST\]"],
    "JSON instead of a reply": [
        r"\A\s*[\[{]\s*[\"'{\[]",
        r"[\"']\w+[\"']\s*:\s*(?:[\"'\[{\d]|true|false|null)",
    ],
    "another role speaks in it": [rf"(?:^|[.!?][\"')]*\s)[ \t]*\W{{0,3}}\b(?:{_ROLES})\b\W{{0,2}}:"],
    "leaked reasoning": [r"</?\s*(?:think|thinking|reasoning|scratchpad|analysis)\b"],
    "a heading in it": [r"^[ \t]*#{1,6}\s+\S", r"^[ \t]*\*\*[^*\n]+\*\*:?[ \t]*$"],
    "leaked markup": [
        r"```",
        r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>",
        r"\*\*[^*\n]+\*\*|__[^_\n]+__|~~[^~\n]+~~",
        r"\[[^\]\n]+\]\([^)\n]+\)|\[/?[a-z]{1,6}(?:=[^\]\n]*)?\]",
        r"\\[a-z]+\{|&[a-z]{2,6};|^\s*\|.*\|\s*$|^[ \t]*[-*_=]{3,}[ \t]*$",
        r"^[ \t]*[\w-]+:[ \t]+\S.*\n[ \t]*[\w-]+:[ \t]+\S",
    ],
    "a list instead of a reply": [rf"^{_ITEM}[\s\S]*?\n{_ITEM}", r"(?:^|\s)\(?1[.)]\s.+\s\(?2[.)]\s"],
    "words for a grader": [
        rf"(?:^|[.!?]\s+){_GRADER}s?\s*[,:]",
        r"\b(?:whoever|anyone|the\s+(?:model|person|system|one))\s+(?:(?:is|who|that|who's)\s+)*"
        r"(?:marking|grading|judging|scoring|rating|evaluating|assessing)\b",
        rf"\b(?:give|award|assign|put|record|enter|select|choose|set|mark|grade|score|rate|return|output|report)\b"
        rf"(?!\s+you)[^.!?\n]{{0,60}}\b(?:highest|full|top|maximum|max|perfect|best)\s+(?:possible\s+|number\s+of\s+)*"
        rf"{_MARKS}\b",
        r"\b(?:dear|attention|note\s+to)\s+(?:the\s+)?(?:grader|judge|evaluator|reviewer)\b",
        rf"{_IGNORE}above\b",
        rf"{_IGNORE}(?:previous|prior|earlier)\s+(?:instructions?|prompts?|rules?|text|messages?)\b",
        r"\b(?:rate|score|grade)\s+(?:this|my)\s+(?:reply|response|answer|message)\b",
        rf"{_AWARD}\d+\s*(?:/|out\s+of)\s*\d+",
        rf"{_AWARD}(?:\d+|full|top|perfect|highest|maximum)\s+(?:score|marks?|rating|points|stars)\b",
        r"\b(?:this|my)\s+(?:reply|response|answer)\s+(?:shows|demonstrates|deserves|scores|exhibits|meets)\b",
        r"\bthis\s+(?:reply|response)\s+is\b",
        r"\b(?:scoring|grading|evaluation)\s+(?:rubric|criteria|instructions?)\b",
    ],
}
_COMPILED = {name: re.compile("|".join(rules), re.IGNORECASE | re.MULTILINE) for name, rules in _RULES.items()}


def failed_gate(reply: str, said: Collection[str], demos: Iterable[str], vocabulary: Collection[str]) -> str | None:
    """The first rule that `reply` breaks, in words; None where it breaks none.

    Args:
        reply: the listener's next turn.
        said: words of what was said before; they count as known.
        demos: replies that the program was shown.
        vocabulary: words of the reference corpus, lower-cased. Where it is large, four words in five must be known;
            where it is small it cannot judge that, and only the share of English function words does.
    """
    if len(reply) > MOST_CHARACTERS:
        return f"more than {MOST_CHARACTERS} characters"
    tokens = words(reply)
    if len(tokens) < FEWEST_WORDS:
        return f"fewer than {FEWEST_WORDS} words"
    if len(tokens) > MOST_WORDS:
        return f"more than {MOST_WORDS} words"
    if broken := next((name for name, rule in _COMPILED.items() if rule.search(reply)), None):
        return broken
    if _foreign(reply, tokens, frozenset(said) | FUNCTION_WORDS, vocabulary):
        return "not in English"
    return "a copy of a demonstration" if any(words(demo) == tokens for demo in demos) else None


def _foreign(reply: str, tokens: list[str], known: Collection[str], vocabulary: Collection[str]) -> bool:
    if _ascii_share(reply) < ASCII_SHARE:
        return True
    function = sum(token in FUNCTION_WORDS for token in tokens) / len(tokens)
    if len(tokens) >= _WORDS_TO_JUDGE_GRAMMAR and function < FUNCTION_SHARE:
        return True
    if len(tokens) >= _WORDS_TO_EXPECT_ANY and not function:
        return True
    # One unknown word is a name or a slip, however short the reply is.
    unknown = sum(token not in vocabulary and token not in known for token in tokens)
    return len(vocabulary) >= LARGE_VOCABULARY and unknown > max(1, (1 - KNOWN_SHARE) * len(tokens))


def _ascii_share(text: str) -> float:
    """Share of letters that are ASCII once accents are taken off, so that "café" or "Zoë" cost nothing."""
    letters = [char for char in unicodedata.normalize("NFKD", text) if char.isalpha()]
    return sum(char.isascii() for char in letters) / len(letters) if letters else 1.0
