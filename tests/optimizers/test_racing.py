"""Racing: who goes on, and on how many items."""

from collections.abc import Sequence

import pytest

from metrics import Score
from optimizers.racing import heats, raced, surely_worse, survivors
from optimizers.runner import Runner
from programs import Trace


def runner(name: str, *values: float | None) -> Runner:
    """A candidate with these scores."""
    scores = [Score.unscored("no label") if value is None else Score.of(value) for value in values]
    return Runner(name, Trace(), scores=scores)


@pytest.mark.parametrize(
    ("items", "sizes"), [(40, [10, 10, 20]), (20, [10, 10]), (15, [8, 7]), (9, [9]), (3, [3]), (64, [16, 16, 32])]
)
def test_heats_double_and_none_is_too_small_to_tell(items: int, sizes: list[int]) -> None:
    assert [len(part) for part in heats(range(items))] == sizes


SURELY_WORSE = [
    ("on every item", (0.1,) * 10, (0.9,) * 10, True),
    ("by a hair", (0.50,) * 10, (0.52,) * 10, False),
    ("on few items", (0.1, 0.4), (0.4, 0.1), False),
    ("now better, now worse", (0.0, 1.0) * 5, (1.0, 0.1) * 5, False),
    ("where only one was scored", (None, 0.1), (0.9, None), False),
]


@pytest.mark.parametrize(("where", "worse", "best", "sure"), SURELY_WORSE, ids=lambda case: str(case)[:24])
def test_a_candidate_is_dropped_when_it_cannot_be_as_good(
    where: str, worse: tuple[float | None, ...], best: tuple[float | None, ...], sure: bool
) -> None:
    assert surely_worse(runner("worse", *worse), runner("best", *best)) is sure


def test_the_better_half_goes_on() -> None:
    field = [runner(str(value), value, value) for value in (0.50, 0.54, 0.52, 0.51)]
    assert [one.name for one in survivors(field)] == ["0.5", "0.54", "0.52"]


def test_the_unchanged_stage_always_goes_on() -> None:
    field = [runner("as it is", *(0.0,) * 10), runner("demos", *(1.0,) * 10)]
    assert survivors(field)[0].name == "as it is"


def test_only_survivors_run_on_every_item() -> None:
    values = {"as it is": 0.2, "bad": 0.1, "worse": 0.0, "good": 0.9}

    def run(one: Runner, items: Sequence[int]) -> None:
        one.scores.extend(Score.of(values[one.name]) for _ in items)

    ran = raced([runner(name) for name in values], range(32), run)
    assert {one.name: len(one.scores) for one in ran} == {"as it is": 32, "bad": 8, "worse": 8, "good": 32}
