"""State, cases and reader that a program cannot take are refused with what differs, although their hashes are right."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from programs.manifest import MANIFEST
from tests.programs.versions import SPOILT, Change, read, refused, rewrite

JSON_FILES = (MANIFEST, "state.json", "reader.json")


DEMO: Callable[..., Change] = lambda **fields: lambda s: s["affect"]["demos"][0].update(fields)  # noqa: E731
STATES: dict[str, tuple[Change, str]] = {
    "a missing stage": (lambda s: s.pop("plan"), "exactly the stages .*: 'plan' is not on both sides"),
    "an unknown stage": (lambda s: s.update(mood={}), "exactly the stages .*: 'mood' is not on both sides"),
    "a stage that is a list": (lambda s: s.update(plan=[]), "plan: holds instruction, fields and demos"),
    "a stage that is null": (lambda s: s.update(plan=None), "plan: holds instruction, fields and demos"),
    "no instruction": (lambda s: s["plan"].pop("instruction"), "plan: holds instruction, fields and demos"),
    "no demos": (lambda s: s["plan"].pop("demos"), "plan: holds instruction, fields and demos"),
    "a model beside them": (lambda s: s["plan"].update(lm={"model": "x"}), "plan: holds instruction, fields and demos"),
    "an instruction that is a list": (lambda s: s["plan"].update(instruction=[]), "plan: the instruction is a text"),
    "an empty instruction": (lambda s: s["plan"].update(instruction=" "), "plan: the instruction is a text, and not"),
    "an instruction that cannot be sent": (
        lambda s: s["plan"].update(instruction="\ud800"),
        "state.json cannot be read",
    ),
    "fields as a list": (lambda s: s["plan"].update(fields=[]), "plan: fields are an object"),
    "a missing field": (lambda s: s["affect"]["fields"].pop("emotion"), "affect: the field 'emotion' is not on both"),
    "an unknown field": (
        lambda s: s["affect"]["fields"].update(mood={"prefix": "", "desc": ""}),
        "affect: the field 'mood' is not on both sides",
    ),
    "a field that is a text": (lambda s: s["affect"]["fields"].update(emotion="x"), "affect, emotion: holds prefix"),
    "a description that is a number": (
        lambda s: s["affect"]["fields"]["emotion"].update(desc=1),
        "affect, emotion: holds prefix and desc, both texts",
    ),
    "a type beside it": (
        lambda s: s["affect"]["fields"]["emotion"].update(type="str"),
        "affect, emotion: holds prefix and desc",
    ),
    "demos as an object": (lambda s: s["affect"].update(demos={}), "affect: demos are a list of objects"),
    "a demo that is a text": (lambda s: s["affect"]["demos"].append("x"), "affect: demos are a list of objects"),
    "a demo that is a list": (lambda s: s["affect"]["demos"].append([]), "affect: demos are a list of objects"),
    "a demo with an unknown field": (DEMO(mood="x"), "affect, demo 1: has the unknown field 'mood'"),
    "a demo's label outside the vocabulary": (
        DEMO(emotion="sleepy"),
        "affect, demo 1: emotion = 'sleepy' is not one of",
    ),
    "a demo's label in capitals": (DEMO(emotion="Sad"), "affect, demo 1: emotion = 'Sad' is not one of"),
    "a demo's label that is a list": (DEMO(emotion=["sad"]), r"affect, demo 1: emotion = \['sad'\] is not one of"),
    "a demo's label that is null": (DEMO(emotion=None), "affect, demo 1: emotion = None is not one of"),
    "a demo's dialogue that is a list": (DEMO(dialogue=["x"]), r"affect, demo 1: dialogue = \['x'\] is not str"),
    "a demo's dialogue that is a number": (DEMO(dialogue=1), "affect, demo 1: dialogue = 1 is not str"),
    "a demo's spans that are a text": (
        lambda s: s["causes"]["demos"][0].update(triggers="my dog"),
        "causes, demo 1: triggers = 'my dog' is not list of str",
    ),
    "a demo's spans that are numbers": (
        lambda s: s["causes"]["demos"][0].update(triggers=[1]),
        r"causes, demo 1: triggers = \[1\] is not list of str",
    ),
}


@pytest.mark.parametrize(("change", "words"), STATES.values(), ids=STATES)
def test_a_state_of_something_else(change: Change, words: str, version: Path) -> None:
    state = read(version, "state.json")
    change(state)
    rewrite(version, "state.json", json.dumps(state))
    refused(version, words)


def case(**changes: Any) -> str:
    return json.dumps({"id": "1", "text": "x", "reply": "y", **changes})


CASES = {
    "cut off": ('{"id": "1", "te', "line 1"),
    "an unknown field": (case(lm="x"), "line 1: not a case with fields"),
    "an id that is a number": (case(id=1), "line 1"),
    "triggers that are a text": (case(triggers="x"), "line 1"),
    "an emotion outside the vocabulary": (
        case(emotion="sleepy"),
        "case '1': emotion 'sleepy' is not in the vocabulary",
    ),
    "a mechanism outside it": (case(mechanism="ER"), "case '1': mechanism 'ER'"),
    "a support outside it": (case(support="x"), "case '1': support 'x'"),
    "an intent outside it": (case(intent="x"), "case '1': intent 'x'"),
    "a text that cannot be sent": (case(reply="\ud800"), "cannot be read"),
    "a trigger that cannot be sent": (case(triggers=["\ud800"]), "cannot be read"),
    "deep nesting": ('{"id": ' + "[" * 100_000, "cannot be read"),
    "an endless number": ('{"id": ' + "9" * 10_000 + "}", "line 1"),
    "not UTF-8": (b"\xff\xfe", "cannot be read"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "line 1"),
}


@pytest.mark.parametrize(("text", "words"), CASES.values(), ids=CASES)
def test_cases_of_something_else(text: str | bytes, words: str, version: Path) -> None:
    rewrite(version, "cases.jsonl", text)
    refused(version, rf"cases\.jsonl.*{words}")


READERS: dict[str, tuple[Change, str]] = {
    "an unknown label": (lambda r: r["labels"].__setitem__(0, "sleepy"), "no emotions"),
    "a habit of none": (lambda r: r["habits"].update(sad=0.0), "a habit is a share"),
    "a habit above one": (lambda r: r["habits"].update(sad=1.5), "a habit is a share"),
    "a scale beyond bounds": (lambda r: r.update(scale=1e300), "below 0 or above 1e.06"),
    "a negative sharpness": (lambda r: r.update(sharpness=-1), "below 0 or above 1e.06"),
    "kinship above what trust leaves": (lambda r: r.update(kin=0.75), "trust and kin exceed 1"),
    "negative kinship": (lambda r: r.update(kin=-0.25), "a chance is below 0"),
    "not a number": (lambda r: r.update(scale=float("nan")), "not a linear reader"),
    "infinity": (lambda r: r["bias"].__setitem__(0, float("inf")), "not a linear reader"),
    "a negative length": (lambda r: r["features"]["lost"].__setitem__(0, -1.0), "below 0 or above 1e.06"),
    "a number no float can hold": (lambda r: r.update(scale=10**400), "cannot be read"),
}


@pytest.mark.parametrize(("change", "words"), READERS.values(), ids=READERS)
def test_a_reader_of_something_else(change: Change, words: str, version: Path) -> None:
    reader = read(version, "reader.json")
    change(reader)
    rewrite(version, "reader.json", json.dumps(reader))
    refused(version, rf"reader\.json.*{words}")


BOMBS = {
    "nested lists": "[" * 100_000,
    "nested lists, closed": "[" * 50_000 + "]" * 50_000,
    "nested objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "a little too deep": "[" * 40 + "]" * 40,
    "an endless number": "9" * 10_000,
    "the same key twice": '{"a": 1, "a": 2}',
    "not a number": '{"a": NaN}',
    "infinity": '{"a": 1e999}',
    "not UTF-8": b"\xff\xfe",
    "NUL": b"\0",
}


@pytest.mark.parametrize("text", [*BOMBS.values(), *SPOILT], ids=[*BOMBS, *map(repr, SPOILT)])
@pytest.mark.parametrize("name", JSON_FILES)
def test_what_is_no_such_json(name: str, text: str | bytes, version: Path) -> None:
    rewrite(version, name, text)
    refused(version, name.replace(".", r"\."))
