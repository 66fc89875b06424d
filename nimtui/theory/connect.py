"""Solve connect boards: from the book of openings, or with the exact solver where few enough cells are empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory.book import book_of
from nimtui.theory.claims import Ending, ending_of
from nimtui.theory.explanation import Explanation, Kind
from nimtui.theory.verdict import Outcome, Patience, Verdict, end_of_game

if TYPE_CHECKING:
    from nimtui.engine.connect import Solver

MOST_EMPTY_ENDING = 35  # cells: to the end of a game from there it takes about a second
USUAL = Patience()
MOST_IDLE = 4  # solvers, of some 64 MB each
MOST_CACHED = 128  # verdicts: stepping through a game solves nothing twice

_verdicts: dict[tuple[str, bytes], Verdict] = {}
_verdicts_without_scores: dict[tuple[str, bytes], Verdict] = {}
_endings: dict[tuple[str, bytes], Ending] = {}
_cache_lock = Lock()
_idle: list[Solver] = []  # of the boards asked about last, the latest at the end

T = TypeVar("T")


def most_empty(state: Connect, patient: bool = False) -> int:
    """Return the most empty cells that are solved within a few seconds, or a few minutes (measured with random
    positions).

    Low and wide boards and five in a row are decided late, so few branches are pruned.
    """
    columns = len(state.top)
    if state.k <= 4 and state.rows >= 4:
        if columns <= 7:
            return 42 if patient else 36
        return (40 if patient else 34) if columns == 8 else 30
    return 27 if columns <= 8 else 24


def empty_cells(state: Connect) -> int:
    return (int(state.full) ^ int(state.board[1])).bit_count()


def is_in_book(state: Connect) -> bool:
    """Return whether the scores of all moves of an unfinished position are in the book that comes with nimtui."""
    book = book_of(state)
    return book is not None and int(state.board[1]).bit_count() < book.plies


def why_unsolvable(game: Game, state: Connect, patient: bool = False) -> str | None:
    if is_in_book(state):
        return None
    empty, most = empty_cells(state), most_empty(state, patient)
    if empty <= most:
        return None
    how = "" if empty > most_empty(state, patient=True) else " (nimtui solve takes some minutes)"
    return (
        f"a {len(state.top)} × {state.rows} board with {empty} empty cells is too large to solve exactly: "
        f"at most {most} cells may be empty{how}"
    )


def is_instant(game: Game, state: Connect) -> bool:
    return is_in_book(state) or (game.name, state.board.tobytes()) in _verdicts


def solve(
    game: Game, state: Connect, progress: Progress = SILENT, patience: Patience | None = None, scores: bool = True
) -> Verdict:
    if (end := end_of_game(state)) is not None:
        # the negated score of the winning move just played
        score = 0 if end is Outcome.DRAW else -((empty_cells(state) + 2) // 2)
        return Verdict(end, None, (), {}, score)
    place = (game.name, state.board.tobytes())
    if (verdict := _verdicts.get(place)) is not None:
        return verdict
    if not scores and not is_in_book(state):
        return _without_scores(place, state, progress)
    score, move_scores = _scores(state, progress, patience or USUAL)
    outcome = Outcome.of(score)
    best = tuple(move for move, value in move_scores.items() if Outcome.of(value) is outcome)
    return _cached(_verdicts, place, Verdict(outcome, None, best, move_scores, score))


def _without_scores(place: tuple[str, bytes], state: Connect, progress: Progress) -> Verdict:
    if (verdict := _verdicts_without_scores.get(place)) is not None:
        return verdict
    book = book_of(state)
    score = None if book is None else book.score(state)
    with lent_solver(state) as solver:
        if score is None:
            score = solver.score(state, progress)
        best = solver.keeping(state, min(score, 1), progress) if score >= 0 else tuple(base.legal_moves(state))
    return _cached(_verdicts_without_scores, place, Verdict(Outcome.of(score), None, best, None, score))


def best_scored(state: Connect, verdict: Verdict, progress: Progress = SILENT) -> tuple[Move, ...]:
    """Return the moves with the score of an unfinished position: they win soonest, or lose latest."""
    assert verdict.score is not None
    if verdict.scores is not None:
        return tuple(move for move, score in verdict.scores.items() if score == verdict.score)
    with lent_solver(state) as solver:
        return solver.keeping(state, verdict.score, progress)


def _cached(cache: dict[tuple[str, bytes], T], place: tuple[str, bytes], value: T) -> T:
    with _cache_lock:
        while len(cache) >= MOST_CACHED:
            del cache[next(iter(cache))]
        cache[place] = value
    return value


def _scores(state: Connect, progress: Progress, patience: Patience) -> tuple[int, dict[Move, int]]:
    """Return the score of an unfinished position and of its moves."""
    book = book_of(state)
    if book is None or (scores := book.move_scores(state)) is None:
        with lent_solver(state, patience) as solver:
            scores = solver.scores(state, progress)
    return max(scores.values()), scores


@contextmanager
def lent_solver(state: Connect, patience: Patience = USUAL) -> Iterator[Solver]:
    """Lend a solver of this board that nobody uses, whose table knows much of the same game; else make one."""
    from nimtui.engine.connect import Solver
    from nimtui.engine.connect.board import board_of

    if patience != USUAL:
        yield Solver(state, patience.memory, patience.threads)
        return
    board = board_of(state)
    with _cache_lock:
        solver = next((solver for solver in reversed(_idle) if solver.board == board), None)
        if solver is not None:
            _idle.remove(solver)
    solver = solver or Solver(state)
    try:
        yield solver
    finally:
        with _cache_lock:
            _idle.append(solver)
            del _idle[:-MOST_IDLE]


def plies(state: Connect, score: int) -> int | None:
    """Return after how many plies a score is reached, from this position; None for a draw.

    A score of ±n leaves the winner n − 1 discs.
    """
    empty = empty_cells(state)
    if score > 0:
        return 2 * ((empty + 1) // 2 - score + 1) - 1
    return 2 * (empty // 2 + score + 1) if score < 0 else None


def disc_of(state: Connect, score: int) -> str:
    """Return with which disc of the whole board a line is completed, from a score that is no draw: 'disc 41 of 42'."""
    played = int(state.board[1]).bit_count()
    return f"disc {played + (plies(state, score) or 0)} of {played + empty_cells(state)}"


def remoteness(game: Game, state: Connect, verdict: Verdict, most: int, progress: Progress = SILENT) -> int | None:
    return plies(state, verdict.score or 0)


def ending(game: Game, state: Connect, progress: Progress = SILENT) -> Ending | None:
    """Return how the game ends with best play; None if it is over, or cannot be solved within some seconds."""
    if end_of_game(state) is not None or empty_cells(state) > MOST_EMPTY_ENDING:
        return None
    place = (game.name, state.board.tobytes())
    if (end := _endings.get(place)) is not None:
        return end
    verdict = solve(game, state, progress)
    with lent_solver(state) as solver:
        line = solver.line(state, progress, verdict.score)
    return _cached(_endings, place, ending_of(game, state, line))


class Outcomes:
    """Finds the winner, not the score, of many positions of one board in a few milliseconds each.

    All positions share one table. Ask for the positions of a game from its end backwards: that is fastest.
    """

    def __init__(self, start: Connect) -> None:
        from nimtui.engine.connect import Solver

        self._solver, self._book = Solver(start), book_of(start)

    def get_ready(self) -> None:
        """Compile or load the search."""
        self._solver.get_ready()

    def of(self, state: Connect, progress: Progress = SILENT) -> Outcome:
        """Return the outcome for the player to move, in a position that is not over."""
        score = None if self._book is None else self._book.score(state)
        return Outcome.of(self._solver.sign(state, progress) if score is None else score)


def explain(game: Game, state: Connect, verdict: Verdict) -> Explanation:
    return Explanation(
        Kind.SCORE,
        verdict.outcome,
        over=not verdict.best_moves,
        best=tuple(game.move_name(move, state) for move in verdict.best_moves),
        score=verdict.score,
        scores=tuple((game.move_name(move, state), score) for move, score in (verdict.scores or {}).items()),
        remoteness=plies(state, verdict.score or 0) if verdict.best_moves else None,
    )
