"""Which games of a tournament are played next, and how many at once. What they come to does not depend on that."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence

from nimtui.arena.ledger import Ledger
from nimtui.arena.plan import Plan
from nimtui.arena.play import Piece

TARGET = 0.1  # seconds a piece shall take: progress shows, and little is lost
GROWTH = 8  # a piece is at most so many times as large as the one before: the first games say little
MOST = 20_000  # games in a piece: so many are sent and kept in a moment
ROUNDS = 20  # a piece is at most such a part of a pairing: standings compare who has played about equally often


class Deal:
    """The games of a plan that are missing, dealt out as evenly over the pairings as pieces allow."""

    def __init__(self, plan: Plan, ledgers: Sequence[Ledger], before: Sequence[tuple[int, float]] = ()) -> None:
        """`before`: how many games of each pairing were played in earlier runs, and how many seconds they took."""
        self._plan, self._ledgers = plan, ledgers
        self._gaps = [deque(ledger.missing()) for ledger in ledgers]
        self._spent = [seconds for _, seconds in before] or [0.0] * len(ledgers)
        self._timed = [games for games, _ in before] or [0] * len(ledgers)  # games that took them
        self._largest = [0] * len(ledgers)  # piece
        missing = [sum(last - first for first, last in gaps) for gaps in self._gaps]
        self._queue = [(plan.number - left, place) for place, left in enumerate(missing) if left]
        heapq.heapify(self._queue)  # by the games dealt out, then by place

    def __iter__(self) -> Iterator[Piece]:
        return self

    def __next__(self) -> Piece:
        """The next piece: of the pairing that has the fewest games."""
        while self._queue:
            dealt, place = self._queue[0]
            gaps = self._gaps[place]
            if not gaps or self._ledgers[place].decided:
                heapq.heappop(self._queue)
                continue
            first, last = gaps.popleft()
            end = min(last, first + self._size(place))
            if end < last:
                gaps.appendleft((end, last))
            self._largest[place] = max(self._largest[place], end - first)
            heapq.heapreplace(self._queue, (dealt + end - first, place))
            return Piece(self._plan, place, first, end)
        raise StopIteration

    def again(self, piece: Piece) -> None:
        """This piece was not played after all."""
        self._gaps[piece.pairing].appendleft((piece.first, piece.last))
        heapq.heappush(self._queue, (0, piece.pairing))

    def took(self, place: int, games: int, seconds: float) -> None:
        """So many games of this pairing took so long."""
        self._spent[place] += seconds
        self._timed[place] += games

    def next_seconds(self) -> float | None:
        """How long the next piece will take; None where no game of its pairing has been timed, or there is none."""
        while self._queue and (not self._gaps[self._queue[0][1]] or self._ledgers[self._queue[0][1]].decided):
            heapq.heappop(self._queue)
        if not self._queue or not self._timed[place := self._queue[0][1]]:
            return None
        return self._size(place) * self._spent[place] / self._timed[place]

    def left(self) -> float | None:
        """How long one worker would be at what is missing; None where nothing has been timed.

        Pairings that have not been seen yet are taken to be like the others.
        """
        played = sum(self._timed)
        if not played:
            return None
        usual = [spent / timed for spent, timed in zip(self._spent, self._timed, strict=True) if timed]
        mean = sum(usual) / len(usual)
        return sum(
            (ledger.wanted - ledger.played) * (spent / timed if timed else mean)
            for ledger, spent, timed in zip(self._ledgers, self._spent, self._timed, strict=True)
        )

    def _size(self, place: int) -> int:
        """How many games the next piece of this pairing shall have: at first one, then as many as time says."""
        if not self._timed[place]:
            return max(1, self._largest[place])
        each = self._spent[place] / self._timed[place]
        fitting = MOST if each <= 0 else int(min(MOST, TARGET / each))
        return max(1, min(fitting, GROWTH * self._largest[place], max(2, self._plan.number // ROUNDS)))
