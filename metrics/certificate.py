"""What is known of a judge: how far it agrees with people, dimension by dimension, and the cuts that bring it there.

A certificate holds for one judge, one rubric and one set of labels, and is sealed with the hash of all it says.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from metrics.agreement import Agreement
from metrics.alternative import AltTest
from metrics.calibration import Cuts
from programs.errors import JudgeError
from programs.manifest import canonical_json, pretty_json

FORMAT = 1
SEAL = "sha256"
_ADVICE = "certify the judge again"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of one dimension of a rubric. Agreement is with the median of the people who rated."""

    label: str
    """What people rated, such as "empathy"."""
    cuts: Cuts
    raw_kappa: Agreement
    """Of the levels as the judge gives them."""
    kappa: Agreement
    """Of calibrated levels, each by cuts that were fitted without its conversation."""
    spearman: Agreement
    """Cuts rise strictly, so it is the same before and after."""
    alternative: AltTest
    """Of the same calibrated levels as `kappa`."""
    humans_kappa: Agreement
    """Mean over pairs of raters."""
    humans_alpha: Agreement
    unscored: int
    """Items that the judge could not score; they are in no way part of the figures."""
    refusal: str = ""
    """Why the dimension is not certified; empty where it is."""

    @property
    def certified(self) -> bool:
        """Whether it may count in an objective."""
        return not self.refusal

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "label": self.label,
            "cuts": {"points": list(self.cuts.points), "reason": self.cuts.reason},
            **{name: getattr(self, name).to_dict() for name in (*_FIGURES, "alternative")},
            "unscored": self.unscored,
            "refusal": self.refusal,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Finding":
        """The inverse of `to_dict`.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        cuts = plain["cuts"]
        return cls(
            label=str(plain["label"]),
            cuts=Cuts(tuple(cuts["points"]), cuts["reason"]),
            alternative=AltTest(**plain["alternative"]),
            unscored=int(plain["unscored"]),
            refusal=str(plain["refusal"]),
            **{name: Agreement(**plain[name]) for name in _FIGURES},
        )


_FIGURES = ("raw_kappa", "kappa", "spearman", "humans_kappa", "humans_alpha")


@dataclass(frozen=True)
class Certificate:
    """Findings by dimension of the rubric, and what they hold for."""

    judge: Mapping[str, Any]
    """The judge's identity, as plain JSON."""
    rubric: str
    """The rubric's identity."""
    labels: Mapping[str, Any]
    """The label set: `name`, `identity` and number of `items`."""
    findings: Mapping[str, Finding] = field(repr=False)

    @property
    def certified(self) -> tuple[str, ...]:
        """The dimensions that may count in an objective."""
        return tuple(name for name, finding in self.findings.items() if finding.certified)

    @property
    def cuts(self) -> dict[str, Cuts]:
        """By dimension, whether certified or not."""
        return {name: finding.cuts for name, finding in self.findings.items()}

    @cached_property
    def identity(self) -> str:
        """SHA-256 of all it says."""
        return _seal(self.to_dict())

    def covers(self, judge: Mapping[str, Any], rubric: str) -> None:
        """Refuses a judge that this certificate says nothing of.

        Args:
            judge: the judge's identity.
            rubric: its rubric's identity.

        Raises:
            JudgeError: the judge or the rubric is another; the message names what differs.
        """
        known, asked = ({name: canonical_json(part) for name, part in one.items()} for one in (self.judge, judge))
        if differing := sorted({name for name, _ in known.items() ^ asked.items()}):
            raise JudgeError(f"the certificate is of another judge, which differs in {', '.join(differing)}: {_ADVICE}")
        if rubric != self.rubric:
            raise JudgeError(
                f"the certificate is for another rubric ({self.rubric[:12]}, not {rubric[:12]}): {_ADVICE}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, without the seal."""
        return {
            "format": FORMAT,
            "judge": dict(self.judge),
            "rubric": self.rubric,
            "labels": dict(self.labels),
            "findings": {name: finding.to_dict() for name, finding in self.findings.items()},
        }

    def save(self, path: Path) -> None:
        """Writes the certificate with its seal, as JSON.

        Raises:
            JudgeError: the file cannot be written.
        """
        try:
            path.write_text(pretty_json({**self.to_dict(), SEAL: self.identity}), "utf-8")
        except OSError as error:
            raise JudgeError(f"cannot write certificate {path}: {error}") from error

    @classmethod
    def load(cls, path: Path) -> "Certificate":
        """A certificate as it was saved.

        Raises:
            JudgeError: there is no such file, it is no certificate of this format, or it was changed after it was
                sealed.
        """
        try:
            plain = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise JudgeError(f"cannot read certificate {path}: {error}") from error
        if not isinstance(plain, dict) or plain.get("format") != FORMAT or SEAL not in plain:
            raise JudgeError(f"{path} is no judge's certificate of format {FORMAT}: {_ADVICE}")
        if plain.pop(SEAL) != _seal(plain):
            raise JudgeError(f"{path} was changed after it was sealed: {_ADVICE}")
        try:
            findings = {name: Finding.from_dict(finding) for name, finding in plain["findings"].items()}
            return cls(dict(plain["judge"]), str(plain["rubric"]), dict(plain["labels"]), findings)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise JudgeError(f"{path} is no judge's certificate: {error}: {_ADVICE}") from error


def _seal(plain: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical_json(plain).encode()).hexdigest()
