"""Determine which ratings of a tournament are finite, infinite or unknown, before anything is fitted.

Let θ + t u and g + t h grow without end, t → ∞. No observed result becomes less likely if and only if

ui − uj + h ≥ 0 wherever the first mover i took points from j (won or drew), and

ui − uj + h ≤ 0 wherever j took points from the first mover i.

Such directions (u, h) are a cone. A difference θi − θj is finite if ui = uj in all of them. It is infinite if ui ≥ uj
in all and ui > uj in some. It is unknown if it can go either way. The same holds for g. (C. J. Geyer, "Likelihood
inference in exponential families and directions of recession", Electronic Journal of Statistics 3, 2009. For h = 0 it
is the condition of L. R. Ford, "Solution of a ranking problem from binary comparisons", American Mathematical Monthly
64, 1957: who took points from whom, and so on in a chain.)

Only h = 0, 1, −1 need be considered. For each of them these are bounds on differences. The shortest paths in a graph
tell how large each can become; a cycle of negative length tells that there is no such direction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Reach = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Separation:
    """Which differences between entrants are finite; [entrants, entrants] each."""

    order: bool  # whether the advantage can be told from the strengths
    advantage: float  # 0: it is finite; else ±∞, or NaN if it can go either way or cannot be told
    above: Mask  # whether the row's entrant is infinitely stronger
    finite: Mask  # whether the difference is finite; True for an entrant and itself
    level: Mask  # the difference is unknown: each took points from the other, and the seat decided them all

    @property
    def groups(self) -> list[list[int]]:
        """Return the groups of entrants with finite differences."""
        return [list(map(int, np.flatnonzero(row))) for place, row in enumerate(self.finite) if not row[:place].any()]


def separation(first_took: Mask, second_took: Mask) -> Separation:
    """Return the separation, from who took points from whom as [first mover, second] and by which of the two."""
    met = first_took | second_took
    order = not _possible(_reach(met, met, 1))
    still = _reach(first_took, second_took, 0)
    rises = still.T > 0  # [i, j]: ui − uj can be positive
    moves = set()
    for h in (1, -1) if order else ():
        reach = _reach(first_took, second_took, h)
        if _possible(reach):
            moves.add(h)
            rises |= reach.T > 0
    falls = rises.T
    advantage = float("nan") if not order or len(moves) == 2 else np.inf * moves.pop() if moves else 0.0
    return Separation(order, advantage, rises & ~falls, ~rises & ~falls, rises & falls & (still == 0) & (still.T == 0))


def _reach(first_took: Mask, second_took: Mask, h: int) -> Reach:
    """Return [i, j]: the most that uj − ui can be, by Floyd and Warshall's shortest paths; a diagonal below 0:
    impossible.
    """
    reach = np.where(first_took, float(h), np.inf)
    reach = np.minimum(reach, np.where(second_took.T, float(-h), np.inf))
    np.fill_diagonal(reach, 0.0)
    for middle in range(len(reach)):
        np.minimum(reach, reach[:, middle, None] + reach[middle], out=reach)
        if reach.diagonal().min() < 0:
            break
    return reach


def _possible(reach: Reach) -> bool:
    return bool((reach.diagonal() >= 0).all())
