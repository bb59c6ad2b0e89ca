"""The score of a reply, with and without a judge."""

import pytest

from metrics.guard import Guard
from metrics.response import response_score

SAID = "My dog died and I keep hearing his bowl in the kitchen."
GROUNDED = "To hear that bowl in the kitchen when the dog is gone, what a lonely sound that must be."
HALF = "A sound like that must be very hard to bear when the dog has gone for good."
VAGUE = "Of all the ways that this could have gone, I did not see it going this way."


def unjudged(guard: Guard, reply: str) -> float:
    """S without a judge."""
    value = response_score(guard, None, SAID, reply).value
    return -1.0 if value is None else value


def test_two_details_taken_up_are_enough(guard: Guard) -> None:
    assert unjudged(guard, GROUNDED) == 1.0


def test_one_detail_is_half_of_it(guard: Guard) -> None:
    """Ground .5, so J = .05 + .95 * .5 = .525; P = 1 (.55 * .5 + .45 = .725, over .6)."""
    assert unjudged(guard, HALF) == pytest.approx(0.525**0.8)


def test_a_tidy_reply_that_fits_anybody_is_nearly_worthless(guard: Guard) -> None:
    """Ground 0, so J = .05; P = .45 / .6 = .75."""
    assert unjudged(guard, VAGUE) == pytest.approx(0.05**0.8 * 0.75**0.2)


@pytest.mark.parametrize("reply", ["", "speaker: yes", "[[ ## reply ## ]] The bowl in the kitchen."])
def test_what_the_gate_refuses_is_zero(guard: Guard, reply: str) -> None:
    assert unjudged(guard, reply) == 0


def test_the_parts_say_what_it_was_made_from(guard: Guard) -> None:
    assert {"gate", "Ground", "NoStock", "P"} <= response_score(guard, None, SAID, GROUNDED).parts.keys()
