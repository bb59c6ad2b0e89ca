"""How well a reading agrees with the gold labels of a corpus item, stage by stage."""

from collections.abc import Mapping
from types import MappingProxyType

import dspy

from metrics.score import Score
from metrics.text import token_f1, token_recall
from programs.reading import Reading
from programs.vocabulary import BASIC, BASIC_EMOTIONS

STAGES: tuple[str, ...] = ("affect", "causes", "plan", "response")
"""The four stages, in the order they run."""

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"affect": ("emotion", "emotion_6way"), "causes": ("trigger_f1", "category"), "plan": ("mechanism", "intent")}
)
"""What the score of each labelled stage is the plain mean of."""


def stage_scores(example: dspy.Example, reading: Reading) -> dict[str, Score]:
    """Scores of `affect`, `causes` and `plan` against the labels that the example has.

    A stage without a gold label, or switched off in the program, is unscored; where only some of its labels are
    present, its value is the mean over those.
    """
    return {"affect": _affect(example, reading), "causes": _causes(example, reading), "plan": _plan(example, reading)}


def trigger_recall(example: dspy.Example, reading: Reading) -> Score:
    """How much of the gold trigger spans was found: a report's figure beside the F1 that is optimised."""
    if not _has_gold(example, "trigger_f1"):
        return _no_gold("causes")
    value = token_recall(reading.triggers, [str(span) for span in example["triggers"]])
    return _no_gold("causes") if value is None else Score.of(value)


def failed_stage(example: dspy.Example, stage: str, reason: str) -> Score:
    """0 for a stage whose output could not be parsed, on every label the example has for it; unscored without one."""
    parts = {name: 0.0 for name in PARTS[stage] if _has_gold(example, name)}
    return Score.of(0.0, reason, parts) if parts else _no_gold(stage)


def _affect(example: dspy.Example, reading: Reading) -> Score:
    """Exact and six-way. A program that reads six labels misses the exact one: the coarser answer is not the better."""
    if reading.emotion is None:
        return _off("affect")
    if not _has_gold(example, "emotion_6way"):
        return _no_gold("affect")
    gold = str(example["emotion"])
    basic = gold if gold in BASIC_EMOTIONS else BASIC[gold]
    parts = {"emotion_6way": float(reading.basic_emotion == basic)}
    if _has_gold(example, "emotion"):
        parts["emotion"] = float(reading.emotion == gold)
    return _mean("affect", parts, [_said("emotion", reading.emotion, gold)])


def _causes(example: dspy.Example, reading: Reading) -> Score:
    if not reading.triggers and reading.cause is None and reading.category is None:
        return _off("causes")
    parts, notes = {}, []
    if _has_gold(example, "trigger_f1"):
        gold = [str(span) for span in example["triggers"]]
        parts["trigger_f1"] = token_f1(reading.triggers, gold)
        notes.append(_said("triggers", " / ".join(reading.triggers), " / ".join(gold)))
    if _has_gold(example, "category") and reading.category is not None:
        parts["category"] = float(reading.category == example["category"])
        notes.append(_said("category", reading.category, example["category"]))
    return _mean("causes", parts, notes)


def _plan(example: dspy.Example, reading: Reading) -> Score:
    said = {"mechanism": reading.mechanism, "intent": reading.intent}
    if not any(said.values()):
        return _off("plan")
    scored = {name: label for name, label in said.items() if label is not None and _has_gold(example, name)}
    parts = {name: float(label == example[name]) for name, label in scored.items()}
    return _mean("plan", parts, [_said(name, label, example[name]) for name, label in scored.items()])


def _has_gold(example: dspy.Example, part: str) -> bool:
    field = {"trigger_f1": "triggers", "emotion_6way": "emotion"}.get(part, part)
    if field not in example or not example[field]:
        return False
    return part != "emotion" or example[field] not in BASIC_EMOTIONS


def _mean(stage: str, parts: Mapping[str, float], notes: list[str]) -> Score:
    if not parts:
        return _no_gold(stage)
    return Score.of(sum(parts.values()) / len(parts), " ".join(filter(None, notes)), parts)


def _said(name: str, said: str, gold: str) -> str:
    return "" if said == gold else f"{name}: said '{said}', expected '{gold}'."


def _no_gold(stage: str) -> Score:
    return Score.unscored(f"no gold labels for {stage}")


def _off(stage: str) -> Score:
    return Score.unscored(f"the program's {stage} stage is switched off")
