"""Figures read off replies by a tagger: reported with the tagger's own held-out worth, never optimised."""

from collections.abc import Sequence

from metrics.evaluation import Answered
from metrics.figure import Figure, figure_of, number_of
from metrics.judge_figures import check_scored
from metrics.objective import said
from metrics.tagger import (
    Tagger,
    Tags,
    diff_epitome,
    emotion_accuracy,
    epitome_levels,
    intent_agreement,
    presence,
)


def tag_figures(tagger: Tagger, answered: Answered) -> dict[str, Figure]:
    """EmoAcc and intent agreement (two figures), EPITOME levels and presence, and diff-EPITOME.

    Raises:
        JudgeError: more than one reply in twenty could not be tagged.
        BackboneError: the tagger's backbone is set up wrongly.
    """
    posts = [said(item) for item, _ in answered]
    replies = tagger.tag(posts, [reading.reply for _, reading in answered])
    check_scored([tags.reason for tags in replies], "tagged")
    golds = _gold_tags(tagger, answered, posts)
    groups = [item["conversation"] for item, _ in answered]
    figures = {
        "reply_emotion": figure_of(emotion_accuracy(replies, [item.get("emotion") for item, _ in answered]), groups),
        "intent_agreement": figure_of(intent_agreement(replies, golds), groups),
    }
    levels, present, apart = epitome_levels(replies), presence(replies), diff_epitome(replies, golds)
    for name, values in levels.items():
        figures[f"{name}, level"] = number_of(values, groups, "0 to 2")
        figures[f"{name}, present"] = figure_of(present[name], groups)
    return {**figures, "diff_epitome": number_of(apart["average"], groups, "lower is better")}


def _gold_tags(tagger: Tagger, answered: Answered, posts: Sequence[str]) -> list[Tags | None]:
    known = [place for place, (item, _) in enumerate(answered) if item.get("reply")]
    tagged = tagger.tag([posts[place] for place in known], [answered[place][0]["reply"] for place in known])
    by_place = dict(zip(known, tagged, strict=True))
    return [by_place.get(place) for place in range(len(answered))]
