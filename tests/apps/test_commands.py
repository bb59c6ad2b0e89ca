"""The commands as a person at a terminal meets them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from apps.cli import main
from programs import Backbone, Case, CaseBank, Configuration, Trace, save
from tests.loopback import chat_endpoint
from tests.optimizers.invented import corpus_file, profile_file

COMMANDS = ("compile", "runs", "recipes", "programs", "respond", "show", "versions")


def called(*arguments: str, given: str = "") -> Result:
    """The result of a command line."""
    return CliRunner().invoke(main, list(arguments), input=given)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A saved version."""
    bank = CaseBank([Case("c1", "my kite tore", "A torn kite.", emotion="sad")])
    return save(Trace(Configuration(cases=1), bank), tmp_path / "version", Backbone.of("embedded"))


def test_help_lists_every_command() -> None:
    shown = called("--help").output
    assert [name for name in COMMANDS if name not in shown] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page(command: str) -> None:
    assert "Usage:" in called(command, "--help").output


def test_recipes_names_the_default_and_its_calls() -> None:
    assert "stagewise" in called("recipes").output


def test_programs_names_the_baselines() -> None:
    assert "single-call" in called("programs").output


def test_show_prints_the_exact_prompts(folder: Path) -> None:
    assert "Name the one emotion that the speaker feels" in called("show", str(folder)).output


def test_versions_of_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    assert "run `trace-erg compile`" in called("versions", "--store", f"sqlite:///{tmp_path / 'none.db'}").output


@pytest.mark.parametrize(
    ("arguments", "given", "shows"),
    [
        (("respond", "My kettle broke."), "", "A stub reply."),
        (("respond", "-"), "My kettle broke.", "A stub reply."),
        (("respond", '[{"role": "speaker", "text": "My kettle broke."}]'), "", "A stub reply."),
        (("respond", "My kettle broke.", "--explain"), "", "emotion"),
        (("respond", "[shrugs] My kettle broke."), "", "A stub reply."),
    ],
)
def test_respond_answers(folder: Path, tmp_path: Path, arguments: tuple[str, ...], given: str, shows: str) -> None:
    with chat_endpoint() as endpoint:
        profile = profile_file(tmp_path, endpoint.url)
        result = called(*arguments, "--version", str(folder), "--backbone", profile, given=given)
    assert shows in result.output


def test_respond_prints_the_whole_reading_as_json(folder: Path, tmp_path: Path) -> None:
    with chat_endpoint() as endpoint:
        profile = profile_file(tmp_path, endpoint.url)
        result = called("respond", "My kettle broke.", "--json", "--version", str(folder), "--backbone", profile)
    assert json.loads(result.output)["usage"]["calls"] == 4


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("respond", " ", "--version", "FOLDER"), "the dialogue is empty"),
        (("respond", '[{"role": "listener", "text": "Hello."}]', "--version", "FOLDER"), "the listener speaks last"),
        (("respond", '[{"role": "speaker"', "--version", "FOLDER"), "starts like a JSON list"),
        (("respond", "Hi.", "--version", "FOLDER", "--backbone", "nobody"), "unknown backbone"),
        (("respond", "Hi.", "--version", "99", "--store", "STORE"), "no version is recorded"),
        (("show", "nowhere", "--store", "STORE"), "no version is recorded"),
        (("compile", "--recipe", "magic"), "no recipe 'magic'"),
        (("compile", "--program", "magic"), "unknown program 'magic'"),
        (("compile", "--corpus", "magic"), "magic"),
        (("compile", "--corpus", "jsonl:/nowhere.jsonl"), "nowhere.jsonl"),
        (("compile", "--field", "emotion"), "OURS=THEIRS"),
        (("compile", "--minutes", "0"), "more than 0"),
        (("compile", "--program", "plain"), "use labeled"),
        (("compile", "--runs", "FILE/runs", "--corpus", "CORPUS"), "Not a directory"),
    ],
)
def test_bad_input_gets_one_clear_line(folder: Path, tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    (tmp_path / "file").touch()
    names = {
        "FOLDER": str(folder),
        "STORE": f"sqlite:///{tmp_path / 'none.db'}",
        "FILE/runs": str(tmp_path / "file" / "runs"),
        "CORPUS": corpus_file(tmp_path),
    }
    result = called(*(names.get(argument, argument) for argument in arguments))
    assert (result.exit_code, says in result.stderr, len(result.stderr.strip().splitlines())) == (1, True, 1)


def test_standard_input_that_is_no_text_gets_one_clear_line(folder: Path) -> None:
    result = CliRunner().invoke(main, ["respond", "-", "--version", str(folder)], input=b"\xff\xfe\x00")
    assert "standard input is no utf-8 text" in result.stderr
