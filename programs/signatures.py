"""The typed signatures: each docstring is a seed instruction, each `desc` one noun phrase. No other prompt text exists.

An input that is left empty is not sent at all.
"""

import dspy

from programs.vocabulary import Category, Emotion, Intent, Mechanism, Stance, Support


class IdentifyAffect(dspy.Signature):
    """Name the one emotion that the speaker feels about what they tell."""

    candidates: str = dspy.InputField(desc="likely emotions, likeliest first")
    dialogue: str = dspy.InputField(desc="the conversation so far")
    emotion: Emotion = dspy.OutputField(desc="the speaker's emotion")


class AnalyzeCauses(dspy.Signature):
    """Find what set the speaker's emotion off."""

    dialogue: str = dspy.InputField(desc="the conversation so far")
    emotion: str = dspy.InputField(desc="the speaker's emotion")
    triggers: list[str] = dspy.OutputField(desc="one or two short spans copied from the speaker's words")
    cause: str = dspy.OutputField(desc="one short sentence on why they feel this")
    category: Category = dspy.OutputField(desc="the kind of cause")


class PlanStrategy(dspy.Signature):
    """Plan how a thoughtful listener would answer; do not write the answer."""

    cases: str = dspy.InputField(desc="similar conversations that were answered well")
    dialogue: str = dspy.InputField(desc="the conversation so far")
    emotion: str = dspy.InputField(desc="the speaker's emotion")
    cause: str = dspy.InputField(desc="why they feel this")
    mechanism: Mechanism = dspy.OutputField(desc="the mechanism that leads")
    support: Support = dspy.OutputField(desc="the mechanism blended in")
    intent: Intent = dspy.OutputField(desc="the main act of the answer")
    stance: Stance = dspy.OutputField(desc="the answer's feeling against theirs")


class SynthesizeResponse(dspy.Signature):
    """Answer the speaker as a thoughtful listener in one or two short sentences. Follow the plan, take up a concrete
    detail of the triggers in your own words, and give no advice that was not asked for."""

    cases: str = dspy.InputField(desc="similar conversations that were answered well")
    dialogue: str = dspy.InputField(desc="the conversation so far")
    emotion: str = dspy.InputField(desc="the speaker's emotion")
    triggers: str = dspy.InputField(desc="the words that carry it")
    cause: str = dspy.InputField(desc="why they feel this")
    category: str = dspy.InputField(desc="the kind of cause")
    mechanism: str = dspy.InputField(desc="the mechanism that leads")
    support: str = dspy.InputField(desc="the mechanism blended in")
    intent: str = dspy.InputField(desc="the main act of the answer")
    stance: str = dspy.InputField(desc="the answer's feeling against theirs")
    reply: str = dspy.OutputField(desc="the listener's next words")


class AnswerAtOnce(dspy.Signature):
    """Read what the speaker feels and why, plan how a thoughtful listener would answer, and answer in one or two
    sentences that take up a concrete detail and give no advice that was not asked for."""

    cases: str = dspy.InputField(desc="similar conversations that were answered well")
    dialogue: str = dspy.InputField(desc="the conversation so far")
    emotion: Emotion = dspy.OutputField(desc="the speaker's emotion")
    triggers: list[str] = dspy.OutputField(desc="one or two short spans copied from the speaker's words")
    cause: str = dspy.OutputField(desc="one short sentence on why they feel this")
    category: Category = dspy.OutputField(desc="the kind of cause")
    mechanism: Mechanism = dspy.OutputField(desc="the mechanism that leads")
    support: Support = dspy.OutputField(desc="the mechanism blended in")
    intent: Intent = dspy.OutputField(desc="the main act of the answer")
    stance: Stance = dspy.OutputField(desc="the answer's feeling against theirs")
    reply: str = dspy.OutputField(desc="the listener's next words")


class AnswerPlainly(dspy.Signature):
    """Answer the speaker with empathy in one or two sentences."""

    dialogue: str = dspy.InputField(desc="the conversation so far")
    reply: str = dspy.OutputField(desc="the listener's next words")
