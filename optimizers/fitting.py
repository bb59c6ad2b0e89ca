"""What compiling fits from a corpus without a model call: the linear reader, and how far an answer is trusted."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import dspy
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

from programs.dialogue import Dialogue
from programs.reader import LinearReader, features
from programs.vocabulary import EMOTIONS, GLOSS

_FEATURES = 50_000
_PENALTIES = (0.1, 0.3, 1.0)
_LARGE = 5_000
"""Texts from which on one penalty is enough: it is found to matter little, and each fit takes a while."""
_SHARPNESS = tuple(2.0**power for power in range(-1, 7))
_SHARES = tuple(step / 20 for step in range(20))


def fit_reader(train: Sequence[dspy.Example], validation: Sequence[dspy.Example]) -> LinearReader:
    """A linear reader of the speaker's words: TF-IDF of words, pairs and stems, one-against-rest support vectors.

    Trained on what speakers said and on their situation texts; penalty and sharpness are chosen on `validation` by mean
    log likelihood. Beside a corpus that is small or lacks labels, the glosses of the labels and the starter corpus's
    cue sentences count too.

    Args:
        train: examples; those without an emotion are passed over.
        validation: other examples, never used for the weights.
    """
    texts, labels = _training_texts([example for example in train if "emotion" in example])
    vectorizer = TfidfVectorizer(
        analyzer=features, min_df=2 if len(texts) > 2000 else 1, max_features=_FEATURES, sublinear_tf=True
    )
    matrix = vectorizer.fit_transform(texts)
    held_out = [(said(example), example.emotion) for example in validation if "emotion" in example]
    penalties = _PENALTIES[:1] if len(texts) > _LARGE else _PENALTIES
    fitted = (_packed(vectorizer, LinearSVC(C=penalty, random_state=0).fit(matrix, labels)) for penalty in penalties)
    sharpened = (_sharpened(reader, held_out) for reader in fitted)
    return max(sharpened, key=lambda found: found[1])[0]


def fit_trust(reader: LinearReader, answers: Sequence[str], examples: Sequence[dspy.Example]) -> LinearReader:
    """The reader with the trust under which its belief and the affect stage's answers best explain the true labels.

    Args:
        reader: proposes the belief.
        answers: the affect stage's answer for each of `examples`.
        examples: held-out examples with an emotion; not those the reader was trained on.
    """
    counts = Counter(answers)
    total = len(answers) + len(EMOTIONS)
    habits = {label: (counts[label] + 1) / total for label in EMOTIONS}
    beliefs = [reader.probabilities(said(example)) for example in examples]

    def likelihood(shares: tuple[float, float]) -> float:
        trial = replace(reader, trust=shares[0], kin=shares[1], habits=habits)
        return sum(
            math.log(trial.weighed(belief, answer)[example.emotion] + 1e-12)
            for belief, answer, example in zip(beliefs, answers, examples, strict=True)
        )

    trust, kin = max(((a, b) for a in _SHARES for b in _SHARES if a + b < 1), key=likelihood)
    return replace(reader, trust=trust, kin=kin, habits=habits)


def said(example: dspy.Example) -> str:
    """All the speaker said in an example."""
    return Dialogue.of(example.dialogue).speaker_text


def _training_texts(train: Sequence[dspy.Example]) -> tuple[list[str], list[str]]:
    pairs = [(said(example), example.emotion) for example in train]
    pairs += [(example.situation, example.emotion) for example in train if "situation" in example]
    if len(pairs) <= _LARGE or {label for _, label in pairs} != set(EMOTIONS):
        pairs += [(f"{label} {GLOSS[label]}", label) for label in EMOTIONS] + _cues()
    return [text for text, _ in pairs], [label for _, label in pairs]


def _cues() -> list[tuple[str, str]]:
    """The starter corpus's cue sentences and their emotions."""
    lines = files("optimizers").joinpath("starter/cues.jsonl").read_text("utf-8").splitlines()
    return [(cue["text"], cue["emotion"]) for cue in map(json.loads, lines)]


def _packed(vectorizer: TfidfVectorizer, model: LinearSVC) -> LinearReader:
    """Weights times inverse document frequency, as signed bytes."""
    names = vectorizer.get_feature_names_out()
    weights = (model.coef_ * vectorizer.idf_).T
    scale = float(np.abs(weights).max()) / 127
    rows = np.round(weights / scale).astype(np.int8)
    return LinearReader(
        labels=tuple(str(label) for label in model.classes_),
        weights={str(name): row.tobytes() for name, row in zip(names, rows, strict=True)},
        norms={str(name): float(idf) for name, idf in zip(names, vectorizer.idf_, strict=True)},
        scale=scale,
        bias=tuple(float(value) for value in model.intercept_),
        sharpness=1.0,
    )


def _sharpened(reader: LinearReader, held_out: Sequence[tuple[str, Any]]) -> tuple[LinearReader, float]:
    def likelihood(trial: LinearReader) -> float:
        return sum(math.log(trial.probabilities(text).get(label, 0.0) + 1e-9) for text, label in held_out)

    trials = [replace(reader, sharpness=sharpness) for sharpness in _SHARPNESS]
    scores = [likelihood(trial) for trial in trials]
    best = max(range(len(trials)), key=scores.__getitem__)
    return trials[best], scores[best]
