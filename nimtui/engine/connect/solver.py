"""The solver: exact scores of positions and of all their moves, with one table for a whole board.

A score is for the player to move. 0 is a draw. +n is a win: with the board filled, the winner would have had n − 1 more
discs to place. −n is a loss by the same count. A win by the disc dropped onto a board with d discs scores (cells + 1 −
d) // 2; on 7 × 6 that is 22 minus the number of discs the winner has then played (the convention of Pascal Pons's
solver).

Many positions of one board are read, played on and scored at once, without Python between two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Event, Thread

import numpy as np
import numpy.typing as npt

from nimtui.engine.connect.board import Board, board_of, has_line, popcount, winning_cells
from nimtui.engine.connect.search import NODES, VALUE, WITHOUT, History, Stack, begin, history, search, stacks
from nimtui.engine.connect.table import Table, table
from nimtui.engine.jit import helper, kernel
from nimtui.engine.limits import Pace
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Aloud, Progress, Relay

Numbers = npt.NDArray[np.int64]

BYTES = 1 << 26  # of the table; measured: 4 GB more than halve the speed, as they exceed the caches, and save few nodes
FIRST_CHUNK = 50_000  # nodes

PLACE, STARTED, ASKED, LOW, HIGH, LEAST, MOST, STEP, MIDDLE, NUMBERS = range(10)
"""The places in `at`: the position that is scored; whether its window is set, and a question about it asked; the
window, what it was at first, and how it shrinks; the question."""


@helper
def question(low: int, high: int, least: int, most: int, step: int) -> tuple[int, int]:
    """Return what to ask next of a score from low to high, which at first was from least to most, and the next step.

    First who wins, then windows that leave 0 faster and faster, then halves.
    """
    if low == least and high == most:
        middle = 0
    elif low == least:
        middle, step = high - step, 2 * step
    elif high == most:
        middle, step = low + step - 1, 2 * step
    else:
        middle = (low + high) // 2
    return min(max(middle, low), high - 1), step


@kernel
def score_many(
    board: Board,
    table: Table,
    history: History,
    stack: Stack,
    mine: Numbers,
    discs: Numbers,
    scores: Numbers,
    at: Numbers,
    until: int,
) -> bool:
    """Score the unfinished positions from at[PLACE] on, until there are so many nodes. Return True at the end.

    A position counts as a node, too.
    """
    while at[PLACE] < mine.shape[0]:
        place = at[PLACE]
        if not at[STARTED]:
            if stack.at[NODES] >= until:
                return False
            stack.at[NODES] += 1
            empty = board.full ^ discs[place]
            room = popcount(empty)
            if winning_cells(mine[place], empty, board) & (discs[place] + board.floor):
                scores[place] = (room + 1) // 2
                at[PLACE] += 1
                continue
            at[LOW] = at[LEAST] = -(room // 2)
            at[HIGH] = at[MOST] = (room - 1) // 2
            at[STEP], at[STARTED], at[ASKED] = 1, 1, 0
        while at[LOW] < at[HIGH]:
            if not at[ASKED]:
                at[MIDDLE], at[STEP] = question(at[LOW], at[HIGH], at[LEAST], at[MOST], at[STEP])
                begin(stack, mine[place], mine[place] ^ discs[place], at[MIDDLE])
                at[ASKED] = 1
            if not search(board, table, history, stack, until):
                return False
            at[ASKED] = 0
            if stack.at[VALUE] <= at[MIDDLE]:
                at[HIGH] = min(at[HIGH], stack.at[VALUE])
            else:
                at[LOW] = max(at[LOW], stack.at[VALUE])
        scores[place] = at[LOW]
        at[PLACE] += 1
        at[STARTED] = 0
    return True


WRONG, GOING, WON, DRAWN = -1, 0, 1, 2  # an impossible move; how a move ends the game, for the player who makes it


@helper
def ending(mover: int, discs: int, board: Board) -> int:
    """Return the result of a move after which the player who made it has the discs `mover`."""
    return WON if has_line(mover, board) else DRAWN if discs == board.full else GOING


@kernel
def read(
    board: Board, text: npt.NDArray[np.uint8], ends: Numbers, mine: Numbers, discs: Numbers, results: Numbers
) -> None:
    """Play positions that are columns from 1 on, a digit each. Each ends in `text` before its place in `ends`.

    `results` says how the last move ended the game. WRONG: the text has another form, or is no legal position.
    """
    height, first = board.rows + 1, 0
    for place in range(ends.shape[0]):
        mover, both, result = 0, 0, GOING
        for at in range(first, ends[place]):
            column = int(text[at]) - 49
            if result != GOING or not 0 <= column < board.columns:
                result = WRONG
                break
            cell = (both + (1 << column * height)) & (board.column << column * height) & board.full
            if cell == 0:
                result = WRONG
                break
            mover, both = mover ^ both, both | cell
            result = ending(mover ^ both, both, board)
        mine[place], discs[place], results[place] = mover, both, result
        first = ends[place]


class Solver:
    """The table of one board, for any number of its positions. Positions of one game share most of their trees."""

    def __init__(self, state: Connect, size_bytes: int = BYTES, threads: int = 1, without: int = 0) -> None:
        """Use a table of at most so many bytes, but of at least the least size for this board. The threads share it.

        `without` are ideas that the search leaves out, for measurements: see `search`.
        """
        self.board: Board = board_of(state)
        self.table: Table = table(size_bytes, self.board)
        self.history = history()
        self._stack, *others = stacks(self.board, threads)
        self._stack.at[WITHOUT] = without
        self._helpers = [_Helper(self.board, self.table, stack) for stack in others]

    def get_ready(self) -> None:
        """Compile or load the search."""
        begin(self._stack, 0, 0, 0)
        search(self.board, self.table, self.history, self._stack, 0)

    def forget(self) -> None:
        """Empty the table and the histories."""
        self.table.words[:] = 0
        for learned in (self.history, *(thread.history for thread in self._helpers)):
            learned[:] = 0

    @property
    def nodes(self) -> int:
        """The nodes searched so far, by all threads."""
        stacks = (self._stack, *(thread.stack for thread in self._helpers))
        return sum(int(stack.at[NODES]) for stack in stacks)

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
        scores, at = np.zeros(len(mine), np.int64), np.zeros(NUMBERS, np.int64)
        stack, pace = self._stack, Pace((score_many, Board), FIRST_CHUNK)
        stack.busy[:] = 0
        while True:
            wanted = pace.begin()
            until = int(stack.at[NODES]) + wanted
            if score_many(self.board, self.table, self.history, stack, mine, discs, scores, at, until):
                return scores
            pace.end(wanted)
            progress.report(int(at[PLACE]), len(mine), "positions")

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
        begin(stack, mine, theirs, alpha)
        stack.busy[:] = 0
        pace, started = Pace((search, type(state)), FIRST_CHUNK), []
        try:
            while True:
                wanted = pace.begin()
                until = int(stack.at[NODES]) + wanted
                if search(self.board, self.table, self.history, stack, until):
                    return int(stack.at[VALUE])
                pace.end(wanted)
                progress.report(self.nodes, 0, "positions")
                for thread in helpers:  # only after a chunk: most questions need no help
                    thread.begin(mine, theirs, alpha)
                    started.append(thread)
                for thread in started:
                    if (value := thread.value) is not None:
                        return value
        finally:
            for thread in started:
                thread.end()

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
            middle, step = question(low, high, least, most, step)
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

    def __init__(self, board: Board, table: Table, stack: Stack) -> None:
        self.stack, self.history = stack, history()
        self.value: int | None = None
        self._board, self._table = board, table
        self._thread: Thread | None = None
        self._stop = Event()

    def begin(self, mine: int, theirs: int, alpha: int) -> None:
        begin(self.stack, mine, theirs, alpha)
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
            until = int(self.stack.at[NODES]) + FIRST_CHUNK
            if search(self._board, self._table, self.history, self.stack, until):
                self.value = int(self.stack.at[VALUE])
                return


class _OneMove(Relay):
    """Reports how many moves are solved, while one of them is."""

    def __init__(self, progress: Progress, done: int, moves: int) -> None:
        super().__init__(progress)
        self._done, self._moves = done, moves

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.report(self._done, self._moves, f"moves, {int(done):,} {what}")
