"""Finds what stands on both sides of a split: the same conversation, or the same words."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import dspy

from programs.cases import Case
from programs.dialogue import Dialogue
from programs.errors import CorpusError

Splits = Mapping[str, Sequence[dspy.Example]]
Item: TypeAlias = str | dspy.Example | Mapping[str, Any] | Case
"""A demo or a case: its id, or an object with an id, a dialogue, or both."""


def normal(text: str) -> str:
    """The words of `text` in lower case, without punctuation; the text itself where it has no words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded)) or folded.strip()


def spoken(example: dspy.Example) -> str:
    """What the speaker says in an example, normalised: equal for two dialogues that are copies of each other."""
    return normal("\n".join(turn["text"] for turn in example.dialogue if turn["role"] == "speaker"))


def check_splits(splits: Splits) -> None:
    """Refuses splits that share a conversation or a dialogue, and ids that occur twice.

    Raises:
        CorpusError: which conversation, and in which splits.
    """
    ids: set[str] = set()
    conversations: dict[str, str] = {}
    texts: dict[str, tuple[str, str]] = {}
    for split, examples in splits.items():
        for example in examples:
            _refuse_second_split(split, example, conversations, texts)
            if example.id in ids:
                raise CorpusError(f"the id {example.id!r} occurs twice: give every item an id of its own")
            ids.add(example.id)


def _refuse_second_split(
    split: str, example: dspy.Example, conversations: dict[str, str], texts: dict[str, tuple[str, str]]
) -> None:
    if (other := conversations.setdefault(example.conversation, split)) != split:
        raise CorpusError(f"conversation {example.conversation!r} is in {other} and in {split}: keep it in one split")
    twin, elsewhere = texts.setdefault(spoken(example), (example.id, split))
    if elsewhere != split:
        raise CorpusError(
            f"{twin!r} in {elsewhere} and {example.id!r} in {split} are the same dialogue: "
            "drop one, or give both the same 'conversation'"
        )


def check_apart(held_out: Splits, demos: Iterable[Item] = (), cases: Iterable[Item] = ()) -> None:
    """Refuses demos and cases that are held-out items, by id, conversation or (normalised) words.

    Raises:
        CorpusError: which item, and in which split it is held out.
    """
    names: dict[str, str] = {}
    texts: dict[str, str] = {}
    for split, examples in held_out.items():
        for example in examples:
            names |= {example.id: split, example.conversation: split}
            texts |= {spoken(example): split, normal(str(Dialogue.of(example.dialogue))): split}
    for kind, items in (("demo", demos), ("case", cases)):
        for item in items:
            name, text = _marks(item)
            if found := names.get(name) or texts.get(text):
                raise CorpusError(f"the {kind} {name or text[:80]!r} is also in the {found} split: only train may be")


def _marks(item: Item) -> tuple[str, str]:
    """Id and normalised words of an item; "" for what it lacks."""
    if isinstance(item, str):
        return item, ""
    if isinstance(item, Case):
        return item.id, normal(item.text)
    name, dialogue = item.get("id") or "", item.get("dialogue") or ""
    return str(name), normal(dialogue if isinstance(dialogue, str) else Dialogue.of(dialogue).speaker_text)
