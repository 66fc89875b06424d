"""Solve any other game from the values of all its positions, which the engine computes if positions have numbers.

A game that is too large from its start is solved wherever few enough positions follow: only finding them tells.
`unnumbered` solves in plain Python where positions have no numbers, or numbers too large to index by.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.engine import limits
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory import unnumbered
from nimtui.theory.explanation import Explanation, Kind, worth
from nimtui.theory.recent import Recent
from nimtui.theory.truth import Truth, truth, truth_from
from nimtui.theory.verdict import Outcome, Unsolvable, Verdict, end_of_game, payoff_here


@dataclass(frozen=True, eq=False, slots=True)
class _Analysis:
    truth: Truth
    grundy: npt.NDArray[np.int32] | None  # [nodes]; None where Grundy values are undefined
    distances: npt.NDArray[np.int32]  # [nodes]: the plies to the end, −1 in a draw

    def node(self, state: State) -> int:
        return int(self.truth.graph.node_of[base.index(state)])


_recent = Recent[_Analysis]()
_refused: dict[str, tuple[bytes, str]] = {}  # the position refused last, and why: it is not counted again


def why_unsolvable(game: Game, state: State) -> str | None:
    """Return why all positions from the start are too many; elsewhere only a search can count what follows."""
    board = state.board.tobytes()
    if board == game.start.board.tobytes() and base.positions(state):
        fault = limits.why_no_graph(state)
        return None if fault is None else f"this game cannot be solved exactly: {fault}"
    refused, reason = _refused.get(game.name, (b"", ""))
    return reason if refused == board else None


def _in_python(state: State) -> bool:
    return limits.why_no_graph(state) is not None and not limits.room_from(state)


def is_instant(game: Game, state: State) -> bool:
    if _in_python(state):
        return unnumbered.is_instant(game, state)
    return _recorded(game, state) is not None


def solve(game: Game, state: State, progress: Progress = SILENT) -> Verdict:
    if (end := end_of_game(state)) is not None:
        grundy = 0 if game.impartial and not game.pays and base.outcome(state) == base.WON else None
        return Verdict(end, grundy, (), payoff=payoff_here(state))
    if _in_python(state):
        return unnumbered.solve(game, state, progress)
    try:
        analysis = _analysis(game, state, progress)
    except Unsolvable:
        raise
    except InputError as fault:  # the rules contradict themselves
        raise Unsolvable(f"{game.name} cannot be solved exactly: {fault}") from None
    graph, node = analysis.truth.graph, analysis.node(state)
    edges = slice(int(graph.ptr[node]), int(graph.ptr[node + 1]))
    value = int(analysis.truth.values[node])
    return Verdict(
        Outcome.of(value),
        None if analysis.grundy is None else int(analysis.grundy[node]),
        tuple(graph.move[edges][analysis.truth.keeps[edges]].tolist()),
        payoff=value if game.pays else None,
    )


def remoteness(game: Game, state: State, verdict: Verdict, most: int, progress: Progress = SILENT) -> int | None:
    if _in_python(state):
        return unnumbered.remoteness(game, state, progress)
    analysis = _analysis(game, state, progress)
    plies = int(analysis.distances[analysis.node(state)])
    return plies if plies >= 0 else None


def _analysis(game: Game, state: State, progress: Progress) -> _Analysis:
    if (analysis := _recorded(game, state)) is not None:
        return analysis
    with _recent.building:
        if (analysis := _recorded(game, state)) is None:
            analysis = _analysed(game, state, progress)
            arrays = (*analysis.truth.graph, analysis.truth.values, analysis.truth.keeps, analysis.distances)
            size = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
            _recent.put(game.name, analysis, size + (0 if analysis.grundy is None else analysis.grundy.nbytes))
    return analysis


def _recorded(game: Game, state: State) -> _Analysis | None:
    """Return a recent analysis that holds this position, or None."""
    analysis = _recent.get(game.name)
    return analysis if analysis is not None and analysis.node(state) >= 0 else None


def _analysed(game: Game, state: State, progress: Progress) -> _Analysis:
    from nimtui.engine import exact
    from nimtui.engine.graph import WON_EDGE, TooMany, build, node_at

    solution = truth(game, progress) if limits.why_no_graph(game.start) is None else None
    if solution is None or node_at(solution.graph, state) < 0:  # too large from the start, or an unreachable position
        try:
            solution = truth_from(build(state, progress, following=limits.why_no_graph(state) is not None), progress)
        except TooMany as fault:
            reason = f"this position of {game.name} cannot be solved exactly: {fault}"
            _refused[game.name] = state.board.tobytes(), reason
            raise Unsolvable(reason) from None
    last_mover_wins = not bool((solution.graph.to < WON_EDGE).any())
    ruled = game.impartial and last_mover_wins and not game.pays
    grundy = exact.grundy(solution.graph, progress) if ruled else None
    return _Analysis(solution, grundy, exact.distances(solution.graph, solution.values, progress))


def explain(game: Game, state: State, verdict: Verdict) -> Explanation:
    return Explanation(
        Kind.PAYOFF if game.pays else Kind.EXACT,
        verdict.outcome,
        over=not verdict.best_moves,
        nim_sum=verdict.grundy,
        best=tuple(game.move_name(move, state) for move in verdict.best_moves),
        payoff=verdict.payoff,
        worth="" if verdict.payoff is None else worth(game, state, verdict.payoff),
    )
