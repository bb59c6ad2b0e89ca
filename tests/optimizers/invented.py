"""A tiny invented corpus with every label, for compiles that must be quick."""

import json
from pathlib import Path
from typing import Any

_STORIES = (
    ("sad", "my canary stopped singing in March", "loss", "emotional reaction", "sympathizing"),
    ("proud", "my sister welded her first gate", "achievement", "emotional reaction", "wishing"),
    ("annoyed", "the tram skips our stop every week", "conflict", "interpretation", "acknowledging"),
    ("anxious", "the scan results come on Friday", "threat", "exploration", "questioning"),
)
_PLACES = {"train": ("Oslo", "Lagos", "Quito"), "validation": ("Bern", "Pune"), "test": ("Turin", "Osaka")}


def rows() -> list[dict[str, Any]]:
    """Four stories told in seven places: 12 rows to learn from, 8 to choose by, 8 to test on."""
    return [
        {
            "id": f"{place}-{emotion}",
            "split": split,
            "dialogue": [{"role": "speaker", "text": f"Here in {place} {story}, you know."}],
            "situation": f"In {place} {story}.",
            "emotion": emotion,
            "triggers": [story],
            "cause": f"They think of how {story}.",
            "category": category,
            "mechanism": mechanism,
            "support": "none",
            "intent": intent,
            "reply": f"{story.capitalize()}, and in {place} of all places; tell me how that was",
        }
        for split, places in _PLACES.items()
        for place in places
        for emotion, story, category, mechanism, intent in _STORIES
    ]


def corpus_file(folder: Path) -> str:
    """Writes the corpus and returns its spec."""
    path = folder / "invented.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()), "utf-8")
    return f"jsonl:{path}"


def profile_file(folder: Path, url: str) -> str:
    """Writes a backbone profile of a loopback endpoint and returns its path."""
    path = folder / "stub.toml"
    path.write_text(f'[stub]\nmodel = "house/stub"\nbase_url = "{url}"\nparallel = 4\n', "utf-8")
    return str(path)
