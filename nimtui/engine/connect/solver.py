"""The solver: exact scores of positions and of all their moves, with one table for a whole board.

A score is for the player to move. 0 is a draw. +n is a win: with the board filled, the winner would have had n − 1 more
discs to place. −n is a loss by the same count. A win by the disc dropped onto a board with d discs scores (cells + 1 −
d) // 2; on 7 × 6 that is 22 minus the number of discs the winner has then played (the convention of Pascal Pons's
solver).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Event, Thread

import numpy as np
import numpy.typing as npt

from nimtui.engine.connect import many
from nimtui.engine.connect import search as kernel
from nimtui.engine.connect.board import Board, board_of, popcount, winning_cells
from nimtui.engine.connect.order import history
from nimtui.engine.connect.table import Table, table
from nimtui.engine.pace import Pace
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Aloud, Progress, Relay

Numbers = npt.NDArray[np.int64]

BYTES = 1 << 26  # of the table; measured: 4 GB more than halve the speed, as they exceed the caches, and save few nodes
FIRST_CHUNK = 50_000  # nodes


class Solver:
    """The table of one board, for any number of its positions. Positions of one game share most of their trees."""

    def __init__(self, state: Connect, size_bytes: int = BYTES, threads: int = 1, without: int = 0) -> None:
        """Use a table of at most so many bytes, but of at least the least size for this board. The threads share it.

        `without` are ideas that the search leaves out, for measurements: see `search`.
        """
        self.board: Board = board_of(state)
        self.table: Table = table(size_bytes, self.board)
        self.history = history()
        self._stack, *others = kernel.stacks(self.board, threads)
        self._stack.at[kernel.WITHOUT] = without
        self._helpers = [_Helper(self.board, self.table, stack) for stack in others]

    def get_ready(self) -> None:
        """Compile or load the search."""
        kernel.begin(self._stack, 0, 0, 0)
        kernel.search(self.board, self.table, self.history, self._stack, 0)

    def forget(self) -> None:
        """Empty the table and the histories."""
        self.table.words[:] = 0
        for learned in (self.history, *(helper.history for helper in self._helpers)):
            learned[:] = 0

    @property
    def nodes(self) -> int:
        """The nodes searched so far, by all threads."""
        stacks = (self._stack, *(helper.stack for helper in self._helpers))
        return sum(int(stack.at[kernel.NODES]) for stack in stacks)

    @property
    def bytes(self) -> int:
        """The size of the table."""
        return self.table.words.nbytes

    @property
    def filled(self) -> float:
        """The share of the table's words in use, estimated from its first part."""
        return float(np.count_nonzero(self.table.words[: 1 << 16])) / min(len(self.table.words), 1 << 16)

    def score(self, state: Connect, progress: Progress = SILENT, least: int | None = None) -> int:
        """Return the exact score of an unfinished position. A known lower bound `least` saves work."""
        room = self._room(state)
        if self._wins_at_once(state):
            return (room + 1) // 2
        return self._between(state, -(room // 2), (room - 1) // 2, progress, least)

    def score_many(self, mine: Numbers, discs: Numbers, progress: Progress = SILENT) -> Numbers:
        """Return the exact scores of unfinished positions, with few calls from Python. One thread searches.

        `mine` and `discs` are the first two numbers of their boards.
        """
        scores, at = np.zeros(len(mine), np.int64), np.zeros(many.NUMBERS, np.int64)
        stack, pace = self._stack, Pace((many.score_many, Board), FIRST_CHUNK)
        stack.busy[:] = 0
        while True:
            wanted = pace.begin()
            until = int(stack.at[kernel.NODES]) + wanted
            if many.score_many(self.board, self.table, self.history, stack, mine, discs, scores, at, until):
                return scores
            pace.end(wanted)
            progress.report(int(at[many.PLACE]), len(mine), "positions")

    def sign(self, state: Connect, progress: Progress = SILENT) -> int:
        """Return who wins an unfinished position: 1 the player to move, −1 the opponent, 0 nobody. Faster than the
        score.
        """
        if self._wins_at_once(state) or self.beyond(state, 0, progress) > 0:
            return 1
        return 0 if self.beyond(state, -1, progress) > -1 else -1

    def scores(self, state: Connect, progress: Progress = SILENT) -> dict[Move, int]:
        """Return the exact score of every move of an unfinished position, for the player to move.

        What is found so far is offered to whoever watches the progress, as such a dictionary.
        """
        scores: dict[Move, int] = {}
        for move, score in self._after(state, Aloud(progress, scores.copy)):
            scores[move] = -score
        return scores

    def keeping(self, state: Connect, score: int, progress: Progress = SILENT) -> tuple[Move, ...]:
        """Return the moves of an unfinished position with this score and more. Faster than the scores of all moves."""
        return tuple(self._keeping(state, score, base.legal_moves(state), progress))

    def line(self, state: Connect, progress: Progress = SILENT, score: int | None = None) -> list[Move]:
        """Return the best moves of both players to the end of the game; of equal moves the first.

        A known `score` of the position saves work: then one question a move tells whether it keeps the score.
        """
        after, line = base.copy(state), []
        assert isinstance(after, Connect)
        if base.outcome(after) == base.GOING_ON:
            best = self.score(after, progress) if score is None else score
            while base.outcome(after) == base.GOING_ON:
                *others, last = base.legal_moves(after)
                line.append(next(self._keeping(after, best, others, progress), last))
                base.play(after, line[-1])
                best = -best
        return line

    def _keeping(self, state: Connect, score: int, moves: Sequence[Move], progress: Progress) -> Iterator[Move]:
        """Yield those of the moves that have at least this score."""
        after, room = base.copy(state), self._room(state)
        assert isinstance(after, Connect)
        for place, move in enumerate(moves):
            base.play(after, move)
            if (result := base.outcome(after)) != base.GOING_ON:
                keeps = score <= (0 if result == base.DRAW else (room + 1) // 2)
            elif self._wins_at_once(after):
                keeps = score <= -(room // 2)
            else:  # the opponent gets no more than −score
                keeps = self.beyond(after, -score, _OneMove(progress, place, len(moves))) <= -score
            base.undo(after, move)
            if keeps:
                yield move

    def beyond(self, state: Connect, alpha: int, progress: Progress = SILENT) -> int:
        """Return a lower bound above alpha of a position's score, or an upper bound up to alpha.

        The player to move must not be able to win at once.
        """
        mine, theirs = int(state.board[0]), int(state.board[0]) ^ int(state.board[1])
        stack, helpers = self._stack, iter(self._helpers)
        kernel.begin(stack, mine, theirs, alpha)
        stack.busy[:] = 0
        pace, started = Pace((kernel.search, type(state)), FIRST_CHUNK), []
        try:
            while True:
                wanted = pace.begin()
                until = int(stack.at[kernel.NODES]) + wanted
                if kernel.search(self.board, self.table, self.history, stack, until):
                    return int(stack.at[kernel.VALUE])
                pace.end(wanted)
                progress.report(self.nodes, 0, "positions")
                for helper in helpers:  # only after a chunk: most questions need no help
                    helper.begin(mine, theirs, alpha)
                    started.append(helper)
                for helper in started:
                    if (value := helper.value) is not None:
                        return value
        finally:
            for helper in started:
                helper.end()

    def _after(self, state: Connect, progress: Progress) -> Iterator[tuple[Move, int]]:
        """Yield every move with the score of the position after it, for the opponent."""
        after, room, moves = base.copy(state), self._room(state), base.legal_moves(state)
        assert isinstance(after, Connect)
        for place, move in enumerate(moves):
            base.play(after, move)
            result = base.outcome(after)
            if result == base.GOING_ON:
                yield move, self.score(after, _OneMove(progress, place, len(moves)))
            else:
                yield move, 0 if result == base.DRAW else -((room + 1) // 2)
            base.undo(after, move)

    def _between(self, state: Connect, low: int, high: int, progress: Progress, bound: int | None = None) -> int:
        """Return a score from low to high, and of at least `bound`: first who wins, then by windows that leave 0, or
        the bound, faster and faster, then by halving.
        """
        least, most, step = low, high, 1
        if bound is not None and bound > low:
            low = bound
        while low < high:
            middle, step = many.question(low, high, least, most, step)
            score = self.beyond(state, middle, progress)
            low, high = (low, min(high, score)) if score <= middle else (max(low, score), high)
        return low

    def _room(self, state: Connect) -> int:
        return int(popcount(int(state.full) ^ int(state.board[1])))

    def _wins_at_once(self, state: Connect) -> bool:
        mine, discs = int(state.board[0]), int(state.board[1])
        empty = int(state.full) ^ discs
        return bool(int(winning_cells(mine, empty, self.board)) & (discs + self.board.floor))


class _Helper:
    """A thread that searches the same position and fills the same table."""

    def __init__(self, board: Board, table: Table, stack: kernel.Stack) -> None:
        self.stack, self.history = stack, history()
        self.value: int | None = None
        self._board, self._table = board, table
        self._thread: Thread | None = None
        self._stop = Event()

    def begin(self, mine: int, theirs: int, alpha: int) -> None:
        kernel.begin(self.stack, mine, theirs, alpha)
        self.value = None
        self._stop.clear()
        self._thread = Thread(target=self._run, name="connect solver", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop it, and wait until it has."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            until = int(self.stack.at[kernel.NODES]) + FIRST_CHUNK
            if kernel.search(self._board, self._table, self.history, self.stack, until):
                self.value = int(self.stack.at[kernel.VALUE])
                return


class _OneMove(Relay):
    """Reports how many moves are solved, while one of them is."""

    def __init__(self, progress: Progress, done: int, moves: int) -> None:
        super().__init__(progress)
        self._done, self._moves = done, moves

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.report(self._done, self._moves, f"moves, {int(done):,} {what}")
