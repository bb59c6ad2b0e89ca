"""The memory of a judge."""

from pathlib import Path

from metrics.judgement import Judgement
from metrics.memo import Remembering
from tests.metrics.judging import DIALOGUE, GOOD, TableJudge, judgement


def test_the_same_question_is_asked_once() -> None:
    judge = TableJudge({GOOD: judgement()})
    memory = Remembering(judge)
    memory.judge(DIALOGUE, GOOD), memory.judge(DIALOGUE, GOOD)
    assert judge.asked == [GOOD]


def test_another_context_is_another_question() -> None:
    judge = TableJudge({GOOD: judgement()})
    memory = Remembering(judge)
    memory.judge(DIALOGUE, GOOD), memory.judge("speaker: Hello.", GOOD)
    assert judge.asked == [GOOD, GOOD]


def test_what_could_not_be_judged_is_asked_again() -> None:
    judge = TableJudge({}, rest=Judgement.unscored("slow"))
    memory = Remembering(judge)
    memory.judge(DIALOGUE, GOOD), memory.judge(DIALOGUE, GOOD)
    assert len(judge.asked) == 2


def test_a_file_outlives_the_process(tmp_path: Path) -> None:
    Remembering(TableJudge({GOOD: judgement(cognitive=1)}), tmp_path / "memo.jsonl").judge(DIALOGUE, GOOD)
    found = Remembering(TableJudge({}), tmp_path / "memo.jsonl").judge(DIALOGUE, GOOD)
    assert found == judgement(cognitive=1)


def test_another_judge_does_not_inherit_it(tmp_path: Path) -> None:
    Remembering(TableJudge({GOOD: judgement()}), tmp_path / "memo.jsonl").judge(DIALOGUE, GOOD)
    other = TableJudge({}, name="other")
    Remembering(other, tmp_path / "memo.jsonl").judge(DIALOGUE, GOOD)
    assert other.asked == [GOOD]


def test_a_torn_last_line_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "memo.jsonl"
    Remembering(TableJudge({GOOD: judgement()}), path).judge(DIALOGUE, GOOD)
    path.write_text(path.read_text("utf-8") + '{"key": "abc", "lev', "utf-8")
    judge = TableJudge({})
    Remembering(judge, path).judge(DIALOGUE, GOOD)
    assert judge.asked == []
