"""Whether a difference between two systems on the same items could be chance.

Sources: the paired permutation test, with p = (b + 1) / (m + 1) so that it is never zero (Phipson and Smyth 2010);
McNemar's exact test (1947); Holm's correction (1979).
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from metrics.compare import by_conversation

_PERMUTATIONS = 9_999


def permutation_p(
    before: Sequence[float | None],
    after: Sequence[float | None],
    conversations: Sequence[Hashable],
    seed: int = 0,
) -> float:
    """The two-sided p-value of the mean paired difference, under swaps of the sides of whole conversations.

    All swaps are counted where there are at most 9,999 (13 conversations); otherwise that many are drawn.

    Args:
        before: values, None where unscored; items unscored on either side are left out.
        after: the same items in the same order.
        conversations: the conversation of each item; its differences are averaged first, so that it counts once.
        seed: of the draws.

    Returns:
        In (0, 1]; 1 for a single conversation.

    Raises:
        ValueError: the three differ in length, or no item is scored on both sides.
    """
    differences = by_conversation(
        (group, new - old)
        for old, new, group in zip(before, after, conversations, strict=True)
        if old is not None and new is not None
    )
    if not differences:
        raise ValueError("no item is scored on both sides")
    if len(differences) == 1:
        return 1.0
    found = stats.permutation_test(
        (np.asarray(differences),),
        np.mean,
        permutation_type="samples",
        n_resamples=_PERMUTATIONS,
        batch=500,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def mcnemar_p(before: Sequence[bool], after: Sequence[bool]) -> float:
    """The two-sided exact p-value that as many items turned from pass to fail as the other way.

    Args:
        before: pass or fail of each item, one item a conversation.
        after: the same items in the same order.

    Returns:
        In (0, 1]; 1 where no item turned.

    Raises:
        ValueError: the two differ in length, or there is no item.
    """
    pairs = list(zip(before, after, strict=True))
    if not pairs:
        raise ValueError("there is no item to compare")
    table = [[sum(pair == (old, new) for pair in pairs) for new in (True, False)] for old in (True, False)]
    return float(mcnemar(table, exact=True).pvalue)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values corrected for there being several: each may be read against .05 on its own.

    Args:
        p_values: by candidate or metric, all that were looked at.

    Raises:
        ValueError: one is not in [0, 1].
    """
    if not all(0 <= p <= 1 for p in p_values.values()):
        raise ValueError(f"p-values lie in [0, 1]: {dict(p_values)}")
    if not p_values:
        return {}
    corrected = multipletests(list(p_values.values()), method="holm")[1]
    return dict(zip(p_values, map(float, corrected), strict=True))
