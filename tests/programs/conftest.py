"""A written version for each test to spoil."""

import shutil
from pathlib import Path

import pytest

from programs import save
from tests.programs.versions import BACKBONE, full


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(full(), tmp_path_factory.mktemp("written") / "v", BACKBONE, report="# Report\n")


@pytest.fixture
def version(written: Path, tmp_path: Path) -> Path:
    """A version to spoil."""
    return Path(shutil.copytree(written, tmp_path / "v"))
