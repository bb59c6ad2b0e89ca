"""A linear text classifier: TF-IDF of words and letters, the static vector of the text, and one-against-rest margins.

Its parts are plain scikit-learn objects of types that skops trusts, so that it can be kept without pickle.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import FeatureUnion
from sklearn.svm import LinearSVC

from metrics.embeddings import embed
from programs.errors import CorpusError

Floats = NDArray[np.float64]
_APOSTROPHES = str.maketrans("\u2019\u2018", "''")
# Question and exclamation marks are words here: much of what a reply does hangs on them.
_WORD = r"\b\w+(?:'\w+)?\b|[!?]"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a classifier looks at, and how it is fitted."""

    words: int
    """Longest run of words."""
    word_texts: int
    """A run of words counts if it is in at least so many training texts."""
    letters: tuple[int, int]
    """Shortest and longest run of letters within a word."""
    letter_texts: int
    """As `word_texts`."""
    letter_runs: int | None
    """The most frequent runs of letters that are kept; None keeps all."""
    penalty: float
    """C of the support vectors."""
    balanced: bool = False
    """Whether every class weighs the same, however rare it is."""
    meaning: float = 0.0
    """Length of the static vector beside the TF-IDF ones, whose length is 1; 0 leaves it out."""


@dataclass(frozen=True)
class Margins:
    """A fitted classifier of three or more classes.

    Raises:
        ValueError: the parts are not a union of TF-IDF vectorizers and a linear classifier with finite weights.
    """

    features: Any
    """`FeatureUnion` of `TfidfVectorizer`s."""
    classifier: Any
    """`LinearSVC` on their columns, and on those of the static vector where `meaning` is not 0."""
    meaning: float = 0.0

    def __post_init__(self) -> None:
        parts = isinstance(self.features, FeatureUnion) and isinstance(self.classifier, LinearSVC)
        if not parts or not all(isinstance(part, TfidfVectorizer) for _, part in self.features.transformer_list):
            raise ValueError("not TF-IDF features with a linear classifier")
        if len(self.labels) < 3 or not np.isfinite(self.classifier.coef_).all():
            raise ValueError("fewer than three classes, or a weight that is not finite")

    @classmethod
    def fit(cls, texts: Sequence[str], labels: Sequence[Any], recipe: Recipe, seed: int = 0) -> "Margins":
        """Fits on texts with a word each and their labels; equal inputs give equal weights.

        Raises:
            CorpusError: there are too few texts, or fewer than three labels.
        """
        if len(set(labels)) < 3:
            raise CorpusError(f"a classifier needs texts of three labels or more, not of {sorted(set(labels))}")
        features = _features(recipe)
        weight = "balanced" if recipe.balanced else None
        classifier = LinearSVC(C=recipe.penalty, class_weight=weight, random_state=seed)
        try:
            features.fit(_plain(texts))
            classifier.fit(_matrix(features, texts, recipe.meaning), list(labels))
        except ValueError as error:
            raise CorpusError(f"too little to learn from in {len(texts)} texts: {error}") from error
        _compact(features, classifier)
        return cls(features, classifier, recipe.meaning)

    @property
    def labels(self) -> list[Any]:
        """The classes as plain values, in the order of the columns of `scores`."""
        return list(self.classifier.classes_.tolist())

    def scores(self, texts: Sequence[str]) -> Floats:
        """The margin of each text (row) for each class (column), any real number; no text may be blank."""
        if not texts:
            return np.empty((0, len(self.labels)))
        found: Floats = self.classifier.decision_function(_matrix(self.features, texts, self.meaning))
        return found

    def labelled(self, texts: Sequence[str]) -> list[Any]:
        """The class with the largest margin for each text."""
        return [self.labels[place] for place in self.scores(texts).argmax(axis=1)]

    def fingerprint(self) -> str:
        """SHA-256 of everything that the margins follow from: equal ones classify alike."""
        seal = hashlib.sha256(repr((self.labels, self.meaning)).encode())
        for name, part in self.features.transformer_list:
            seal.update(repr((name, sorted(part.get_params().items(), key=str))).encode())
            seal.update("\n".join(part.get_feature_names_out()).encode("utf-8", "surrogatepass"))
            seal.update(part.idf_.tobytes())
        seal.update(self.classifier.coef_.tobytes() + self.classifier.intercept_.tobytes())
        return seal.hexdigest()


def _features(recipe: Recipe) -> Any:
    words = TfidfVectorizer(
        ngram_range=(1, recipe.words), min_df=recipe.word_texts, sublinear_tf=True, token_pattern=_WORD
    )
    letters = TfidfVectorizer(
        analyzer="char_wb",
        ngram_range=recipe.letters,
        min_df=recipe.letter_texts,
        max_features=recipe.letter_runs,
        sublinear_tf=True,
    )
    return FeatureUnion([("words", words), ("letters", letters)])


def _matrix(features: Any, texts: Sequence[str], meaning: float) -> Any:
    plain = _plain(texts)
    columns = features.transform(plain)
    if not meaning:
        return columns
    return sparse.hstack([columns, sparse.csr_array(meaning * embed(plain).astype(np.float64))], format="csr")


def _plain(texts: Sequence[str]) -> list[str]:
    """Straight apostrophes; half a character, which no tokenizer takes, becomes a question mark."""
    return [text.translate(_APOSTROPHES).encode("utf-8", "replace").decode() for text in texts]


def _compact(features: Any, classifier: Any) -> None:
    """Single precision, and plain numbers in place of numpy's: a quarter of the size, a tenth of the loading time."""
    classifier.coef_ = classifier.coef_.astype(np.float32)
    for _, part in features.transformer_list:
        part.vocabulary_ = {name: int(place) for name, place in part.vocabulary_.items()}
