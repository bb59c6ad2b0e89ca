"""Imports run one way, and an app that loads a program pays for nothing it does not use."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("programs", "metrics", "optimizers", "apps")
"""Each may import itself and what stands before it."""
HEAVY = ("mlflow", "litellm", "optuna", "datasets", "sklearn")
LIGHT = {"programs", "dspy", "bm25s"}
"""What `programs` may import besides the standard library."""
LATE = {"xllamacpp", "huggingface_hub"}
"""What `programs` may import inside functions, since not every install has it."""


def imports(tree: ast.AST, *, inside: bool = False) -> Iterator[tuple[str, bool]]:
    """Top-level package of each import, and whether it is inside a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield ("." if node.level else (node.module or "")).split(".")[0] or ".", inside
        else:
            yield from imports(node, inside=inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[tuple[str, bool]]:
    return set(imports(ast.parse(path.read_text("utf-8"), str(path))))


FILES = [(room, path) for room in ROOMS for path in sources(room)]
NAMES = [str(path.relative_to(ROOT)) for _, path in FILES]


@pytest.mark.parametrize(("room", "path"), FILES, ids=NAMES)
def test_a_room_imports_only_rooms_before_it(room: str, path: Path) -> None:
    later = set(ROOMS[ROOMS.index(room) + 1 :]) | {"tests", "benchmarks"}
    assert {name for name, _ in imported(path)} & later == set()


@pytest.mark.parametrize("path", sources("programs"), ids=lambda path: path.name)
def test_programs_imports_little(path: Path) -> None:
    allowed = LIGHT | LATE | set(sys.stdlib_module_names)
    assert {name for name, _ in imported(path)} - allowed == set()


@pytest.mark.parametrize("path", sources("programs"), ids=lambda path: path.name)
def test_optional_packages_are_imported_late(path: Path) -> None:
    assert {name for name, inside in imported(path) if not inside} & LATE == set()


@pytest.mark.parametrize("modules", ["programs", "programs.loading", "programs.catalogue, programs.embedded"])
def test_importing_programs_loads_nothing_heavy(modules: str) -> None:
    report = f"import {modules}, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", report], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
