"""Where one is on the Tournament screen: the marked cell, what the cells say, how the rows are sorted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.ui.tournament.crosstable import Share

if TYPE_CHECKING:
    from nimtui.arena.tally import Standing, Standings

SORTS = ("score", "Elo", "points", "mistakes", "name")


@dataclass(frozen=True, slots=True)
class Place:
    """The cursor is on two entrants, not on a row and a column: it goes with them when the rows change places."""

    cursor: tuple[int, int] = (0, 1)
    share: Share = Share.BOTH
    sort: str = SORTS[0]
    chosen: bool = False  # has the person put the cursor there? Else it is on the first two of the table

    def on(self, order: Sequence[int]) -> Place:
        """The same where the entrants stand in this order now."""
        return self if self.chosen else replace(self, cursor=(order[0], order[min(1, len(order) - 1)]))

    def order(self, standings: Standings, names: Sequence[str]) -> list[int]:
        """The entrants as they are sorted; equal ones as in the standings."""

        def key(row: Standing) -> tuple[float, str]:
            if self.sort == "Elo":
                return math.inf if math.isnan(row.elo) else -row.elo, ""
            if self.sort == "points":
                return -row.points, ""
            if self.sort == "mistakes":
                return math.inf if row.mistake_rate is None else row.mistake_rate, ""
            return 0.0, names[row.entrant].lower() if self.sort == "name" else ""

        return [row.entrant for row in sorted(standings.rows, key=key)]

    def moved(self, order: Sequence[int], down: int, across: int) -> Place:
        """So many cells further, not beyond the edges."""
        at = [order.index(entrant) for entrant in self.cursor]
        row, column = (max(0, min(len(order) - 1, here + by)) for here, by in zip(at, (down, across), strict=True))
        return replace(self, cursor=(order[row], order[column]), chosen=True)

    def at(self, cell: tuple[int, int]) -> Place:
        """On this cell."""
        return replace(self, cursor=cell, chosen=True)

    def next_share(self) -> Place:
        shares = list(Share)
        return replace(self, share=shares[(shares.index(self.share) + 1) % len(shares)])

    def next_sort(self) -> Place:
        return replace(self, sort=SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)])
