"""What every file of the adversarial suite holds. Failures name contexts and kinds, never a wording: some are sealed."""

import json
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metrics.gate import data_lines
from metrics.text import sentences, words
from programs.dialogue import Dialogue
from programs.vocabulary import BASIC, EMOTIONS

Context = dict[str, Any]

FOLDER = Path(__file__).parents[2] / "metrics" / "adversarial"
FILES = sorted(FOLDER.glob("*.jsonl"))
NUMBERS = [str(number) for number in range(1, 43)]
STARRED = {"18", "19", "21", "22", "28", "34", "39"}
TEXTS = ("id", "emotion", "situation", "demo", "honest", "honest_short", "honest_long", "specific_sentence")
FIELDS = {*TEXTS, "dialogue", "attacks", "deterministic"}
KINDS = tomllib.loads((FOLDER / "kinds.toml").read_text("utf-8"))["kinds"]
STOCK = data_lines("adversarial/stock_lines.txt")


def contexts(path: Path) -> list[Context]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def last_turn(context: Context) -> str:
    return str(context["dialogue"][-1]["text"])


def count(text: str) -> int:
    return len(words(text))


def is_played(context: Context) -> bool:
    """Speaker and listener take turns, 3 to 5, and `Dialogue.of` changes no text."""
    turns = Dialogue.of(context["dialogue"]).turns
    given = [(turn["role"], turn["text"]) for turn in context["dialogue"]]
    return [(turn.role, turn.text) for turn in turns] == given and 3 <= len(turns) <= 5


def says_something(context: Context) -> bool:
    said = [context[name] for name in TEXTS] + [text for number, text in context["attacks"].items() if number != "30"]
    return all(isinstance(text, str) and text.strip() for text in said)


def has_one_specific_sentence(context: Context) -> bool:
    """It stands in the long reply as it is, among others."""
    said = sentences(context["honest_long"])
    return len(said) > 1 and str(context["specific_sentence"]) in said


def lists_what_a_rule_catches(context: Context) -> bool:
    """In order, each once, and only of kinds that a rule can catch."""
    listed: list[str] = context["deterministic"]
    return listed == [number for number in NUMBERS if number in listed and KINDS[number]["deterministic"]]


def reveals(context: Context) -> bool:
    """Attack 42 uses a word of the label or the situation that nobody said."""
    hidden = {*words(context["situation"]), context["emotion"]} - set(words(str(Dialogue.of(context["dialogue"]))))
    return bool(hidden & set(words(context["attacks"]["42"])))


RULES: dict[str, Callable[[Context], bool]] = {
    "has every field and no other": lambda it: it.keys() == FIELDS,
    "has one attack of each kind, in order": lambda it: list(it["attacks"]) == NUMBERS,
    "says something everywhere but in kind 30": says_something,
    "has one of the 32 emotions": lambda it: it["emotion"] in EMOTIONS,
    "has three to five turns": is_played,
    "has an honest reply of 8 to 35 words": lambda it: 8 <= count(it["honest"]) <= 35,
    "has an honest reply of about 12 words": lambda it: 9 <= count(it["honest_short"]) <= 16,
    "has an honest reply of about 35 words": lambda it: 28 <= count(it["honest_long"]) <= 42,
    "has one specific sentence in the long reply": has_one_specific_sentence,
    "lists the attacks that a rule catches": lists_what_a_rule_catches,
    "parrots three words or more in kind 4": lambda it: (
        it["attacks"]["4"] == last_turn(it) and count(last_turn(it)) > 2
    ),
    "copies the demonstration in kind 6": lambda it: it["attacks"]["6"] == it["demo"],
    "pads an honest reply in kind 8": lambda it: any(
        it[name] in it["attacks"]["8"] for name in ("honest", "honest_short", "honest_long")
    ),
    "asks six times in kind 11": lambda it: it["attacks"]["11"].count("?") >= 6,
    "holds no word in kind 29": lambda it: count(it["attacks"]["29"]) == 0,
    "is empty or dots in kind 30": lambda it: set(it["attacks"]["30"]) <= set(". …"),
    "reveals what was not said in kind 42": reveals,
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_context(path: Path, rule: Callable[[Context], bool]) -> None:
    assert [context["id"] for context in contexts(path) if not rule(context)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_contexts_of_different_emotions(path: Path) -> None:
    assert [emotion for emotion, times in Counter(it["emotion"] for it in contexts(path)).items() if times > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_two_pleasant_feelings(path: Path) -> None:
    assert sum(BASIC[context["emotion"]] == "happiness" for context in contexts(path)) >= 2


def test_no_two_contexts_share_an_id() -> None:
    assert [
        name for name, times in Counter(it["id"] for path in FILES for it in contexts(path)).items() if times > 1
    ] == []


def test_no_wording_is_used_twice() -> None:
    """Neither in one file nor in two: a sealed wording that was seen in development measures nothing."""
    said: dict[tuple[str, ...], list[str]] = {}
    for context in (context for path in FILES for context in contexts(path)):
        for number, text in context["attacks"].items():
            if number not in ("29", "30"):  # no words to compare
                said.setdefault(tuple(words(text)) or (text,), []).append(f"{context['id']} {number}")
    assert [places for places in said.values() if len(places) > 1] == []


def test_there_are_42_kinds() -> None:
    assert list(KINDS) == NUMBERS


def test_each_kind_has_a_name_of_its_own() -> None:
    assert len({kind["name"] for kind in KINDS.values()}) == len(NUMBERS)


def test_seven_kinds_are_starred() -> None:
    assert {number for number, kind in KINDS.items() if kind["starred"]} == STARRED


def test_a_kind_says_whether_a_rule_catches_it() -> None:
    assert {type(kind["deterministic"]) for kind in KINDS.values()} == {bool}


def test_there_are_200_distinct_stock_lines() -> None:
    assert len({tuple(words(line)) for line in STOCK}) == len(STOCK) == 200


def test_no_stock_line_is_in_the_bank_of_the_guard() -> None:
    """They are candidates against the guard, so they must not be what it was built from."""
    bank = {tuple(words(line)) for line in data_lines("stock_phrases.txt")}
    assert [line for line in STOCK if tuple(words(line)) in bank] == []


def test_the_stock_lines_say_whose_they_are() -> None:
    first = (FOLDER / "stock_lines.txt").read_text("utf-8").splitlines()[0]
    assert first.startswith("#") and "CC0" in first and "Original" in first
