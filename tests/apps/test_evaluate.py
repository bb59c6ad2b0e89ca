"""`trace-erg evaluate` and `trace-erg judge` as a person at a terminal meets them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from apps.cli import main
from optimizers.registry import Registry
from programs import Backbone, Case, CaseBank, Configuration, Trace, save
from tests.loopback import chat_endpoint
from tests.metrics.labelled import ROWS
from tests.optimizers.invented import corpus_file, profile_file, rows

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder of its own."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return lambda *arguments: CliRunner().invoke(main, [*arguments])


def replies(folder: Path) -> str:
    """A reply file for the invented corpus."""
    path = folder / "peer.jsonl"
    test = [row for row in rows() if row["split"] == "test"]
    path.write_text("".join(json.dumps({"id": row["id"], "reply": row["reply"]}) + "\n" for row in test), "utf-8")
    return str(path)


def test_a_reply_file_gets_a_report_card(tmp_path: Path, run: Run) -> None:
    out, store = tmp_path / "out", f"sqlite:///{tmp_path / 'm.db'}"
    result = run("evaluate", replies(tmp_path), "--corpus", corpus_file(tmp_path), "--out", str(out), "--store", store)
    assert (result.exit_code, "bleu 4" in result.output) == (0, True)


def test_the_report_is_written_and_logged(tmp_path: Path, run: Run) -> None:
    out, store = tmp_path / "out", f"sqlite:///{tmp_path / 'm.db'}"
    run("evaluate", replies(tmp_path), "--corpus", corpus_file(tmp_path), "--out", str(out), "--store", store)
    client = Registry(store).store.client()
    found = client.search_runs([client.get_experiment_by_name("trace-erg").experiment_id])[0]
    assert (sorted(path.name for path in out.iterdir()), "overlap.bleu_4" in found.data.metrics) == (
        ["card.json", "chart.png", "report.md"],
        True,
    )


def test_a_version_is_run_and_scored(tmp_path: Path, run: Run) -> None:
    bank = CaseBank([Case("c1", "my kite tore", "A torn kite.", emotion="sad")])
    version = save(Trace(Configuration(cases=1), bank), tmp_path / "version", Backbone.of("embedded"))
    with chat_endpoint() as endpoint:
        profile = profile_file(tmp_path, endpoint.url)
        result = run(
            "evaluate", str(version), "--backbone", profile, "--corpus", corpus_file(tmp_path), "--items", "4",
            "--store", f"sqlite:///{tmp_path / 'm.db'}", "--out", str(tmp_path / "out"),
        )  # fmt: skip
    assert ("completion tokens" in result.output or "calls" in result.output, result.exit_code) == (True, 0)


def test_two_systems_are_compared_on_the_items_both_answered(tmp_path: Path, run: Run) -> None:
    rival = tmp_path / "rival.jsonl"
    rival.write_text(json.dumps({"id": "Turin-sad", "reply": "I am so sorry to hear that."}) + "\n", "utf-8")
    common = ("--corpus", corpus_file(tmp_path), "--store", f"sqlite:///{tmp_path / 'm.db'}")
    result = run("evaluate", replies(tmp_path), "--against", str(rival), *common)
    assert (result.exit_code, "peer against rival, 1 items" in result.output) == (0, True)


def test_a_model_does_not_judge_itself_unasked(tmp_path: Path, run: Run) -> None:
    version = save(Trace(Configuration(cases=0), CaseBank(())), tmp_path / "version", Backbone.of("embedded"))
    result = run("evaluate", str(version), "--judge", "embedded", "--corpus", corpus_file(tmp_path))
    assert (result.exit_code, "--same-model" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("evaluate", "nowhere.jsonl"), "nowhere.jsonl"),
        (("evaluate", "99"), "no version is recorded"),
        (("evaluate", "PEER", "--corpus", "magic"), "magic"),
        (("evaluate", "PEER"), "none of its 8 ids"),
        (("evaluate", "PEER", "--corpus", "CORPUS", "--judge", "nobody"), "unknown backbone"),
        (("evaluate", "PEER", "--corpus", "CORPUS", "--certificate", "none.json"), "none.json"),
        (("evaluate", "PEER", "--corpus", "CORPUS", "--tagger", "none"), "none"),
        (("evaluate", "PEER", "--corpus", "CORPUS", "--perplexity", "none"), "holds no weights"),
        (("judge", "calibrate", "--labels", "none.jsonl"), "none.jsonl"),
        (("judge", "attack", "--corpus", "magic"), "magic"),
        (("tagger", "train", "--data", "none"), "none"),
        (("tagger", "show", "none"), "none"),
    ],
)
def test_bad_input_ends_with_one_clear_line(tmp_path: Path, run: Run, arguments: tuple[str, ...], says: str) -> None:
    names = {"PEER": replies(tmp_path), "CORPUS": corpus_file(tmp_path)}
    result = run(*(names.get(argument, argument) for argument in arguments))
    assert (result.exit_code, says in result.stderr.strip().splitlines()[-1]) == (1, True)


def test_the_rules_alone_do_not_pass_the_suite(run: Run) -> None:
    result = run("judge", "attack", "--suite", "development")
    assert (result.exit_code, "what a rule can tell, ranked higher" in result.output) == (1, True)


def test_a_judge_is_certified_from_labels(tmp_path: Path, run: Run) -> None:
    row = ROWS["kumar2026_ed"]
    labels = tmp_path / "kumar2026_ed.jsonl"
    labels.write_text("".join(json.dumps({**row, "conv_id": f"c{n}"}) + "\n" for n in range(24)), "utf-8")
    with chat_endpoint() as endpoint:
        profile = profile_file(tmp_path, endpoint.url)
        result = run(
            "judge", "calibrate", "--labels", str(labels), "--judge", profile, "--out", str(tmp_path / "c.json")
        )
    assert (result.exit_code, json.loads((tmp_path / "c.json").read_text("utf-8"))["format"]) == (0, 1)


def test_a_crowd_certifies_nobody(tmp_path: Path, run: Run) -> None:
    labels = tmp_path / "empo_he.jsonl"
    labels.write_text(json.dumps(ROWS["empo_he"]) + "\n", "utf-8")
    result = run("judge", "calibrate", "--labels", str(labels))
    assert (result.exit_code, "crowd" in result.stderr) == (1, True)
