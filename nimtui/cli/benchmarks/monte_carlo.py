"""Benchmarks: uniform random playouts and whole Monte Carlo tree searches from a game's start, against OpenSpiel's C++.

Both search with 10,000 simulations, one uniform playout each, c = 1, and a new tree for every search. This engine also
records how the tree grew.
"""

from __future__ import annotations

from functools import partial

from nimtui.cli.benchmarks.rows import Benchmark, Work, counting, program
from nimtui.engine.rng import Stream
from nimtui.games import parse_game

PLAYOUTS = (  # our name, OpenSpiel's name, playouts per round of each: about 0.3 s
    ("nim:1,3,5,7", "nim(pile_sizes=1;3;5;7,is_misere=false)", 4_000_000, 400_000),
    ("nim:3,5,4,2,6:misere", "nim(pile_sizes=3;5;4;2;6,is_misere=true)", 3_000_000, 200_000),
    ("connect:7x6x4", "connect_four(columns=7,rows=6,x_in_row=4)", 1_500_000, 50_000),
    ("connect:4x4x4", "connect_four(columns=4,rows=4,x_in_row=4)", 2_000_000, 100_000),
)
SEARCHES = (  # our name, OpenSpiel's name, searches per round of each: about 0.2 s
    ("nim:1,3,5,7", "nim(pile_sizes=1;3;5;7,is_misere=false)", 100, 20),
    ("connect:7x6x4", "connect_four(columns=7,rows=6,x_in_row=4)", 60, 3),
)
SIMULATIONS, C = 10_000, 1.0
MOST_MEGABYTES = 1000


def playouts() -> list[Benchmark]:
    return [
        Benchmark(f"playouts {name}", "playouts/s", _spiel(), partial(_play, name, mine), partial(_played, its, other))
        for name, its, mine, other in PLAYOUTS
    ]


def searches() -> list[Benchmark]:
    return [
        Benchmark(f"mcts {name}", "simulations/s", _spiel(), partial(_search, name, mine), partial(_searched, its, n))
        for name, its, mine, n in SEARCHES
    ]


def _spiel() -> str:
    return program("OpenSpiel", "open_spiel", "C++")


def _play(name: str, n: int) -> Work:
    from nimtui.engine.playouts import count_playouts

    state, stream = parse_game(name).new(), Stream(0)
    count_playouts(state, 1, stream)  # compiles or loads before the clock runs
    return counting(n, lambda: count_playouts(state, n, stream))


def _played(name: str, n: int) -> Work | None:
    """Return OpenSpiel's random playouts, looped in C++.

    Python cannot call its evaluator. But its search bot asks the evaluator for the root's value in the first
    simulation, so one simulation with n playouts costs little more than n playouts.
    """
    return _bot(name, n, 1, 10, 1, n)


def _search(name: str, searches: int) -> Work:
    from nimtui.trees.mcts import MonteCarloSearch

    game, stream = parse_game(name), Stream(0)
    MonteCarloSearch(game, game.start, 1).run()  # compiles or loads before the clock runs

    def search_all() -> None:
        for _ in range(searches):
            search = MonteCarloSearch(game, game.start, SIMULATIONS, C, stream=stream).run()
            assert search.best.visits
            search.release()  # as an agent does after each move

    return counting(searches * SIMULATIONS, search_all)


def _searched(name: str, searches: int) -> Work | None:
    return _bot(name, 1, SIMULATIONS, MOST_MEGABYTES, searches, searches * SIMULATIONS)


def _bot(name: str, playouts: int, simulations: int, megabytes: int, searches: int, units: int) -> Work | None:
    """Return the searches of OpenSpiel's bot, with so many playouts per simulation, as work of so many units."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(playouts, 0)
    bot = pyspiel.MCTSBot(game, evaluator, C, simulations, megabytes, False, 0, False)

    def search() -> None:
        for _ in range(searches):
            bot.mcts_search(start)

    return counting(units, search)
