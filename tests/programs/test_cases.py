"""Which answered conversations a program looks up, and how they are kept."""

import json
import time
from pathlib import Path

import pytest

from programs.cases import Case, CaseBank, read_cases, write_cases
from programs.errors import VersionError

DOG = Case("1", "My old dog died last night.", "He had you to the end.", "hidden word zeppelin", "sad")
CAR = Case("2", "Somebody scratched my new car.", "A new car, too!", "hidden word aardvark", "angry")
CAT = Case("3", "My cat ran away and the dog misses her.", "An empty basket is hard.", "", "sad")
WIN = Case("4", "We won the cup!", "What a cup!", "hidden word dog dog dog", "joyful")
BANK = CaseBank([DOG, CAR, CAT, WIN])


def found(query: str, k: int, emotion: str | None = None, **options: bool) -> list[str]:
    return [case.id for case in BANK.nearest(query, k, emotion, **options)]


NEAREST = {
    "the closest by words first": ("my dog died", 1, None, ["1"]),
    "then the next": ("my dog died", 2, None, ["1", "3"]),
    "of the emotion first": ("my dog died", 1, "angry", ["2"]),
    "others fill up in order of closeness": ("my dog died", 3, "angry", ["2", "1", "3"]),
    "within an emotion by closeness": ("the cat ran", 2, "sad", ["3", "1"]),
    "an emotion the bank lacks changes nothing": ("my dog died", 2, "proud", ["1", "3"]),
    "unknown words keep the bank's order": ("xylophone quux", 2, None, ["1", "2"]),
    "unknown words still heed the emotion": ("xylophone quux", 1, "joyful", ["4"]),
    "only stop words": ("the and of", 1, None, ["1"]),
    "no words at all": ("😭", 1, None, ["1"]),
    "more than there are": ("dog", 9, None, ["1", "3", "2", "4"]),
    "none": ("dog", 0, None, []),
}


@pytest.mark.parametrize(("query", "k", "emotion", "ids"), NEAREST.values(), ids=NEAREST)
def test_nearest(query: str, k: int, emotion: str | None, ids: list[str]) -> None:
    assert found(query, k, emotion) == ids


@pytest.mark.parametrize(("word", "id"), [("zeppelin", "1"), ("aardvark", "2")])
def test_a_situation_is_searched_when_asked(word: str, id: str) -> None:
    assert found(word, 1, situation=True) == [id]


@pytest.mark.parametrize("word", ["zeppelin", "aardvark"])
def test_a_situation_is_not_searched_unless_asked(word: str) -> None:
    assert set(BANK.by_text.scores(word)) == {0.0}


def test_a_case_without_a_situation_is_found_by_its_words() -> None:
    assert found("cat", 1, situation=True) == ["3"]


def test_an_unlabelled_case_is_not_preferred_where_no_emotion_was_read() -> None:
    bank = CaseBank([Case("a", "about cats", "x"), Case("b", "about dogs", "x", emotion="sad")])
    assert [case.id for case in bank.nearest("dogs", 1, None)] == ["b"]


@pytest.mark.parametrize("texts", [[""], ["the"], ["", "dog"], ["😭"]])
def test_a_bank_of_texts_without_words_can_be_searched(texts: list[str]) -> None:
    bank = CaseBank([Case(str(number), text, "x") for number, text in enumerate(texts)])
    assert len(bank.nearest("dog", 1)) == 1


def test_an_empty_bank_has_no_case() -> None:
    assert CaseBank([]).nearest("dog", 3) == ()


def test_twenty_thousand_cases_are_searched_in_time() -> None:
    bank = CaseBank(
        [Case(str(n), f"dog number {n} of lot {n % 97}", "x", emotion=("sad", "proud")[n % 2]) for n in range(20_000)]
    )
    bank.nearest("warm up", 1)
    started = time.process_time()
    for number in range(10):
        bank.nearest(f"dog {number} lot 13", 2, "sad")
    assert (time.process_time() - started) / 10 < 0.03


def test_a_long_query_is_searched_in_time() -> None:
    bank = CaseBank([Case(str(n), f"dog number {n} of lot {n % 97}", "x") for n in range(2_000)])
    bank.nearest("warm up", 1)
    started = time.process_time()
    bank.nearest("dog number of lot " * 2_800, 2)
    assert time.process_time() - started < 1.0


def test_the_retriever_can_be_another() -> None:
    class Longest:
        def __init__(self, texts: list[str]) -> None:
            self.texts = texts

        def scores(self, query: str) -> list[float]:
            return [len(text) for text in self.texts]

    assert CaseBank(BANK.cases, Longest).nearest("anything", 1) == (CAT,)


LINES = {
    "the first trigger stands for the whole": (
        Case("1", "a b c", "Oh.", emotion="sad", triggers=("b", "c"), mechanism="exploration", intent="questioning"),
        '"b" (sad): exploration, questioning',
        '"b" (sad): Oh.',
    ),
    "else the opening words": (
        Case("1", " ".join(map(str, range(40))), "Oh."),
        f'"{" ".join(map(str, range(24)))}" (unlabelled): Oh.',
        f'"{" ".join(map(str, range(24)))}" (unlabelled): Oh.',
    ),
    "line breaks are folded": (
        Case("1", "a\nb", "Oh.\nNo.", "", "sad"),
        '"a b" (sad): Oh. No.',
        '"a b" (sad): Oh. No.',
    ),
}


@pytest.mark.parametrize(("case", "planned", "answered"), LINES.values(), ids=LINES)
def test_the_planners_line(case: Case, planned: str, answered: str) -> None:
    assert case.planned() == planned


@pytest.mark.parametrize(("case", "planned", "answered"), LINES.values(), ids=LINES)
def test_the_synthesizers_line(case: Case, planned: str, answered: str) -> None:
    assert case.answered() == answered


def test_cases_are_kept_as_they_are(tmp_path: Path) -> None:
    kept = (DOG, CAR, Case("5", "a\u2028b\x85c\n😭", "é", triggers=("b", "c"), mechanism="exploration"))
    write_cases(kept, tmp_path / "cases.jsonl")
    assert read_cases(tmp_path / "cases.jsonl") == kept


BROKEN = {
    "cut off": '{"id": "1", "te',
    "no object": "[1]",
    "a missing field": json.dumps({"id": "1", "text": "x"}),
    "an unknown field": json.dumps({"id": "1", "text": "x", "reply": "y", "lm": "z"}),
    "a number for a text": json.dumps({"id": 1, "text": "x", "reply": "y"}),
    "null for a text": json.dumps({"id": "1", "text": None, "reply": "y"}),
    "a text for a list": json.dumps({"id": "1", "text": "x", "reply": "y", "triggers": "x"}),
    "numbers in a list": json.dumps({"id": "1", "text": "x", "reply": "y", "triggers": [1]}),
}


@pytest.mark.parametrize("line", BROKEN.values(), ids=BROKEN)
def test_a_line_that_is_no_case_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "0", "text": "x", "reply": "y"}\n' + line + "\n", "utf-8")
    with pytest.raises(VersionError, match=r"cases\.jsonl, line 2"):
        read_cases(path)


def test_one_of_the_six_emotions_prefers_all_cases_that_belong_to_it() -> None:
    cases = [
        Case("joy", "the red kite flew", "r", emotion="joyful"),
        Case("lonely", "nobody came", "r", emotion="lonely"),
    ]
    assert [case.id for case in CaseBank(cases).nearest("the red kite", 1, "sadness")] == ["lonely"]
