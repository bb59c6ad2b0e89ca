"""What a reply costs outside its model calls: TRACE against four bare `dspy.Predict` calls of the same signatures.

Both answer the same dialogues from a script that takes no time, so that all the time measured is ours or DSPy's. The
bare calls get every input ready-made and use DSPy's default adapter; TRACE retrieves cases, mends spans, counts usage.
"""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import dspy

from benchmarks.ratio import verdict
from optimizers.corpora import load_corpus, to_cases
from programs import CaseBank, Dialogue, Trace
from programs.signatures import AnalyzeCauses, IdentifyAffect, PlanStrategy, SynthesizeResponse
from tests.scripted import scripted_lm

_SIGNATURES = (IdentifyAffect, AnalyzeCauses, PlanStrategy, SynthesizeResponse)
_PLAN = {"mechanism": "interpretation", "support": "none", "intent": "acknowledging", "stance": "mirror"}
_FIXED = {"emotion": "sad", "cause": "They lost someone they loved.", "category": "loss", **_PLAN}
_REPLY = "That quiet must be hard to come home to; what do you miss most?"


@click.command(help=__doc__)
@click.option("--rounds", default=31, show_default=True, help="Alternating rounds; the median counts.")
@click.option("--items", default=20, show_default=True, help="Dialogues a round.")
def main(rounds: int, items: int) -> None:
    """Measures and prints."""
    corpus = load_corpus("starter")
    bank = CaseBank(to_cases(corpus.train))
    dialogues = [Dialogue.of(example.dialogue) for example in corpus.test[:items]]
    shown = "\n".join(case.answered() for case in bank.cases[:2])
    ours, bare = _trace(bank), _bare(shown)
    pairs = [(_seconds(ours, dialogues), _seconds(bare, dialogues)) for _ in range(rounds + 1)][1:]  # first: warm-up
    for name, seconds in zip(("TRACE, starter cases", "four dspy.Predict"), zip(*pairs, strict=True), strict=True):
        print(f"{name:22}{statistics.median(seconds) / len(dialogues) * 1000:7.2f} ms a reply")
    print(verdict("time outside model calls", statistics.median(a / b for a, b in pairs), 1.3))


def _trace(bank: CaseBank) -> Callable[[Dialogue], Any]:
    """Answers by TRACE; its triggers are what the script copies from the dialogue."""
    program = Trace(bank=bank)
    program.set_lm(scripted_lm(answers={**_FIXED, "reply": _REPLY}))
    return lambda dialogue: program(dialogue=dialogue)


def _bare(cases: str) -> Callable[[Dialogue], Any]:
    """Answers by four calls in DSPy's default format, with the inputs that TRACE would hand on."""
    outputs = {**_FIXED, "triggers": '["the words that carry it"]', "reply": _REPLY}
    predictors = [dspy.Predict(signature) for signature in _SIGNATURES]
    for predictor in predictors:
        predictor.set_lm(scripted_lm(raw=_constant(_marked(predictor.signature, outputs))))
    handed = {**outputs, "cases": cases, "candidates": "sad, lonely"}

    def answer(dialogue: Dialogue) -> None:
        known = {**handed, "dialogue": str(dialogue)}
        for predictor in predictors:
            predictor(**{name: known[name] for name in predictor.signature.input_fields})

    return answer


def _marked(signature: Any, outputs: Mapping[str, str]) -> str:
    """A completion as DSPy's ChatAdapter reads it, so that it need not ask twice."""
    fields = [f"[[ ## {name} ## ]]\n{outputs[name]}" for name in signature.output_fields]
    return "\n\n".join([*fields, "[[ ## completed ## ]]"])


def _constant(text: str) -> Callable[[Any], str]:
    return lambda request: text


def _seconds(answer: Callable[[Dialogue], Any], dialogues: Sequence[Dialogue]) -> float:
    started = time.perf_counter()
    for dialogue in dialogues:
        answer(dialogue)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
