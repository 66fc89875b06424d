"""What the scores were: a thinned row of copies, from which the small history of one score is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_COPIES = 64
MOST_BYTES = 32 * 2**20


class History:
    """Copies of a table's scores at so many games. When there are too many, every other one is forgotten."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._copies: list[tuple[int, npt.NDArray[Any]]] = []  # games, scores [edges]; the games ascend
        self._step = 1.0  # games go up by this factor between two copies that are kept

    def __len__(self) -> int:
        return len(self._copies)

    @property
    def bytes(self) -> int:
        """How much memory the copies take."""
        return sum(scores.nbytes for _, scores in self._copies)

    def clear(self) -> None:
        self._copies.clear()
        self._step = 1.0

    def add(self, games: int, scores: npt.NDArray[Any]) -> None:
        """Keep these scores (an array that nobody changes any more), if enough games have passed since the last."""
        if self._copies and games <= self._copies[-1][0]:
            if games < self._copies[-1][0]:
                self.clear()  # it has begun anew
            else:
                return
        if self._copies and games < self._copies[-1][0] * self._step:
            return
        self._copies.append((games, scores))
        most = min(MOST_COPIES, self._most_bytes // max(1, scores.nbytes))
        if len(self._copies) > most:
            first, last = max(1, self._copies[0][0]), max(2, games)
            self._step = (last / first) ** (2 / max(2, most))
            del self._copies[1::2]
            if len(self._copies) > most:  # not even one has room
                self._copies.clear()

    def of(self, edge: int, now: float, cells: int) -> Sequence[float]:
        """At most so many values of one score, evenly among those that are kept, the last being what it is now."""
        known = len(self._copies)
        if known == 0 or cells < 2:
            return [now]
        places = np.unique(np.linspace(0, known - 1, min(known, cells - 1)).astype(int))
        return [*(float(self._copies[at][1][edge]) for at in places), now]
