"""How often one system is preferred to another, with Wilson's 95 % interval (1927)."""

from dataclasses import dataclass

from statsmodels.stats.proportion import proportion_confint

from metrics.compare import LEVEL


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % interval, all in [0, 1]."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class WinRate:
    """Preferences summed up. Build one with `win_rate`."""

    wins: int
    ties: int
    losses: int
    overall: Share
    """Over all pairs, ties as half a win. Its interval is a little wide: a tie varies less than a win or a loss."""
    decisive: Share | None
    """Over wins and losses alone; None where all pairs tie."""

    @property
    def value(self) -> float:
        """The overall win rate."""
        return self.overall.value

    @property
    def better(self) -> bool:
        """The whole interval of the overall win rate lies above one half."""
        return self.overall.low > 0.5


def win_rate(wins: int, ties: int, losses: int) -> WinRate:
    """The win rate of counted preferences, one pair a conversation.

    Raises:
        ValueError: a count is negative, or all are zero.
    """
    if min(wins, ties, losses) < 0 or wins + ties + losses == 0:
        raise ValueError(f"counts are 0 or more, and one is more: {wins} wins, {ties} ties, {losses} losses")
    decisive = _share(wins, wins + losses) if wins + losses else None
    return WinRate(wins, ties, losses, _share(wins + ties / 2, wins + ties + losses), decisive)


def _share(count: float, total: int) -> Share:
    low, high = proportion_confint(count, total, alpha=1 - LEVEL, method="wilson")
    # Rounding may push an end past the value, by less than 1e-15.
    return Share(count / total, min(float(low), count / total), max(float(high), count / total))
