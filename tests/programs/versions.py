"""Programs to be written as versions, and ways to spoil what was written."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import dspy
import pytest

from programs import load
from programs.backbones import Backbone
from programs.baselines import Plain, SingleCall
from programs.cases import Case, CaseBank
from programs.errors import VersionError
from programs.manifest import MANIFEST, digest, manifest_text, pretty_json
from programs.reader import LinearReader
from programs.staged import Configuration, Staged
from programs.trace import Trace
from tests.scripted import scripted_lm

Change = Callable[[Any], Any]
"""Changes a JSON value in place; what it returns is of no account."""
KEY = "sk-planted-7f3a9"
BANK = CaseBank(
    [
        Case("1", "My cat died", "She was loved.", "hidden", "devastated", ("cat died",), mechanism="exploration"),
        Case("2", "We won\u2028the cup 😭", "What a cup!", "", "joyful", support="none", intent="wishing"),
        Case("3", "A dog barks all night", "No sleep again."),
    ]
)
READER = LinearReader(
    ("sad", "joyful"), {"lost": b"\x0a\xf6"}, {"lost": 1.5}, 0.25, (0.0, 0.125), 2.0, 0.5, 0.25, {"sad": 0.75}
)
AFFECT_DEMO = dspy.Example(dialogue="speaker: I lost my dog.", emotion="sad", augmented=True, id="train-1")
CAUSES_DEMO = dspy.Example(
    dialogue=[{"role": "speaker", "text": "I lost my dog."}], emotion="sad", triggers=("my dog",), cause="A dog is gone.", category="loss"
)  # fmt: skip
SPOILT = ("", "  \n", "{", "[", "[]", "null", '"text"', "1", "{}")
"""What no JSON file of a version may be."""


class Scripted(Backbone):
    """A backbone without a model."""

    def lm(self, **overrides: Any) -> dspy.LM:
        """See `Backbone.lm`."""
        return scripted_lm()


BACKBONE = Scripted("nobody/scripted", "nobody/scripted")


def full() -> Trace:
    """TRACE with all that a version can hold."""
    program = Trace(Configuration(candidates=5, cases=3), BANK, READER)
    program.affect.signature = program.affect.signature.with_instructions(
        "Name it.\n\n  - as `it` is\n```\nno more\n```"
    )
    program.affect.demos = [AFFECT_DEMO, dspy.Example(dialogue="speaker: We won!", emotion="joyful")]
    program.causes.demos = [CAUSES_DEMO]
    program.response.signature = program.response.signature.with_updated_fields("reply", desc="ein Satz – 短い 😭")
    return program


def opening_line() -> Trace:
    """An instruction whose further lines are all indented: dedenting it twice changes it."""
    program = Trace()
    program.affect.signature = program.affect.signature.with_instructions("\n  Name it:\n    as it is.")
    return program


def keyed() -> Trace:
    """A program that is bound to a model with a key."""
    program = full()
    program.set_lm(dspy.LM("openai/planted-model", api_key=KEY, engine="lm15"))
    return program


PROGRAMS: Mapping[str, Callable[[], Staged]] = {
    "trace": Trace,
    "trace with everything": full,
    "trace as published": lambda: Trace.published(BANK),
    "affect off": lambda: Trace(Configuration(affect=False), BANK),
    "causes off": lambda: Trace(Configuration(causes=False)),
    "plan off": lambda: Trace(Configuration(plan=False)),
    "only the response": lambda: Trace(Configuration(affect=False, causes=False, plan=False, cases=0)),
    "single call": lambda: SingleCall(Configuration(cases=1), BANK),
    "plain": Plain,
    "an indented instruction": opening_line,
    "bound to a model": keyed,
}


def read(folder: Path, name: str) -> Any:
    """A JSON file of a version."""
    return json.loads((folder / name).read_text("utf-8"))


def seal(folder: Path, manifest: Any = None) -> None:
    """Makes all hashes right again, as someone who knows how would."""
    manifest = read(folder, MANIFEST) if manifest is None else manifest
    for name in [name for name in manifest["files"] if (folder / name).is_file()]:
        manifest["files"][name] = digest(folder / name)
    (folder / MANIFEST).write_text(manifest_text(manifest), "utf-8")


def edit(folder: Path, name: str, change: Change) -> None:
    """Changes a JSON file in place, hashes included."""
    value = read(folder, name)
    change(value)
    if name == MANIFEST:
        seal(folder, value)
    else:
        (folder / name).write_text(pretty_json(value), "utf-8")
        seal(folder)


def rewrite(folder: Path, name: str, text: str | bytes) -> None:
    """Replaces the content of a file; hashes are made right again."""
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    if name != MANIFEST:
        seal(folder)


def refused(folder: Path, words: str) -> None:
    """Expects that a version is refused with these words."""
    with pytest.raises(VersionError, match=words):
        load(folder, BACKBONE)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of each file."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}
