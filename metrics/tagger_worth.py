"""What the parts of a linear tagger are worth on data they were not trained on, with 95 % intervals."""

from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import GroupKFold
from statsmodels.stats.proportion import proportion_confint

from metrics.compare import LEVEL
from metrics.figure import Figure, corpus_figure
from metrics.margins import Margins
from metrics.mechanism import Mechanism
from metrics.tagger import LEVELS
from metrics.tagger_data import Meant, Rated, Talk
from programs.errors import CorpusError

FOLDS = 5
TOP = 5
"""Emotions among which the right one counts for the second figure: many of the 32 are near-synonyms."""


def emotion_worth(emotion: Margins, test: Sequence[Talk]) -> dict[str, Figure]:
    """Accuracy and top-5 accuracy from the speaker's turns alone, as a responder sees them; the situation is hidden."""
    ranked = emotion.scores([talk.said for talk in test]).argsort(axis=1)[:, ::-1][:, :TOP]
    best = [[emotion.labels[place] for place in row] for row in ranked]
    note = "ED test, speaker turns"
    return {
        "emotion, accuracy": share([talk.emotion == row[0] for talk, row in zip(test, best, strict=True)], note),
        "emotion, top 5": share([talk.emotion in row for talk, row in zip(test, best, strict=True)], note),
    }


def intent_worth(intent: Margins, hand: Sequence[Meant]) -> dict[str, Figure]:
    """Accuracy and macro-F1 (over the intents that occur) on hand labels."""
    found, wanted = intent.labelled([one.text for one in hand]), [one.intent for one in hand]
    occurring = sorted(set(wanted))

    def macro(part: Sequence[int]) -> float:
        return _macro_f1([wanted[i] for i in part], [found[i] for i in part], occurring)

    note = "hand labels; settings were chosen on them"
    right = [one == other for one, other in zip(found, wanted, strict=True)]
    return {
        "intent, accuracy": share(right, note),
        "intent, macro-F1": corpus_figure(macro, range(len(hand)), note),
    }


def mechanism_worth(replies: Sequence[Rated], name: str, seed: int = 0) -> dict[str, Figure]:
    """Accuracy, macro-F1 of the three levels, and F1 of presence, pooled over five folds that share no post.

    Raises:
        CorpusError: there are fewer than five posts, or a fold's rest is too little to learn from.
    """
    shown, posts = [one.shown[name] for one in replies], [one.post for one in replies]
    wanted, found = np.array([one.level for one in shown]), np.zeros(len(shown), dtype=int)
    for train, test in grouped_folds(posts, seed):
        fitted = Mechanism.fit([shown[place] for place in train], seed)
        found[test] = fitted.levels([shown[place].reply for place in test])

    def macro(part: Sequence[int]) -> float:
        return _macro_f1(wanted[part].tolist(), found[part].tolist(), LEVELS)

    def present(part: Sequence[int]) -> float:
        return float(f1_score(wanted[part] > 0, found[part] > 0, zero_division=0.0))

    def accuracy(part: Sequence[int]) -> float:
        return float(np.mean(wanted[part] == found[part]))

    statistics = {"accuracy": accuracy, "macro-F1": macro, "presence F1": present}
    note = f"EPITOME Reddit, {FOLDS} folds by post; settings were chosen on them"
    return {f"{name}, {what}": corpus_figure(of, posts, note) for what, of in statistics.items()}


def grouped_folds(groups: Sequence[str], seed: int = 0) -> Iterator[tuple[list[int], list[int]]]:
    """Five pairs of (train, test) places; all places of a group are on one side, and each is in one test part.

    Args:
        groups: the group of each place.
        seed: of the deal.

    Raises:
        CorpusError: there are fewer than five groups.
    """
    if len(set(groups)) < FOLDS:
        raise CorpusError(f"{FOLDS} folds need replies to {FOLDS} posts or more, not to {len(set(groups))}")
    folds = GroupKFold(FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(groups, groups=groups):
        yield train.tolist(), test.tolist()


def share(right: Sequence[bool], note: str) -> Figure:
    """The share of right answers to independent questions, with Wilson's interval (1927)."""
    count, total = sum(right), len(right)
    if not total:
        return Figure(None, note=f"{note}: no item")
    low, high = proportion_confint(count, total, alpha=1 - LEVEL, method="wilson")
    return Figure(count / total, float(low), float(high), total, note=note)


def _macro_f1(wanted: Sequence[object], found: Sequence[object], labels: Sequence[object]) -> float:
    return float(f1_score(wanted, found, labels=list(labels), average="macro", zero_division=0.0))
