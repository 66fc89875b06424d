"""Decide which games of a tournament are played next, and how many at once. The results do not depend on it."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence

from nimtui.arena.play.pieces import Piece
from nimtui.arena.play.plan import Plan
from nimtui.arena.standings.ledger import Ledger

TARGET = 0.1  # seconds per piece: progress shows, and little is lost
GROWTH = 8  # a piece is at most so many times as large as the one before: the first games say little
MOST = 20_000  # games in a piece: so many are sent and stored in a moment
ROUNDS = 20  # a piece is at most this fraction of a pairing, so that all agents have played about equally often


class Deal:
    """The missing games of a plan, dealt out as evenly over the pairings as pieces allow."""

    def __init__(self, plan: Plan, ledgers: Sequence[Ledger], before: Sequence[tuple[int, float]] = ()) -> None:
        """Deal out the missing games. `before`: games of each pairing in earlier runs, and their seconds."""
        self._plan, self._ledgers = plan, ledgers
        self._gaps = [deque(ledger.missing()) for ledger in ledgers]
        self._spent = [seconds for _, seconds in before] or [0.0] * len(ledgers)
        self._timed = [games for games, _ in before] or [0] * len(ledgers)  # games with known seconds
        self._largest = [0] * len(ledgers)  # largest piece so far
        missing = [sum(last - first for first, last in gaps) for gaps in self._gaps]
        self._queue = [(plan.number - left, place) for place, left in enumerate(missing) if left]
        heapq.heapify(self._queue)  # by games dealt out, then by place

    def __iter__(self) -> Iterator[Piece]:
        return self

    def __next__(self) -> Piece:
        """Return the next piece, from the pairing with the fewest games."""
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
        """Take back a piece that was not played after all."""
        self._gaps[piece.pairing].appendleft((piece.first, piece.last))
        heapq.heappush(self._queue, (0, piece.pairing))

    def took(self, place: int, games: int, seconds: float) -> None:
        """Record how many seconds so many games of this pairing took."""
        self._spent[place] += seconds
        self._timed[place] += games

    def next_seconds(self) -> float | None:
        """Return the seconds of the next piece; None if no game of its pairing was timed, or no piece is left."""
        while self._queue and (not self._gaps[self._queue[0][1]] or self._ledgers[self._queue[0][1]].decided):
            heapq.heappop(self._queue)
        if not self._queue or not self._timed[place := self._queue[0][1]]:
            return None
        return self._size(place) * self._spent[place] / self._timed[place]

    def left(self) -> float | None:
        """Return the seconds one worker needs for the missing games; None if nothing was timed.

        Pairings not seen yet are taken to be like the others.
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
        """Return the number of games of the next piece of this pairing: first one, then as many as time allows."""
        if not self._timed[place]:
            return max(1, self._largest[place])
        each = self._spent[place] / self._timed[place]
        fitting = MOST if each <= 0 else int(min(MOST, TARGET / each))
        return max(1, min(fitting, GROWTH * self._largest[place], max(2, self._plan.number // ROUNDS)))
