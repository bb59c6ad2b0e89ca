"""A program that is saved and loaded is the same program, and what is on disk is only the program."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from optimizers.corpora import load_corpus, to_cases
from programs import load, save
from programs.backbones import Backbone
from programs.cases import CaseBank
from programs.errors import BackboneError
from programs.loading import read_manifest
from programs.manifest import LARGEST, stages_of, state_of
from programs.prompts import rendered
from programs.staged import Configuration
from programs.trace import Trace
from tests.programs.versions import BACKBONE, KEY, PROGRAMS, READER, contents, edit, full, read

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("versions")
    return {name: save(make(), home / str(number), BACKBONE) for number, (name, make) in enumerate(PROGRAMS.items())}


SAME = {
    "class": lambda program: type(program).__name__,
    "state": state_of,
    "prompts": rendered,
    "configuration": lambda program: program.configured(),
    "signatures": stages_of,
    "cases": lambda program: program.bank.cases,
    "reader": lambda program: program.reader,
}


@pytest.mark.parametrize("what", SAME)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_loaded_is_what_was_saved(name: str, what: str, folders: dict[str, Path]) -> None:
    assert SAME[what](load(folders[name], BACKBONE)) == SAME[what](PROGRAMS[name]())


@pytest.mark.parametrize("name", PROGRAMS)
def test_saving_what_was_loaded_changes_no_byte(name: str, folders: dict[str, Path], tmp_path: Path) -> None:
    again = save(load(folders[name], BACKBONE), tmp_path / "again", BACKBONE)
    assert contents(again) == contents(folders[name])


def test_the_prompts_on_disk_are_those_of_the_program(folders: dict[str, Path]) -> None:
    assert (folders["trace with everything"] / "prompt.md").read_text("utf-8") == rendered(full())


def test_a_loaded_program_answers(folders: dict[str, Path]) -> None:
    assert load(folders["trace with everything"], BACKBONE)(dialogue="I lost it").reply == "A scripted reply."


def test_a_backbone_of_its_own_is_bound_to_every_stage(folders: dict[str, Path]) -> None:
    assert all(stage.lm is not None for stage in load(folders["trace"], BACKBONE).stages.values())


def test_two_loads_share_no_demo(folders: dict[str, Path]) -> None:
    one, other = (load(folders["trace with everything"], BACKBONE) for _ in range(2))
    one.stages["affect"].demos.clear()
    assert len(other.stages["affect"].demos) == 2


def test_the_classes_signature_stays_as_it_is(folders: dict[str, Path]) -> None:
    load(folders["trace with everything"], BACKBONE)
    assert state_of(Trace()) == state_of(PROGRAMS["trace"]())


@pytest.mark.parametrize("word", [KEY, "planted-model", "augmented", "train-1", "pickle", "dspy.", str(ROOT)])
def test_no_model_key_or_foreign_field_is_written(word: str, folders: dict[str, Path]) -> None:
    assert word.encode() not in b"".join(contents(folders["bound to a model"]).values())


def test_a_version_holds_these_files_and_no_other(tmp_path: Path) -> None:
    assert set(contents(save(full(), tmp_path / "v", BACKBONE, report="# Report"))) == set(LARGEST)


def test_without_reader_and_report_their_files_are_left_out(folders: dict[str, Path]) -> None:
    assert set(contents(folders["trace"])) == set(LARGEST) - {"reader.json", "report.md"}


def test_details_stand_in_the_manifest(tmp_path: Path) -> None:
    details = {"recipe": {"name": "r"}, "seed": 3, "scores": {"joint": [0.5, 1.0]}}
    manifest = read_manifest(save(Trace(), tmp_path / "v", BACKBONE, details=details))
    assert {key: manifest[key] for key in details} == details


def test_a_switch_that_an_older_version_lacks_stays_at_its_default(tmp_path: Path) -> None:
    edit(save(full(), tmp_path / "v", BACKBONE), "manifest.json", lambda m: m["configuration"].pop("by_situation"))
    assert load(tmp_path / "v", BACKBONE).configuration == full().configuration


def test_its_own_backbone_is_taken_where_none_is_named(tmp_path: Path) -> None:
    embedded = Backbone.of("embedded")
    manifest = read_manifest(save(Trace(), tmp_path / "v", embedded))
    assert manifest["backbone"] == embedded.identity()


UNKNOWN = {
    "no profile of this release": (BACKBONE, "compiled for the backbone 'nobody/scripted': name a backbone"),
    "a file of the user's": (Backbone("mine", "embedded/mine"), "compiled for the backbone 'mine': name a backbone"),
    "a profile of that name with another model": (
        replace(Backbone.of("embedded"), model="embedded/other"),
        r"another backbone 'embedded' than this release has \(model differs\): name a backbone",
    ),
}


@pytest.mark.parametrize(("backbone", "words"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_backbone_must_be_named_where_the_versions_own_is(backbone: Backbone, words: str, tmp_path: Path) -> None:
    save(Trace(), tmp_path / "v", backbone)
    with pytest.raises(BackboneError, match=words):
        load(tmp_path / "v")


def test_an_unknown_backbone_is_refused(folders: dict[str, Path]) -> None:
    with pytest.raises(BackboneError, match="unknown backbone 'nothing'"):
        load(folders["trace"], "nothing")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bank = CaseBank(to_cases(load_corpus("starter").train))
    return save(Trace(Configuration(), bank, READER), tmp_path_factory.mktemp("large") / "v", BACKBONE)


def test_a_version_with_the_starter_bank_is_loaded_in_time(large: Path) -> None:
    load(large, BACKBONE)
    started = time.process_time()
    load(large, BACKBONE)
    assert time.process_time() - started < 0.1


def test_the_manifest_is_small_enough_to_read(large: Path) -> None:
    assert (large / "manifest.json").stat().st_size < 16_384


def test_every_line_of_the_manifest_is_json_of_known_order(large: Path) -> None:
    assert list(read(large, "manifest.json"))[:3] == ["format", "program", "configuration"]
