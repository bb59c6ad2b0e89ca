"""Whether a judge puts systems in people's order."""

import pytest

from metrics.agreement import Agreement
from metrics.system_order import system_order
from programs.errors import CorpusError
from tests.metrics.labelled import label_set

SYSTEMS = ("poor", "fair", "good", "best")
CROWD = label_set([0, 1, 2, 3] * 15, noise=1, expert=False, systems=SYSTEMS)


def by_system(*levels: float | None) -> list[float | None]:
    """The same level for every reply of a system."""
    return list(levels) * 15


@pytest.mark.parametrize(
    ("levels", "value"),
    [
        ((1, 2, 3, 4), 1),
        ((4, 3, 2, 1), -1),
        # Ranks 1 2 3 4 against 2 1 4 3: 1 - 6 * 4 / (4 * 15).
        ((2, 1, 4, 3), 0.6),
    ],
    ids=["same", "opposite", "neighbours swapped"],
)
def test_the_order_of_means(levels: tuple[float, ...], value: float) -> None:
    assert system_order(by_system(*levels), CROWD, "empathy").value == pytest.approx(value)


def test_the_level_of_the_scale_does_not_matter() -> None:
    assert system_order(by_system(0.1, 0.2, 0.3, 0.4), CROWD, "empathy").value == pytest.approx(1)


def test_noisy_people_widen_the_interval() -> None:
    noisy = label_set([0, 0.1, 0.2, 0.3] * 15, raters=1, noise=2, expert=False, systems=SYSTEMS)
    found = system_order(by_system(1, 2, 3, 4), noisy, "empathy")
    assert found.low is not None and found.high is not None and found.high - found.low > 0.5


def test_unscored_items_are_left_out() -> None:
    assert system_order(by_system(1, 2, 3, None), CROWD, "empathy").n == 45


@pytest.mark.parametrize(
    ("levels", "n", "reason"),
    [
        ((2, 2, 2, 2), 60, "all levels of one side are the same"),
        ((1, 2, None, None), 30, "2 systems; an order needs 3"),
        ((None, None, None, None), 0, "0 conversations; 10 are needed"),
    ],
    ids=["no difference", "two systems", "nothing scored"],
)
def test_no_order_is_undefined_with_its_reason(levels: tuple[float | None, ...], n: int, reason: str) -> None:
    assert system_order(by_system(*levels), CROWD, "empathy") == Agreement(None, None, None, n, reason)


def test_levels_of_other_items_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        system_order([1, 2, 3], CROWD, "empathy")


def test_what_nobody_rated_is_refused() -> None:
    with pytest.raises(CorpusError, match="nothing is rated on 'fluency'"):
        system_order(by_system(1, 2, 3, 4), CROWD, "fluency")
