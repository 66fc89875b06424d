"""Benchmarks: self-play of learners, and games between agents.

The reward learner stands against the same algorithm in plain Python, those of qualities against plain Python and
OpenSpiel, those with a function against NumPy; random – perfect and the subtraction tournament against plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from random import Random

import numpy as np

from nimtui.cli.benchmarks import literal
from nimtui.cli.benchmarks.rows import PYTHON, Benchmark, Work, counting
from nimtui.games import parse_game

HEAPS, PILES = "nim:7,5,3", (7, 5, 3)
TOWER, IN_OPEN_SPIEL = "nim:1,3,5,7", "nim(pile_sizes=1;3;5;7,is_misere=false)"
GAMES, GAMES_IN_PYTHON, GAMES_IN_OPEN_SPIEL = 2_000_000, 40_000, 1_500
TOWER_OF_16, ROWS = "tower:16", (1, 3, 5, 7)
REWARDED_GAMES, REWARDED_GAMES_IN_PYTHON = 5_000_000, 100_000  # of the reward learner
CONNECT, NUMBER, LENGTH, HIDDEN = "connect:7x6x4", 70, 8, 32
FUNCTION_GAMES, FUNCTION_GAMES_IN_NUMPY = 10_000, 20

Learn = Callable[[Sequence[int], int, int], literal.Table]


def benchmarks() -> list[Benchmark]:
    rows: list[tuple[str, str, str, Callable[[], Work | None]]] = [
        (HEAPS, "quality", f"{PYTHON}, as the quality learner's document", _python),
        (TOWER, "q", "OpenSpiel's tabular Q-learner, Python", _open_spiel),
        (HEAPS, "q", f"{PYTHON}, the quality learner's document", _python),
    ]
    others = [
        Benchmark(f"{learner} learner {game}", "games/s", against, partial(_ours, game, learner, GAMES), theirs)
        for game, learner, against, theirs in rows
    ]
    return [*_rewards(), *others, *_functions()]


def _rewards() -> list[Benchmark]:
    return [
        Benchmark(
            name=f"reward learner {TOWER_OF_16}{than}",
            unit="games/s",
            against=f"{PYTHON}, {how}",
            ours=partial(_ours, TOWER_OF_16, "reward", REWARDED_GAMES),
            theirs=partial(_rewards_in_python, learn),
        )
        for than, how, learn in (
            ("", "as the tower of 16, rows as lists", literal.learn_on_lists),
            (", against quick Python", "rows as numbers", literal.learn_on_numbers),
        )
    ]


def _functions() -> list[Benchmark]:
    rows: list[tuple[str, str, Callable[[Random], literal.Function]]] = [
        ("ntuple", f":tuples={NUMBER},length={LENGTH}", partial(literal.Tuples, NUMBER, LENGTH)),
        ("linear", "", partial(literal.Tuples, 0, 1)),
        ("net", f":hidden={HIDDEN}", partial(literal.Net, HIDDEN)),
    ]
    return [
        Benchmark(
            f"{learner} learner {CONNECT}",
            "games/s",
            f"NumPy {np.__version__}, each position looked up again",
            partial(_ours, CONNECT, learner + parameters, FUNCTION_GAMES),
            partial(_in_numpy, empty),
        )
        for learner, parameters, empty in rows
    ]


def _in_numpy(empty: Callable[[Random], literal.Function]) -> Work:
    def learn() -> None:
        random = Random(0)
        literal.learn_by_play(empty(random), FUNCTION_GAMES_IN_NUMPY, random)

    return counting(FUNCTION_GAMES_IN_NUMPY, learn)


def _rewards_in_python(learn: Learn) -> Work:
    return counting(REWARDED_GAMES_IN_PYTHON, partial(learn, ROWS, REWARDED_GAMES_IN_PYTHON, 0))


def _ours(game: str, learner: str, number: int) -> Work:
    """Return the self-play of a learner from no game to this number of games."""
    from nimtui.learning.learner import has_function, parse_learner
    from nimtui.learning.training import Training

    def train(games: int) -> float:
        Training(parse_game(game), learner, 0, measured=not has_function(parse_learner(learner))).run(games)
        return games

    train(1)  # compiles or loads before the clock runs
    return partial(train, number)


def _python() -> Work:
    return counting(GAMES_IN_PYTHON, partial(literal.learn_qualities, PILES, GAMES_IN_PYTHON, 0))


def _open_spiel() -> Work | None:
    """Return OpenSpiel's example of self-play: one Q-learner per seat, stepped through its environment."""
    try:
        from open_spiel.python import rl_environment
        from open_spiel.python.algorithms import tabular_qlearner
    except ImportError:
        return None
    environment = rl_environment.Environment(IN_OPEN_SPIEL)
    moves = environment.action_spec()["num_actions"]
    agents = [tabular_qlearner.QLearner(player_id=seat, num_actions=moves) for seat in range(2)]

    def work() -> float:
        for _ in range(GAMES_IN_OPEN_SPIEL):
            now = environment.reset()
            while not now.last():
                chosen = agents[now.observations["current_player"]].step(now)
                now = environment.step([chosen.action])
            for agent in agents:
                agent.step(now)
        return GAMES_IN_OPEN_SPIEL

    return work


# Games between agents.

HEAP, UNIT = "subtraction:21,3:misere", "games/s"
RANDOM_GAMES, RANDOM_GAMES_IN_PYTHON = 2_000_000, 100_000
AGENTS = (
    "random",
    "perfect",
    "mc:playouts=1000",
    "mc:playouts=1000,policy=perfect-opponent",
    "mcts:simulations=500",
    "value",
)
GAMES_A_PAIR, GAMES_A_PAIR_IN_PYTHON = 100, 1


def agent_games() -> list[Benchmark]:
    random, field = partial(_between, AGENTS[:2], RANDOM_GAMES, 1), partial(_between, AGENTS, GAMES_A_PAIR, None)
    title = f"the subtraction tournament, 36 × {GAMES_A_PAIR} games"
    against = f"{PYTHON}, 36 × {GAMES_A_PAIR_IN_PYTHON} of these games"
    return [
        Benchmark(f"random – perfect {HEAP}", UNIT, f"{PYTHON}, matches as a number", random, _by_chance),
        Benchmark(title, UNIT, against, field, lambda: _tournament),
    ]


def _between(agents: tuple[str, ...], games: int, pairing: int | None) -> Work:
    from nimtui.arena.play.pieces import Piece, play, prepare
    from nimtui.arena.play.plan import plan

    tournament = plan([HEAP], agents, "ordered", games)
    prepare(tournament)  # compiles or loads before the clock runs
    pairings = range(len(tournament.pairings)) if pairing is None else (pairing,)

    def work() -> float:
        return sum(len(play(Piece(tournament, number, 0, games))) for number in pairings)

    return work


def _by_chance() -> Work:
    games = RANDOM_GAMES_IN_PYTHON
    return counting(games, partial(literal.play, literal.at_random, literal.perfectly, games))


def _tournament() -> float:
    for first, second in product(literal.AGENTS, repeat=2):
        literal.play(first, second, GAMES_A_PAIR_IN_PYTHON)
    return len(literal.AGENTS) ** 2 * GAMES_A_PAIR_IN_PYTHON
