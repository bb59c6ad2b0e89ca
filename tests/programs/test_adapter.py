"""Rules once, in the part of a prompt that is cached; after the dialogue nothing but the fields."""

from typing import Any

import dspy
import pytest
from dspy.utils.exceptions import AdapterParseError

from programs.adapter import CompactAdapter, as_text
from programs.signatures import AnalyzeCauses, AnswerAtOnce, IdentifyAffect, PlanStrategy, SynthesizeResponse

ADAPTER = CompactAdapter()
SIGNATURES = (IdentifyAffect, AnalyzeCauses, PlanStrategy, SynthesizeResponse, AnswerAtOnce)
TALK = "speaker: I lost my job."


def messages(signature: Any, demos: list[Any] | None = None, **inputs: Any) -> list[dict[str, Any]]:
    return ADAPTER.format(signature, demos or [], inputs)


@pytest.mark.parametrize("signature", SIGNATURES)
def test_no_field_marker_is_sent(signature: Any) -> None:
    assert "[[ ##" not in str(messages(signature, [], dialogue=TALK))


@pytest.mark.parametrize("signature", SIGNATURES)
def test_the_rules_are_said_once(signature: Any) -> None:
    rules = str(messages(signature, [], dialogue=TALK))
    assert [rules.count(f'"{name}":') for name in signature.output_fields] == [1] * len(signature.output_fields)


@pytest.mark.parametrize("signature", SIGNATURES)
def test_the_system_message_is_the_same_for_every_dialogue(signature: Any) -> None:
    first, second = (messages(signature, [], dialogue=talk)[0] for talk in (TALK, "speaker: I won."))
    assert first == second


def test_the_system_message_in_full() -> None:
    class Sort(dspy.Signature):
        """Sort it."""

        text: str = dspy.InputField(desc="a text")
        count: int = dspy.OutputField(desc="words in it")
        names: list[str] = dspy.OutputField(desc="who is named")

    assert ADAPTER.format_system_message(Sort) == (
        "Sort it.\n\nGiven:\ntext: a text\n\nAnswer with one JSON object:\n"
        '"count": words in it; a whole number\n"names": who is named; a list of texts'
    )


def test_a_single_input_stands_alone() -> None:
    assert messages(IdentifyAffect, dialogue=TALK)[-1] == {"role": "user", "content": TALK}


def test_after_the_dialogue_there_are_only_fields() -> None:
    sent = messages(AnalyzeCauses, dialogue="speaker: a\nlistener: b\nspeaker: c", emotion="sad")[-1]["content"]
    assert sent == "dialogue:\nspeaker: a\nlistener: b\nspeaker: c\nemotion: sad"


@pytest.mark.parametrize("empty", ["", None, "  ", []])
def test_an_empty_input_is_not_sent(empty: Any) -> None:
    assert messages(IdentifyAffect, dialogue=TALK, candidates=empty)[-1]["content"] == TALK


AS_TEXT = {
    "a text": (" a ", "a"),
    "nothing": (None, ""),
    "plain turns": ([{"role": "speaker", "text": "a"}, {"role": "listener", "text": "b"}], "speaker: a\nlistener: b"),
    "a list": (["a", "b"], "a | b"),
    "a number": (3, "3"),
}


@pytest.mark.parametrize(("value", "text"), AS_TEXT.values(), ids=AS_TEXT)
def test_how_a_value_reads(value: Any, text: str) -> None:
    assert as_text(value) == text


def test_a_demo_is_an_earlier_exchange() -> None:
    demo = dspy.Example(dialogue="speaker: We won!", emotion="joyful")
    assert messages(IdentifyAffect, [demo], dialogue=TALK)[1:3] == [
        {"role": "user", "content": "speaker: We won!"},
        {"role": "assistant", "content": '{"emotion": "joyful"}'},
    ]


INCOMPLETE = {
    "an output is missing": {"dialogue": "speaker: We won!", "triggers": ["won"], "cause": "They won."},
    "an output is empty": {"dialogue": "speaker: We won!", "triggers": ["won"], "cause": "", "category": "achievement"},
    "an output is None": {"dialogue": "speaker: We won!", "triggers": None, "cause": "x", "category": "achievement"},
}


@pytest.mark.parametrize("demo", INCOMPLETE.values(), ids=INCOMPLETE)
@pytest.mark.parametrize("kind", [dict, dspy.Example])
def test_an_incomplete_demo_is_left_out(demo: dict[str, Any], kind: Any) -> None:
    assert len(messages(AnalyzeCauses, [kind(**demo)], dialogue=TALK)) == 2


def test_letters_beyond_ascii_cost_no_escapes() -> None:
    demo = {"dialogue": "speaker: é", "reply": "Schön für dich."}
    assert messages(SynthesizeResponse, [demo], dialogue=TALK)[2]["content"] == '{"reply": "Schön für dich."}'


PARSED = {
    "as it should be": '{"emotion": "sad"}',
    "another case and spaces": '{"emotion": " Sad."}',
    "in a fence": '```json\n{"emotion": "Sad"}\n```',
    "in a sentence": 'Sure: {"emotion": "SAD"} is my answer.',
    "with a field too many": '{"emotion": "sad", "why": "loss"}',
}


@pytest.mark.parametrize("completion", PARSED.values(), ids=PARSED)
def test_what_is_read_as_sad(completion: str) -> None:
    assert ADAPTER.parse(IdentifyAffect, completion) == {"emotion": "sad"}


REFUSED = {
    "outside the set": '{"emotion": "gloomy"}',
    "null": '{"emotion": null}',
    "a number": '{"emotion": 3}',
    "a list": '{"emotion": ["sad"]}',
    "another field": '{"feeling": "sad"}',
    "no object": "sad",
    "nothing": "",
    "cut off": '{"emot',
}


@pytest.mark.parametrize("completion", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(completion: str) -> None:
    with pytest.raises(AdapterParseError):
        ADAPTER.parse(IdentifyAffect, completion)


@pytest.mark.parametrize("value", ["null", "3", "true", '["x"]', '{"a": "b"}'])
def test_only_a_text_is_read_as_a_text(value: str) -> None:
    with pytest.raises(AdapterParseError):
        ADAPTER.parse(SynthesizeResponse, f'{{"reply": {value}}}')


@pytest.mark.parametrize("support", ["", ', "support": null'], ids=["missing", "null"])
def test_a_support_that_was_not_given_is_not_the_label_none(support: str) -> None:
    plan = '{"mechanism": "exploration", "intent": "questioning", "stance": "mirror"' + support + "}"
    with pytest.raises(AdapterParseError):
        ADAPTER.parse(PlanStrategy, plan)
