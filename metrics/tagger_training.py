"""Training the linear tagger from local data, with what each of its parts is worth on data it has not seen.

Settings were chosen on EmpatheticDialogues' validation split and on the folds of EPITOME, never on the test split; the
few for intents were looked at on the hand labels themselves, since nothing else tells cue phrases from intents.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from metrics.linear_tagger import LinearTagger
from metrics.margins import Margins, Recipe
from metrics.mechanism import Mechanism
from metrics.tagger_data import Meant, Rated, Talk, cue_phrases, hand_labels, rated, sources, talks
from metrics.tagger_worth import emotion_worth, intent_worth, mechanism_worth
from metrics.text import words
from programs.vocabulary import INTENTS, MECHANISMS

EMOTION = Recipe(words=2, word_texts=3, letters=(2, 5), letter_texts=5, letter_runs=30_000, penalty=0.05, meaning=0.5)
INTENT = Recipe(words=2, word_texts=2, letters=(2, 4), letter_texts=3, letter_runs=None, penalty=0.1)
MOST = 750
"""Training texts of one intent at the most: cue phrases overstate how common questions are."""


def train_tagger(data: Path, *, seed: int = 0, on_step: Callable[[str], None] = lambda line: None) -> LinearTagger:
    """Trains every part and measures it; two to three minutes.

    Args:
        data: a folder laid out as `tagger_data` says.
        seed: of the fits, the folds and the draw of cue phrases; equal data and seeds give an equal tagger.
        on_step: told in a line what comes next.

    Raises:
        CorpusError: a file is missing or malformed, or there is too little in it.
        BackboneError: the static word vectors are not installed.
    """
    on_step("reading the data")
    files = sources(data)
    test, hand, replies = talks(data, "test"), hand_labels(data), rated(data)
    texts, labels = emotion_texts([*talks(data, "train"), *talks(data, "valid")], test)
    meant = some_of_each(unseen(cue_phrases(data), hand), seed)
    on_step(f"emotion: {len(texts):,} situations and speakers of train and valid")
    emotion = Margins.fit(texts, labels, EMOTION, seed)
    on_step(f"intent: {len(meant):,} cue-phrase replies")
    intent = Margins.fit([one.text for one in meant], [one.intent for one in meant], INTENT, seed)
    held_out = {**emotion_worth(emotion, test), **intent_worth(intent, hand)}
    mechanisms = {}
    for name in MECHANISMS:
        on_step(f"{name}: {len(replies):,} rated replies, in five folds and once more")
        mechanisms[name] = _mechanism(replies, name, seed)
        held_out |= mechanism_worth(replies, name, seed)
    figures = {name: figure.to_dict() for name, figure in held_out.items()}
    return LinearTagger(emotion, mechanisms, intent, {"seed": seed, "data": files, "held_out": figures})


def emotion_texts(train: Iterable[Talk], test: Iterable[Talk]) -> tuple[list[str], list[str]]:
    """Situations and speakers' turns as separate texts, with their emotions; none whose words are a text of `test`."""
    seen = {_folded(text) for talk in test for text in (talk.situation, talk.said)}
    pairs = [(text, talk.emotion) for talk in train for text in (talk.situation, talk.said)]
    kept = [(text, emotion) for text, emotion in pairs if words(text) and _folded(text) not in seen]
    return [text for text, _ in kept], [emotion for _, emotion in kept]


def unseen(rows: Iterable[Meant], hand: Iterable[Meant]) -> list[Meant]:
    """Those that may be trained on, each text once: none of ED's test split, none whose words are a hand label's."""
    held_out = {_folded(one.text) for one in hand}
    fresh = {text: one for one in rows if one.split != "test" and (text := _folded(one.text)) not in held_out}
    return list(fresh.values())


def some_of_each(rows: Sequence[Meant], seed: int) -> list[Meant]:
    """At most `MOST` of each intent, drawn with the seed."""
    draw = np.random.default_rng(seed)
    by_intent = [[one for one in rows if one.intent == intent] for intent in INTENTS]
    return [group[place] for group in by_intent for place in draw.permutation(len(group))[:MOST]]


def _mechanism(replies: Sequence[Rated], name: str, seed: int) -> Mechanism:
    return Mechanism.fit([one.shown[name] for one in replies], seed)


def _folded(text: str) -> str:
    return " ".join(words(text))
