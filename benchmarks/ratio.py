"""The one line that every benchmark ends with."""


def verdict(what: str, ratio: float, target: float, *, at_least: bool = False) -> str:
    """`what`, its ratio, the target, and whether it is met."""
    met = ratio >= target if at_least else ratio <= target
    return f"{what}: {ratio:.2f} (target {'>=' if at_least else '<='} {target:.2f}): {'met' if met else 'MISSED'}"
