"""How long a fresh process takes to have a program: `programs.load` of a version against `mlflow.dspy.load_model`.

Both load the same TRACE with the starter corpus as its cases, bound to the embedded backbone (whose weights neither
loads before the first call). Each start is a process of its own, timed from outside; they alternate.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from benchmarks.ratio import verdict
from optimizers.corpora import load_corpus, to_cases
from programs import Backbone, CaseBank, Trace, save

HEAVY = ("mlflow", "litellm", "optuna", "datasets")
_OURS = """
import sys
import programs
programs.load(sys.argv[1])
print(",".join(name for name in sys.argv[2].split(",") if name in sys.modules))
"""
_MLFLOW = """
import sys
import mlflow
mlflow.set_tracking_uri(sys.argv[2])
mlflow.dspy.load_model(sys.argv[1])
"""


@click.command(help=__doc__)
@click.option("--rounds", default=5, show_default=True, help="Processes of each kind; the median counts.")
def main(rounds: int) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as folder:
        version, store = Path(folder, "version"), f"sqlite:///{folder}/mlflow.db"
        uri = _prepared(version, store, folder)
        ours, theirs, imported = [], [], ""
        for _ in range(rounds):
            seconds, imported = _started(_OURS, str(version), ",".join(HEAVY))
            ours.append(seconds)
            theirs.append(_started(_MLFLOW, uri, store)[0])
    print(f"programs.load            {statistics.median(ours):6.2f} s")
    print(f"mlflow.dspy.load_model   {statistics.median(theirs):6.2f} s")
    print(f"heavy modules that programs.load imported: {imported or 'none'} (of {', '.join(HEAVY)})")
    print(verdict("fresh process to a loaded program", statistics.median(ours) / statistics.median(theirs), 0.5))


def _prepared(version: Path, store: str, folder: str) -> str:
    """Writes the program both ways; the address of MLflow's."""
    import mlflow

    program = Trace(bank=CaseBank(to_cases(load_corpus("starter").train)))
    backbone = Backbone.of("embedded")
    save(program, version, backbone)
    program.set_lm(backbone.lm())
    mlflow.set_tracking_uri(store)
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("load", artifact_location=f"{folder}/artifacts"))
    with mlflow.start_run():
        return str(mlflow.dspy.log_model(program, name="program", pip_requirements=["dspy"]).model_uri)


def _started(code: str, *arguments: str) -> tuple[float, str]:
    """Seconds from the start of a process to its end, and what it printed."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=os.environ, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        raise click.ClickException(f"a process failed:\n{done.stderr}")
    return seconds, done.stdout.strip()


if __name__ == "__main__":
    main()
