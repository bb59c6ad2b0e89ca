"""What the tagger's commands print; trained on made-up data."""

from pathlib import Path

import pytest

from apps.tagger_command import shown, trained
from metrics.linear_tagger import LinearTagger
from metrics.tagger import TaggerError
from tests.metrics.tagged import written


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained tagger."""
    out = tmp_path_factory.mktemp("out") / "tagger"
    trained(written(tmp_path_factory.mktemp("data")), out)
    return out


def test_training_tells_its_steps_on_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(written(tmp_path / "data"), tmp_path / "tagger")
    told = capsys.readouterr()
    assert (told.out, told.err.splitlines()[0]) == ("", "reading the data")


def test_training_returns_the_held_out_table_and_the_caution(tmp_path: Path) -> None:
    text = trained(written(tmp_path / "data"), tmp_path / "tagger")
    assert "emotion, accuracy " in text and "do not pass the folder on" in text


def test_an_occupied_place_is_refused_before_the_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.tex").write_text("x", "utf-8")
    with pytest.raises(TaggerError, match="no tagger: choose another place"):
        trained(written(tmp_path / "data"), tmp_path)
    assert capsys.readouterr().err == ""


def test_every_figure_is_shown_with_its_interval(folder: Path) -> None:
    figures = LinearTagger.load(folder).identity()["held_out"]
    lines = {line[:32].strip(): line for line in shown(folder).splitlines()}
    assert [name for name in figures if "[" not in lines.get(name, "")] == []


def test_data_and_licences_are_shown(folder: Path) -> None:
    assert "empathetic_dialogues/train.jsonl.gz (CC BY-NC 4.0)" in shown(folder)


def test_a_folder_without_a_tagger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TaggerError, match="no tagger at"):
        shown(tmp_path)
