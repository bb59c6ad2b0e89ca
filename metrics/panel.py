"""Several judges as one: the mean for dimensions, the majority for gates, and the spread beside both."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median_low
from typing import Any

from metrics.judge import Judge
from metrics.judgement import Judgement
from metrics.rubric import Rubric
from programs.errors import JudgeError


@dataclass(frozen=True)
class Panel:
    """Judges that share a rubric; best of different model families (Verga et al. 2024, arXiv 2404.18796).

    Raises:
        JudgeError: fewer than two, the same judge twice, or different rubrics.
    """

    judges: Sequence[Judge]

    def __post_init__(self) -> None:
        if len(self.judges) < 2:
            raise JudgeError("a panel needs at least two judges")
        if len({judge.rubric.identity for judge in self.judges}) > 1:
            raise JudgeError("the judges of a panel must share one rubric")
        if len({str(judge.identity()) for judge in self.judges}) < len(self.judges):
            raise JudgeError("the same judge sits twice on the panel: name different backbones")

    @property
    def rubric(self) -> Rubric:
        """What all of them look for."""
        return self.judges[0].rubric

    def identity(self) -> dict[str, Any]:
        """The members' identities, in order."""
        return {"panel": [judge.identity() for judge in self.judges]}

    def judge(self, dialogue: str, reply: str) -> Judgement:
        """Joined over the members that could judge; unscored where half of them or more could not."""
        found = [judge.judge(dialogue, reply) for judge in self.judges]
        scored = [one for one in found if one.scored]
        if 2 * len(scored) <= len(found):
            reasons = "; ".join(one.reason for one in found if not one.scored)
            return Judgement.unscored(f"{len(found) - len(scored)} of {len(found)} judges gave no judgement: {reasons}")
        return _joined(scored, self.rubric)


def _joined(members: Sequence[Judgement], rubric: Rubric) -> Judgement:
    """A gate takes the lower median, which is shut exactly where at least half of the members shut it."""
    by_scale = {name: [one.levels[name] for one in members] for name in rubric.scales}
    levels = {name: median_low(given) if name in rubric.gates else fmean(given) for name, given in by_scale.items()}
    return Judgement.of(
        levels,
        {name: _evidence(members, name, level) for name, level in levels.items()},
        2 * sum(one.addresses_grader for one in members) >= len(members),
        {name: max(given) - min(given) for name, given in by_scale.items()},
    )


def _evidence(members: Sequence[Judgement], scale: str, level: float) -> str:
    """What the member closest to the joint level pointed at."""
    closest = min(members, key=lambda one: abs(one.levels[scale] - level))
    return closest.evidence.get(scale, "")
