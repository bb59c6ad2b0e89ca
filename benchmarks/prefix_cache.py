"""What the compact adapter and the reuse of evaluated prompts are worth on the embedded backbone.

The same starter dialogues go through all four stages of TRACE twice, four at a time: with the compact adapter and
reuse, and with DSPy's stock JSONAdapter on a runtime that evaluates every prompt in full. The two take turns, a few
dialogues each, so that a busy machine slows both. Loading the model is not counted; DSPy's response cache is off.

Both carry the same demonstrations at every stage, as compiled versions do. Without any (`--demos 0`) fewer than half of
a prompt's tokens are the same from dialogue to dialogue, and no cache can reach the target.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import click
import dspy

from benchmarks.ratio import verdict
from optimizers.corpora import load_corpus, to_cases
from optimizers.demos import demonstrations
from programs import Backbone, CaseBank, Trace
from programs.embedded import EmbeddedEngine
from programs.reading import Usage

_THREADS = 4
_BLOCK = 10
"""Dialogues before the other arm takes its turn."""


@dataclass
class Arm:
    """One way to run the program, and what it has cost so far."""

    name: str
    program: Trace
    seconds: float = 0.0
    usages: list[Usage] = field(default_factory=list)

    def run(self, dialogues: Sequence[Any]) -> None:
        """Answers the dialogues, four at a time."""
        started = time.perf_counter()
        with ThreadPoolExecutor(_THREADS) as pool:
            readings = list(pool.map(lambda dialogue: self.program(dialogue=dialogue), dialogues))
        self.seconds += time.perf_counter() - started
        self.usages += [reading.usage for reading in readings]

    @property
    def cached(self) -> float:
        """Share of the prompt tokens that were not evaluated again."""
        return sum(usage.cached_tokens for usage in self.usages) / sum(usage.prompt_tokens for usage in self.usages)

    @property
    def pace(self) -> float:
        """Seconds a dialogue."""
        return self.seconds / len(self.usages)

    def __str__(self) -> str:
        prompt = sum(usage.prompt_tokens for usage in self.usages)
        written = sum(usage.completion_tokens for usage in self.usages)
        tokens = f"{prompt:9,} prompt tokens, {self.cached:4.0%} cached,{written:8,} written"
        return f"{self.name:32}{len(self.usages):4} dialogues{self.seconds:8.1f} s{tokens}"


@click.command(help=__doc__)
@click.option("--items", default=50, show_default=True, help="Dialogues.")
@click.option("--stock-items", type=int, help="Of these, dialogues that the slow stock arm answers too [default: all].")
@click.option("--demos", default=4, show_default=True, help="Demonstrations at every stage.")
@click.option("--backbone", default="embedded", show_default=True, help="An embedded backbone.")
def main(items: int, stock_items: int | None, demos: int, backbone: str) -> None:
    """Measures and prints."""
    corpus = load_corpus("starter")
    dialogues = [example.dialogue for example in (*corpus.test, *corpus.validation)[:items]]
    bank, profile = CaseBank(to_cases(corpus.train)), Backbone.of(backbone)
    ours = Arm("compact adapter, reuse", _program(bank, profile, reuse=True))
    stock = Arm("stock JSONAdapter, no reuse", _program(bank, profile, reuse=False))
    stock.program.adapter = dspy.JSONAdapter()
    for arm in (ours, stock):
        for stage, predictor in arm.program.stages.items():
            predictor.demos = demonstrations(arm.program, stage, corpus.train, demos)
        arm.program.response.lm("Hello.", max_tokens=1)  # loads the model
    each = _BLOCK * (items if stock_items is None else stock_items) // items
    for start in range(0, len(dialogues), _BLOCK):
        ours.run(dialogues[start : start + _BLOCK])
        stock.run(dialogues[start : start + each])
    print(f"{len(dialogues)} dialogues, four stages of {demos} demos each, {_THREADS} at a time", ours, stock, sep="\n")
    print(verdict("share of prompt tokens from cache", ours.cached, 0.6, at_least=True))
    print(verdict("time a dialogue against stock", ours.pace / stock.pace, 0.6))


def _program(bank: CaseBank, backbone: Backbone, *, reuse: bool) -> Trace:
    lm = backbone.lm(cache=False)
    if not isinstance(lm.engine, EmbeddedEngine):
        raise click.ClickException(f"{backbone.name} is not embedded: only there can reuse be switched off")
    program = Trace(bank=bank)
    program.set_lm(dspy.LM(lm.model, engine=replace(lm.engine, reuse=reuse), cache=False, **backbone.parameters))
    return program


if __name__ == "__main__":
    main()
