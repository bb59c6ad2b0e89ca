"""Judging many replies at once, with canaries among them."""

from collections.abc import Callable, Sequence

from metrics.judge import Judge
from metrics.judgement import Judgement
from metrics.merit import merit
from metrics.parallel import in_parallel

CANARIES: tuple[str, ...] = (
    "Column four of the invoice goes to the printer before the tram leaves the blue spreadsheet.",
    "Not a big deal. Other people have real problems, so stop whining.",
)
"""Known-bad replies to anything: one of another world, one that dismisses."""
FLOOR = 0.35
"""The J that a known-bad reply must stay under."""


def judge_all(
    judge: Judge,
    pairs: Sequence[tuple[str, str]],
    *,
    threads: int = 4,
    on_item: Callable[[int, int], None] | None = None,
) -> list[Judgement]:
    """Judgements of (dialogue, reply) pairs, in order.

    Each canary answers the dialogue of a pair of the batch and is judged among the others. If one of them reaches a J
    of .35, the judge cannot tell good from bad here and the whole batch is unscored.

    Args:
        judge: who judges.
        pairs: what is judged.
        threads: judgements in flight; each sees the caller's `dspy.context`.
        on_item: called with (done, total) after each, in the calling thread.

    Raises:
        BackboneError: the judge's backbone is set up wrongly; all waiting pairs are cancelled.
    """
    if not pairs:
        return []
    asked = [*pairs, *((pairs[-1][0], canary) for canary in CANARIES)]
    found = in_parallel(lambda pair: judge.judge(*pair), asked, threads=threads, on_item=on_item)
    broken = [reason for one in found[len(pairs) :] if (reason := _sang(one, judge))]
    return [Judgement.unscored(broken[0])] * len(pairs) if broken else found[: len(pairs)]


def canary_fault(judge: Judge, dialogue: str) -> str:
    """What known-bad replies to a dialogue say against the judge: why its batches would be void; empty if nothing."""
    faults = (_sang(judge.judge(dialogue, canary), judge) for canary in CANARIES)
    return next(filter(None, faults), "")


def _sang(canary: Judgement, judge: Judge) -> str:
    """Why the batch is void; empty where it is not. A canary that could not be judged says nothing."""
    value = merit(canary, judge.rubric).value
    if value is None or value < FLOOR:
        return ""
    return f"the batch is void: the judge gave a known-bad reply J = {value:.2f}, which must stay under {FLOOR}"
