"""Benchmarks from a game's start: uniform random playouts, whole Monte Carlo tree searches, alpha-beta and minimax.

OpenSpiel plays and searches by Monte Carlo in C++. Both search with 10,000 simulations, one uniform playout each,
c = 1, and a new tree for every search. This engine also records how the tree grew.

Alpha-beta and minimax are measured in nodes per second, unrecorded, and recorded into used and into fresh memory. The
baselines are easyAI's Negamax and OpenSpiel's alpha-beta, both in Python. They search the same game, or a smaller one
of its kind if the whole game would take minutes. Their nodes are counted once, call by call, before the clock runs.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias

from nimtui.cli.benchmarks.rows import Benchmark, Work, counting, program
from nimtui.engine.rng import Stream
from nimtui.games import parse_game

if TYPE_CHECKING:
    from nimtui.engine.alpha_beta import Record

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


NIM, SMALL_NIM = "nim:1,3,5,7", (1, 2, 3, 4)
SMALL_NAME = "nim:1,2,3,4"
CONNECT = "connect:4x4x4"
SPIEL_NIM = "nim(pile_sizes=1;2;3;4,is_misere=false)"
SPIEL_CONNECT = "connect_four(columns=4,rows=4,x_in_row=4)"
FRESH_NODES = 20_000_000
RECORDED = 30_000_000  # more than the search of NIM visits
UNLIMITED = 1 << 60

Ours: TypeAlias = Callable[[], Work]
Theirs: TypeAlias = Callable[[], Work | None]


def alpha_beta() -> list[Benchmark]:
    easy, spiel = program("easyAI", "easyAI"), program("OpenSpiel", "open_spiel", "Python")
    nim, connect = partial(_spiel_minimax, SPIEL_NIM), partial(_spiel_minimax, SPIEL_CONNECT)
    rows: list[tuple[str, str, Ours, Theirs]] = [
        (f"alpha-beta {SMALL_NAME}", easy, partial(_full_search, SMALL_NAME, times=300), _easy),
        (f"alpha-beta {SMALL_NAME}", spiel, partial(_full_search, SMALL_NAME, times=300), nim),
        (f"alpha-beta {CONNECT}", spiel, partial(_full_search, CONNECT, times=150), connect),
        (f"minimax {CONNECT}", spiel, partial(_full_search, CONNECT, cutting=False), connect),
        (f"alpha-beta {NIM}", f"{easy}, {SMALL_NAME}", partial(_full_search, NIM), _easy),
        (f"alpha-beta {NIM} recorded", f"{easy}, {SMALL_NAME}", _touched, _easy),
        (f"alpha-beta {NIM} in fresh memory", f"{easy}, {SMALL_NAME}", _fresh, _easy),
    ]
    return [Benchmark(name, "nodes/s", against, ours, theirs) for name, against, ours, theirs in rows]


def _alpha_beta(name: str, cutting: bool, record: Record | None, until: int) -> int:
    """Search a game from its start to its end, and return the number of nodes."""
    from nimtui.engine import alpha_beta
    from nimtui.engine.windows import LONGEST, WIN

    game = parse_game(name)
    options = alpha_beta.Options(LONGEST, True, cutting, WIN, 1, False, False, False)
    stack = alpha_beta.stack(100)
    alpha_beta.search(game.new(), stack, options, alpha_beta.roots(game.size), record, None, None, None, until)
    return int(stack.at[alpha_beta.NODES])


def _full_search(name: str, cutting: bool = True, times: int = 1) -> Work:
    _alpha_beta(name, cutting, None, 0)  # compiles or loads before the clock runs
    return lambda: sum(_alpha_beta(name, cutting, None, UNLIMITED) for _ in range(times))


def _touched() -> Work:
    from nimtui.engine import alpha_beta

    record = alpha_beta.record(RECORDED, parse_game(NIM).size)
    _alpha_beta(NIM, True, record, UNLIMITED)
    return lambda: _alpha_beta(NIM, True, record, UNLIMITED)


def _fresh() -> Work:
    from nimtui.engine import alpha_beta

    size = parse_game(NIM).size
    _alpha_beta(NIM, True, alpha_beta.record(1, size), 0)
    return lambda: _alpha_beta(NIM, True, alpha_beta.record(FRESH_NODES, size), FRESH_NODES)


def _easy() -> Work | None:
    """Return easyAI's Negamax on a Nim with one list of piles and moves that are undone."""
    try:
        easy = importlib.import_module("easyAI")
    except ImportError:
        return None
    players = [easy.AI_Player(None), easy.AI_Player(None)]
    game = _easy_nim(easy.TwoPlayerGame)(players)
    return _counting(lambda: easy.Negamax(sum(SMALL_NIM))(game), "negamax")


def _easy_nim(two_player_game: Any) -> Any:
    class Nim(two_player_game):  # type: ignore[misc]
        def __init__(self, players: list[Any]) -> None:
            self.players, self.current_player, self.piles = players, 1, list(SMALL_NIM)

        def possible_moves(self) -> list[tuple[int, int]]:
            return [(pile, take) for pile, matches in enumerate(self.piles) for take in range(1, matches + 1)]

        def make_move(self, move: tuple[int, int]) -> None:
            self.piles[move[0]] -= move[1]

        def unmake_move(self, move: tuple[int, int]) -> None:
            self.piles[move[0]] += move[1]

        def is_over(self) -> bool:
            return not any(self.piles)

        def scoring(self) -> int:
            return 0 if any(self.piles) else -100

        def show(self) -> None: ...

    return Nim


def _spiel_minimax(name: str) -> Work | None:
    """Return OpenSpiel's alpha-beta in Python over its states in C++."""
    try:
        spiel = importlib.import_module("pyspiel")
        minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    except ImportError:
        return None
    game = spiel.load_game(name)
    return _counting(lambda: minimax.alpha_beta_search(game), "_alpha_beta")


def _counting(work: Callable[[], object], function: str) -> Work:
    """Return the same work as a function that gives the number of calls of `function` in it."""
    calls = 0

    def watch(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_name == function

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)

    def counted() -> float:
        work()
        return calls

    return counted
