"""README.md and .ci/run name one and the same test command."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MARK = "<!-- test command -->"
SKIPPED_LINES = ("", "set -euo pipefail", 'cd "$(dirname "$0")/.."')


def readme_command() -> str:
    """The command in the code block below the mark."""
    readme = ROOT / "README.md"
    if not readme.is_file():
        pytest.fail("README.md is missing")
    found = re.search(rf"^{re.escape(MARK)}\n+```\w*\n(?P<command>.+)\n```$", readme.read_text("utf-8"), re.MULTILINE)
    if found is None:
        pytest.fail(f"README.md has no code block of one line below {MARK}")
    return found["command"]


def ci_commands() -> list[str]:
    """What .ci/run does, apart from comments and going to the checkout."""
    lines = (re.split(r"(?:^|\s)# |^#!", line)[0].strip() for line in (ROOT / ".ci" / "run").read_text().splitlines())
    return [line for line in lines if line not in SKIPPED_LINES]


def test_ci_runs_the_readmes_command_on_a_fresh_environment() -> None:
    assert ci_commands() == ["rm -rf .venv", readme_command()]


def test_ci_can_be_started_as_it_is() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
