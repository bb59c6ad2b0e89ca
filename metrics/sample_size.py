"""How many items a comparison needs, so that a real difference of a given size is found four times in five.

Both are n = ((z_(1 - alpha/2) s_0 + z_power s_1) / delta)^2, rounded up, with s_0 and s_1 the standard deviation of one
item without and with the difference: the normal approximation for one sample, as statsmodels has it. Count
conversations, not items, where several items come from one.
"""

import math

from statsmodels.stats.power import normal_sample_size_one_tail

POWER, ALPHA = 0.8, 0.05


def pairs_for_win_rate(rate: float, power: float = POWER, alpha: float = ALPHA) -> int:
    """Decisive pairs, without ties, that tell a win rate from one half; .55 needs 783.

    Args:
        rate: the win rate worth finding, in (.5, 1).
        power: probability of finding it, in (0, 1).
        alpha: two-sided error, in (0, 1).

    Raises:
        ValueError: one is out of range.
    """
    if not 0.5 < rate < 1:
        raise ValueError(f"the win rate to find lies between .5 and 1, not {rate}")
    return _size(rate - 0.5, 0.5, math.sqrt(rate * (1 - rate)), power, alpha)


def items_for_difference(delta: float, sd: float, power: float = POWER, alpha: float = ALPHA) -> int:
    """Items scored on both sides that tell a mean paired difference from zero; .05 with sd .25 needs 197.

    Args:
        delta: the difference worth finding, above 0.
        sd: standard deviation of the paired differences, above 0.
        power: probability of finding it, in (0, 1).
        alpha: two-sided error, in (0, 1).

    Raises:
        ValueError: one is out of range.
    """
    if not (delta > 0 and sd > 0):
        raise ValueError(f"the difference and its standard deviation are above 0, not {delta} and {sd}")
    return _size(delta, sd, sd, power, alpha)


def _size(delta: float, without: float, given: float, power: float, alpha: float) -> int:
    if not (0 < power < 1 and 0 < alpha < 1):
        raise ValueError(f"power and alpha lie between 0 and 1, not {power} and {alpha}")
    size = normal_sample_size_one_tail(delta, power, alpha / 2, std_null=without, std_alternative=given)
    return math.ceil(float(size))
