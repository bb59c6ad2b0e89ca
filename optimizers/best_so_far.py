"""The best program that a DSPy optimizer has seen so far: these optimizers hand over nothing before they are done."""

from collections.abc import Callable
from typing import Any

import dspy
from dspy.utils.callback import BaseCallback


class BestSoFar(BaseCallback):
    """Told by DSPy of every evaluation; hands on each program that beats all before it.

    Args:
        items: how many items a whole evaluation has; smaller ones, on minibatches, decide nothing.
        keep: given the program and its mean score, in [0, 1]. The first program is only the one to beat.
        curve: given the mean score of every whole evaluation, in the order they end.
    """

    def __init__(
        self,
        items: int,
        keep: Callable[[dspy.Module, float], None],
        curve: Callable[[float], None] = lambda score: None,
    ) -> None:
        super().__init__()
        self._items, self._keep, self._curve = items, keep, curve
        self._running: dict[str, dspy.Module] = {}
        self._best: float | None = None

    def on_evaluate_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
        """Called by DSPy before an evaluation."""
        devset = inputs.get("devset") or instance.devset
        if len(devset) == self._items:
            self._running[call_id] = inputs["program"]

    def on_evaluate_end(self, call_id: str, outputs: Any, exception: BaseException | None = None) -> None:
        """Called by DSPy after an evaluation."""
        program = self._running.pop(call_id, None)
        if program is None or outputs is None:
            return
        score = outputs.score / 100
        self._curve(score)
        if self._best is not None and score > self._best:
            self._keep(program, score)
        self._best = score if self._best is None else max(score, self._best)
