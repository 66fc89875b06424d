"""Paced kernels give the same answers interpreted as compiled: play may start before anything is compiled."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.engine import activity, evaluate, exact, probe
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.learning.compiled import Compiled
from nimtui.learning.learner import parse_learner
from nimtui.learning.table import Table
from nimtui.theory.truth import truth
from tests.learning.functions import save

ROOT = Path(__file__).parents[2]
GAMES = ("nim:1,3,4", "nim:2,3:misere", "noughts:3x2x3")  # no connect: its solver would be compiled
AGENTS = (
    "mcts:simulations=40,c=1.0",
    "mcts:simulations=40,c=1.0,proven=yes",
    "alphabeta:depth=3",
    "alphabeta:depth=3,table=64",
    "minimax:depth=3",
    "mc:playouts=9",
    "mc:playouts=9,pick=row-then-count",
    "mc:playouts=9,policy=perfect-opponent",
    "perfect",
)
PACED = {
    *("discover", "join", "arrange", "grow", "search", "playouts", "playouts_against_perfect", "fill_notes"),
    *("_fill_values", "_fill_keeps", "_fill_distances", "_fill_timely", "_fill_grundy", "_fill_heights"),
    *("_judge", "_reach", "_fill_odds"),
}


class Never:
    """A compiler that never delivers, and notes what is asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def order(self, module: str, kernel: str, signature: bytes) -> Future[bytes]:
        self.asked.add(kernel)
        return Future()

    def hurry(self, order: Future[bytes]) -> None:
        raise AssertionError("a kernel that is not paced was asked for")


def answers(name: str) -> list[Any]:
    """What the engine answers about a game: positions, values, moves, thoughts and chances."""
    game = parse_game(name)
    with activity.interpreting():
        known = truth(game)
        graph, values = known.graph, known.values
        scores = np.arange(len(graph.to)) * 7919 % 13
        table = Table.empty(game, "reward", 0)
        told: list[Any] = [*graph[:-2], values, known.keeps, exact.heights(graph)]
        told += [exact.distances(graph, values), exact.timed(graph, values, known.keeps, 1), exact.grundy(graph)]
        told += [*evaluate.judge(graph, values, known.keeps, scores), evaluate.reached(graph, scores, (True, True))]
        told += [evaluate.against_perfect(graph, known.keeps, scores, True)]
        told += [evaluate.between(graph, scores, scores[::-1])]
        told += [Compiled(graph, parse_learner("reward"), table_on(table, known), Stream(0).counter)._memory]
        folder = tempfile.mkdtemp()
        save(Path(folder, "f.npz"), name)
        by_function = [f"{how},value={folder}/f.npz" for how in ("mcts:simulations=40", "alphabeta:depth=3")]
        for agent in (*AGENTS, *by_function):
            decision = parse_agent(agent, game).decide(base.copy(game.start), Stream(7))
            told += [decision.move, decision.thoughts, decision.nodes, decision.line]
    return told


def table_on(table: Table, known: Any) -> Table:
    from nimtui.learning.graph_table import on_graph

    return on_graph(table, known.graph)


def text(told: list[Any]) -> list[str]:
    with np.printoptions(threshold=sys.maxsize):
        return [str(answer) for answer in told]


def interpreted() -> None:
    """Print all answers of a process that compiles nothing, and the kernels that it asked for."""
    compiler = Never()
    activity.use(compiler)
    activity.PATIENCE = float("inf")
    print(json.dumps([[text(answers(game)) for game in GAMES], sorted(compiler.asked)]))


def test_the_answers_that_a_check_compares_are_those_of_the_rules_at_every_board() -> None:
    game = parse_game("nim:1,2,1")
    boards = np.array([game.new(f"{a},{b},{c}").board for a in (0, 1) for b in (0, 1, 2) for c in (0, 1)])
    for board, told in zip(boards, probe.interpreted_answers(game.new(), boards, 9), strict=True):
        state, legal = game.at(board), 0
        for move in base.legal_moves(state):  # none at the end
            legal = (legal * 1_000_003 + move) % probe.PRIME
        answers = dict(zip(probe.WORDS, told.tolist(), strict=True))
        assert (answers["size"], answers["outcome"], answers["legal"]) == (4, base.outcome(state), legal)


@pytest.mark.slow
def test_interpreted_and_compiled_kernels_give_the_same_answers(tmp_path: Path) -> None:
    program = "from tests.engine.test_interpreted import interpreted; interpreted()"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={"PYTHONPATH": ":".join([str(ROOT), *sys.path]), "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found, asked = json.loads(done.stdout)
    assert set(asked) == PACED
    for game, told in zip(GAMES, found, strict=True):
        assert told == text(answers(game))
