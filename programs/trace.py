"""TRACE (arXiv 2509.21849): four typed stages, each of which can be switched off."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

import dspy

from programs.cases import Case, CaseBank
from programs.dialogue import Dialogue, clean
from programs.precedent import Precedents, precedents_of
from programs.reading import Reading
from programs.signatures import AnalyzeCauses, IdentifyAffect, PlanStrategy, SynthesizeResponse
from programs.spans import verbatim
from programs.staged import Configuration, Staged, Steps
from programs.uptake import commonplace, details
from programs.vocabulary import BasicEmotion

_DETAILS = 2
"""Details that a reply should take up; one shared word may be chance."""
_VOTERS = 12
"""Near cases that vote for candidate emotions where no reader was fitted."""


class Trace(Staged):
    """affect -> causes -> plan -> response, the last two fed by retrieved cases."""

    name = "trace"

    def declare(self) -> None:
        """See `Staged.declare`."""
        on = self.configuration
        if on.affect:
            signature = IdentifyAffect.with_updated_fields("emotion", type_=BasicEmotion)
            self.affect = dspy.Predict(signature if on.basic else IdentifyAffect)
        if on.causes:
            self.causes = dspy.Predict(AnalyzeCauses)
        if on.plan:
            self.plan = dspy.Predict(PlanStrategy)
        self.response = dspy.Predict(SynthesizeResponse)

    @classmethod
    def published(cls, bank: CaseBank | None = None) -> "Trace":
        """The configuration of the published code: six emotions, two cases found by the hidden situation."""
        return cls(Configuration(basic=True, by_situation=True), bank)

    def steps(self, dialogue: Dialogue, situation: str | None) -> Steps:
        """See `Staged.steps`."""
        on = self.configuration
        reading = Reading(reply="")
        if on.affect:
            reading = yield from self._affect(dialogue, reading)
        if on.causes:
            reading = yield from self._causes(dialogue, reading)
        reading = replace(reading, cases=self._cases(dialogue, situation, reading.emotion))
        if on.plan:
            reading = yield from self._plan(dialogue, reading)
        return (yield from self._response(dialogue, reading))

    def _affect(self, dialogue: Dialogue, reading: Reading) -> Steps:
        belief = self._belief(dialogue)
        ranked = tuple(sorted(belief, key=belief.__getitem__, reverse=True)[: self.configuration.candidates])
        answer = yield "affect", {"dialogue": str(dialogue), "candidates": ", ".join(ranked)}
        settled = self.reader.settle(belief, answer.emotion) if self.reader and belief else answer.emotion
        return replace(reading, emotion=settled, candidates=ranked)

    def _causes(self, dialogue: Dialogue, reading: Reading) -> Steps:
        answer = yield "causes", {"dialogue": str(dialogue), "emotion": reading.emotion or ""}
        spans, repairs = verbatim(answer.triggers, dialogue)
        category = self.precedents.category(reading.emotion or "", answer.category, self.configuration.cause_precedent)
        return replace(reading, triggers=spans, cause=clean(answer.cause), category=category, repairs=repairs)

    def _plan(self, dialogue: Dialogue, reading: Reading) -> Steps:
        known = {"dialogue": str(dialogue), "emotion": reading.emotion or "", "cause": reading.cause or ""}
        answer = yield "plan", {**known, "cases": shown(reading.cases, Case.planned)}
        heard = sum(turn.role == "listener" for turn in dialogue.turns)
        said = (answer.mechanism, answer.intent)
        mechanism, intent = self.precedents.plan(heard, said, self.configuration.plan_precedent)
        support = "none" if answer.support == mechanism else answer.support
        return replace(reading, mechanism=mechanism, support=support, intent=intent, stance=answer.stance)

    def _response(self, dialogue: Dialogue, reading: Reading) -> Steps:
        on = self.configuration
        answer = yield "response", self._brief(dialogue, reading) if on.brief else self._whole(dialogue, reading)
        replies = [answer.reply.strip()]
        if on.retake and self._details(replies[0], dialogue) < _DETAILS:
            answer = yield "response", self._bare(dialogue, reading)
            replies.append(answer.reply.strip())
        return replace(reading, reply=max(replies, key=lambda reply: self._details(reply, dialogue)))

    def _details(self, reply: str, dialogue: Dialogue) -> int:
        return details(reply, dialogue.speaker_text, self._common)

    @cached_property
    def _common(self) -> frozenset[str]:
        return commonplace(self.bank.cases)

    def _bare(self, dialogue: Dialogue, reading: Reading) -> dict[str, str]:
        """What the speaker said, and the words that carry it."""
        told = {"dialogue": str(dialogue), "triggers": " | ".join(reading.triggers)}
        return {**dict.fromkeys(SynthesizeResponse.input_fields, ""), **told}

    def _whole(self, dialogue: Dialogue, reading: Reading) -> dict[str, str]:
        """Everything the earlier stages found, and the cases."""
        found = {name: getattr(reading, name) or "" for name in ("category", "support", "stance")}
        return {**self._brief(dialogue, reading), **found, "cases": shown(reading.cases, Case.answered)}

    def _brief(self, dialogue: Dialogue, reading: Reading) -> dict[str, str]:
        """What the speaker feels and why, and what leads the answer."""
        found = {name: getattr(reading, name) or "" for name in ("emotion", "cause", "mechanism", "intent")}
        return {**self._bare(dialogue, reading), **found}

    @property
    def precedents(self) -> Precedents:
        """What the bank's cases did; empty where the configuration does not ask."""
        on = self.configuration
        return precedents_of(self.bank) if on.cause_precedent or on.plan_precedent else Precedents()

    def _belief(self, dialogue: Dialogue) -> Mapping[str, float]:
        """What is believed of the emotion before the affect stage is asked; empty if nothing."""
        if self.configuration.basic:
            return {}
        if self.reader:
            return self.reader.probabilities(dialogue.speaker_text)
        votes: dict[str, float] = {}
        voters = self.bank.nearest(dialogue.speaker_text, _VOTERS) if self.configuration.candidates else ()
        for rank, case in enumerate(case for case in voters if case.emotion):
            votes[case.emotion] = votes.get(case.emotion, 0.0) + 1 / (rank + 1)
        return votes

    def _cases(self, dialogue: Dialogue, situation: str | None, emotion: str | None) -> tuple[Case, ...]:
        leaky = self.configuration.by_situation
        query = (situation if leaky else None) or dialogue.speaker_text
        return self.bank.nearest(query, self.configuration.cases, emotion, situation=leaky)


def shown(cases: tuple[Case, ...], line: Callable[[Case], str]) -> str:
    """Cases one a line."""
    return "\n".join(line(case) for case in cases)
