"""A run's clock: one answer a question, over all its processes."""

from pathlib import Path

import pytest

from optimizers.clock import Clock


@pytest.mark.parametrize(
    ("seconds", "share", "lasting", "allowed"),
    [(60.0, 1.0, 0.0, True), (0.0, 1.0, 0.0, False), (60.0, 1.0, 61.0, False), (60.0, 0.5, 31.0, False)],
)
def test_work_may_begin_if_it_ends_within_its_share(
    seconds: float, share: float, lasting: float, allowed: bool
) -> None:
    assert Clock(seconds).allows("causes: candidate 1", share, lasting) is allowed


def test_a_question_is_answered_once(tmp_path: Path) -> None:
    clock = Clock(60.0, tmp_path / "decisions.jsonl")
    clock.allows("causes: candidate 1")
    assert clock.allows("causes: candidate 1", lasting=3600.0)


def test_a_continued_run_decides_as_the_killed_one_did(tmp_path: Path) -> None:
    Clock(0.0, tmp_path / "decisions.jsonl").allows("causes: candidate 1")
    assert not Clock(60.0, tmp_path / "decisions.jsonl").allows("causes: candidate 1")


def test_a_continued_run_counts_the_time_before(tmp_path: Path) -> None:
    record = tmp_path / "decisions.jsonl"
    record.write_text('["affect: begin", true, 50.0]\n', "utf-8")
    assert not Clock(60.0, record).allows("causes: candidate 1", lasting=11.0)


def test_a_line_cut_short_by_a_kill_costs_only_itself(tmp_path: Path) -> None:
    record = tmp_path / "decisions.jsonl"
    record.write_text('["affect: begin", true, 5.0]\n["causes: beg', "utf-8")
    Clock(0.0, record).allows("plan: begin")
    assert not Clock(60.0, record).allows("plan: begin")
