"""Figures read off replies by a tagger: reported with the tagger's own held-out worth, never optimised.

EmoAcc, the emotion read from the reply against the dialogue's, and the intent's agreement with the gold reply's are two
figures: published work calls either one "I-ACC". diff-EPITOME is the mean squared difference of levels between reply and
gold reply (Lee et al. 2022; Sotolar et al. 2024), lower is better.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from metrics.figure import Figure, figure_of, number_of
from metrics.judge_figures import check_scored
from metrics.objective import said
from metrics.reply_figures import Answered
from metrics.score import Score
from programs.vocabulary import MECHANISMS

if TYPE_CHECKING:
    from metrics.tagger import Tagger, Tags


def tag_figures(tagger: "Tagger", answered: Answered) -> dict[str, Figure]:
    """EmoAcc, intent agreement, EPITOME levels and presence, and diff-EPITOME.

    Raises:
        JudgeError: more than one reply in twenty could not be tagged.
        BackboneError: the tagger's backbone is set up wrongly.
    """
    posts = [said(item) for item, _ in answered]
    replies = tagger.tag(posts, [reading.reply for _, reading in answered])
    golds = _gold_tags(tagger, answered, posts)
    check_scored([tags.reason for tags in replies], "tagged")
    groups = [item["conversation"] for item, _ in answered]
    emotions = [_same(tags.emotion, item.get("emotion")) for tags, (item, _) in zip(replies, answered, strict=True)]
    intents = [_same(tags.intent, gold and gold.intent) for tags, gold in zip(replies, golds, strict=True)]
    figures = {"reply_emotion": figure_of(emotions, groups), "intent_agreement": figure_of(intents, groups)}
    for name in MECHANISMS:
        levels = [tags.levels.get(name) for tags in replies]
        figures[f"{name}, level"] = number_of([_float(level) for level in levels], groups, "0 to 2")
        figures[f"{name}, present"] = number_of([_float(level and level > 0) for level in levels], groups)
    figures["diff_epitome"] = number_of([_apart(one, gold) for one, gold in zip(replies, golds, strict=True)], groups)
    return figures


def _gold_tags(tagger: "Tagger", answered: Answered, posts: Sequence[str]) -> list["Tags | None"]:
    known = [place for place, (item, _) in enumerate(answered) if item.get("reply")]
    tagged = tagger.tag([posts[place] for place in known], [answered[place][0]["reply"] for place in known])
    by_place = dict(zip(known, tagged, strict=True))
    return [by_place.get(place) for place in range(len(answered))]


def _same(found: str | None, wanted: str | None) -> Score:
    return Score.of(float(found == wanted)) if found and wanted else Score.unscored("no label on one side")


def _apart(tags: "Tags", gold: "Tags | None") -> float | None:
    """Mean over the mechanisms of the squared difference of levels; None where one side is not tagged."""
    if gold is None or tags.reason or gold.reason:
        return None
    return fmean(float(tags.levels[name] - gold.levels[name]) ** 2 for name in MECHANISMS)


def _float(value: float | bool | None) -> float | None:
    return None if value is None else float(value)
