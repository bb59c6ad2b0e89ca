"""The linear reader: plain data, and a belief that an answer moves by Bayes' rule."""

import base64
import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest

from programs.errors import VersionError
from programs.reader import LinearReader, features, read_reader, write_reader


def byte(value: int) -> int:
    return value % 256


READER = LinearReader(
    labels=("sad", "joyful"),
    weights={"lost": bytes([byte(10), byte(-10)]), "won": bytes([byte(-20), byte(20)])},
    norms={"lost": 1.0, "won": 2.0},
    scale=0.1,
    bias=(0.0, 0.0),
    sharpness=1.0,
    trust=0.5,
    habits={"sad": 0.8, "joyful": 0.2},
)
BELIEF = {"sad": 0.4, "joyful": 0.6}


def test_features_are_words_pairs_and_stems() -> None:
    assert features("It’s LONELY here!") == {
        "it's", "lonely", "here", "!", "it's lonely", "lonely here", "here !", "lonel*",
    }  # fmt: skip


def test_a_belief_worked_by_hand() -> None:
    # One known word: scores are (1, -1), the vector's length is 1.
    share = math.exp(1) / (math.exp(1) + math.exp(-1))
    assert READER.probabilities("We lost")["sad"] == pytest.approx(share)


def test_two_known_words_share_the_length() -> None:
    # Scores (10 - 20) * 0.1 / sqrt(1 + 4) = -0.447 and 0.447.
    share = 1 / (1 + math.exp(2 / math.sqrt(5)))
    assert READER.probabilities("lost, then won")["sad"] == pytest.approx(share)


@pytest.mark.parametrize("text", ["", "quux", "😭", "lost won lost", "x" * 50_000])
def test_a_belief_sums_to_one(text: str) -> None:
    assert sum(READER.probabilities(text).values()) == pytest.approx(1)


def test_without_a_known_word_the_bias_speaks() -> None:
    reader = LinearReader(("sad", "joyful"), {}, {}, 1.0, (0.0, math.log(3)), 1.0)
    assert reader.probabilities("quux")["joyful"] == pytest.approx(0.75)


def test_an_answer_moves_the_belief_by_bayes_rule() -> None:
    # Answer "sad": given sad 0.5 + 0.5 * 0.8 = 0.9, given joyful 0.5 * 0.8 = 0.4; 0.36 against 0.24.
    assert READER.weighed(BELIEF, "sad")["sad"] == pytest.approx(0.6)


def test_an_answer_of_the_same_group_moves_the_belief_by_bayes_rule() -> None:
    # Answer "lonely", habits 0.4 and 0.2 in the group of sadness. Chance of it, where sad: 0.3 * 0.2 / 0.6 + 0.2 * 0.2
    # = 0.14; where lonely: 0.5 more, 0.64; where joyful: 0.04. Against the belief 0.5, 0.1, 0.4: 0.07, 0.064, 0.016.
    habits = {"sad": 0.4, "lonely": 0.2, "joyful": 0.4}
    reader = LinearReader(tuple(habits), {}, {}, 1.0, (0.0, 0.0, 0.0), 1.0, trust=0.5, kin=0.3, habits=habits)
    assert reader.weighed({"sad": 0.5, "lonely": 0.1, "joyful": 0.4}, "lonely") == pytest.approx(
        {"sad": 0.07 / 0.15, "lonely": 0.064 / 0.15, "joyful": 0.016 / 0.15}
    )


def test_an_answer_that_is_never_given_divides_by_nothing() -> None:
    reader = LinearReader(("sad", "joyful"), {}, {}, 1.0, (0.0, 0.0), 1.0, habits={"sad": 0.0, "joyful": 1.0}, kin=0.2)
    assert reader.settle({"sad": 0.6, "joyful": 0.4}, "sad") == "sad"


SETTLED = {
    "a habitual answer needs some belief": ({"sad": 0.4, "joyful": 0.6}, "sad", "sad"),
    "a habitual answer does not overrule a firm belief": ({"sad": 0.3, "joyful": 0.7}, "sad", "joyful"),
    "a rare answer overrules the same belief": ({"sad": 0.7, "joyful": 0.3}, "joyful", "joyful"),
    "agreement stays": ({"sad": 0.6, "joyful": 0.4}, "sad", "sad"),
    "an answer outside the labels changes nothing": ({"sad": 0.4, "joyful": 0.6}, "proud", "joyful"),
}


@pytest.mark.parametrize(("belief", "answer", "settled"), SETTLED.values(), ids=SETTLED)
def test_settling(belief: dict[str, float], answer: str, settled: str) -> None:
    assert READER.settle(belief, answer) == settled


def trusting(trust: float) -> LinearReader:
    return LinearReader(("sad", "joyful"), {}, {}, 1.0, (0.0, 0.0), 1.0, trust)


EXTREMES = {
    "full trust takes the answer": (1.0, {"sad": 0.01, "joyful": 0.99}, "sad", "sad"),
    "no trust takes the belief": (0.0, {"sad": 0.49, "joyful": 0.51}, "sad", "joyful"),
    "full trust in the impossible keeps the belief": (1.0, {"sad": 0.0, "joyful": 1.0}, "sad", "joyful"),
}


@pytest.mark.parametrize(("trust", "belief", "answer", "settled"), EXTREMES.values(), ids=EXTREMES)
def test_extremes(trust: float, belief: dict[str, float], answer: str, settled: str) -> None:
    assert trusting(trust).settle(belief, answer) == settled


def test_a_copy_is_the_same_object() -> None:
    assert copy.deepcopy(READER) is READER


def test_a_reader_is_kept_as_it_is(tmp_path: Path) -> None:
    write_reader(READER, tmp_path / "reader.json")
    assert read_reader(tmp_path / "reader.json") == READER


def stored(**changes: Any) -> str:
    row = base64.b64encode(b"\x01\x02").decode()
    data = {
        "labels": ["sad", "joyful"],
        "scale": 1,
        "bias": [0, 0],
        "sharpness": 1,
        "trust": 0.5,
        "kin": 0.2,
        "habits": {},
    }
    return json.dumps({**data, "features": {"lost": [1.0, row]}, **changes})


BROKEN = {
    "empty": "",
    "cut off": stored()[:-20],
    "no object": "[]",
    "a missing key": '{"labels": []}',
    "no labels": stored(labels=[], bias=[], features={}),
    "a repeated label": stored(labels=["sad", "sad"]),
    "a row too short": stored(features={"lost": [1.0, base64.b64encode(b"x").decode()]}),
    "no base64": stored(features={"lost": [1.0, "###"]}),
    "no norm": stored(features={"lost": ["AQI="]}),
    "a norm that is no number": stored(features={"lost": ["x", "AQI="]}),
    "too few biases": stored(bias=[0]),
    "not a number": stored(bias=[0, math.nan]),
    "infinity": stored(sharpness=math.inf),
    "a text for a number": stored(scale="much"),
    "trust above one": stored(trust=1.5),
    "negative trust": stored(trust=-0.5),
    "trust and kin above one": stored(trust=0.7, kin=0.4),
    "negative kin": stored(kin=-0.1),
    "a label that is no emotion": stored(labels=["sad", "gloomy"]),
    "a negative habit": stored(habits={"sad": -1}),
    "habits as a list": stored(habits=[1]),
    "not UTF-8": "\udcff",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_corrupt_file_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "reader.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(VersionError, match=r"reader\.json"):
        read_reader(path)


def test_the_stored_example_is_a_reader(tmp_path: Path) -> None:
    (tmp_path / "reader.json").write_text(stored(), "utf-8")
    assert read_reader(tmp_path / "reader.json").labels == ("sad", "joyful")
