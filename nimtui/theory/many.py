"""Exact values of many positions of one game: connect boards in compiled loops, others one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui import theory
from nimtui.errors import naming
from nimtui.games import Game
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress
from nimtui.theory import connect
from nimtui.theory.answers import answer
from nimtui.theory.book import book_of
from nimtui.theory.book.book import UNKNOWN
from nimtui.theory.verdict import Patience, Unsolvable

Numbers = npt.NDArray[np.int64]

NONE = -1  # no plies, no Grundy value


class Values(NamedTuple):
    """Arrays with a number for each position."""

    worth: Numbers  # 1 if the player to move wins, −1 for a loss, 0 for a draw
    remoteness: Numbers  # plies to the end; NONE in a draw, or if unknown
    grundy: Numbers  # NONE if it has no value
    score: Numbers | None = None  # of connect games


def values_of(game: Game, positions: Sequence[str], progress: Progress = SILENT) -> Values:
    """Return the exact values of positions. Raises InputError, which names the place, if one is invalid or too large.

    Positions of connect boards are read and solved compiled, some microseconds each near the end of the game.
    """
    if isinstance(game.start, Connect):
        return _connect(game, game.start, positions, progress)
    rows = []
    for place, position in enumerate(positions):
        with naming(f"position {place + 1:,}"):
            solved = answer(game, game.new(position), progress, patience=Patience())
        plies, grundy = solved.remoteness, solved.verdict.grundy
        rows.append((solved.outcome.worth, NONE if plies is None else plies, NONE if grundy is None else grundy))
        progress.report(place + 1, len(positions), "positions")
    return Values(*np.array(rows, np.int64).reshape(-1, 3).T)


def _connect(game: Game, start: Connect, positions: Sequence[str], progress: Progress) -> Values:
    from nimtui.engine.connect import many

    with connect.lent_solver(start) as solver:
        board, size = solver.board, len(positions)
        mine, discs, results = np.zeros((3, size), np.int64)
        text = "".join(position if position.isascii() else "?" for position in positions)
        ends = np.cumsum([len(position) if position.isascii() else 1 for position in positions], dtype=np.int64)
        many.read(board, np.frombuffer(text.encode(), np.uint8), ends, mine, discs, results)
        for place in np.flatnonzero((results == many.WRONG) | (len(start.top) > 9)).tolist():
            with naming(f"position {place + 1:,}"):
                state = game.new(positions[place])
            mine[place], discs[place], _ = state.board
            results[place] = many.ending(int(mine[place] ^ discs[place]), int(discs[place]), board)
        empty = np.bitwise_count(board.full ^ discs).astype(np.int64)
        score = np.where(results == many.WON, -((empty + 2) // 2), 0)
        going = results == many.GOING
        if (book := book_of(start)) is not None:
            for ply in range(book.plies + 1):
                here = np.flatnonzero(going & (np.bitwise_count(discs) == ply))
                if not len(here):
                    continue
                score[here] = book.scores_at(ply, mine[here], discs[here])
                going[here] = score[here] == UNKNOWN
        for place in np.flatnonzero(going & (empty > connect.most_empty(start, patient=True)))[:1].tolist():
            with naming(f"position {place + 1:,}"):
                raise Unsolvable(str(theory.why_unsolvable(game, game.new(positions[place]), patient=True)))
        score[going] = solver.score_many(mine[going], discs[going], progress)
    plies = np.where(score > 0, 2 * ((empty + 1) // 2 - score) + 1, 2 * (empty // 2 + score + 1))
    remoteness = np.where(results != many.GOING, 0, np.where(score == 0, NONE, plies))
    return Values(np.sign(score), remoteness, np.full(size, NONE), score)
