"""The two baselines: the same fields in one call, which shows whether stages help, and a plain prompt, the floor."""

import dspy

from programs.cases import Case
from programs.dialogue import Dialogue
from programs.reading import Reading
from programs.signatures import AnswerAtOnce, AnswerPlainly
from programs.spans import verbatim
from programs.staged import Staged, Steps
from programs.trace import shown


class SingleCall(Staged):
    """All of TRACE's fields from one call; of the configuration only `cases` matters."""

    name = "single-call"

    def declare(self) -> None:
        """See `Staged.declare`."""
        self.answer = dspy.Predict(AnswerAtOnce)

    def steps(self, dialogue: Dialogue, situation: str | None) -> Steps:
        """See `Staged.steps`."""
        cases = self.bank.nearest(dialogue.speaker_text, self.configuration.cases)
        found = yield "answer", {"dialogue": str(dialogue), "cases": shown(cases, Case.answered)}
        spans, repairs = verbatim(found.triggers, dialogue)
        return Reading(
            reply=found.reply.strip(),
            emotion=found.emotion,
            triggers=spans,
            cause=found.cause.strip(),
            category=found.category,
            mechanism=found.mechanism,
            support="none" if found.support == found.mechanism else found.support,
            intent=found.intent,
            stance=found.stance,
            cases=cases,
            repairs=repairs,
        )


class Plain(Staged):
    """Only a reply, from one instruction."""

    name = "plain"

    def declare(self) -> None:
        """See `Staged.declare`."""
        self.answer = dspy.Predict(AnswerPlainly)

    def steps(self, dialogue: Dialogue, situation: str | None) -> Steps:
        """See `Staged.steps`."""
        found = yield "answer", {"dialogue": str(dialogue)}
        return Reading(reply=found.reply.strip())
