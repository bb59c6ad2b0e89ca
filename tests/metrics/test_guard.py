"""The guard P: its published factors by hand, and what may and may not move it."""

import gzip
import json
import math
import threading
import time
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import dspy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.guard import FLOW_BIGRAMS, LOW, Guard, ask, length, no_demo, no_parrot, no_stock
from metrics.text import words

SAID = "My dog Rexo died this morning and I keep hearing his bowl in the kitchen."
HONEST = "To hear that bowl in the kitchen when the dog is gone, what a lonely sound that must be."
APOLOGY = "I am so sorry to hear that. I hope you feel better soon."
DATA = Path(__file__).parents[2].parent / "shared" / "data"


@pytest.mark.parametrize(
    ("n", "expected"),
    [(0, 0), (4, 0.5), (8, 1), (45, 1), (60, math.exp(-1)), (120, math.exp(-5))],
)
def test_len(n: int, expected: float) -> None:
    assert length(n) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("reply", "context", "expected"),
    [
        ("a b c d e f", "x y z", 1.0),
        ("a b c d e f", "a b c d e f", 0.0),
        ("a b c d e f", "a b c", 1 - (1 / 4 - 0.15) / 0.35),
        ("a b c d e f g h i j k l", "a b c", 1.0),
        ("a b", "a b", 1.0),
    ],
)
def test_no_parrot(reply: str, context: str, expected: float) -> None:
    """A reply of n different words has n - 2 trigrams; shares up to .15 are free, from .5 on nothing is left."""
    assert no_parrot(reply.split(), context.split()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("demos", "expected"),
    [
        ([], 1.0),
        (["x y z w"], 1.0),
        (["a b c d"], 2 / 3),
        (["x y z w", "a b c d e"], 1 / 3),
        (["a b c d e f"], 0.0),
    ],
)
def test_no_demo_takes_the_closest_demo(demos: list[str], expected: float) -> None:
    assert no_demo(["a", "b", "c", "d", "e", "f"], demos) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [("No.", 1), ("Why? When?", 1), ("Why? When? Who?", 0.5), ("a? b? c? d?", 0.25), ("Really???", 1)],
)
def test_ask(reply: str, expected: float) -> None:
    assert ask(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [(APOLOGY, 0.0), ("That watch stopped for him. I am so sorry to hear that.", 0.5), (HONEST, 1.0)],
)
def test_no_stock(reply: str, expected: float) -> None:
    assert no_stock(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("What happened after that, if I may ask you?", 0.0),
        ("Was the dog with you for many years?", 0.5),
        ("Was the puppy with you for many years?", 0.5),
        ("Did the dog always eat from that bowl?", 1.0),
        ("Did the dog, the dog, the same dog leave?", 0.5),
    ],
)
def test_ground_counts_distinct_specific_words_with_a_like_in_the_context(
    guard: Guard, reply: str, expected: float
) -> None:
    assert guard.score(SAID, reply).parts["Ground"] == expected


def test_no_repeat_is_the_share_of_distinct_bigrams(guard: Guard) -> None:
    assert guard.score(SAID, "the dog the dog the dog").parts["NoRepeat"] == 2 / 5


def test_the_value_is_the_published_formula(guard: Guard) -> None:
    """Four words, all fresh: Len = 4/8; no detail, no stock phrase: Ground = 0, NoStock = 1."""
    assert guard.score(SAID, "What happened after that?").value == pytest.approx(math.sqrt(0.5) * 0.45 / 0.6)


def test_an_honest_reply_saturates(guard: Guard) -> None:
    assert guard.score(SAID, HONEST).value == 1.0


def test_the_constant_apology_gets_nothing(guard: Guard) -> None:
    assert guard.score(SAID, APOLOGY).value == 0.0


def test_a_parrot_gets_nothing(guard: Guard) -> None:
    assert guard.score(SAID, SAID).value == 0.0


def test_copying_a_demo_costs(guard: Guard) -> None:
    copied = guard.score(SAID, HONEST, [f"{HONEST} Truly."]).value
    assert copied == 0.0


def test_a_failed_gate_is_zero_with_its_reason(guard: Guard) -> None:
    score = guard.score(SAID, "Oh no!")
    assert (score.value, score.feedback) == (0.0, "The reply is refused: fewer than 3 words.")


def test_an_honest_reply_needs_no_feedback(guard: Guard) -> None:
    assert guard.score(SAID, HONEST).feedback == ""


def test_every_low_factor_is_named_and_no_other(guard: Guard) -> None:
    score = guard.score(SAID, "Why? When? Who saw it? Where was it then?")
    assert score.feedback == (
        "The reply: it asks too many questions: at most two; it does not take up concrete details of what the speaker said."
    )


def test_feedback_never_quotes_a_stock_phrase(guard: Guard) -> None:
    assert "sorry" not in guard.score(SAID, APOLOGY).feedback


def test_flow_is_left_out_beside_a_small_reference(guard: Guard) -> None:
    assert "Flow" not in guard.score(SAID, HONEST).parts


def test_flow_is_the_share_of_seen_bigrams_over_point_four_beside_a_large_one(guard: Guard) -> None:
    filler = {("w", str(number)) for number in range(FLOW_BIGRAMS)}
    large = replace(guard, bigrams=frozenset(filler | {("poor", "dog")}))
    assert large.score(SAID, "Poor dog, what a sad empty kitchen.").parts["Flow"] == pytest.approx(1 / 6 / 0.4)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (HONEST, f"\n{HONEST}\n\n"),
        (HONEST, HONEST.replace("kitchen when", "kitchen\n\nwhen")),
        ("I'm thinking of that bowl.", "I am thinking of that bowl."),
        ("It can't be easy to see his bowl there, can it?", "It cannot be easy to see his bowl there, can it?"),
        ("It\u2019s the bowl. They're all still listening.", "It's the bowl. They are all still listening."),
        (HONEST, HONEST.upper()),
    ],
)
def test_a_change_without_meaning_moves_it_by_less_than_two_hundredths(guard: Guard, one: str, two: str) -> None:
    first, second = guard.score(SAID, one).value, guard.score(SAID, two).value
    assert first is not None and second is not None and abs(first - second) < 0.02


def test_a_changed_name_moves_it_by_less_than_two_hundredths(guard: Guard) -> None:
    reply = "Poor Rexo, and that bowl still in the kitchen."
    one, two = (guard.score(SAID.replace("Rexo", name), reply.replace("Rexo", name)).value for name in ("Rexo", "Bimo"))
    assert one is not None and two is not None and abs(one - two) < 0.02


def test_dropping_the_only_specific_sentence_lowers_it(guard: Guard) -> None:
    whole = guard.score(SAID, "That bowl in the kitchen will be quiet now. What will you do today?").value
    rest = guard.score(SAID, "What will you do today?").value
    assert whole is not None and rest is not None and rest < whole - 0.1


@given(reply=st.text(max_size=300), said=st.text(max_size=300))
def test_any_text_gets_a_value_in_range(guard: Guard, reply: str, said: str) -> None:
    value = guard.score(said, reply, [said]).value
    assert value is not None and 0 <= value <= 1


def test_equal_corpora_give_equal_identities(guard: Guard, corpus: list[dspy.Example]) -> None:
    assert Guard.fit(reversed(corpus)).identity == guard.identity


def test_another_corpus_gives_another_identity(guard: Guard, corpus: list[dspy.Example]) -> None:
    assert Guard.fit(corpus[1:]).identity != guard.identity


def test_a_corpus_without_replies_is_refused() -> None:
    with pytest.raises(ValueError, match="no example has one"):
        Guard.fit([dspy.Example(dialogue=[{"role": "speaker", "text": "Hello there"}])])


def test_the_guard_cannot_be_changed(guard: Guard) -> None:
    with pytest.raises(FrozenInstanceError):
        guard.identity = "x"  # type: ignore[misc]


def test_threads_agree(guard: Guard) -> None:
    found: list[float | None] = []
    workers = [threading.Thread(target=lambda: found.append(guard.score(SAID, HONEST).value)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [1.0] * 8


def test_a_reply_is_scored_in_less_than_two_milliseconds(guard: Guard) -> None:
    guard.score(SAID, HONEST)
    laps = []
    for _ in range(50):
        start = time.perf_counter()
        guard.score(SAID, HONEST, [APOLOGY] * 12)
        laps.append(time.perf_counter() - start)
    assert sorted(laps)[10] < 0.002


@pytest.fixture(scope="module")
def human_replies() -> list[tuple[str, str]]:
    """Context and reply of people and of ChatGPT."""
    path = DATA / "human_ratings" / "welivita2024_ed.jsonl.gz"
    if not path.exists():
        pytest.skip("public ratings are not beside the repository: ../shared/data/human_ratings is absent")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:150]
    return [("\n".join(row["context"]), each["text"]) for row in rows for each in row["responses"].values()]


def test_real_replies_hardly_ever_fail_the_gate(guard: Guard, human_replies: list[tuple[str, str]]) -> None:
    refused = sum(guard.score(said, reply).parts["gate"] == 0 for said, reply in human_replies if len(words(reply)) > 2)
    assert refused / len(human_replies) < 0.01


def test_replies_to_someone_else_score_lower(guard: Guard, human_replies: list[tuple[str, str]]) -> None:
    """Ground is what tells them apart, so their own context must win clearly."""
    own = sum(guard.score(said, reply).value or 0 for said, reply in human_replies)
    shifted = zip(human_replies, human_replies[30:] + human_replies[:30], strict=True)
    other = sum(guard.score(said, reply).value or 0 for (said, _), (_, reply) in shifted)
    assert (own - other) / len(human_replies) > 0.1


def test_most_real_replies_keep_most_of_it(guard: Guard, human_replies: list[tuple[str, str]]) -> None:
    low = sum((guard.score(said, reply).value or 0) < LOW for said, reply in human_replies)
    assert low / len(human_replies) < 0.25


def test_a_torn_emoji_is_scored_like_any_text(guard: Guard) -> None:
    assert guard.score(SAID, "The bowl in the kitchen, with the dog gone \ud83d what a sound.").value is not None
