"""Benchmark: whole Monte Carlo tree searches from a game's start, against OpenSpiel in C++.

Both run 10,000 simulations per search, one uniform playout each, c = 1, and a new tree for every search. This engine
also records how the tree grew.
"""

from __future__ import annotations

from collections.abc import Callable

from nimtui.cli.benchmarks.rows import Benchmark, of_open_spiel
from nimtui.games import parse_game

GAMES = (  # our name, OpenSpiel's name, searches per round of each: about 0.2 s
    ("nim:1,3,5,7", "nim(pile_sizes=1;3;5;7,is_misere=false)", 100, 20),
    ("connect:7x6x4", "connect_four(columns=7,rows=6,x_in_row=4)", 60, 3),
)
SIMULATIONS, C = 10_000, 1.0
MOST_MEGABYTES = 1000


def benchmarks() -> list[Benchmark]:
    return of_open_spiel("mcts", "simulations/s", GAMES, _ours, _theirs)


def _ours(name: str, searches: int) -> Callable[[], float]:
    from nimtui.engine.rng import Stream
    from nimtui.trees.mcts import MonteCarloSearch

    game, stream = parse_game(name), Stream(0)
    MonteCarloSearch(game, game.start, 1).run()  # compiles or loads before the clock runs

    def work() -> float:
        for _ in range(searches):
            search = MonteCarloSearch(game, game.start, SIMULATIONS, C, stream=stream).run()
            assert search.best.visits
            search.release()  # as an agent does after each move
        return searches * SIMULATIONS

    return work


def _theirs(name: str, searches: int) -> Callable[[], float] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, C, SIMULATIONS, MOST_MEGABYTES, False, 0, False)

    def work() -> float:
        for _ in range(searches):
            bot.mcts_search(start)
        return searches * SIMULATIONS

    return work
