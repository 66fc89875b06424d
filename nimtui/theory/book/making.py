"""Make a book: solve the positions of its last ply, and derive those before from them."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import numpy as np
import numpy.typing as npt

from nimtui.engine.connect import Solver
from nimtui.games import base
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress, Relay
from nimtui.theory.book.book import UNKNOWN, Book
from nimtui.theory.book.openings import Ints, Openings, Shape

SAVE_EVERY = 60.0  # seconds


def fill(book: Book, solver: Solver, progress: Progress = SILENT, save: Callable[[Book], None] | None = None) -> None:
    """Find every unknown score of a book, in place.

    `save` is called about once a minute, at the end, and when the work is cancelled; so the work can go on later.
    """
    try:
        _solve_last(book, solver, progress, save or (lambda book: None))
        for ply in range(book.plies - 1, -1, -1):
            scores = derived(book.shape, book.openings(ply), book.openings(ply + 1), book.scores[ply + 1])
            present = book.scores[ply] != UNKNOWN
            assert (book.scores[ply][present] == scores[present]).all(), "two ways to a score disagree"
            book.scores[ply][:] = scores
    finally:
        if save is not None:
            save(book)


def _solve_last(book: Book, solver: Solver, progress: Progress, save: Callable[[Book], None]) -> None:
    positions, scores = book.openings(book.plies), book.scores[-1]
    least = _least(book)
    state = base.copy(book.game.start)
    assert isinstance(state, Connect)
    missing = np.flatnonzero(scores == UNKNOWN)
    saved = monotonic()
    for done, place in enumerate(missing):
        state.board[0], state.board[1] = positions.mine[place], positions.discs[place]
        state.board[2] = sum(not positions.discs[place] & top for top in state.top)  # open columns
        watched = _OnePosition(progress, len(scores) - len(missing) + done, len(scores))
        scores[place] = solver.score(state, watched, int(least[place]))
        watched.report(0, 0)
        if monotonic() - saved > SAVE_EVERY:
            save(book)
            saved = monotonic()


class _OnePosition(Relay):
    """Reports how many positions are solved, while one of them is."""

    def __init__(self, progress: Progress, done: int, total: int) -> None:
        super().__init__(progress)
        self._done, self._total = done, total

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.report(self._done, self._total, "positions")  # and not the nodes of one


def _least(book: Book) -> Ints:
    """Return a lower bound of each score of the last ply: no move is better than the position it is made in."""
    least = np.full(len(book.scores[-1]), -UNKNOWN, np.int64)
    if not book.plies:
        return least
    before, scores = book.openings(book.plies - 1), book.scores[-2].astype(np.int64)
    for parents, children in _moves(book.shape, before, book.openings(book.plies)):
        present = scores[parents] != UNKNOWN
        np.maximum.at(least, children[present], -scores[parents][present])
    return least


def _moves(shape: Shape, before: Openings, after: Openings) -> list[tuple[Ints, Ints]]:
    """Return the moves that end no game, by column: the places of the positions before and after."""
    moves = []
    for column in range(shape.columns):
        fits, mover, discs = shape.dropped(before.mine, before.discs, column)
        on = ~(shape.has_line(mover) | (discs == shape.full))
        numbers = shape.numbers((mover ^ discs)[on], discs[on])
        moves.append((np.flatnonzero(fits)[on], np.searchsorted(after.numbers, numbers)))
    return moves


def derived(shape: Shape, before: Openings, after: Openings, scores: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return the scores of all positions of a ply from those of the next."""
    best = np.full(len(before), -UNKNOWN, np.int64)
    for parents, children in _moves(shape, before, after):
        np.maximum.at(best, parents, -scores[children].astype(np.int64))
    cells = int(shape.full).bit_count()
    for column in range(shape.columns):
        fits, mover, discs = shape.dropped(before.mine, before.discs, column)
        places, wins = np.flatnonzero(fits), shape.has_line(mover)
        if wins.any():
            played = int(before.discs[0]).bit_count()  # the same for all
            best[places[wins]] = (cells - played + 1) // 2
        full = ~wins & (discs == shape.full)
        np.maximum.at(best, places[full], 0)
    return best.astype(np.int8)
