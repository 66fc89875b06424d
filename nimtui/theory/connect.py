"""Connect boards: by the exact solver, where few enough cells are empty."""

from __future__ import annotations

from nimtui.games.connect import Connect
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory.explanation import Explanation, Kind
from nimtui.theory.verdict import Outcome, Verdict, end_of_game

MOST_EMPTY = 25  # cells: seconds of work at the worst


def why_unsolvable(state: Connect) -> str | None:
    cells = len(state.top) * state.rows
    empty = cells - int(state.board[1]).bit_count()
    if empty <= MOST_EMPTY:
        return None
    return (
        f"a board with {empty} empty cells is too large to solve exactly yet: at most {MOST_EMPTY} may be empty, "
        f"as on 5 × 5 or late in a game"
    )


def is_instant(state: Connect) -> bool:
    return False


def solve(game: Game, state: Connect, progress: Progress = SILENT) -> Verdict:
    if (end := end_of_game(state)) is not None:
        return Verdict(end, None, ())
    from nimtui.engine import connect_solver

    score, scores = connect_solver.solve(state, progress)
    outcome = Outcome.of(score)
    best = tuple(move for move, value in sorted(scores.items()) if Outcome.of(value) is outcome)
    return Verdict(outcome, None, best, scores, score)


def explain(game: Game, state: Connect, verdict: Verdict) -> Explanation:
    return Explanation(
        Kind.SCORE,
        verdict.outcome,
        over=not verdict.best_moves,
        best=tuple(game.move_name(move, state) for move in verdict.best_moves),
        score=verdict.score,
        scores=tuple((game.move_name(move, state), score) for move, score in (verdict.scores or {}).items()),
    )
