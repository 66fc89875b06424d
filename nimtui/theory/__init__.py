"""Exact answers and their explanations: who wins a position, by which moves, and why.

Formulas where there are any (`heaps`, `adjacent`), a solver for connect boards, and for every other game the values of
all its positions (`exact`).
"""

from __future__ import annotations

from types import ModuleType

from nimtui.games.adjacent import Adjacent
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.games.game import Game
from nimtui.games.heaps import Heaps
from nimtui.progress import SILENT, Progress
from nimtui.theory import adjacent, connect, exact, heaps
from nimtui.theory.explanation import Explanation
from nimtui.theory.verdict import Outcome, Unsolvable, Verdict, end_of_game

__all__ = [
    "Explanation",
    "Outcome",
    "Unsolvable",
    "Verdict",
    "explain",
    "is_instant",
    "never_drawn",
    "solve",
    "why_unsolvable",
]

_THEORIES: dict[type, ModuleType] = {Heaps: heaps, Adjacent: adjacent, Connect: connect}


def _theory(state: State) -> ModuleType:
    return _THEORIES.get(type(state), exact)


def why_unsolvable(game: Game, state: State) -> str | None:
    """Why there is no exact answer here, in one line; None if there is one. Quick, and loads no engine."""
    if end_of_game(state) is not None:
        return None
    reason: str | None = _theory(state).why_unsolvable(game, state)
    return reason


def is_instant(game: Game, state: State) -> bool:
    """Is the answer there within a few milliseconds, without the engine?"""
    return end_of_game(state) is not None or bool(_theory(state).is_instant(game, state))


def never_drawn(state: State) -> bool:
    """Is it known of this kind of game that somebody always wins?"""
    return _theory(state) in (heaps, adjacent)


def solve(game: Game, state: State, progress: Progress = SILENT) -> Verdict:
    """The exact answer at a position. Unsolvable where it is too large; Cancelled as the progress says."""
    if (reason := why_unsolvable(game, state)) is not None:
        raise Unsolvable(reason)
    verdict: Verdict = _theory(state).solve(game, state, progress)
    return verdict


def explain(game: Game, state: State, progress: Progress = SILENT) -> Explanation:
    """Why the position is won or lost, as data. Unsolvable where it is too large."""
    verdict = solve(game, state, progress)
    explanation: Explanation = _theory(state).explain(game, state, verdict)
    return explanation
