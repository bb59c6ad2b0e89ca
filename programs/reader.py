"""A linear reader of emotion: what compiling can fit from a corpus, as plain data, without a model call.

It proposes candidates to the affect stage, and weighs the stage's answer against its own belief (`settle`).
"""

import base64
import itertools
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from programs.errors import VersionError
from programs.vocabulary import BASIC

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[!?]")
_STEM = 5


def features(text: str) -> set[str]:
    """Words, neighbouring pairs and five-letter stems of a text, lower-cased: what the reader weighs."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    pairs = {f"{first} {second}" for first, second in itertools.pairwise(words)}
    return {*words, *pairs, *(f"{word[:_STEM]}*" for word in words if len(word) > _STEM)}


@dataclass(frozen=True)
class LinearReader:
    """Weights of features for each label, and how far to trust an answer against them."""

    labels: tuple[str, ...]
    weights: Mapping[str, bytes]
    """One signed byte a label for each feature, already multiplied with its inverse document frequency."""
    norms: Mapping[str, float]
    """Inverse document frequency of each feature, for the length of a text's vector."""
    scale: float
    """What one unit of a byte is worth."""
    bias: tuple[float, ...]
    sharpness: float
    """Inverse temperature that turns scores into probabilities."""
    trust: float = 0.5
    """Chance that the affect stage's answer is the true label on purpose."""
    kin: float = 0.0
    """Chance that it is, on purpose, a label of the same six-way group. The rest of the time it follows habit."""
    habits: Mapping[str, float] | None = None
    """How often the affect stage gives each answer, whatever is true."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "LinearReader":
        return self

    def probabilities(self, text: str) -> dict[str, float]:
        """The belief in each label, summing to 1."""
        rows = [(self.norms[name], self.weights[name]) for name in features(text) if name in self.weights]
        length = math.sqrt(sum(norm * norm for norm, _ in rows)) or 1.0
        scores = list(self.bias)
        for _, row in rows:
            for index, byte in enumerate(row):
                if byte:
                    scores[index] += (byte - 256 if byte > 127 else byte) * self.scale / length
        top = max(scores)
        powers = [math.exp(self.sharpness * (score - top)) for score in scores]
        total = sum(powers)
        return {label: power / total for label, power in zip(self.labels, powers, strict=True)}

    def weighed(self, belief: Mapping[str, float], answer: str) -> dict[str, float]:
        """The belief after the affect stage answered (Bayes' rule), summing to 1.

        With chance `trust` the answer is the true label, with chance `kin` one of its six-way group, and otherwise
        drawn from the stage's habits: an answer that the stage gives all the time moves little. One that the belief
        holds impossible moves nothing.
        """
        habit = self._habit(answer)
        group = sum(self._habit(label) for label in self.labels if BASIC[label] == BASIC[answer]) or 1.0
        shares = {
            label: share
            * (
                self.trust * (label == answer)
                + self.kin * (BASIC[label] == BASIC[answer]) * habit / group
                + (1 - self.trust - self.kin) * habit
            )
            for label, share in belief.items()
        }
        total = sum(shares.values())
        return {label: share / total for label, share in shares.items()} if total else dict(belief)

    def _habit(self, answer: str) -> float:
        return (self.habits or {}).get(answer, 1 / len(self.labels))

    def settle(self, belief: Mapping[str, float], answer: str) -> str:
        """The likeliest label, given the belief and the affect stage's answer."""
        weighed = self.weighed(belief, answer)
        return max(weighed, key=weighed.__getitem__)


def write_reader(reader: LinearReader, path: Path) -> None:
    """As JSON: numbers, words and one base64 text a feature."""
    path.write_text(
        json.dumps(
            {
                "labels": reader.labels,
                "scale": reader.scale,
                "bias": [round(value, 5) for value in reader.bias],
                "sharpness": reader.sharpness,
                "trust": reader.trust,
                "kin": reader.kin,
                "habits": dict(reader.habits or {}),
                "features": {
                    name: [round(reader.norms[name], 4), base64.b64encode(row).decode()]
                    for name, row in reader.weights.items()
                },
            },
            ensure_ascii=False,
        ),
        "utf-8",
    )


def read_reader(path: Path) -> LinearReader:
    """The reader that `write_reader` wrote.

    Raises:
        VersionError: the file is not such a reader.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        labels = tuple(str(label) for label in data["labels"])
        rows = {str(name): base64.b64decode(row, validate=True) for name, (_, row) in data["features"].items()}
        numbers = _numbers(data[name] for name in ("scale", "sharpness", "trust", "kin"))
        bias = _numbers(data["bias"])
        norms = dict(zip(data["features"], _numbers(norm for norm, _ in data["features"].values()), strict=True))
        habits = dict(zip(data["habits"], _numbers(data["habits"].values()), strict=True))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VersionError(f"{path.name} is not a linear reader: {error!r}") from error
    scale, sharpness, trust, kin = numbers
    if not labels or len(set(labels)) != len(labels) or not set(labels) <= BASIC.keys():
        raise VersionError(f"{path.name}: labels are missing, repeated or no emotions")
    if min(trust, kin, 1 - trust - kin, *habits.values()) < -1e-9:
        raise VersionError(f"{path.name}: a chance is below 0, or trust and kin exceed 1")
    if len(bias) != len(labels) or any(len(row) != len(labels) for row in rows.values()):
        raise VersionError(f"{path.name}: rows and labels differ in length")
    return LinearReader(labels, rows, norms, scale, bias, sharpness, trust, kin, habits or None)


def _numbers(values: Iterable[Any]) -> tuple[float, ...]:
    numbers = tuple(float(value) for value in values)
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError("a number is not finite")
    return numbers
