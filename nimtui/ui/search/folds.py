"""The unfolded nodes and the marked node of a tree by their moves, so that another tree can show the same."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nimtui.games.base import Move
from nimtui.ui.search.outline import Outline

MOST = 300  # unfolded nodes; of more only those above the marked node are remembered


@dataclass
class Folds:
    """What an outline should show as soon as its tree has the nodes."""

    unfolded: set[tuple[Move, ...]] = field(default_factory=set)
    mark: tuple[Move, ...] | None = None

    def remember(self, outline: Outline) -> None:
        """Add what this outline shows, the root's moves apart. A mark that is still waiting stays."""
        if self.mark is None:
            self.mark = outline.moves(outline.at)
        unfolded = np.flatnonzero(outline.depths[1:] > outline.depths[:-1])
        if len(unfolded) <= MOST:
            self.unfolded |= {outline.moves(int(place)) for place in unfolded}
        self.unfolded |= {self.mark[:ply] for ply in range(len(self.mark))}

    def apply(self, outline: Outline) -> None:
        """Unfold and mark the nodes that are there by now; the others wait."""
        for moves in sorted(self.unfolded, key=len):
            place = outline.after(moves)
            if place is not None and (outline.is_open(place) or outline.open(place)):
                self.unfolded.discard(moves)
        if self.mark is not None:
            for ply in range(len(self.mark), -1, -1):
                if (place := outline.after(self.mark[:ply])) is not None:
                    outline.at = place
                    self.mark = self.mark if ply < len(self.mark) else None
                    break
