"""A registered version as an MLflow model from code: what `mlflow models serve` and `mlflow.pyfunc.load_model` run.

The version folder lies beside it as an artifact. The backbone is the one that the environment variable
`TRACE_ERG_BACKBONE` names (anything `Backbone.of` takes), else the one the version was compiled for.
"""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import mlflow
import pandas as pd
from mlflow.pyfunc.model import PythonModel, PythonModelContext

import programs
from programs.errors import ContextExceeded, DialogueError, StageError

COLUMN = "dialogue"
_AT_A_TIME = 4


class Responder(PythonModel):
    """Answers a table of dialogues."""

    def load_context(self, context: PythonModelContext) -> None:
        """Loads the version.

        Raises:
            VersionError, BackboneError: see `programs.load`.
        """
        self.program = programs.load(context.artifacts["version"], os.environ.get("TRACE_ERG_BACKBONE") or None)

    def predict(
        self, context: PythonModelContext, model_input: pd.DataFrame, params: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """One reading a row, in order, as plain JSON types, with `error` None.

        A row that cannot be answered (nothing said, too long, no typed output) costs no other row its answer: it gets
        `reply` None and the reason in `error`.

        Args:
            context: unused; the version is loaded once.
            model_input: the column `dialogue` holds a text, or a JSON list of turns `{"role", "text"}`.
            params: unused.

        Raises:
            BackboneError: the model cannot be reached, or refuses; no row would fare better.
        """
        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            return list(pool.map(self._answered, model_input[COLUMN]))

    def _answered(self, dialogue: Any) -> dict[str, Any]:
        try:
            return {**self.program(dialogue=turns(dialogue)).to_dict(), "error": None}
        except (DialogueError, StageError, ContextExceeded) as error:
            return {"reply": None, "error": str(error)}


def turns(cell: Any) -> Any:
    """What a cell says: the list of turns that it spells in JSON, else itself."""
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        try:
            decoded = json.loads(cell)
        except (ValueError, RecursionError):
            return cell
        return decoded if any(isinstance(turn, dict) for turn in decoded) else cell
    return cell


mlflow.models.set_model(Responder())
