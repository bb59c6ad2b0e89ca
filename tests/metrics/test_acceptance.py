"""Whether a candidate may take the incumbent's place."""

from types import MappingProxyType

import dspy
import pytest

from metrics.acceptance import Acceptance, accept
from metrics.evaluation import COLUMNS, Evaluation
from metrics.score import Score
from programs.reading import Reading

WORDS = ("kettle", "canary", "tram", "scarf", "letter", "bicycle", "garden", "violin", "harbour", "ladder")


def evaluation(joint: float, replies: list[str] | None = None, **stages: float) -> Evaluation:
    """Ten items with the same scores, and a reply each."""
    said = replies or [f"So the {word} is what you keep coming back to today" for word in WORDS]
    items = tuple(
        dspy.Example(id=str(n), conversation=str(n), dialogue=[{"role": "speaker", "text": "x"}]) for n in range(10)
    )
    values = {**dict.fromkeys(COLUMNS, 0.5), "joint": joint, **stages}
    columns = {name: tuple(Score.of(value) for _ in items) for name, value in values.items()}
    return Evaluation(items, tuple(Reading(reply=reply) for reply in said), MappingProxyType(columns), ())


BEFORE = evaluation(0.5)


def met(found: Acceptance, name: str) -> bool | None:
    """Whether a condition is met."""
    return next(one.met for one in found.conditions if one.name == name)


def test_a_clear_gain_without_a_loss_is_accepted() -> None:
    assert accept(BEFORE, evaluation(0.6)).accepted


@pytest.mark.parametrize(
    ("after", "condition"),
    [
        (evaluation(0.5), "gain"),
        (evaluation(0.6, plan=0.47), "no loss"),
        (evaluation(0.6, ["The kettle is what you keep coming back to today"] * 10), "duplicates"),
        (evaluation(0.6, [f"the the the the {word} the the the the the the" for word in WORDS]), "diversity"),
        (evaluation(0.6, [f"So the {word}" for word in WORDS]), "length"),
        (evaluation(0.6, response=0.0), "gates"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_condition_can_break_it(after: Evaluation, condition: str) -> None:
    assert met(accept(BEFORE, after), condition) is False


def test_a_loss_of_a_fiftieth_is_within_bounds() -> None:
    assert met(accept(BEFORE, evaluation(0.6, plan=0.485)), "no loss")


@pytest.mark.parametrize(("attacked", "accepted"), [(True, True), (False, False), (None, True)])
def test_the_adversarial_suite_counts_where_it_was_run(attacked: bool | None, accepted: bool) -> None:
    assert accept(BEFORE, evaluation(0.6), attacked=attacked).accepted is accepted


def test_every_condition_says_its_figures() -> None:
    assert all(one.detail for one in accept(BEFORE, evaluation(0.6)).conditions)
