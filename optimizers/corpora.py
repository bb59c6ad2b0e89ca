"""The corpora a program is compiled and tested on: the starter corpus, EmpatheticDialogues, and the user's own."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path

import dspy

from optimizers.ed_pairs import ed_pair_splits
from optimizers.empathetic_dialogues import LICENCE as ED_LICENCE
from optimizers.empathetic_dialogues import ed_splits
from optimizers.overlap import Item, check_apart, check_splits
from optimizers.rows import jsonl_rows
from optimizers.user_corpus import unique_examples, user_splits
from programs.cases import Case
from programs.dialogue import Dialogue
from programs.errors import CorpusError

SPLITS = ("train", "validation", "test")

_CASE_LABELS = ("situation", "emotion", "category", "mechanism", "support", "intent")


@dataclass(frozen=True)
class Corpus:
    """Three splits that share no conversation and no dialogue.

    Raises:
        CorpusError: they do share one, or an id occurs twice.
    """

    name: str
    """As the user gave it, without the folders of a path."""
    train: list[dspy.Example]
    validation: list[dspy.Example]
    test: list[dspy.Example]
    licence: str
    redistributable: bool
    """Whether a version that holds items of it (demos, cases) may be passed on."""

    def __post_init__(self) -> None:
        check_splits(self.splits)

    @property
    def splits(self) -> dict[str, list[dspy.Example]]:
        """The splits by name."""
        return {"train": self.train, "validation": self.validation, "test": self.test}

    @cached_property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each split: of its items in order, each as JSON with sorted keys."""
        return {split: _digest(_canonical(example) for example in examples) for split, examples in self.splits.items()}

    @property
    def digest(self) -> str:
        """SHA-256 over the digests of the splits: another one whenever a character anywhere is another one."""
        return _digest(f"{split} {self.digests[split]}" for split in SPLITS)


def load_corpus(spec: str, *, fields: Mapping[str, str] | None = None) -> Corpus:
    """Loads a corpus.

    Args:
        spec: `starter`; `ed:<folder or hub id>`; `ed-pairs:<folder>`; `jsonl:<path>` or `csv:<path>`.
        fields: our field names to those of the user's file, such as `{"emotion": "label", "dialogue": "text"}`.

    Raises:
        CorpusError: there is no such corpus, or it is malformed; the message names file, line and field.
    """
    kind, _, source = spec.partition(":")
    if fields and kind not in ("jsonl", "csv"):
        raise CorpusError(f"{kind}: its fields are known; map fields only for jsonl:<path> and csv:<path>")
    if spec == "starter":
        return Corpus("starter", **_starter_splits(), licence="CC0-1.0", redistributable=True)
    if kind == "ed" and source:
        return Corpus(_shown(kind, source), **ed_splits(source), licence=ED_LICENCE, redistributable=False)
    if kind == "ed-pairs" and source:
        return Corpus(_shown(kind, source), **ed_pair_splits(source), licence=ED_LICENCE, redistributable=False)
    if kind in ("jsonl", "csv") and source:
        splits = user_splits(kind, Path(source).expanduser(), fields or {})
        return Corpus(_shown(kind, source), **splits, licence="unknown (the user's own)", redistributable=False)
    kinds = "starter, ed:<folder or hub id>, ed-pairs:<folder>, jsonl:<path> or csv:<path>"
    raise CorpusError(f"{spec!r} is no corpus: use {kinds}")


def limit(
    corpus: Corpus,
    *,
    train: int | None = None,
    validation: int | None = None,
    test: int | None = None,
    seed: int = 0,
) -> Corpus:
    """A smaller corpus in which every emotion keeps its share; the same items whatever the order of the files.

    Args:
        corpus: what to take from.
        train: how many items to keep at most; None keeps all. Likewise `validation`, `test`.
        seed: another one takes other items. With the same one, a smaller sample is part of a larger one.

    Raises:
        ValueError: a number is negative.
    """
    sizes = {"train": train, "validation": validation, "test": test}
    kept = {split: _sample(corpus.splits[split], size, seed) for split, size in sizes.items() if size is not None}
    return replace(corpus, **kept)  # type: ignore[arg-type]  # the keys are names of splits


def to_cases(examples: Iterable[dspy.Example]) -> list[Case]:
    """The answered ones among `examples` as cases for retrieval; labels that they lack are empty."""
    return [
        Case(
            id=example.id,
            text=Dialogue.of(example.dialogue).speaker_text,
            reply=example.reply,
            triggers=tuple(example.get("triggers", ())),
            **{name: example.get(name, "") for name in _CASE_LABELS},
        )
        for example in examples
        if "reply" in example
    ]


def check_disjoint(
    corpus: Corpus,
    demos: Iterable[Item] = (),
    cases: Iterable[Item] = (),
    *,
    held_out: Sequence[str] = ("validation", "test"),
) -> None:
    """Refuses demos and cases that are held-out items: the same id, conversation, or words of the speaker.

    Args:
        corpus: what the program is tested on.
        demos: ids, examples, or demos as a program's state holds them (then only words can tell).
        cases: ids, examples or cases.
        held_out: the splits that must not be among them.

    Raises:
        CorpusError: the first item that is.
    """
    check_apart({split: corpus.splits[split] for split in held_out}, demos, cases)


def _starter_splits() -> dict[str, list[dspy.Example]]:
    splits = {}
    for split in SPLITS:
        with as_file(files("optimizers") / "starter" / f"{split}.jsonl") as path:
            splits[split] = unique_examples(jsonl_rows(path), {})
    return splits


def _shown(kind: str, source: str) -> str:
    """The spec without folders; the id of a hub's dataset stays whole."""
    path = Path(source).expanduser()
    return f"{kind}:{path.absolute().name if path.exists() else source}"


def _sample(examples: Sequence[dspy.Example], size: int, seed: int) -> list[dspy.Example]:
    if size < 0:
        raise ValueError(f"a split cannot have {size} items")
    ranks = {example.id: _digest([str(seed), example.id]) for example in examples}
    strata: dict[str, list[str]] = defaultdict(list)
    for example in sorted(examples, key=lambda one: ranks[one.id]):
        strata[example.get("emotion", "")].append(example.id)
    # Each emotion is spread evenly over 0..1; the first `size` places then hold every emotion in proportion.
    places = {name: (index + 0.5) / len(ids) for ids in strata.values() for index, name in enumerate(ids)}
    chosen = set(sorted(places, key=lambda name: (places[name], ranks[name]))[:size])
    return [example for example in examples if example.id in chosen]


def _canonical(example: dspy.Example) -> str:
    return json.dumps(example.toDict(), sort_keys=True, ensure_ascii=False)


def _digest(lines: Iterable[str]) -> str:
    total = hashlib.sha256()
    for line in lines:
        total.update(line.encode())
        total.update(b"\n")
    return total.hexdigest()
