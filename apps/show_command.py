"""What `trace-erg show` prints of a version."""

import json
from pathlib import Path
from typing import Any

from programs.loading import read_manifest
from programs.manifest import PROMPT


def shown(folder: Path) -> str:
    """Configuration, data, scores and the exact prompts, as text."""
    manifest = read_manifest(folder)
    head = {
        "program": manifest["program"],
        "backbone": manifest["backbone"]["name"],
        "recipe": manifest.get("recipe", {}).get("name", "none"),
        "vocabulary": manifest["vocabulary"],
        "adapter": manifest["adapter"],
        "run": manifest.get("run", "none"),
        "configuration": json.dumps(manifest["configuration"]),
        "files": ", ".join(manifest["files"]),
    }
    lines = [f"{name:14} {value}" for name, value in head.items()]
    lines += [f"data           {item['name']} ({item['licence']})" for item in manifest.get("data", [])]
    lines += ["", *_scores(manifest.get("scores", {})), "", (folder / PROMPT).read_text("utf-8").rstrip()]
    return "\n".join(lines)


def _scores(scores: dict[str, Any]) -> list[str]:
    rows = [(name, row) for name, row in scores.items() if "difference" in row]
    if not rows:
        return ["no scores: this version was saved without a test"]
    lines = [f"{'score':14} {'before':>8} {'after':>8}   difference (95 %)     items"]
    for name, row in rows:
        low, high = row["difference"]
        lines.append(
            f"{name:14} {row['before']:8.3f} {row['after']:8.3f}   [{low:+.3f}, {high:+.3f}]   {row['items']:8}"
        )
    return lines
