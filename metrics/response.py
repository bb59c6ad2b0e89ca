"""The score of a reply: S = gate * J^.8 * max(P, .01)^.2, or gate * P where no judge counts.

Geometric, so that neither guard nor judge can be bought off by the other: P = .5 costs 13 %, P = .1 costs 37 %. Gate
and P are free and come first: a reply that the gate refuses is never judged. The formula is this project's.
"""

from collections.abc import Iterable

from metrics.certified import CertifiedJudge
from metrics.guard import Guard
from metrics.score import Score

_JUDGE, _GUARD, _LEAST = 0.8, 0.2, 0.01


def response_score(
    guard: Guard, judge: CertifiedJudge | None, dialogue: str, reply: str, shown: Iterable[str] = ()
) -> Score:
    """S of a reply.

    Args:
        guard: gate and P.
        judge: gives J; None leaves it out.
        dialogue: what was said before, all turns.
        reply: the reply to score.
        shown: replies that the program was shown.

    Returns:
        A score whose parts are `gate`, the guard's factors and, with a judge, `P`, `J` and each certified dimension;
        unscored where the judge could not judge.
    """
    free = guard.score(dialogue, reply, shown)
    if judge is None or not free.parts["gate"] or free.value is None:
        return free
    judged = judge.score(dialogue, reply)
    if judged.value is None:
        return judged
    value = judged.value**_JUDGE * max(free.value, _LEAST) ** _GUARD
    feedback = " ".join(filter(None, (judged.feedback, free.feedback)))
    return Score.of(value, feedback, {**free.parts, **judged.parts, "P": free.value, "J": judged.value})
