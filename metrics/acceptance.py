"""Whether a candidate program may take the incumbent's place: every condition by name, with the figures behind it.

A mean that rises is not enough: a program that answers everybody alike, or half as long, or that lost one dimension
while it gained another, is no better program. The thresholds are this project's.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.compare import Difference
from metrics.diversity import duplicate_share, ead, median_length
from metrics.evaluation import Evaluation, compare_evaluations
from metrics.stages import STAGES

LARGEST_LOSS, LEAST_DIVERSITY, MOST_DUPLICATES, LENGTH_CHANGE = 0.02, 0.8, 0.02, 0.3


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of acceptance."""

    name: str
    met: bool | None
    """None where it could not be examined."""
    detail: str
    """The figures, in words."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """All conditions, in the order they are told."""

    conditions: tuple[Condition, ...]

    @property
    def accepted(self) -> bool:
        """No condition is broken; those that could not be examined are listed, and break nothing."""
        return all(one.met is not False for one in self.conditions)


def accept(
    before: Evaluation, after: Evaluation, *, dimensions: tuple[str, ...] = STAGES, attacked: bool | None = None
) -> Acceptance:
    """Examines a candidate against the incumbent on the same items.

    Args:
        before: the incumbent's evaluation.
        after: the candidate's, of the same examples.
        dimensions: columns, or parts of the response's score, of which none may drop by more than .02.
        attacked: whether the adversarial suite passed under the objective; None if it was not run.

    Raises:
        ValueError: the evaluations are of different examples.
    """
    found = compare_evaluations(before, after)
    return Acceptance(
        (
            _gain(found),
            _no_loss(found, dimensions),
            _diversity(_replies(before), _replies(after)),
            _duplicates(_replies(after)),
            _length(_replies(before), _replies(after)),
            _gates(after),
            Condition("adversarial suite", attacked, "not run" if attacked is None else "run under this objective"),
        )
    )


def _gain(found: Mapping[str, Difference]) -> Condition:
    joint = found.get("joint")
    if joint is None:
        return Condition("gain", None, "no item has a joint score on both sides")
    return Condition("gain", joint.better, f"joint {joint.difference:+.3f} [{joint.low:+.3f}, {joint.high:+.3f}]")


def _no_loss(found: Mapping[str, Difference], dimensions: tuple[str, ...]) -> Condition:
    known = {name: found[name].difference for name in dimensions if name in found}
    if not known:
        return Condition("no loss", None, "no dimension is scored on both sides")
    worst = min(known, key=known.__getitem__)
    return Condition("no loss", known[worst] >= -LARGEST_LOSS, f"worst: {worst} {known[worst]:+.3f}")


def _diversity(before: list[str], after: list[str]) -> Condition:
    """EAD-1 at equal reply count."""
    count = min(len(before), len(after))
    old, new = (ead(replies[:count], 1) if count else None for replies in (before, after))
    if not old or new is None:
        return Condition("diversity", None, "one side has no reply to compare")
    return Condition("diversity", new / old >= LEAST_DIVERSITY, f"EAD-1 {new:.3f} against {old:.3f}")


def _duplicates(after: list[str]) -> Condition:
    share = duplicate_share(after)
    if share is None:
        return Condition("duplicates", None, "no reply")
    return Condition("duplicates", share <= MOST_DUPLICATES, f"{share:.1%} of the replies repeat another")


def _length(before: list[str], after: list[str]) -> Condition:
    old, new = median_length(before), median_length(after)
    if not old or new is None:
        return Condition("length", None, "one side has no reply to compare")
    met = abs(new / old - 1) <= LENGTH_CHANGE
    return Condition("length", met, f"median {new:g} words against {old:g}")


def _gates(after: Evaluation) -> Condition:
    """Replies that the gate or the judge's safety refused."""
    shut = sum(score.value == 0 for score in after.scores["response"] if score.value is not None)
    scored = sum(score.value is not None for score in after.scores["response"])
    if not scored:
        return Condition("gates", None, "no reply is scored")
    return Condition("gates", shut == 0, f"{shut} of {scored} replies refused by a gate")


def _replies(evaluation: Evaluation) -> list[str]:
    return [reading.reply for reading in evaluation.readings if reading]
