"""A certificate for readers: one table, and in words why a dimension is not certified or its levels not moved."""

from collections.abc import Iterable, Iterator

from metrics.certificate import Certificate, Finding
from metrics.certifying import RULE
from programs.manifest import canonical_json

_HEADS = (
    "dimension",
    "people rated",
    "certified",
    "kappa as judged",
    "kappa calibrated",
    "Spearman",
    "beats raters",
    "raters' kappa",
    "raters' alpha",
    "items",
    "unscored",
    "cuts",
)


def render(certificate: Certificate) -> str:
    """The certificate in Markdown; intervals are 95 %."""
    labels = certificate.labels
    sources = (
        f"Labels: {labels['name']}, {labels['items']} items ({labels['identity'][:12]}). "
        f"Rubric: {certificate.rubric[:12]}. Judge: `{canonical_json(certificate.judge)}`."
    )
    rows = [_line(_HEADS), _line("---" for _ in _HEADS)]
    rows += [_line(_cells(name, finding)) for name, finding in certificate.findings.items()]
    parts = (
        f"Judge certificate {certificate.identity[:12]}",
        sources,
        "\n".join(rows),
        "\n".join(_notes(certificate)),
        RULE,
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def _cells(name: str, finding: Finding) -> tuple[str, ...]:
    beaten = finding.alternative.winning_rate
    return (
        name,
        finding.label,
        "yes" if finding.certified else "no",
        str(finding.raw_kappa),
        str(finding.kappa),
        str(finding.spearman),
        "–" if beaten is None else f"{beaten:.0%}",
        str(finding.humans_kappa),
        str(finding.humans_alpha),
        str(finding.kappa.n),
        str(finding.unscored),
        ", ".join(f"{point:.2f}" for point in finding.cuts.points),
    )


def _notes(certificate: Certificate) -> Iterator[str]:
    """One line for everything in the table that needs a reason."""
    for name, finding in certificate.findings.items():
        if finding.refusal:
            yield f"- {name} is not certified: {finding.refusal}."
        if finding.cuts.reason:
            yield f"- {name} keeps the judge's levels: {finding.cuts.reason}."
        if finding.alternative.reason:
            yield f"- {name} has no alternative annotator test: {finding.alternative.reason}."


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
