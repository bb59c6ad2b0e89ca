"""A small made-up corpus that the metrics are tried on."""

import dspy
import pytest

from metrics.guard import Guard

_TALKS = (
    (
        "My sister borrowed my bicycle and left it out in the rain again.",
        "Again? A rusty bicycle would annoy me too, what did she say?",
    ),
    (
        "I finally passed my driving test on the fourth try!",
        "Four tries took real patience, where will you drive first?",
    ),
    ("Grandpa's watch stopped the day after the funeral.", "That watch must feel like a last bit of him."),
    (
        "The neighbour's drill starts at six every single morning.",
        "Six in the morning is no time for a drill, have you told them?",
    ),
    (
        "I start at the bakery on Monday and I have laid out my apron.",
        "With the apron ready, Monday can come. What will you bake?",
    ),
    ("My flight was cancelled and I missed the wedding.", "To miss the wedding for a cancelled flight, that stings."),
)


@pytest.fixture(scope="session")
def corpus() -> list[dspy.Example]:
    """Training items with replies and no other label."""
    return [
        dspy.Example(
            id=str(number), conversation=str(number), dialogue=[{"role": "speaker", "text": said}], reply=reply
        ).with_inputs("dialogue")
        for number, (said, reply) in enumerate(_TALKS)
    ]


@pytest.fixture(scope="session")
def guard(corpus: list[dspy.Example]) -> Guard:
    """The guard fitted on the small corpus."""
    return Guard.fit(corpus)
