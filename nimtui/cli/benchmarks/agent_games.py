"""Benchmark: games between agents, random – perfect and the subtraction tournament, against plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from nimtui.cli.benchmarks import literal_games
from nimtui.cli.benchmarks.rows import PYTHON, Benchmark

GAME = "subtraction:21,3:misere"
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
    return [
        Benchmark(
            name=f"random – perfect {GAME}",
            unit="games/s",
            against=f"{PYTHON}, matches as a number",
            ours=lambda: _ours(AGENTS[:2], GAMES, 1),
            theirs=lambda: _random_against_perfect,
        ),
        Benchmark(
            name=f"the subtraction tournament, 36 × {GAMES_A_PAIR} games",
            unit="games/s",
            against=f"{PYTHON}, 36 × {GAMES_A_PAIR_IN_PYTHON} of these games",
            ours=lambda: _ours(AGENTS, GAMES_A_PAIR, None),
            theirs=lambda: _tournament,
        ),
    ]


def _ours(agents: tuple[str, ...], games: int, pairing: int | None) -> Callable[[], float]:
    from nimtui.arena.plan import plan
    from nimtui.arena.play import Piece, play, prepare

    asked = plan([GAME], agents, "ordered", games)
    prepare(asked)  # compiles or loads before the clock runs
    pairings = range(len(asked.pairings)) if pairing is None else (pairing,)

    def work() -> float:
        return sum(len(play(Piece(asked, number, 0, games))) for number in pairings)

    return work


def _random_against_perfect() -> float:
    literal_games.play(literal_games.at_random, literal_games.perfectly, GAMES_IN_PYTHON)
    return GAMES_IN_PYTHON


def _tournament() -> float:
    for first, second in product(literal_games.AGENTS, repeat=2):
        literal_games.play(first, second, GAMES_A_PAIR_IN_PYTHON)
    return len(literal_games.AGENTS) ** 2 * GAMES_A_PAIR_IN_PYTHON
