"""Figures of replies that need no model: length, specificity, gate, diversity, and overlap with the gold reply."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from metrics.diversity import VOCABULARY, distinct_of, duplicate_share, ead_of, self_bleu
from metrics.evaluation import Answered, Evaluation
from metrics.figure import Figure, corpus_figure, figure_of, number_of
from metrics.guard import Guard
from metrics.overlap import overlap
from metrics.score import Score
from metrics.stages import trigger_recall
from metrics.text import TOKENISER, words


def objective_figures(evaluation: Evaluation) -> dict[str, Figure]:
    """The joint score, the reply's, and those of the stages that were scored on any item."""
    groups = evaluation.conversations
    return {
        name: figure_of(scores, groups)
        for name, scores in evaluation.scores.items()
        if name in ("joint", "response") or any(score.value is not None for score in scores)
    }


def reading_figures(evaluation: Evaluation, answered: Answered) -> dict[str, Figure]:
    """How well the speaker was read: emotion 32-way and six-way, triggers, category, mechanism, intent."""
    groups = evaluation.conversations
    found = {
        name: figure_of(scores, groups)
        for name, scores in evaluation.columns.items()
        if name not in evaluation.scores and any(score.value is not None for score in scores)
    }
    recalls = [trigger_recall(item, reading) for item, reading in answered if reading.triggers]
    if any(score.value is not None for score in recalls):
        found["trigger_recall"] = figure_of(recalls, [item["conversation"] for item, one in answered if one.triggers])
    return found


def reply_figures(evaluation: Evaluation, answered: Answered, guard: Guard) -> dict[str, Figure]:
    """Gate and guard, length, specificity, and how varied the replies are."""
    groups = [item["conversation"] for item, _ in answered]
    replies = [reading.reply for _, reading in answered]
    figures = {
        name: figure_of([_part(score, name) for score in evaluation.scores["response"]], evaluation.conversations)
        for name in ("gate", "P", "Ground", "Tact")
    }
    figures["words"] = number_of([float(len(words(reply))) for reply in replies], groups, TOKENISER)
    figures["specificity"] = number_of([guard.nidf.specificity(reply) for reply in replies], groups, "mean NIDF")
    return figures | _varied(replies, groups)


def overlap_figures(answered: Answered) -> dict[str, Figure]:
    """Overlap with the gold replies of the items that have one; none where no item has."""
    known = [(item, reading) for item, reading in answered if item.get("reply")]
    return overlap(
        [reading.reply for _, reading in known],
        [item["reply"] for item, _ in known],
        [item["conversation"] for item, _ in known],
    )


def cost_figures(evaluation: Evaluation, answered: Answered) -> dict[str, Figure]:
    """What a reply costs: seconds, calls and tokens; only what was measured."""
    groups = [item["conversation"] for item, _ in answered]
    usages = [reading.usage for _, reading in answered]
    counts: Mapping[str, list[float]] = {
        name: [float(getattr(usage, name)) for usage in usages]
        for name in ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
    }
    figures = {name: number_of(values, groups) for name, values in counts.items() if any(values)}
    if evaluation.seconds:
        figures["seconds"] = number_of(evaluation.seconds, evaluation.conversations, "with the threads in flight")
    return figures


def _varied(replies: Sequence[str], groups: Sequence[str]) -> dict[str, Figure]:
    """Every one depends on how many replies there are; percent, but for the shares."""
    rows = [words(reply) for reply in replies]
    figures = {}
    for n in (1, 2):
        note = f"V {VOCABULARY:,}; {TOKENISER}"
        figures[f"dist_{n}"] = corpus_figure(partial(_percent_of, distinct_of, rows, n), groups, TOKENISER)
        figures[f"ead_{n}"] = corpus_figure(partial(_percent_of, ead_of, rows, n), groups, note)
    figures["duplicates"] = Figure(_percent(duplicate_share(replies)), n=len(replies), note="exact, percent")
    figures["self_bleu"] = Figure(self_bleu(replies), n=len(replies), note="BLEU-4 on at most 500 replies")
    return figures


def _percent_of(
    measure: Callable[[Sequence[Sequence[str]], int], float | None],
    rows: Sequence[Sequence[str]],
    n: int,
    part: Sequence[int],
) -> float | None:
    return _percent(measure([rows[place] for place in part], n))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _part(score: Score, name: str) -> Score:
    if name in score.parts:
        return Score.of(score.parts[name])
    return Score.unscored(score.reason or "the gate is shut")
