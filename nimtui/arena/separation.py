"""What of a tournament's ratings is finite, infinite, or not to be known: before anything is fitted.

Let θ + t u and g + t h grow without end, t → ∞. No result that was seen becomes less likely by that if and only if

    ui − uj + h ≥ 0 wherever the first mover i took points from j (won or drew),
    ui − uj + h ≤ 0 wherever j took points from the first mover i.

Such directions (u, h) are a cone. A difference θi − θj is finite if ui = uj in all of them, infinite if ui ≥ uj in all
and ui > uj in some, and nothing is known of it if it can go either way; the same holds for g. (C. J. Geyer,
"Likelihood inference in exponential families and directions of recession", Electronic Journal of Statistics 3, 2009.
For h = 0 it is the condition of L. R. Ford, "Solution of a ranking problem from binary comparisons", American
Mathematical Monthly 64, 1957: who took points from whom, and so on in a chain.)

Only h = 0, 1, −1 need be looked at, and for each of them these are bounds on differences: the shortest ways in a graph
tell how large each can become, and a circle of negative length tells that there is no such direction.
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

    order: bool  # can the advantage be told from the strengths?
    advantage: float  # 0: it is finite; else ±∞, or NaN where it can go either way or cannot be told
    above: Mask  # is the row's infinitely stronger?
    finite: Mask  # is the difference finite? True for an entrant and itself
    level: Mask  # nothing is known of the difference, for each took points from the other and the seat decided them all

    @property
    def groups(self) -> list[list[int]]:
        """The entrants whose differences are finite."""
        return [list(map(int, np.flatnonzero(row))) for place, row in enumerate(self.finite) if not row[:place].any()]


def separation(first_took: Mask, second_took: Mask) -> Separation:
    """From who took points from whom, [first mover, second]: `first_took` the first mover, `second_took` the second."""
    met = first_took | second_took
    order = not _possible(_reach(met, met, 1))
    still = _reach(first_took, second_took, 0)
    rises = still.T > 0  # [i, j]: can ui − uj be positive?
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
    """[i, j]: the most that uj − ui can be, by the shortest ways of Floyd and Warshall; a diagonal below 0: nothing."""
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
