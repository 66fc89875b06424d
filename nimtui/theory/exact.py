"""Solve any other game from the values of all its positions, which the engine computes if positions have numbers.

A game that is too large from its start is solved wherever few enough positions follow: only finding them tells.
Small games whose positions have no numbers, or numbers too large to index by, are solved in plain Python, position by
position. `Recent` holds the results of the latest games, so that mixed questions about a few games compute each once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from nimtui.engine import limits
from nimtui.engine.lessons import WON_EDGE
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Board, State
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory.explanation import Explanation, Kind, worth
from nimtui.theory.nim import mex
from nimtui.theory.truth import Truth, truth, truth_from
from nimtui.theory.verdict import Outcome, Unsolvable, Verdict, end_of_game, payoff_here

T = TypeVar("T")

MOST_BYTES = 512 << 20


class Recent(Generic[T]):
    """The latest results by name, of at most MOST_BYTES together; the newest stays, however large. Safe for threads."""

    def __init__(self) -> None:
        self._building = Lock()  # held while a result is computed: nobody computes it twice, or two at once
        self._results: dict[str, tuple[T, int]] = {}
        self._lock = Lock()

    def get(self, name: str) -> T | None:
        """Return the result of this name, or None."""
        with self._lock:
            if (entry := self._results.pop(name, None)) is None:
                return None
            self._results[name] = entry
            return entry[0]

    def made(self, name: str, recorded: Callable[[], T | None], make: Callable[[], tuple[T, int]]) -> T:
        """Return the result that is recorded, or make and store it, with its size in bytes."""
        if (result := recorded()) is None:
            with self._building:
                if (result := recorded()) is None:
                    result, size = make()
                    self.put(name, result, size)
        return result

    def put(self, name: str, result: T, size: int) -> None:
        """Store a result of so many bytes; drop those that were asked for longest ago."""
        with self._lock:
            self._results.pop(name, None)
            self._results[name] = result, size
            while len(self._results) > 1 and sum(size for _, size in self._results.values()) > MOST_BYTES:
                del self._results[next(iter(self._results))]


MOST_POSITIONS = 50_000  # a few seconds
A_POSITION = 1_000  # bytes, about
CHUNK_IN_PYTHON = 100  # positions between two reports


@dataclass(slots=True)
class _Position:
    end: Outcome | None  # the outcome for the player to move, where the game is over
    moves: list[int] = field(default_factory=list)
    leads_to: list[int] = field(default_factory=list)  # the position after each of the moves
    comes_from: list[int] = field(default_factory=list)
    value: int = 0  # for the player to move
    grundy: int = 0
    plies: int = 0  # to the end, if the winner hurries and the loser holds out
    normal: bool = True  # does the last mover win every game from here?


@dataclass(frozen=True, slots=True)
class _Solved:
    """All positions reachable from one."""

    number: dict[bytes, int]
    positions: list[_Position]


_recent_in_python = Recent[_Solved]()


def _solve_in_python(game: Game, state: State, progress: Progress = SILENT) -> Verdict:
    """Return the exact answer at a position that is not over.

    Raises Unsolvable if it leads to too many positions, or back to itself.
    """
    positions, root = _solved(game, state, progress)
    best = [move for move, to in zip(root.moves, root.leads_to, strict=True) if -positions[to].value == root.value]
    grundy = root.grundy if game.impartial and root.normal else None
    return Verdict(Outcome.of(root.value), grundy, tuple(best), payoff=root.value if game.pays else None)


def _remoteness_in_python(game: Game, state: State, progress: Progress = SILENT) -> int | None:
    """Return the plies to the end under best play, None in a draw. Raises Unsolvable as `_solve_in_python` does."""
    _, root = _solved(game, state, progress)
    return root.plies if root.value else None


def _recorded_in_python(game: Game, state: State) -> _Solved | None:
    """Return positions solved together of which this is one, or None."""
    recent = _recent_in_python.get(game.name)
    return recent if recent is not None and state.board.tobytes() in recent.number else None


def _solved(game: Game, state: State, progress: Progress) -> tuple[list[_Position], _Position]:
    """Return positions solved together, and this one among them."""

    def solved() -> tuple[_Solved, int]:
        reachable = _reachable(game, state, progress)
        _value(game, reachable.positions)
        return reachable, len(reachable.positions) * A_POSITION

    recent = _recent_in_python.made(game.name, lambda: _recorded_in_python(game, state), solved)
    return recent.positions, recent.positions[recent.number[state.board.tobytes()]]


def _reachable(game: Game, state: State, progress: Progress) -> _Solved:
    """Return all positions reachable from this one, itself first, each with its moves; their values are unknown."""
    at = base.copy(state)
    boards: list[Board] = [state.board.copy()]
    number = {state.board.tobytes(): 0}
    positions = [_Position(None)]
    for here, position in enumerate(positions):  # `positions` grows in the loop
        base.restore(at, boards[here])
        for move in base.legal_moves(at):
            base.play(at, move)
            child = number.setdefault(at.board.tobytes(), len(positions))
            if child == len(positions):
                if child == MOST_POSITIONS:
                    raise Unsolvable(
                        f"{game.name} reaches more than {MOST_POSITIONS:,} positions from here, and its rules do not "
                        f"number them: too many to solve exactly"
                    )
                positions.append(_Position(end_of_game(at), value=payoff_here(at) or 0))
                boards.append(at.board.copy())
            base.undo(at, move)
            position.moves.append(move)
            position.leads_to.append(child)
            positions[child].comes_from.append(here)
        if here % CHUNK_IN_PYTHON == 0:
            progress.report(here, len(positions), "positions")
    return _Solved(number, positions)


def _value(game: Game, positions: list[_Position]) -> None:
    """Fill in the values from the ends backwards."""
    waiting = [len(position.moves) for position in positions]
    ready = [here for here, moves in enumerate(waiting) if not moves]
    for here in ready:  # `ready` grows in the loop
        position = positions[here]
        if position.end is not None:
            position.value = position.value if game.pays else position.end.worth
            position.normal = position.end is Outcome.LOSS
        else:
            after = [positions[to] for to in position.leads_to]
            position.value = max(-each.value for each in after)
            position.grundy = mex(each.grundy for each in after)
            position.normal = all(each.normal for each in after)
            plies = [each.plies for each in after if -each.value == position.value]
            position.plies = 1 + (max(plies) if position.value < 0 else min(plies))
        for before in position.comes_from:
            waiting[before] -= 1
            if not waiting[before]:
                ready.append(before)
    if len(ready) < len(positions):
        raise Unsolvable(f"positions of {game.name} can repeat: nimtui cannot solve such games")


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
    return not limits.room_from(state)  # where all positions have room, so have those that follow


def is_instant(game: Game, state: State) -> bool:
    if _in_python(state):
        return _recorded_in_python(game, state) is not None
    return _recorded(game, state) is not None


def solve(game: Game, state: State, progress: Progress = SILENT) -> Verdict:
    if (end := end_of_game(state)) is not None:
        grundy = 0 if game.impartial and base.outcome(state) == base.WON else None
        return Verdict(end, grundy, (), payoff=payoff_here(state))
    if _in_python(state):
        return _solve_in_python(game, state, progress)
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
        return _remoteness_in_python(game, state, progress)
    analysis = _analysis(game, state, progress)
    plies = int(analysis.distances[analysis.node(state)])
    return plies if plies >= 0 else None


def _analysis(game: Game, state: State, progress: Progress) -> _Analysis:
    def made() -> tuple[_Analysis, int]:
        analysis = _analysed(game, state, progress)
        columns = (
            *analysis.truth.graph,
            analysis.truth.values,
            analysis.truth.keeps,
            analysis.distances,
            analysis.grundy,
        )
        return analysis, sum(column.nbytes for column in columns if isinstance(column, np.ndarray))

    return _recent.made(game.name, lambda: _recorded(game, state), made)


def _recorded(game: Game, state: State) -> _Analysis | None:
    """Return a recent analysis that holds this position, or None."""
    analysis = _recent.get(game.name)
    return analysis if analysis is not None and analysis.node(state) >= 0 else None


def _analysed(game: Game, state: State, progress: Progress) -> _Analysis:
    from nimtui.engine import exact
    from nimtui.engine.graph import TooMany, build, node_at

    solution = truth(game, progress) if limits.why_no_graph(game.start) is None else None
    if solution is None or node_at(solution.graph, state) < 0:  # too large from the start, or an unreachable position
        try:
            solution = truth_from(build(state, progress, following=limits.why_no_graph(state) is not None), progress)
        except TooMany as fault:
            reason = f"this position of {game.name} cannot be solved exactly: {fault}"
            _refused[game.name] = state.board.tobytes(), reason
            raise Unsolvable(reason) from None
    ruled = game.impartial and not bool((solution.graph.to < WON_EDGE).any())  # the last mover wins every game
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
