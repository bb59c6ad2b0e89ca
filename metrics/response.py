"""The score of a reply: S = gate * J^.8 * max(P, .01)^.2.

Geometric, so that neither guard nor judge can be bought off by the other: P = .5 costs 13 %, P = .1 costs 37 %. Gate
and P are free and come first: a reply that the gate refuses is never judged.

Where no judge counts, J is .05 + .95 Ground: the free sign of grasp is that the reply takes up concrete details of what
was said. P alone would not do: it is 1 for any tidy sentence, and a constant reply would score .75. The formulas are
this project's.
"""

from collections.abc import Iterable

from metrics.certified import CertifiedJudge
from metrics.guard import Guard
from metrics.score import Score

FORMULA = "response-1"
_JUDGE, _GUARD, _LEAST = 0.8, 0.2, 0.01
_UNGROUNDED = 0.05


def response_score(
    guard: Guard, judge: CertifiedJudge | None, dialogue: str, reply: str, shown: Iterable[str] = ()
) -> Score:
    """S of a reply.

    Args:
        guard: gate and P.
        judge: gives J; None leaves it to Ground.
        dialogue: what was said before, all turns.
        reply: the reply to score.
        shown: replies that the program was shown.

    Returns:
        A score whose parts are `gate`, the guard's factors, `P` and, with a judge, `J` and each certified dimension;
        unscored where the judge could not judge.
    """
    free = guard.score(dialogue, reply, shown)
    if not free.value:
        return free
    judged = judge.score(dialogue, reply) if judge else Score.of(_UNGROUNDED + (1 - _UNGROUNDED) * free.parts["Ground"])
    if judged.value is None:
        return judged
    value = judged.value**_JUDGE * max(free.value, _LEAST) ** _GUARD
    feedback = " ".join(filter(None, (judged.feedback, free.feedback)))
    known = {**free.parts, **judged.parts, "P": free.value}
    return Score.of(value, feedback, {**known, "J": judged.value} if judge else known)
