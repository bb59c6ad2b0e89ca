"""The best program of a DSPy optimizer, while it still runs."""

from typing import Any

import dspy
import pytest

from optimizers.best_so_far import BestSoFar


class Guesser(dspy.Module):
    """Always answers with its score."""

    def __init__(self, score: float) -> None:
        super().__init__()
        self.score = score

    def forward(self, word: str) -> dspy.Prediction:
        """The score."""
        return dspy.Prediction(score=self.score)


ITEMS = [dspy.Example(word=word).with_inputs("word") for word in ("a", "b", "c")]


def kept(*programs: tuple[float, int]) -> list[float]:
    """The scores handed on when programs of these scores are evaluated on so many items."""
    found: list[float] = []
    watch = BestSoFar(len(ITEMS), lambda program, score: found.append(score))

    def metric(example: dspy.Example, prediction: Any, trace: Any = None) -> float:
        return float(prediction.score)

    with dspy.context(callbacks=[watch]):
        for score, items in programs:
            dspy.Evaluate(devset=ITEMS[:items], metric=metric, num_threads=1)(Guesser(score))
    return found


@pytest.mark.parametrize(
    ("evaluated", "handed_on"),
    [
        ([(0.5, 3)], []),
        ([(0.5, 3), (0.4, 3)], []),
        ([(0.5, 3), (0.7, 3), (0.6, 3), (0.8, 3)], [0.7, 0.8]),
        ([(0.5, 3), (0.9, 2)], []),
    ],
    ids=["the first is the one to beat", "a worse one", "each that is better", "a minibatch decides nothing"],
)
def test_each_program_that_beats_all_before_it_is_handed_on(
    evaluated: list[tuple[float, int]], handed_on: list[float]
) -> None:
    assert kept(*evaluated) == handed_on
