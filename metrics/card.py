"""The report card of a system's replies: every figure with its interval, and how many items have none.

What is optimised (the objective and its stages) stands beside what is only looked at (overlap with the gold reply,
diversity, tags of a tagger, levels of a judge): see the group of each figure.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metrics.evaluation import Evaluation
from metrics.figure import Figure
from metrics.guard import Guard
from metrics.judge import Judge
from metrics.judge_figures import judge_figures
from metrics.reply_figures import cost_figures, objective_figures, overlap_figures, reading_figures, reply_figures
from metrics.tag_figures import tag_figures
from metrics.tagger import Tagger
from metrics.text import TOKENISER

if TYPE_CHECKING:
    from metrics.certificate import Certificate


@dataclass(frozen=True)
class Card:
    """All figures of one system on one set of items."""

    name: str
    items: int
    failures: int
    """Items without a reply: a stage's output could not be read."""
    groups: Mapping[str, Mapping[str, Figure]]
    """By heading, then by name."""
    notes: tuple[str, ...] = ()
    """What the figures rest on."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        groups = {head: {name: one.to_dict() for name, one in group.items()} for head, group in self.groups.items()}
        known = {"name": self.name, "items": self.items, "failures": self.failures}
        return {**known, "groups": groups, "notes": list(self.notes)}

    def numbers(self) -> dict[str, float]:
        """One number a figure, by `group.name`, as a registry takes them; undefined figures are left out."""
        named = {f"{head}.{name}": one.value for head, group in self.groups.items() for name, one in group.items()}
        return {name: float(value) for name, value in named.items() if value is not None}


def report_card(
    name: str,
    evaluation: Evaluation,
    guard: Guard,
    *,
    tagger: Tagger | None = None,
    judge: Judge | None = None,
    certificate: "Certificate | None" = None,
    on_item: Callable[[int, int], None] | None = None,
) -> Card:
    """Everything that can be said of some replies.

    Args:
        name: of the system.
        evaluation: its readings and scores.
        guard: of the corpus, for specificity.
        tagger: reads emotion, mechanisms and intent from replies; None leaves its figures out.
        judge: puts replies on the rubric's scales; None leaves its figures out.
        certificate: the judge's; without one its levels are as the judge gives them, and the notes say so.
        on_item: told of each judgement.

    Raises:
        JudgeError: more than one item in twenty could not be judged or tagged.
        BackboneError: the judge's or the tagger's backbone is set up wrongly.
    """
    answered = evaluation.answered
    groups = {
        "objective": objective_figures(evaluation),
        "reading": reading_figures(evaluation, answered),
        "reply": reply_figures(evaluation, answered, guard),
        "overlap": overlap_figures(answered),
        "tags": tag_figures(tagger, answered) if tagger else {},
        "judge": judge_figures(judge, certificate, answered, on_item) if judge else {},
        "cost": cost_figures(evaluation, answered),
    }
    known = {head: group for head, group in groups.items() if group}
    return Card(name, len(evaluation.examples), len(evaluation.failures), known, _notes(tagger, judge, certificate))


def _notes(tagger: Tagger | None, judge: Judge | None, certificate: "Certificate | None") -> tuple[str, ...]:
    notes = [f"words: {TOKENISER}", "intervals: 95 %, items of one conversation counted once"]
    if tagger:
        notes.append(f"tagger: {tagger.identity()['backend']}; held out: {_worth(tagger.identity())}")
    if judge:
        notes.append(f"judge: {judge.identity()}, rubric {judge.rubric.identity[:12]}")
        notes.append(
            f"certified dimensions: {', '.join(certificate.certified) or 'none'}"
            if certificate
            else "the judge has no certificate: its levels are not calibrated, and it counts in no objective"
        )
    return tuple(notes)


def _worth(identity: Mapping[str, Any]) -> str:
    """A tagger's held-out figures in one line."""
    figures = identity.get("held_out") or {}
    return ", ".join(f"{name} {one['value']:.3f}" for name, one in figures.items()) or "not known"
