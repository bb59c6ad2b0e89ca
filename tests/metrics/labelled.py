"""Labelled replies for tests: one invented row of every kind of file, and label sets drawn at random."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metrics.labels import Labelled, LabelSet
from programs.dialogue import Dialogue

TURNS = [
    {"role": "speaker", "text": "My kettle broke."},
    {"role": "listener", "text": "Oh no, today?"},
    {"role": "speaker", "text": "On the day of the move."},
    {"role": "listener", "text": "Of all days!"},
    {"role": "speaker", "text": "Ha, yes."},
]


def _by_expert(*levels: Mapping[str, float]) -> dict[str, Any]:
    """Ratings as Kumar et al. lay them out, with those of others that are not to be taken."""
    others = {name: dict.fromkeys(levels[0], 0.0) for name in ("gpt", "crowd", "experts_median")}
    return {**{f"expert{number}": dict(given) for number, given in enumerate(levels, 1)}, **others}


_FAULTS = ("advice_giving", "self_oriented", "dismissing_emotions")
OWN: dict[str, Any] = {
    "id": "k1",
    "dialogue": "My kettle broke.",
    "reply": "Today of all days!",
    "ratings": {"warmth": {"ann": 2, "bo": 5}},
    "scale": [1, 5],
}
ROWS: dict[str, dict[str, Any]] = {
    "kumar2026_ed": {
        "conv_id": "c1",
        "turns": TURNS,
        "ratings": _by_expert({"empathy": 4.0}, {"empathy": 5.0}, {"empathy": 2.0}),
    },
    "kumar2026_epitome": {
        "sp_id": "s1",
        "rp_id": "r1",
        "seeker": "My kettle broke.",
        "response": "Of all days!",
        "ratings": _by_expert({"er": 0.0}, {"er": 2.0}, {"er": 1.0}),
    },
    "kumar2026_lend_an_ear": {
        "id": "l1",
        "turns": TURNS,
        "ratings": _by_expert(
            {"validating_emotions": 3.0, **dict(zip(_FAULTS, (1.0, 2.0, 5.0), strict=True))},
            {"validating_emotions": 2.0, **dict(zip(_FAULTS, (4.0, 1.0, 1.0), strict=True))},
            {"validating_emotions": 2.0, **dict(zip(_FAULTS, (1.0, 1.0, 1.0), strict=True))},
        ),
    },
    "empo_he": {
        "item": 7,
        "system": "dpo",
        "context": ["My kettle broke.", "Oh no.", "On the day of the move."],
        "response": "Of all days!",
        "gold": "how sad",
        "ratings": [[1, 70, 82, 49, 44, 1], [2, 81, 65, 35, 23, 0]],
    },
    "welivita2024_ed": {
        "conv_id": "w1",
        "part": 0,
        "context": ["My kettle broke."],
        "responses": {
            "human": {"text": "Buy one.", "rating": 1, "rater": 5},
            "chatgpt": {"text": "Of all days!", "rating": 3, "rater": 6},
        },
    },
    "own": OWN,
}


def label_set(
    truth: Sequence[float], *, raters: int = 3, noise: float = 0.5, expert: bool = True, systems: Sequence[str] = ("",)
) -> LabelSet:
    """Items whose raters saw the true level, give or take normal noise, and gave whole levels from 1 to 5."""
    random = np.random.default_rng(3)
    seen = np.clip(np.rint(np.asarray(truth)[:, None] + random.normal(0, noise, (len(truth), raters))), 0, 4) + 1
    items = [
        Labelled(
            f"i{number}",
            f"c{number // len(systems)}",
            Dialogue.of("My kettle broke."),
            "Of all days!",
            {"empathy": {f"r{place}": float(level) for place, level in enumerate(row)}},
            (1, 5),
            system=systems[number % len(systems)],
        )
        for number, row in enumerate(seen)
    ]
    return LabelSet("drawn.jsonl", tuple(items), expert, {"empathy": ("affective",)})
