"""Benchmark: alpha-beta and minimax in nodes per second, unrecorded, and recorded into used and into fresh memory.

The baselines are easyAI's Negamax and OpenSpiel's alpha-beta, both in Python. They search the same game, or a smaller
one of its kind if the whole game would take minutes. Their nodes are counted once, call by call, before the clock runs.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias

from nimtui.cli.benchmarks.rows import Benchmark, program
from nimtui.games import parse_game

if TYPE_CHECKING:
    from nimtui.engine.alpha_beta import Record

NIM, SMALL_NIM = "nim:1,3,5,7", (1, 2, 3, 4)
SMALL_NAME = "nim:1,2,3,4"
CONNECT = "connect:4x4x4"
SPIEL_NIM = "nim(pile_sizes=1;2;3;4,is_misere=false)"
SPIEL_CONNECT = "connect_four(columns=4,rows=4,x_in_row=4)"
FRESH_NODES = 20_000_000
RECORDED = 30_000_000  # more than the search of NIM visits
UNLIMITED = 1 << 60

Ours: TypeAlias = Callable[[], Callable[[], float]]
Theirs: TypeAlias = Callable[[], Callable[[], float] | None]


def benchmarks() -> list[Benchmark]:
    easy, spiel = program("easyAI", "easyAI"), program("OpenSpiel", "open_spiel", "Python")
    nim, connect = partial(_spiel, SPIEL_NIM), partial(_spiel, SPIEL_CONNECT)
    rows: list[tuple[str, str, Ours, Theirs]] = [
        (f"alpha-beta {SMALL_NAME}", easy, partial(_ours, SMALL_NAME, times=300), _easy),
        (f"alpha-beta {SMALL_NAME}", spiel, partial(_ours, SMALL_NAME, times=300), nim),
        (f"alpha-beta {CONNECT}", spiel, partial(_ours, CONNECT, times=150), connect),
        (f"minimax {CONNECT}", spiel, partial(_ours, CONNECT, cutting=False), connect),
        (f"alpha-beta {NIM}", f"{easy}, {SMALL_NAME}", partial(_ours, NIM), _easy),
        (f"alpha-beta {NIM} recorded", f"{easy}, {SMALL_NAME}", _touched, _easy),
        (f"alpha-beta {NIM} in fresh memory", f"{easy}, {SMALL_NAME}", _fresh, _easy),
    ]
    return [Benchmark(name, "nodes/s", against, ours, theirs) for name, against, ours, theirs in rows]


def _search(name: str, cutting: bool, record: Record | None, until: int) -> int:
    """Search a game from its start to its end, and return the number of nodes."""
    from nimtui.engine import alpha_beta
    from nimtui.engine.windows import LONGEST, WIN

    game = parse_game(name)
    options = alpha_beta.Options(LONGEST, True, cutting, WIN, 1, False, False, False)
    stack = alpha_beta.stack(100)
    alpha_beta.search(game.new(), stack, options, alpha_beta.roots(game.size), record, None, None, None, until)
    return int(stack.at[alpha_beta.NODES])


def _ours(name: str, cutting: bool = True, times: int = 1) -> Callable[[], float]:
    _search(name, cutting, None, 0)  # compiles or loads before the clock runs
    return lambda: sum(_search(name, cutting, None, UNLIMITED) for _ in range(times))


def _touched() -> Callable[[], float]:
    from nimtui.engine import alpha_beta

    record = alpha_beta.record(RECORDED, parse_game(NIM).size)
    _search(NIM, True, record, UNLIMITED)
    return lambda: _search(NIM, True, record, UNLIMITED)


def _fresh() -> Callable[[], float]:
    from nimtui.engine import alpha_beta

    size = parse_game(NIM).size
    _search(NIM, True, alpha_beta.record(1, size), 0)
    return lambda: _search(NIM, True, alpha_beta.record(FRESH_NODES, size), FRESH_NODES)


def _easy() -> Callable[[], float] | None:
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


def _spiel(name: str) -> Callable[[], float] | None:
    """Return OpenSpiel's alpha-beta in Python over its states in C++."""
    try:
        spiel = importlib.import_module("pyspiel")
        minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    except ImportError:
        return None
    game = spiel.load_game(name)
    return _counting(lambda: minimax.alpha_beta_search(game), "_alpha_beta")


def _counting(work: Callable[[], object], function: str) -> Callable[[], float]:
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
