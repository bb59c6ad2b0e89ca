"""Tags by a model: one typed call a reply."""

import json
from dataclasses import replace
from typing import Any

import pytest
from dspy.lm15 import AuthError, RateLimitError, Request, ServerError, TimeoutError

from metrics.llm_tagger import LlmTagger
from metrics.tagger import Tags
from programs.backbones import Backbone
from programs.errors import BackboneError
from programs.vocabulary import MECHANISMS
from tests.scripted import ScriptedEngine, prompt_of, scripted_lm, system_of

BACKBONE = Backbone("scripted", "scripted/x")
POST, REPLY = "My kettle broke on the morning of the move.", "On moving day of all days! What did you do?"
ANSWER = {
    "emotional_reaction": "weak",
    "interpretation": "none",
    "exploration": "strong",
    "intent": "questioning",
    "emotion": "surprised",
}


def tagger(engine: ScriptedEngine) -> LlmTagger:
    return LlmTagger(BACKBONE, lm=scripted_lm(engine))


def tagged(reply: str = REPLY, **script: Any) -> Tags:
    """What a scripted model's answer becomes."""
    return tagger(ScriptedEngine(**script)).tag([POST], [reply])[0]


def test_labels_become_tags() -> None:
    levels = dict(zip(MECHANISMS, (1, 0, 2), strict=True))
    assert tagged(answers=ANSWER) == Tags("surprised", levels, "questioning")


def test_a_reply_takes_one_call() -> None:
    engine = ScriptedEngine(answers=ANSWER)
    tagger(engine).tag([POST, POST], [REPLY, "Oh."])
    assert engine.calls == 2


def test_tags_come_in_the_order_of_the_replies() -> None:
    def heard(request: Request) -> str:
        return "proud" if "number 7" in prompt_of(request) else "sad"

    replies = [f"It is number {number}." for number in range(10)]
    found = tagger(ScriptedEngine(answers={**ANSWER, "emotion": heard})).tag([POST] * 10, replies)
    assert [tags.emotion for tags in found].index("proud") == 7


def test_post_and_reply_are_only_in_the_user_message() -> None:
    engine = ScriptedEngine(answers=ANSWER)
    tagger(engine).tag([POST], [REPLY])
    system, prompt = system_of(engine.requests[0]), prompt_of(engine.requests[0])
    assert (POST in prompt, REPLY in prompt, POST in system, REPLY in system) == (True, True, False, False)


def test_the_emotion_of_a_text_is_asked_without_a_post() -> None:
    engine = ScriptedEngine(answers=ANSWER)
    assert (tagger(engine).emotions([REPLY]), "post" in prompt_of(engine.requests[0])) == (["surprised"], False)


BROKEN = {
    "refusal": "I cannot help with that.",
    "nothing": "",
    "label of no set": json.dumps({**ANSWER, "intent": "advising"}),
    "number for a level": json.dumps({**ANSWER, "exploration": 2}),
    "missing label": json.dumps({name: label for name, label in ANSWER.items() if name != "emotion"}),
    "list": "[]",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_an_answer_that_is_not_typed_is_unscored(text: str) -> None:
    assert "stage 'tagger' failed" in tagged(raw=lambda request: text).reason


def test_one_unscored_reply_leaves_the_others() -> None:
    def refused(request: Request) -> str | None:
        return "No." if "Oh." in prompt_of(request) else None

    found = tagger(ScriptedEngine(answers=ANSWER, raw=refused)).tag([POST] * 3, [REPLY, "Oh.", REPLY])
    assert [bool(tags.reason) for tags in found] == [False, True, False]


def test_labels_are_read_whatever_their_case() -> None:
    shouted = json.dumps({name: label.upper() for name, label in ANSWER.items()})
    assert tagged(raw=lambda request: shouted) == tagged(answers=ANSWER)


@pytest.mark.parametrize("reply", ["", " \n"])
def test_an_empty_reply_is_unscored_without_a_call(reply: str) -> None:
    engine = ScriptedEngine(answers=ANSWER)
    assert (tagger(engine).tag([POST], [reply])[0].reason, engine.calls) == ("the reply is empty", 0)


@pytest.mark.parametrize("error", [TimeoutError("slow"), ServerError("down"), RateLimitError("too many")])
def test_a_passing_failure_is_unscored(error: Exception) -> None:
    assert tagged(errors={0: error}).reason


def test_a_passing_failure_costs_one_reply() -> None:
    found = tagger(ScriptedEngine(answers=ANSWER, errors={2: TimeoutError("slow")})).tag([POST] * 3, [REPLY] * 3)
    assert sum(bool(tags.reason) for tags in found) == 1


def test_a_backbone_without_a_key_ends_the_tagging() -> None:
    with pytest.raises(BackboneError, match="authentication failed"):
        tagged(errors={0: AuthError("no such key")})


def test_a_backbone_that_dies_on_the_way_ends_the_tagging() -> None:
    engine = ScriptedEngine(answers=ANSWER, errors={3: AuthError("the key ran out")})
    with pytest.raises(BackboneError, match="authentication failed"):
        tagger(engine).tag([POST] * 9, [f"It is number {number}." for number in range(9)])


def test_posts_and_replies_of_different_number_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        tagger(ScriptedEngine()).tag([POST], [])


def test_it_is_another_backend_than_the_linear_one() -> None:
    assert tagger(ScriptedEngine()).identity()["backend"] == "llm"


def test_its_identity_is_plain_json() -> None:
    identity = tagger(ScriptedEngine()).identity()
    assert json.loads(json.dumps(identity)) == identity


def test_another_model_is_another_tagger() -> None:
    one, other = tagger(ScriptedEngine()), tagger(ScriptedEngine())
    other.backbone = replace(BACKBONE, model="scripted/y")
    assert one.identity() != other.identity()


def test_another_instruction_is_another_tagger() -> None:
    one, other = tagger(ScriptedEngine()), tagger(ScriptedEngine())
    other.answer.signature = other.answer.signature.with_instructions("Tag it.")
    assert one.identity()["hash"] != other.identity()["hash"]


@pytest.mark.embedded
def test_the_embedded_model_tags_a_reply() -> None:
    assert LlmTagger(Backbone.of("embedded")).tag([POST], [REPLY])[0].reason == ""
