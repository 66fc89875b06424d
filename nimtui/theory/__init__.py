"""Solve positions exactly and explain them: who wins, by which moves, and why.

`heaps`, `adjacent` and `octal` use formulas, `connect` uses a solver, and `exact` computes the values of all positions
of any other game.
"""

from __future__ import annotations

from types import ModuleType

from nimtui.games.adjacent import Adjacent
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.games.connect_score import ScoredConnect
from nimtui.games.game import Game
from nimtui.games.heaps import Heaps
from nimtui.games.octal import Octal
from nimtui.progress import SILENT, Progress
from nimtui.theory import adjacent, connect, exact, heaps, nim, octal, scored
from nimtui.theory.explanation import Explanation
from nimtui.theory.verdict import Outcome, Patience, Unsolvable, Verdict, end_of_game

__all__ = [
    "Explanation",
    "Outcome",
    "Patience",
    "Unsolvable",
    "Verdict",
    "explain",
    "is_instant",
    "never_drawn",
    "remoteness",
    "solve",
    "why_unsolvable",
]

_THEORIES: dict[type, ModuleType] = {
    Heaps: heaps, Adjacent: adjacent, Octal: octal, Connect: connect, ScoredConnect: scored
}  # fmt: skip


def _theory(state: State) -> ModuleType:
    return _THEORIES.get(type(state), exact)


def why_unsolvable(game: Game, state: State, patient: bool = False) -> str | None:
    """Return in one line why this position cannot be solved, or None if it can. Fast: loads no engine.

    `patient` allows some minutes instead of some seconds.
    """
    if end_of_game(state) is not None:
        return None
    if isinstance(state, Connect):
        return connect.why_unsolvable(game, state, patient)
    reason: str | None = _theory(state).why_unsolvable(game, state)
    return reason


def is_instant(game: Game, state: State) -> bool:
    """Return whether the exact answer takes only a few milliseconds and no engine."""
    return end_of_game(state) is not None or bool(_theory(state).is_instant(game, state))


def never_drawn(state: State) -> bool:
    """Return whether this kind of game never ends in a draw."""
    return _theory(state) in (heaps, adjacent, octal)


def solve(
    game: Game, state: State, progress: Progress = SILENT, patience: Patience | None = None, scores: bool = True
) -> Verdict:
    """Return the exact answer at a position. Raises Unsolvable if it is too large, Cancelled if `progress` is.

    With `patience` it may take some minutes instead of some seconds. Connect boards are solved faster without the
    `scores` of their moves.
    """
    if (reason := why_unsolvable(game, state, patience is not None)) is not None:
        raise Unsolvable(reason)
    if isinstance(state, Connect):
        return connect.solve(game, state, progress, patience, scores)
    verdict: Verdict = _theory(state).solve(game, state, progress)
    return verdict


def remoteness(
    game: Game, state: State, progress: Progress = SILENT, quick: bool = False, verdict: Verdict | None = None
) -> int | None:
    """Return the plies to the end under best play: the winner hurries, the loser holds out. None in a draw.

    None in a game with payoffs, where nobody hurries, and if only the outcome is known, by a formula. `quick` limits
    the work to some 20 ms where theory is instant. `verdict` saves solving the position again. Raises Unsolvable if it
    is too large.
    """
    if verdict is None:
        verdict = solve(game, state, progress)
    if verdict.payoff is not None:
        return None
    if end_of_game(state) is not None:
        return 0
    if verdict.outcome is Outcome.DRAW:
        return None
    most = nim.QUICK_COST if quick else nim.MOST_COST
    plies: int | None = _theory(state).remoteness(game, state, verdict, most, progress)
    return plies


def explain(game: Game, state: State, progress: Progress = SILENT) -> Explanation:
    """Return as data why the position is won or lost. Raises Unsolvable if it is too large."""
    verdict = solve(game, state, progress)
    explanation: Explanation = _theory(state).explain(game, state, verdict)
    return explanation
