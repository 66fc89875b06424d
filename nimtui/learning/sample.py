"""Positions with the exact result of each of their moves, to measure learners where a game is too large to be solved.

Every position lies on a random game, as many after each number of plies as after any other, and only those count in
which the moves differ in their result. A sample is made once for each game and kept; the one of Connect Four comes with
nimtui (`nimtui sample connect4 --save FILE` makes it again).

The exact sample of a game laid out like a graph, so that what shows and judges all positions shows and judges it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from nimtui import theory
from nimtui.engine.lessons import ENDS
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.foreign.reading import is_there
from nimtui.games import Game, base, parse_game
from nimtui.games.base import Board, State
from nimtui.games.connect import Connect
from nimtui.games.octal import Octal
from nimtui.learning.atlas import Axis, Order, values_of
from nimtui.process import plugins
from nimtui.progress import SILENT, Progress
from nimtui.store import StoreError, arrays, paths
from nimtui.theory import octal
from nimtui.theory.truth import Truth

Results: TypeAlias = npt.NDArray[np.int8]

KIND = "sample"
USUAL, LAST_PLY, SEED = 10_000, 36, 1  # positions, the most plies before one, and the seed of the sample
Z95 = 1.959963984540054  # standard deviations on both sides of the middle hold 95 %
MOST_CELLS = 42  # of a board of Connect Four whose positions are solved
TRIES = 30  # random games for each position that is wanted
NOT_LEGAL = -2  # beside the results of moves: 1 won, 0 drawn, −1 lost, for the player who makes it


def wilson(share: float, number: int) -> tuple[float, float]:
    """Return the interval that holds the long run of a share of so many trials in 19 of 20 cases.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22, 1927. Half points make it wider than necessary, never narrower.
    """
    square = Z95 * Z95 / number
    middle, reach = share + square / 2, (square * (share * (1 - share) + square / 4)) ** 0.5
    return max(0.0, (middle - reach) / (1 + square)), min(1.0, (middle + reach) / (1 + square))


class Sample(NamedTuple):
    """Positions in which the moves differ in their result."""

    game: Game
    seed: int
    boards: npt.NDArray[np.int64]  # [positions, board]
    plies: npt.NDArray[np.int16]  # [positions]: from the start of the game
    results: npt.NDArray[np.int8]  # [positions, move codes]

    def right(self) -> npt.NDArray[np.bool_]:
        """Return which moves keep the value of their position, [positions, move codes]."""
        best: npt.NDArray[np.bool_] = self.results == self.results.max(axis=1, keepdims=True)
        return best

    def chance(self) -> float:
        """Return the share of right moves of a player who draws any move."""
        return float(np.mean(self.right().sum(axis=1) / (self.results != NOT_LEGAL).sum(axis=1)))

    def after(self, plies: int) -> Sample:
        """Return its positions after so many plies."""
        here = self.plies == plies
        return self._replace(boards=self.boards[here], plies=self.plies[here], results=self.results[here])

    def interval(self, share: float) -> tuple[float, float]:
        """Return the interval that holds the share over all such positions in 19 of 20 cases."""
        return wilson(share, len(self.boards))

    def save(self, path: Path) -> None:
        """Write it to a file. Raises StoreError if that fails."""
        columns = {f"board{at}": column.astype(_smallest(column)) for at, column in enumerate(self.boards.T)}
        parts = {**columns, "plies": self.plies.astype(_smallest(self.plies)), "results": self.results}
        arrays.save(path, {"kind": KIND, "game": self.game.name, "seed": self.seed}, parts)


def _smallest(numbers: npt.NDArray[np.int64] | npt.NDArray[np.int16]) -> npt.DTypeLike:
    """Return the smallest type that holds these numbers."""
    return np.promote_types(np.min_scalar_type(numbers.min()), np.min_scalar_type(numbers.max()))


def read(path: Path) -> Sample:
    """Return the sample of a file. Raises StoreError for any other file."""
    header, parts = arrays.load(path)
    try:
        if header["kind"] != KIND:
            raise StoreError(f"{path} holds no sample of positions")
        game = parse_game(str(header["game"]))
        columns = [parts[f"board{at}"].astype(np.int64) for at in range(len(game.start.board))]
        boards, results = np.stack(columns, axis=1), parts["results"].astype(np.int8)
        if results.shape != (len(boards), game.size):
            raise StoreError(f"{path} does not fit the rules of {game.name}")
        return Sample(game, int(header["seed"]), boards, parts["plies"].astype(np.int16), results)
    except (LookupError, TypeError, ValueError) as fault:
        raise StoreError(f"{path} lacks parts of a sample: {fault}") from None


def interval_of(sample: Sample | None, share: float | None) -> tuple[float | None, float | None]:
    """Return the interval of a share of right moves; the share itself where it was counted over all positions."""
    return (share, share) if sample is None or share is None else sample.interval(share)


def place(game: Game) -> Path:
    """Return the file of a game's sample: the one that comes with nimtui, or one in the cache."""
    stem = re.sub("[^a-z0-9]+", "-", game.name)
    if not game.module.__name__.startswith("nimtui."):  # the rules of a person's file may change
        stem += f"-{hashlib.sha256(plugins.text_of(game.module)).hexdigest()[:8]}"
    shipped = Path(__file__).with_name(f"{stem}.npz")
    return shipped if is_there(shipped) else paths.home() / "samples" / f"{stem}.npz"


def why_none(game: Game) -> str | None:
    """Return why a game can have no sample, in one line: its positions cannot be solved. None if it can."""
    if isinstance(game.start, Connect):
        return None if base.inputs(game.start) <= MOST_CELLS else "its positions would take too long to solve"
    return theory.why_unsolvable(game, game.start)


def of(game: Game, progress: Progress = SILENT, number: int = USUAL) -> Sample:
    """Return the sample of a game, made now and kept if there is none yet. Raises InputError if it cannot be solved."""
    path = place(game)
    with suppress(StoreError):  # a damaged file, or none: it is made again
        if (sample := read(path)).game == game:
            return sample
    sample = make(game, number, SEED, progress)
    with suppress(StoreError):  # it stays in memory
        paths.ensure(path.parent)
        sample.save(path)
    return sample


def make(game: Game, number: int = USUAL, seed: int = SEED, progress: Progress = SILENT) -> Sample:
    """Solve so many positions of random games. Raises InputError if the game cannot be solved, or nothing differs."""
    if (fault := why_none(game)) is not None:
        raise InputError(f"no sample of {game.name}: {fault}")
    from nimtui.engine.playouts import reach

    stream, results_of, state = Stream(seed), judge(game, progress), game.new()
    start = state.board.copy()
    positions: list[tuple[int, Board, Results]] = []
    known: set[bytes] = set()
    exhausted: set[int] = set()  # plies after which hardly any position is left
    open_plies = list(range(LAST_PLY + 1))
    while open_plies and len(positions) < number:
        lacking, plies = number - len(positions), tuple(open_plies)
        for at, ply in enumerate(plies):
            if not (wanted := lacking * (at + 1) // len(plies) - lacking * at // len(plies)):
                continue
            for _ in range(TRIES * wanted):
                if not reach(state, start, ply, stream.counter) or (code := state.board.tobytes()) in known:
                    continue
                known.add(code)
                progress.report(len(positions), number, "solving positions")
                results = results_of(state)
                if len(set(results[results != NOT_LEGAL].tolist())) > 1:
                    positions.append((ply, state.board.copy(), results))
                    wanted -= 1
                    if not wanted:
                        break
            else:
                exhausted.add(ply)
        open_plies = [ply for ply in open_plies if ply not in exhausted]
    if not positions:
        raise InputError(f"no sample of {game.name}: in no position do the moves differ")
    positions.sort(key=lambda each: each[0])
    columns = [np.array(column) for column in zip(*positions, strict=True)]
    return Sample(game, seed, columns[1], columns[0].astype(np.int16), columns[2])


def _solver(game: Game, progress: Progress) -> Callable[[State], int]:
    """Return what gives the value of an unfinished position for the player to move: 1, 0 or −1."""
    if isinstance(game.start, Connect):
        from nimtui.theory.connect import Outcomes

        outcomes = Outcomes(game.start)
        outcomes.get_ready()
        return lambda state: outcomes.of(state, progress).worth  # type: ignore[arg-type]
    return lambda state: theory.solve(game, state, progress).outcome.worth


def judge(game: Game, progress: Progress) -> Callable[[State], Results]:
    """Return what gives the result of each move of a position for the player who makes it, [move codes]."""
    if isinstance(game.start, Octal) and octal.has_rule(game.start):
        return _by_rule
    value_of = _solver(game, progress)

    def results_of(state: State) -> Results:
        results = np.full(game.size, NOT_LEGAL, np.int8)
        for move in base.legal_moves(state):
            base.play(state, move)
            end = base.outcome(state)
            results[move] = -value_of(state) if end == base.GOING_ON else 0 if end == base.DRAW else end
            base.undo(state, move)
        return results

    return results_of


def _by_rule(state: State) -> Results:
    """Return the result of each move where the theory of heaps names all that win at once."""
    moves, wins = octal.winning(cast(Octal, state))
    results = np.full(base.size(state), NOT_LEGAL, np.int8)
    results[moves] = np.where(wins, 1, -1)
    return results


MOST = 2_000  # positions: their values are computed anew for each picture
ELSEWHERE = -9  # the target of a move that leads to a position that is not listed


@dataclass(frozen=True, eq=False)
class SampledTruth(Truth):
    """Positions of a sample with their exact values; all of them have a choice between results.

    Most moves lead ELSEWHERE. Positions are sorted by plies; the first node is the start if the sample holds it.
    """

    plies: npt.NDArray[np.int16]  # [nodes]: from the start of the game
    results: npt.NDArray[np.int8]  # [edges]: of each move for the player who makes it: 1 won, 0 drawn, −1 lost
    of: int  # positions of the whole sample
    about: str  # what they are, after their number: 'of 10,000 solved exactly'

    def node(self, board: Board) -> int:
        """Return the node of a position, −1 if it is not listed."""
        rows = np.flatnonzero((self.graph.boards == board).all(axis=1))
        return int(rows[0]) if len(rows) else -1

    def lists_as(self, other: Truth) -> bool:
        """Return whether another list has the same positions in the same order."""
        return self is other or np.array_equal(self.graph.boards, other.graph.boards)

    def orders(self) -> list[Order]:
        """Return the positions by plies played, and by exact value."""
        by_plies = np.lexsort((self.values, self.plies)).astype(np.int32)
        counts, groups = np.unique(self.plies[by_plies], return_inverse=True)
        labels = tuple(map(str, counts.tolist()))
        title, of = "plies played", self.about
        what, worth, names = values_of(self)
        by_worth = np.lexsort((self.plies, worth)).astype(np.int32)
        return [
            Order(title, f"{of}, by {title}", by_plies, Axis(title, labels, groups.astype(np.int32))),
            Order(what, f"{of}, by {what}", by_worth, down=Axis(what, names, worth[by_worth])),
        ]


def truth_of(sample: Sample, most: int = MOST, about: str = "") -> SampledTruth:
    """Return at most so many positions of a sample, evenly chosen over the plies; `about` says what they are."""
    from nimtui.engine.graph import Graph

    places = np.unique(np.linspace(0, len(sample.boards) - 1, min(most, len(sample.boards))).astype(np.int64))
    boards, results = sample.boards[places], sample.results[places]
    legal = results != NOT_LEGAL
    nodes, moves = np.nonzero(legal)
    values = results.max(axis=1)
    ptr = np.concatenate(([0], np.cumsum(legal.sum(axis=1)))).astype(np.int64)
    count = np.arange(len(places), dtype=np.int32)
    at = {board.tobytes(): node for node, board in enumerate(boards)}
    state, to = sample.game.new(), np.full(len(moves), ELSEWHERE, np.int32)
    for edge, (node, move) in enumerate(zip(nodes.tolist(), moves.tolist(), strict=True)):
        state = base.with_board(state, boards[node].copy())
        base.play(state, move)
        end = base.outcome(state)
        to[edge] = ENDS.get(end, at.get(state.board.tobytes(), ELSEWHERE))
    graph = Graph(
        np.zeros(0, np.int32), boards, ptr, to, moves.astype(np.int32), np.zeros(1, np.int64), np.zeros(1, np.int64),
        count, 0, int(sample.plies.max()), np.zeros(0, np.int32), 0,
    )  # fmt: skip
    exact, of = results[legal], len(sample.boards)
    right, about = exact == values[nodes], about or f"of {of:,} solved exactly"
    return SampledTruth(graph, values, right, sample.plies[places], exact, of, about)
