"""Cuts that bring a judge's levels to the experts'."""

import gzip
import json
import math
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.agreement import weighted_kappa, whole
from metrics.calibration import Cuts, fit_cuts, held_out
from metrics.label_files import load_labels

KUMAR = Path(__file__).parents[3] / "shared" / "data" / "human_ratings" / "kumar2026_ed.jsonl.gz"
LEVEL = st.floats(0, 4)


def harsh(items: int, seed: int, noise: float = 0.4) -> tuple[list[float], list[float]]:
    """Levels of a judge 1.3 too low, give or take normal noise, and the experts' levels."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 5, items)
    judged = np.clip(truth - 1.3 + random.normal(0, noise, items), 0, 4)
    return judged.tolist(), truth.astype(float).tolist()


@pytest.mark.parametrize(
    ("level", "calibrated"),
    [
        (0, 0),
        # Half way to the first cut, at 1.
        (0.5, 0.25),
        (1, 0.5),
        # Half way between cuts at 1 and 2.
        (1.5, 1),
        (2, 1.5),
        (3, 2.5),
        (3.5, 3.5),
        # Half way from the last cut, at 3.5, to the end.
        (3.75, 3.75),
        (4, 4),
    ],
)
def test_the_map_is_straight_between_cuts(level: float, calibrated: float) -> None:
    assert Cuts((1, 2, 3, 3.5))(level) == pytest.approx(calibrated)


@given(LEVEL)
def test_without_fitted_cuts_levels_stay(level: float) -> None:
    assert Cuts()(level) == pytest.approx(level)


def test_a_calibrated_level_rounds_to_k_from_the_k_th_cut_on() -> None:
    cuts = Cuts((0.3, 0.9, 1.7, 3.0))
    assert [(whole(cuts(cut - 1e-6)), whole(cuts(cut))) for cut in cuts.points] == [(0, 1), (1, 2), (2, 3), (3, 4)]


@pytest.mark.parametrize(
    "points", [(0, 1, 2, 3), (1, 2, 3, 4), (1, 1, 2, 3), (2, 1, 3, 3.5), (1, 2, 3), (1, 2, 3, math.nan)]
)
def test_cuts_that_do_not_rise_within_the_scale_are_refused(points: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="rise strictly"):
        Cuts(points)


@pytest.mark.parametrize("level", [-0.1, 4.1, math.nan])
def test_a_level_off_the_scale_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match=r"\[0, 4\]"):
        Cuts()(level)


@pytest.mark.parametrize(
    ("levels", "targets", "points"),
    [
        # The curve 0-0, 1-2, 2-3, 3-4, 4-4 passes .5 at 1/4, 1.5 at 3/4, 2.5 at 1 1/2 and 3.5 at 2 1/2.
        ([0, 1, 2, 3, 4], [0, 2, 3, 4, 4], (0.25, 0.75, 1.5, 2.5)),
        # Only 1 and 2 occur. Drawn out to the ends, 0-0, 1-1, 2-4, 4-4 passes 1.5 at 1 1/6, 2.5 at 1 1/2, 3.5 at 1 5/6.
        ([1, 2], [1, 4], (0.5, 7 / 6, 1.5, 11 / 6)),
        # The experts' 4, 0 and 2 at 1, 2 and 3 fall out of order, so all three pool to 2: 0-0, 1-2, 3-2, 4-4.
        ([1, 2, 3, 0, 4], [4, 0, 2, 0, 4], (0.25, 0.75, 3.25, 3.75)),
        # A judge that gives 0 where experts give 2: both lower cuts move as far down as they may.
        ([0, 1, 2], [2, 3, 4], (0.01, 0.02, 0.5, 1.5)),
    ],
    ids=["one too low", "half the scale", "out of order", "two too low"],
)
def test_cuts_are_where_the_isotonic_curve_passes_half_levels(
    levels: list[float], targets: list[float], points: tuple[float, ...]
) -> None:
    assert fit_cuts(levels * 12, targets * 12).points == pytest.approx(points, abs=1e-6)


def test_a_harsh_judge_is_brought_back_on_labels_it_has_not_seen() -> None:
    cuts = fit_cuts(*harsh(200, 0))
    judged, truth = harsh(300, 1)
    before, after = weighted_kappa(judged, truth), weighted_kappa([cuts(level) for level in judged], truth)
    assert before < 0.7 < 0.85 < after


def test_held_out_agreement_is_that_of_fresh_labels() -> None:
    judged, truth = harsh(200, 0)
    fresh, fresh_truth = harsh(2_000, 1)
    unseen = weighted_kappa(held_out(judged, truth, range(200)), truth)
    cuts = fit_cuts(judged, truth)
    assert unseen == pytest.approx(weighted_kappa([cuts(level) for level in fresh], fresh_truth), abs=0.05)


@pytest.mark.parametrize(
    ("levels", "targets", "reason"),
    [
        ([0, 1, 2, 3, 4] * 10, [0, 1, 2, 3, 4] * 10, "cross-validated kappa 1.00 with cuts, 1.00 without"),
        ([0, 1, 2, 3, 4] * 3, [0, 2, 3, 4, 4] * 3, "15 conversations; 20 are needed to fit cuts"),
        ([2] * 50, [0, 1, 2, 3, 4] * 10, "nothing to fit: all levels of one side are the same"),
        ([0, 1, 2, 3, 4] * 10, [2] * 50, "nothing to fit: all levels of one side are the same"),
        ([], [], "0 conversations; 20 are needed to fit cuts"),
    ],
    ids=["right already", "too few", "constant judge", "constant people", "nothing"],
)
def test_levels_stay_where_cuts_would_not_help(levels: list[float], targets: list[float], reason: str) -> None:
    assert fit_cuts(levels, targets) == Cuts(reason=reason)


def test_more_items_of_few_conversations_are_not_enough() -> None:
    assert fit_cuts([0, 1, 2, 3] * 20, [0, 2, 3, 4] * 20, [*range(10)] * 8).reason.startswith("10 conversations")


def test_a_conversation_is_never_on_both_sides_of_a_fold() -> None:
    """All items of one conversation have the same level here, so one fit must give them one calibrated level."""
    judged, truth = harsh(40, 2)
    conversations = [number for number in range(40) for _ in range(3)]
    unseen = held_out([judged[i] for i in conversations], [truth[i] for i in conversations], conversations)
    assert len(set(zip(conversations, unseen, strict=True))) == 40


@pytest.mark.parametrize("fit", [fit_cuts, lambda levels, targets: held_out(levels, targets, range(len(levels)))])
@pytest.mark.parametrize(
    ("levels", "targets", "message"),
    [([1, 2], [1], "2 levels, 1 targets"), ([5], [1], r"\[0, 4\]"), ([1], [math.nan], r"\[0, 4\]")],
)
def test_impossible_columns_are_refused(fit: object, levels: list[float], targets: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit(levels, targets)  # type: ignore[operator]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(LEVEL, st.integers(0, 4)), min_size=20, max_size=40))
def test_whatever_the_labels_the_map_rises(pairs: list[tuple[float, int]]) -> None:
    levels, targets = zip(*pairs, strict=True)
    cuts = fit_cuts(levels, targets)
    found = [cuts(level) for level in np.linspace(0, 4, 81)]
    assert found == sorted(found) and (found[0], found[-1]) == (0, 4)


@pytest.mark.skipif(not KUMAR.is_file(), reason="human_ratings is not in ../shared/data")
def test_published_judges_reach_the_experts_agreement() -> None:
    """The mean of GPT-4o, Claude 3.7 and Gemini 2.5 on empathy: kappa .27 as judged; experts among themselves .55."""
    labels = load_labels(KUMAR)
    rows = [json.loads(line)["ratings"] for line in gzip.decompress(KUMAR.read_bytes()).decode().splitlines()]
    judged = [fmean(given[name]["empathy"] - 1 for name in ("gpt", "claude", "gemini")) for given in rows]
    medians = [median for median in labels.medians("empathy") if median is not None]
    unseen = held_out(judged, medians, labels.conversations)
    assert weighted_kappa(judged, medians) < 0.3 < 0.55 < weighted_kappa(unseen, medians)
