"""The interval of the true score around an observed one."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054  # a standard normal number is within ± this with a probability of 95 %


def interval(points: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval of an agent's long-run points per game; (0, 1) without games.

    With p = points / games the ends are the two solutions q of (p − q)² = z² q (1 − q) / games. They are (p + z²/2n ± z
    √(p (1 − p)/n + z²/4n²)) / (1 + z²/n); z = 1.96 gives 95 % (E. B. Wilson, "Probable inference, the law of
    succession, and statistical inference", Journal of the American Statistical Association 22, 1927). The interval
    never leaves 0 to 1, and it is right for a perfect score, too.

    A draw counts as half a win. The formula treats every game as a win or a loss. Games with draws scatter less, so
    with many draws the interval is wider than necessary, never narrower.
    """
    if games == 0:
        return 0.0, 1.0
    share, square = points / games, z * z / games
    middle = share + square / 2
    reach = sqrt(square * (share * (1 - share) + square / 4))
    low, high = (middle - reach) / (1 + square), (middle + reach) / (1 + square)
    return (0.0 if points == 0 else max(low, 0.0)), (1.0 if points == games else min(high, 1.0))
