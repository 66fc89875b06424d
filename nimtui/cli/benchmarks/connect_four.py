"""Benchmark: exact scores of Connect Four positions, against BitBully (C++), both without a book.

Both tables are empty at the start of a round. BitBully's has its default size, ours 64 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from nimtui.cli.benchmarks.rows import ROUNDS, Benchmark, program
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.games.base import Move

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
        if base.outcome(state) == base.GOING_ON and not _wins_at_once(state):
            positions.append(tuple(line))
    return tuple(positions)


def _wins_at_once(state: base.State) -> bool:
    after = base.copy(state)
    for move in base.legal_moves(state):
        base.play(after, move)
        won = base.outcome(after) == base.WON
        base.undo(after, move)
        if won:
            return True
    return False


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
