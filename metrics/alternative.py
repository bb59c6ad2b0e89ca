"""The alternative annotator test: may a judge stand in for a human rater?

Source: Calderon, Reichart and Dror (ACL 2025, arXiv 2501.10970), section 3. Each human is left out in turn. On each of
their items, judge and human are compared with the other humans by root mean squared distance, and the nearer one wins
(both do if they are equally near). The judge beats that human if a one-sided paired t-test says that it wins nearly as
often or more often: less than epsilon below the human. The p-values are corrected after Benjamini and Yekutieli. The
winning rate is the share of humans it beats, and it passes at one half.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scipy import stats
from statsmodels.stats.multitest import multipletests

from metrics.agreement import whole
from metrics.compare import by_conversation
from metrics.raters import Ratings

EPSILON = 0.2
"""What the paper allows a judge that stands in for experts; .15 for trained raters, .1 for a crowd."""
FEWEST_HUMANS, FEWEST_ITEMS = 3, 30
_ERROR, _PASS = 0.05, 0.5


@dataclass(frozen=True, slots=True)
class AltTest:
    """The outcome. `winning_rate`, `advantage` and `passed` are None together."""

    winning_rate: float | None
    """Share of the humans that the judge beats."""
    advantage: float | None
    """How often the judge is at least as near to the others as the left-out human: the mean over humans."""
    humans: int
    """Raters with enough items."""
    reason: str = ""
    """Why it is undefined; empty where it is not."""

    @property
    def passed(self) -> bool | None:
        """The judge beats at least half of the humans."""
        return None if self.winning_rate is None else self.winning_rate >= _PASS

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return asdict(self)


def alt_test(
    judged: Sequence[float], ratings: Ratings, conversations: Sequence[Hashable], epsilon: float = EPSILON
) -> AltTest:
    """Runs the test.

    Args:
        judged: the judge's level of each item, in [0, 4]; rounded to whole ones, since the humans gave such.
        ratings: by item, the level that each human gave, in [0, 4].
        conversations: the conversation of each item; items of one count as one.
        epsilon: by how much less often than the human the judge may win, in [0, 1].

    Returns:
        The outcome; undefined with fewer than three humans who share 30 conversations or more with others.

    Raises:
        ValueError: the three differ in length, or a level of the judge is outside [0, 4].
    """
    items = list(zip(map(whole, judged), ratings, conversations, strict=True))
    contests = [rows for rows in _contests(items) if len({group for group, *_ in rows}) >= FEWEST_ITEMS]
    if len(contests) < FEWEST_HUMANS:
        reason = f"{len(contests)} raters share {FEWEST_ITEMS} items with others; {FEWEST_HUMANS} are needed"
        return AltTest(None, None, len(contests), reason)
    gaps = [by_conversation((group, human - judge) for group, judge, human in rows) for rows in contests]
    beaten = multipletests([_p_value(gap, epsilon) for gap in gaps], alpha=_ERROR, method="fdr_by")[0]
    wins = [by_conversation((group, judge) for group, judge, _ in rows) for rows in contests]
    advantage = math.fsum(math.fsum(won) / len(won) for won in wins) / len(wins)
    return AltTest(float(beaten.mean()), advantage, len(contests))


def _contests(items: Sequence[tuple[int, Mapping[str, float], Hashable]]) -> list[list[tuple[Hashable, float, float]]]:
    """For each human, left out: conversation, whether the judge wins and whether the human does, by item."""
    raters = sorted({rater for _, given, _ in items for rater in given})
    return [
        [(group, *_contest(judge, rater, given)) for judge, given, group in items if rater in given and len(given) > 1]
        for rater in raters
    ]


def _contest(judge: float, rater: str, given: Mapping[str, float]) -> tuple[float, float]:
    """Whether the judge wins and whether the left-out human does, 0 or 1 each."""
    others = [level for name, level in given.items() if name != rater]
    of_judge, of_human = (math.fsum((level - one) ** 2 for one in others) for level in (judge, given[rater]))
    equal = math.isclose(of_judge, of_human, abs_tol=1e-9)
    return float(of_judge < of_human or equal), float(of_human < of_judge or equal)


def _p_value(gaps: Sequence[float], epsilon: float) -> float:
    """That the human wins by epsilon or more; without any spread the mean alone decides."""
    if max(gaps) == min(gaps):
        return float(gaps[0] >= epsilon)
    return float(stats.ttest_1samp(gaps, epsilon, alternative="less").pvalue)
