"""Where the experts' levels begin on a judge's scale: judges rank well and anchor badly, so cut points are fitted.

The calibrated level is piecewise linear: 0 stays 0, the cut c_k becomes k - .5, and 4 stays 4. So a calibrated level
rounds to k from c_k on. The cuts are read off an isotonic regression of the experts' levels on the judge's (Barlow et
al. 1972, as scikit-learn has it), and kept only if they agree better with experts whom the fit has not seen.
"""

import itertools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import GroupKFold

from metrics.agreement import Undefined, weighted_kappa
from metrics.rubric import TOP

FEWEST = 20
"""Conversations under which nothing is fitted."""
FOLDS = 5
_APART = 0.01
"""The least distance of a cut from its neighbours and from the ends of the scale."""
_HALVES = (0.5, 1.5, 2.5, 3.5)


@dataclass(frozen=True, slots=True)
class Cuts:
    """A judge's level in, the experts' level out, both in [0, 4].

    Raises:
        ValueError: the cuts do not rise strictly within (0, 4).
    """

    points: tuple[float, float, float, float] = _HALVES
    reason: str = ""
    """Why the levels stay as they are; empty where cuts were fitted."""

    def __post_init__(self) -> None:
        if len(self.points) != TOP or not all(a < b for a, b in itertools.pairwise((0.0, *self.points, TOP))):
            raise ValueError(f"{TOP} cut points must rise strictly between 0 and {TOP}, not {self.points}")

    def __call__(self, level: float) -> float:
        """The calibrated level.

        Raises:
            ValueError: the level is outside [0, 4].
        """
        if not 0 <= level <= TOP:
            raise ValueError(f"a level lies in [0, {TOP}], not {level}")
        return float(np.interp(level, (0, *self.points, TOP), (0, *_HALVES, TOP)))


def fit_cuts(
    levels: Sequence[float], targets: Sequence[float], conversations: Sequence[Hashable] | None = None, seed: int = 0
) -> Cuts:
    """Cuts that bring a judge's levels to the experts', or levels as they are, with the reason.

    Args:
        levels: the judge's, in [0, 4].
        targets: the experts' median of the same items, in [0, 4].
        conversations: the conversation of each item, so that none is on both sides of a fold; None: each its own.
        seed: of the folds.

    Returns:
        Fitted cuts, if in five-fold cross-validation their quadratically weighted kappa with the targets is higher than
        that of the levels as they are.

    Raises:
        ValueError: the three differ in length, or a number is outside [0, 4].
    """
    groups = list(conversations) if conversations is not None else list(range(len(levels)))
    _check(levels, targets, groups)
    if len(set(groups)) < FEWEST:
        return Cuts(reason=f"{len(set(groups))} conversations; {FEWEST} are needed to fit cuts")
    unseen = _unseen(lambda kept, wanted, _: _crossings(kept, wanted), levels, targets, groups, seed)
    try:
        before, after = weighted_kappa(levels, targets), weighted_kappa(unseen, targets)
    except Undefined as error:
        return Cuts(reason=f"nothing to fit: {error}")
    if after <= before:
        return Cuts(reason=f"cross-validated kappa {after:.2f} with cuts, {before:.2f} without")
    return _crossings(levels, targets)


def held_out(
    levels: Sequence[float], targets: Sequence[float], conversations: Sequence[Hashable], seed: int = 0
) -> list[float]:
    """Each level calibrated by `fit_cuts` on the other folds, so that agreement with the targets is no self-praise.

    Arguments and errors are those of `fit_cuts`. Levels stay as they are where there are too few items to fit on.
    """
    _check(levels, targets, conversations)
    if len(set(conversations)) < FOLDS:
        return list(levels)
    return _unseen(
        lambda kept, wanted, names: fit_cuts(kept, wanted, names, seed), levels, targets, conversations, seed
    )


def _crossings(levels: Sequence[float], targets: Sequence[float]) -> Cuts:
    """Where the isotonic curve, drawn out to (0, 0) and (4, 4), passes each half level."""
    # Levels closer than 1e-6 break the regression. Downwards, so that a level which is cut at is not below its cut.
    judged = np.floor(np.asarray(levels, dtype=float) * 1e6) / 1e6
    seen = np.unique(judged)
    curve = IsotonicRegression(y_min=0, y_max=TOP).fit(judged, targets).predict(seen)
    across = np.concatenate(([0.0], seen, [float(TOP)]))
    upwards = np.concatenate(([0.0], curve, [float(TOP)]))
    # A stretch that is flat at a half level is cut where it begins, since halves round upwards: hence the tiny slope.
    points = np.interp(_HALVES, upwards + 1e-9 * np.arange(len(upwards)), across)
    return Cuts(_spread([float(point) for point in points]))


def _spread(points: Sequence[float]) -> tuple[float, float, float, float]:
    """Cuts that keep their distance: moved up from those below first, then down from those above."""
    low = [0.0]
    for point in points:
        low.append(max(point, low[-1] + _APART))
    high = [float(TOP)]
    for point in reversed(low[1:]):
        high.append(min(point, high[-1] - _APART))
    one, two, three, four = reversed(high[1:])
    return one, two, three, four


def _unseen(
    fit: Callable[[list[float], list[float], list[Hashable]], Cuts],
    levels: Sequence[float],
    targets: Sequence[float],
    conversations: Sequence[Hashable],
    seed: int,
) -> list[float]:
    """Each level calibrated by what is fitted on the folds that its conversation is not in."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(conversations))}
    groups = [numbers[name] for name in conversations]
    found = list(levels)
    for kept, left in GroupKFold(FOLDS, shuffle=True, random_state=seed).split(groups, groups=groups):
        cuts = fit([levels[i] for i in kept], [targets[i] for i in kept], [conversations[i] for i in kept])
        for i in left:
            found[i] = cuts(levels[i])
    return found


def _check(levels: Sequence[float], targets: Sequence[float], conversations: Sequence[Hashable]) -> None:
    if not len(levels) == len(targets) == len(conversations):
        raise ValueError(f"{len(levels)} levels, {len(targets)} targets, {len(conversations)} conversations")
    if not all(0 <= number <= TOP for number in (*levels, *targets)):
        raise ValueError(f"levels and targets lie in [0, {TOP}]")
