"""EmpatheticDialogues by reply instead of by conversation: the 5,255 test items that most published systems answer.

Their order is that of the public pipelines (MoEL, MIME, CEM), and an item's id is its number in it, so that anybody's
reply file can be scored on the same items.
"""

from collections.abc import Iterator
from pathlib import Path

import dspy

from optimizers.empathetic_dialogues import ed_splits, without_repeats
from optimizers.examples import closed_label
from optimizers.rows import Row, jsonl_rows
from programs.dialogue import clean
from programs.errors import CorpusError

_FILES = ("test_pairs.jsonl", "test_pairs.jsonl.gz")


def ed_pair_splits(source: str) -> dict[str, list[dspy.Example]]:
    """Train and validation by conversation, the test split by reply.

    Items whose context crosses two conversations (a fault of the public pipelines, marked `spoiled`) are left out, and
    so are those without a word in the context or the reply.

    Args:
        source: a folder that holds `test_pairs.jsonl` (or `.gz`) beside the three splits.

    Raises:
        CorpusError: there is no such file, or a row is malformed (file, line and field).
    """
    folder = Path(source).expanduser()
    path = next((folder / name for name in _FILES if (folder / name).is_file()), None)
    if path is None:
        raise CorpusError(f"{folder}: no {_FILES[0]} (or .gz): ed-pairs needs a folder of local files that holds it")
    return without_repeats({**ed_splits(source), "test": list(_pairs(path))})


def _pairs(path: Path) -> Iterator[dspy.Example]:
    for row in jsonl_rows(path):
        turns, reply = _context(row), clean(str(row.values.get("gold") or ""))
        if row.values.get("spoiled") or not reply or not all(turn["text"] for turn in turns):
            continue
        yield dspy.Example(
            id=str(row.values["item"]),
            conversation=str(row.values["conv_id"]),
            dialogue=turns,
            situation=clean(str(row.values.get("situation") or "")),
            emotion=closed_label(row, "emotion", row.values.get("emotion"), "emotion"),
            reply=reply,
        ).with_inputs("dialogue")


def _context(row: Row) -> list[dict[str, str]]:
    for name in ("item", "conv_id", "context"):
        if row.values.get(name) is None:
            raise row.fault(name, "missing")
    texts = row.values["context"]
    if not isinstance(texts, list) or len(texts) % 2 == 0:
        raise row.fault("context", "an odd number of turns is expected, the speaker's first and last")
    return [{"role": ("speaker", "listener")[k % 2], "text": clean(str(text))} for k, text in enumerate(texts)]
