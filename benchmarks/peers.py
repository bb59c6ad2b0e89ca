"""All published output sets on their shared items, beside anchors that any right scorer must meet.

    python -m benchmarks.peers [--data ../shared/data] [--tagger FOLDER]

Two tables, because one family of systems answered other turns of the same conversations. Diversity is at equal reply
count; overlap is with the gold replies as the public pipelines write them (lower case, contractions spelled out).
"""

import argparse
import gzip
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from metrics.diversity import at_equal_count, duplicate_share, self_bleu
from metrics.linear_tagger import LinearTagger
from metrics.overlap import ORDERS, bleu_counts, bleu_of, chrf, rouge_scores
from metrics.score import mean
from metrics.tagger import Tags, diff_epitome, emotion_accuracy, intent_agreement, means
from metrics.text import TOKENISER, Nidf, words
from metrics.trace_published import published_dist, published_ead

_OTHER_TURNS = "empdgrepo"
_SAMPLE = 100
_APOLOGY = "i am so sorry to hear that . i hope you feel better soon ."
_SPELLED = {
    "it's": "it is", "that's": "that is", "what's": "what is", "there's": "there is", "can't": "cannot",
    "won't": "will not", "n't": " not", "'m": " am", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would",
}  # fmt: skip
_COLUMNS = (
    "system", "BLEU-1", "BLEU-2", "BLEU-4", "chrF", "R-L", "Dist-1", "Dist-2", "EAD-1", "EAD-2", "NIDF", "copies %",
    "self-BLEU", "words", "EmoAcc", "intent", "dEPI",
)  # fmt: skip


@dataclass(frozen=True)
class Items:
    """Some items, and what each system answered on all of them."""

    numbers: Sequence[int]
    golds: Sequence[str]
    contexts: Sequence[str]
    emotions: Sequence[str]
    outputs: Mapping[str, Sequence[str]]


def main() -> int:
    """Prints the tables; 1 where an anchor is missed."""
    begun = time.monotonic()
    options = _options()
    pairs, outputs = _loaded(options.data)
    nidf = Nidf.fit(_train_replies(options.data))
    tagger = LinearTagger.load(options.tagger) if options.tagger else None
    for title, items in _shared(pairs, outputs):
        print(f"\n### {title}: {len(items.numbers)} items, {len(items.outputs)} systems\n")
        _print_table(items, nidf, tagger)
    met = _print_anchors(options.data, pairs, outputs)
    print(f"\nwords: {TOKENISER}; {time.monotonic() - begun:.0f} s")
    return 0 if met else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--tagger", type=Path, help="a folder that `trace-erg tagger train` wrote")
    return parser.parse_args()


def _loaded(data: Path) -> tuple[dict[int, dict[str, Any]], dict[str, dict[int, str]]]:
    pairs = {row["item"]: row for row in _rows(data / "empathetic_dialogues" / "test_pairs.jsonl.gz")}
    outputs: dict[str, dict[int, str]] = {}
    for row in _rows(data / "ed_test_outputs" / "outputs.jsonl.gz"):
        for system, text in row["outputs"].items():
            outputs.setdefault(system, {})[row["item"]] = text
    return pairs, outputs


def _shared(pairs: Mapping[int, Any], outputs: Mapping[str, Mapping[int, str]]) -> list[tuple[str, Items]]:
    others = {name: texts for name, texts in outputs.items() if name.endswith(_OTHER_TURNS)}
    usual = {name: texts for name, texts in outputs.items() if name not in others}
    return [("shared items", _common(pairs, usual)), ("other turns", _common(pairs, others))]


def _common(pairs: Mapping[int, Any], outputs: Mapping[str, Mapping[int, str]]) -> Items:
    """Items that every system answered and no pipeline spoiled."""
    answered = set.intersection(*(set(texts) for texts in outputs.values()))
    numbers = sorted(number for number in answered if not pairs[number].get("spoiled"))
    rows = [pairs[number] for number in numbers]
    return Items(
        numbers,
        [spelled_out(row["gold"]) for row in rows],
        [" ".join(row["context"]) for row in rows],
        [row["emotion"] for row in rows],
        {name: [texts[number] for number in numbers] for name, texts in sorted(outputs.items())},
    )


def _print_table(items: Items, nidf: Nidf, tagger: LinearTagger | None) -> None:
    print(f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}")
    sets = {**items.outputs, "human gold": items.golds}
    varied = at_equal_count(sets)
    golds = tagger.tag(items.contexts, items.golds) if tagger else []
    for name, replies in sets.items():
        figures = varied[name].figures
        cells = [
            *_overlaps(replies, items.golds),
            *(100 * figures[key] for key in ("dist_1", "dist_2", "ead_1", "ead_2")),
            100 * fmean(nidf.specificity(reply) or 0.0 for reply in replies),
            100 * (duplicate_share(replies) or 0.0),
            self_bleu(replies, _SAMPLE) or 0.0,
            median(len(words(reply)) for reply in replies),
            *(_tagged(tagger.tag(items.contexts, replies), golds, items.emotions) if tagger else [None] * 3),
        ]
        print(f"| {name} | {' | '.join('-' if cell is None else f'{cell:.2f}' for cell in cells)} |", flush=True)


def _overlaps(replies: Sequence[str], golds: Sequence[str]) -> list[float]:
    counts = bleu_counts(replies, golds)
    longest = fmean(score[2] for score in rouge_scores(replies, golds))
    return [*(bleu_of(counts, order) for order in ORDERS), chrf(replies, golds), longest]


def _tagged(tags: Sequence[Tags], golds: Sequence[Tags], emotions: Sequence[str]) -> list[float | None]:
    """EmoAcc and intent agreement in percent, and diff-EPITOME, the mean of its three mechanisms."""
    emotion, intent = mean(emotion_accuracy(tags, emotions)).value, mean(intent_agreement(tags, golds)).value
    return [100 * (emotion or 0.0), 100 * (intent or 0.0), means(diff_epitome(tags, golds))["average"]]


def _print_anchors(data: Path, pairs: Mapping[int, Any], outputs: Mapping[str, Mapping[int, str]]) -> bool:
    golds = [spelled_out(pairs[number]["gold"]) for number in sorted(pairs)]

    def bleu(replies: Sequence[str]) -> float:
        return bleu_of(bleu_counts(replies, golds), 4)

    sets = {name: [outputs[name][number] for number in sorted(pairs)] for name in ("moel_topk_mich", "cem_beam_mich")}
    rows = _last_replies(data)
    found = (
        ("BLEU-4 of MoEL (moel_topk_mich)", 1.85, bleu(sets["moel_topk_mich"]), 0.05),
        ("BLEU-4 of CEM (cem_beam_mich)", 2.02, bleu(sets["cem_beam_mich"]), 0.05),
        ("BLEU-4 of a constant apology", 2.36, bleu([_APOLOGY] * len(golds)), 0.05),
        (f"human gold, last replies ({len(rows)} rows): Dist-1", 14.99, published_dist(rows, 1), 0.05),
        ("Dist-2", 59.15, published_dist(rows, 2), 0.05),
        ("EAD-1", 12.56, published_ead(rows, 1), 0.1),
        ("EAD-2", 59.61, published_ead(rows, 2), 0.15),
    )
    print("\n### Anchors\n\n| anchor | expected | found | |\n|---|---|---|---|")
    for name, expected, value, within in found:
        print(f"| {name} | {expected} | {value:.2f} | {'ok' if abs(value - expected) <= within else 'differs'} |")
    topk = [outputs["mime_topk_mimerepo"][number] for number in sorted(pairs)]
    print(
        f"| BLEU-4 of MIME, another copy (here: mime_topk_mimerepo) | 1.92 | {bleu(topk):.2f} | copy not in the data |"
    )
    return all(abs(value - expected) <= within for _, expected, value, within in found)


def _last_replies(data: Path) -> list[str]:
    """The last listener turn of each test conversation but those about being prepared: the rows TRACE was tested on."""
    rows = [row for row in _rows(data / "empathetic_dialogues" / "test.jsonl.gz") if row["emotion"] != "prepared"]
    turns = [[turn["text"] for turn in row["turns"][1:] if turn["role"] == "listener"] for row in rows]
    return [texts[-1] for texts in turns if texts]


def _train_replies(data: Path) -> list[str]:
    rows = _rows(data / "empathetic_dialogues" / "train.jsonl.gz")
    return [turn["text"] for row in rows for turn in row["turns"] if turn["role"] == "listener"]


def spelled_out(text: str) -> str:
    """Lower case, contractions spelled out: how the public pipelines write the gold replies."""
    plain = text.lower()
    for short, long in _SPELLED.items():
        plain = plain.replace(short, long)
    return plain


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        sys.exit(f"{path} is missing: name the folder of research data with --data")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    sys.exit(main())
