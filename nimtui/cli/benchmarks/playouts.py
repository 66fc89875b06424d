"""Benchmark: uniform random playouts from a game's start, against OpenSpiel, both compiled."""

from __future__ import annotations

from collections.abc import Callable

from nimtui.cli.benchmarks.rows import Benchmark, of_open_spiel
from nimtui.engine.rng import Stream
from nimtui.games import parse_game

GAMES = (  # our name, OpenSpiel's name, playouts per round of each: about 0.3 s
    ("nim:1,3,5,7", "nim(pile_sizes=1;3;5;7,is_misere=false)", 4_000_000, 400_000),
    ("nim:3,5,4,2,6:misere", "nim(pile_sizes=3;5;4;2;6,is_misere=true)", 3_000_000, 200_000),
    ("connect:7x6x4", "connect_four(columns=7,rows=6,x_in_row=4)", 1_500_000, 50_000),
    ("connect:4x4x4", "connect_four(columns=4,rows=4,x_in_row=4)", 2_000_000, 100_000),
)


def benchmarks() -> list[Benchmark]:
    return of_open_spiel("playouts", "playouts/s", GAMES, _ours, _theirs)


def _ours(name: str, n: int) -> Callable[[], float]:
    from nimtui.engine.playouts import count_playouts

    state, stream = parse_game(name).new(), Stream(0)
    count_playouts(state, 1, stream)  # compiles or loads before the clock runs

    def work() -> float:
        count_playouts(state, n, stream)
        return n

    return work


def _theirs(name: str, n: int) -> Callable[[], float] | None:
    """Return OpenSpiel's random playouts, looped in C++.

    Python cannot call its evaluator. But its search bot asks the evaluator for the root's value in the first
    simulation, so one simulation with n playouts costs little more than n playouts.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(n, 0)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 0, False)

    def work() -> float:
        bot.mcts_search(start)
        return n

    return work
