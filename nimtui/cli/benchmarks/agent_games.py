"""Benchmark: games between agents, random – perfect and the subtraction tournament, against plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

from nimtui.cli.benchmarks import literal
from nimtui.cli.benchmarks.rows import PYTHON, Benchmark

GAME, UNIT = "subtraction:21,3:misere", "games/s"
GAMES, GAMES_IN_PYTHON = 2_000_000, 100_000
AGENTS = (
    "random",
    "perfect",
    "mc:playouts=1000",
    "mc:playouts=1000,policy=perfect-opponent",
    "mcts:simulations=500",
    "value",
)
GAMES_A_PAIR, GAMES_A_PAIR_IN_PYTHON = 100, 1


def benchmarks() -> list[Benchmark]:
    random, field = partial(_ours, AGENTS[:2], GAMES, 1), partial(_ours, AGENTS, GAMES_A_PAIR, None)
    title = f"the subtraction tournament, 36 × {GAMES_A_PAIR} games"
    against = f"{PYTHON}, 36 × {GAMES_A_PAIR_IN_PYTHON} of these games"
    return [
        Benchmark(f"random – perfect {GAME}", UNIT, f"{PYTHON}, matches as a number", random, lambda: _by_chance),
        Benchmark(title, UNIT, against, field, lambda: _tournament),
    ]


def _ours(agents: tuple[str, ...], games: int, pairing: int | None) -> Callable[[], float]:
    from nimtui.arena.play.pieces import Piece, play, prepare
    from nimtui.arena.play.plan import plan

    tournament = plan([GAME], agents, "ordered", games)
    prepare(tournament)  # compiles or loads before the clock runs
    pairings = range(len(tournament.pairings)) if pairing is None else (pairing,)

    def work() -> float:
        return sum(len(play(Piece(tournament, number, 0, games))) for number in pairings)

    return work


def _by_chance() -> float:
    literal.play(literal.at_random, literal.perfectly, GAMES_IN_PYTHON)
    return GAMES_IN_PYTHON


def _tournament() -> float:
    for first, second in product(literal.AGENTS, repeat=2):
        literal.play(first, second, GAMES_A_PAIR_IN_PYTHON)
    return len(literal.AGENTS) ** 2 * GAMES_A_PAIR_IN_PYTHON
