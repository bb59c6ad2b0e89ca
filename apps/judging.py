"""The judge and the tagger that a command line names."""

from collections.abc import Sequence
from pathlib import Path

from metrics.certificate import Certificate
from metrics.certified import CertifiedJudge
from metrics.judge import Judge, ModelJudge
from metrics.linear_tagger import LinearTagger
from metrics.llm_tagger import LlmTagger
from metrics.memo import Remembering
from metrics.panel import Panel
from metrics.rubric import read_rubric, standard_rubric
from metrics.tagger import Tagger
from programs.backbones import Backbone
from programs.errors import JudgeError

_MODEL = "llm:"


def judge_named(specs: Sequence[str], rubric: Path | None, memory: Path | None) -> Judge | None:
    """A judge on one backbone, a panel on several, None on none; it remembers what it judged in `memory`.

    Raises:
        BackboneError: there is no such backbone, or its key is missing.
        JudgeError: the rubric cannot be used, or a backbone is named twice.
    """
    if not specs:
        return None
    looked_for = read_rubric(rubric) if rubric else standard_rubric()
    judges = [ModelJudge(Backbone.of(spec), looked_for) for spec in specs]
    return Remembering(judges[0] if len(judges) == 1 else Panel(judges), memory)


def certified_judge(
    specs: Sequence[str], rubric: Path | None, certificate: Path | None, memory: Path | None
) -> CertifiedJudge | None:
    """The judge that may count in an objective: None where no judge is named.

    Raises:
        JudgeError: a judge is named without a certificate, or with one that is not its own or vouches for nothing.
        BackboneError: there is no such backbone, or its key is missing.
    """
    judge = judge_named(specs, rubric, memory)
    if judge is None:
        return None
    if certificate is None:
        raise JudgeError("a judge counts in an objective only with its certificate: run `trace-erg judge calibrate`")
    return CertifiedJudge(judge, Certificate.load(certificate))


def certificate_at(path: Path | None) -> Certificate | None:
    """The certificate in a file, if one is named."""
    return Certificate.load(path) if path else None


def tagger_named(spec: str | None) -> Tagger | None:
    """A trained linear tagger's folder, or `llm:` and a backbone; None for none.

    Raises:
        TraceError: there is no such tagger, or it was changed since it was trained.
    """
    if not spec:
        return None
    return (
        LlmTagger(Backbone.of(spec.removeprefix(_MODEL))) if spec.startswith(_MODEL) else LinearTagger.load(Path(spec))
    )


def refuse_same_model(specs: Sequence[str], task: str | None, same_model: bool) -> str:
    """A model flatters its own replies. Returns what a report must say where it judges them all the same.

    Args:
        specs: the judges' backbones.
        task: the model that wrote the replies; None where that is not known.
        same_model: whether the user said that this is meant.

    Raises:
        JudgeError: a judge's model is the task's, and nobody said that this is meant.
    """
    if task not in {Backbone.of(spec).model for spec in specs}:
        return ""
    if not same_model:
        raise JudgeError(f"the judge would judge replies of its own model ({task}): name another, or say --same-model")
    return "the judge is the model that wrote the replies: it may flatter them"
