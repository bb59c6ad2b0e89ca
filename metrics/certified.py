"""A judge that may count in an objective: the dimensions that its certificate vouches for, with their cut points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from metrics.batch import judge_all
from metrics.judge import Judge
from metrics.judgement import Judgement
from metrics.merit import merit
from metrics.score import Score
from programs.errors import JudgeError

if TYPE_CHECKING:
    from metrics.certificate import Certificate

Pair = tuple[str, str]
"""A dialogue and a reply to it."""


@dataclass(frozen=True)
class CertifiedJudge:
    """Build one with `CertifiedJudge.of`.

    Raises:
        JudgeError: the certificate belongs to another judge or rubric, or vouches for nothing.
    """

    judge: Judge = field(repr=False)
    certificate: "Certificate"
    found: Mapping[Pair, Judgement] = field(default_factory=dict, repr=False)
    """Judgements of a batch; other pairs are judged when they are asked for."""

    def __post_init__(self) -> None:
        self.certificate.covers(self.judge.identity(), self.judge.rubric.identity)
        if not self.dimensions:
            raise JudgeError("the certificate vouches for no dimension of this judge: it cannot count in an objective")

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions that count, in the rubric's order."""
        return tuple(name for name in self.judge.rubric.dimensions if name in self.certificate.certified)

    def batch(
        self, pairs: Sequence[Pair], threads: int = 4, on_item: Callable[[int, int], None] | None = None
    ) -> "CertifiedJudge":
        """The same judge with these pairs judged, canaries among them; if those sing, all of the batch is unscored."""
        distinct = list(dict.fromkeys(pairs))
        judgements = judge_all(self.judge, distinct, threads=threads, on_item=on_item)
        return replace(self, found=dict(zip(distinct, judgements, strict=True)))

    def score(self, dialogue: str, reply: str) -> Score:
        """J of a reply over the certified dimensions; see `merit`."""
        judgement = self.found.get((dialogue, reply)) or self.judge.judge(dialogue, reply)
        return merit(judgement, self.judge.rubric, self.dimensions, self.certificate.cuts)

    def identity(self) -> dict[str, Any]:
        """Judge, rubric and certificate, as plain JSON."""
        return {
            "judge": self.judge.identity(),
            "rubric": self.judge.rubric.identity,
            "certificate": self.certificate.identity,
            "dimensions": list(self.dimensions),
        }
