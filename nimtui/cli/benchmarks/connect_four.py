"""Benchmarks: exact scores of Connect Four positions against BitBully (C++), and what each idea of the solver is worth.

Neither solver has a book. Both tables are empty at the start of a round. BitBully's has its default size, ours 64 MB.
An idea is measured by leaving it out, and by leaving out all others. Nodes are the same on every machine; times are
not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from time import process_time

from nimtui.cli.benchmarks.rows import ROUNDS, Benchmark, Row, program
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.games.base import Move
from nimtui.progress import SILENT, Progress

GAME = "connect4"
SEED = 4
OPENINGS = ((8, 4), (12, 20), (16, 100))  # plies and number of positions per round
Line = tuple[Move, ...]


def benchmarks() -> list[Benchmark]:
    chosen = [(f"connect4 after {plies} plies", lines(plies, n), ROUNDS) for plies, n in OPENINGS]
    chosen.append(("connect4, the empty board", ((),), 1))
    bitbully = program("BitBully", "bitbully", "C++")
    against = [
        Benchmark(name, "scores/s", bitbully, partial(_ours, positions), partial(_theirs, positions), rounds)
        for name, positions, rounds in chosen
    ]
    one, two = (partial(_ours, ((),), threads) for threads in (1, 2))
    return [*against, Benchmark("connect4, the empty board, two threads", "scores/s", "one thread", two, one, 1)]


@cache
def lines(plies: int, n: int) -> tuple[Line, ...]:
    """Return n random openings, in which nobody has won and nobody can win at once."""
    game, stream = parse_game(GAME), Stream(SEED)
    positions: list[Line] = []
    while len(positions) < n:
        state = game.new()
        line: list[Move] = []
        while len(line) < plies and base.outcome(state) == base.GOING_ON:
            line.append(stream.choose(base.legal_moves(state)))
            base.play(state, line[-1])
        if base.outcome(state) == base.GOING_ON and not _wins_at_once(game, state):
            positions.append(tuple(line))
    return tuple(positions)


def _wins_at_once(game: Game, state: base.State) -> bool:
    return any(base.outcome(game.after(state, move)) == base.WON for move in base.legal_moves(state))


def _ours(found: Sequence[Line], threads: int = 1) -> Callable[[], float]:
    from nimtui.engine.connect import Solver
    from nimtui.games.connect import Connect

    game, states = parse_game(GAME), []
    for line in found:
        state = game.new()
        for move in line:
            base.play(state, move)
        states.append(state)
    late = game.new("121212")
    assert isinstance(late, Connect)
    solver = Solver(late, threads=threads)
    solver.score(late)  # compiles or loads before the clock runs

    def work() -> float:
        solver.forget()
        for state in states:
            assert isinstance(state, Connect)
            solver.score(state)
        return len(states)

    return work


def _theirs(found: Sequence[Line]) -> Callable[[], float] | None:
    try:
        from bitbully import BitBully, Board
    except ImportError:
        return None
    solver, boards = BitBully(opening_book=None), []
    for line in found:
        board = Board()
        for move in line:
            board.play(int(move))
        boards.append(board)

    def work() -> float:
        solver.reset_transposition_table()
        for board in boards:
            solver.mtdf(board)
        return len(boards)

    return work


POSITIONS = ("4444", "2626", "4243", "123456", "44444412", "43215672", "26543217", "12345671")
LATER = ("7212367744", "4732433577", "5614734245", "7642741427", "3415755572", "4224542367", "2745146325", "4357311132")
"""Random positions for searches with no idea or with one, which would take long for the others."""
IDEAS = (  # in the order of their bits in `nimtui.engine.connect.search`
    "the history of cutoffs",
    "asking the table about the children",
    "mirror images",
    "bounds of the children",
    "the bound by zugzwang",
    "the bound by pairing",
    "the weighted sum in the order of moves",
)


@dataclass(frozen=True, slots=True)
class Ablation:
    """The work for the scores of some positions with an idea, and without it."""

    idea: int  # its place in IDEAS
    timed: bool  # by processor time, or by nodes?
    alone: bool  # without all other ideas, or with them?

    @property
    def name(self) -> str:
        return f"connect4: {'only ' if self.alone else ''}{IDEAS[self.idea]}"

    def measure(self, progress: Progress = SILENT) -> Row:
        """Return the scores per unit of work with the idea, and without it."""
        progress.report(self.idea, len(IDEAS), self.name)
        one, every = 1 << self.idea, (1 << len(IDEAS)) - 1
        positions = LATER if self.alone else POSITIONS
        ours, theirs = (
            work(left_out, positions, progress) for left_out in ((every - one, every) if self.alone else (0, one))
        )
        mine, other = len(positions) / ours[self.timed], len(positions) / theirs[self.timed]
        against = "the search without any of them" if self.alone else "the search without it"
        return Row(self.name, mine, other, against, "scores/s" if self.timed else "scores/M nodes", mine / other)


@cache
def work(without: int, positions: Sequence[str], progress: Progress = SILENT) -> tuple[float, float]:
    """Return the millions of nodes and the seconds of processor time for the scores of these positions."""
    from nimtui.engine.connect import Solver
    from nimtui.games.connect import Connect

    game, nodes, seconds = parse_game(GAME), 0, 0.0
    for position in positions:
        state = game.new(position)
        assert isinstance(state, Connect)
        solver = Solver(state, without=without)
        began = process_time()
        solver.score(state)
        seconds += process_time() - began
        nodes += solver.nodes
        progress.report(0, 0, position)
    return nodes / 1e6, seconds


def ablations() -> list[Ablation]:
    ways = [(timed, alone) for alone in (False, True) for timed in (False, True)]
    return [Ablation(idea, timed, alone) for idea in range(len(IDEAS)) for timed, alone in ways]
