"""`nimtui bench`: its rows, what each side does in a round, and the same algorithms in plain Python."""

from __future__ import annotations

import re
import sys
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest

from nimtui.cli.benchmarks import benchmarks, connect_four, learners, literal, rows, searches
from nimtui.games import base, parse_game
from nimtui.progress import Progress
from tests.cli.conftest import Nimtui
from tests.test_docs import TEXTS
from tests.trees.test_replay import Aloud


def test_the_documented_report_has_each_row_with_its_unit_and_the_other_program() -> None:
    shown = re.search(r"\$ nimtui bench\n.*\n((?:.+\n)+?)```", TEXTS["docs/numbers.md"])
    version = r" \d[\d.]*(?=,|$)"
    documented = [re.split("   +", line) for line in shown[1].splitlines()] if shown else []
    assert [(row.name, row.unit, re.sub(version, "", row.against), row.rounds) for row in benchmarks()] == [
        (name, unit, re.sub(version, "", against), 3) for name, *_, unit, against in documented
    ]


def test_the_baselines_of_functions_play_connect_four_and_learn() -> None:
    game, random = parse_game("connect4"), Random(3)
    for _ in range(20):
        board, state, side = literal.Board(), game.new(), 0
        while not base.outcome(state):
            assert board.moves() == base.legal_moves(state)
            move = random.choice(board.moves())
            before = board.cells.copy(), list(board.height)
            board.put(move, side)
            board.take(move)
            assert (board.cells == before[0]).all() and board.height == before[1]
            base.play(state, move)
            assert board.put(move, side) == (base.outcome(state) == base.WON)
            assert board.cells.reshape(-1).tolist() == [base.input(state, i) for i in range(base.inputs(state))]
            side = 1 - side
    for function in (literal.Tuples(6, 3, random), literal.Tuples(0, 1, random), literal.Net(4, random)):
        before, cells, step = function.weights.copy(), board.cells, 1e-6
        literal.learn_by_play(function, 10, random)
        assert np.isfinite(function.weights).all() and (function.weights[0] != before[0]).any()
        assert function.total(cells, 0) == pytest.approx(function.total(cells[::-1], 0), abs=1e-6) != 0
        at = np.flatnonzero(function.weights[1])[::7]
        gradient = np.zeros(len(at))
        for number, one in enumerate(at):
            totals = []
            for by in (-1e-3, 1e-3):
                function.weights[1].flat[one] += by
                totals.append(function.total(cells, 1))
                function.weights[1].flat[one] -= by
            gradient[number] = (totals[1] - totals[0]) / 2e-3
        was = function.weights[1].ravel()[at].astype(np.float64)
        function.learn(cells, 1, step * 1e4)
        moved = (function.weights[1].ravel()[at] - was) / (step * 1e4)
        assert np.allclose(moved, gradient, atol=2e-2) and (len(at) < 9 or (gradient != 0).any())


def test_a_name_chooses_rows_or_one_of_the_long_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect_four, "OPENINGS", ((4, 1),))
    connect = benchmarks("connect4")
    assert [(row.name, row.unit, row.against, row.rounds) for row in connect] == [  # type: ignore[union-attr]
        ("connect4 after 4 plies", "scores/s", "BitBully, C++", 3),
        ("connect4, the empty board", "scores/s", "BitBully, C++", 1),
        ("connect4, the empty board, two threads", "scores/s", "one thread", 1),
    ]
    assert [row.name for row in benchmarks("mcts")] == [f"mcts {game}" for game, *_ in searches.SEARCHES]
    assert len(benchmarks("connect4-ablation")) == 4 * len(connect_four.IDEAS)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmarks with next to nothing to do, and as if no other program were installed."""
    for games in ("PLAYOUTS", "SEARCHES"):
        monkeypatch.setattr(searches, games, [(*row[:2], 2, 3) for row in getattr(searches, games)[-1:]])
    sizes = "REWARDED_GAMES=20 REWARDED_GAMES_IN_PYTHON=10 FUNCTION_GAMES=20 NUMBER=2 GAMES=20 GAMES_IN_PYTHON=5"
    more = "GAMES_IN_OPEN_SPIEL=5 RANDOM_GAMES=30 RANDOM_GAMES_IN_PYTHON=10 GAMES_A_PAIR=1"
    searched = "SIMULATIONS=30 FRESH_NODES=100 RECORDED=10000"
    for room, words in (
        *((learners, sizes), (learners, more), (searches, searched), (rows, "ROUNDS=2")),
        (literal, "PLAYOUTS=10 SIMULATIONS=10"),
    ):
        for name, size in (word.split("=") for word in words.split()):
            monkeypatch.setattr(room, name, int(size))
    for name, game in (("NIM", "nim:1,2,3"), ("SMALL_NAME", "nim:1,2"), ("CONNECT", "connect:3x2x2")):
        monkeypatch.setattr(searches, name, game)
    for name in ("pyspiel", "easyAI", "bitbully"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("small")
def test_a_round_does_the_work_that_it_counts() -> None:
    small, tower, connect = (Aloud(name, 1000, True, False).nodes for name in ("nim:1,2", "nim:1,2,3", "connect:3x2x2"))
    uncut = Aloud("connect:3x2x2", 1000, False, False).nodes
    works: dict[Any, tuple[int, ...]] = {
        searches.playouts: (2,),
        learners.benchmarks: (20,) * 8,
        searches.searches: (60,),
        learners.agent_games: (30, 36),
        searches.alpha_beta: (300 * small, 300 * small, 150 * connect, uncut, tower, tower, 101),
    }
    for made, done in works.items():
        for row, units in zip(made(), done, strict=True):
            assert row.ours()() == pytest.approx(units, abs=1 if "fresh" in row.name else 0), row.name
            assert made in (learners.benchmarks, learners.agent_games) or row.theirs() is None


@pytest.mark.usefixtures("small")
def test_the_other_side_is_asked_for_as_much_as_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []
    for name in ("play", "learn_qualities"):
        monkeypatch.setattr(literal, name, lambda *given: calls.append(given))
    chance, field = (row.theirs() for row in learners.agent_games())
    *_, quality, _, again, _, _, _ = (row.theirs() for row in learners.benchmarks())
    taught = learners._rewards_in_python(lambda *given: calls.append(given))  # type: ignore[arg-type, return-value]
    for work in (chance, quality, again, taught):
        assert work is not None
        work()
    assert calls == [
        *((literal.at_random, literal.perfectly, 10), ((7, 5, 3), 5, 0), ((7, 5, 3), 5, 0), ((1, 3, 5, 7), 10, 0))
    ]
    calls.clear()
    assert field is not None and field() == 36
    assert calls == [(first, second, 1) for first in literal.AGENTS for second in literal.AGENTS]


@pytest.mark.usefixtures("small")
def test_any_row_can_be_asked_for_by_how_it_begins(nimtui: Nimtui) -> None:
    [row] = nimtui("bench", "random – perfect", "--json").document["rows"]
    assert list(row) == ["name", "nimtui", "baseline", "ratio", "unit", "against"]
    assert row["name"] == "random – perfect subtraction:21,3:misere" and row["unit"] == "games/s"
    assert row["ratio"] == pytest.approx(row["nimtui"] / row["baseline"])
    text = nimtui("bench playouts").out
    assert text.split()[:6] == ["what", "nimtui", "baseline", "ratio", "unit", "against"]
    assert text.rstrip().endswith("–       –   playouts/s   OpenSpiel, C++ (not installed)")


def test_the_best_round_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 2.0, 5.0, 6.0, 10.0, 11.0, 20.0, 25.0])
    monkeypatch.setattr(rows, "perf_counter", lambda: next(clock))
    reports: list[tuple[float, float, str]] = []

    class Watching(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            reports.append((done, total, what))

    row = rows.Benchmark("it", "units/s", "somebody", lambda: lambda: 10.0, lambda: lambda: 4.0, 2).measure(Watching())
    assert row == rows.Row("it", 10.0, 4.0, "somebody", "units/s", 2.5)
    assert reports == [(0, 2, "it"), (1, 2, "it"), (2, 2, "it")]
    clock = iter([0.0, 2.0])
    row = rows.Benchmark("it", "units/s", "somebody", lambda: lambda: 10.0, lambda: None, 1).measure()
    assert row == rows.Row("it", 5.0, None, "somebody (not installed)", "units/s", None)


def test_a_rate_has_two_digits_at_least_and_a_program_its_version() -> None:
    sizes = (5e6, 10, 9.99, 0.1149)
    assert [rows.Rate(size).text for size in sizes] == ["5,000,000", "10", "10", "0.11"]
    assert [rows.Rate(size).text for size in (9.4, 1234.5)] == ["9.4", "1,234"]
    version = rows.program("Typer", "typer").split()
    assert version[0] == "Typer" and version[1][0].isdigit()
    assert rows.program("Nobody", "no-such-program-at-all", "C") == "Nobody, C"


# Other programs, as far as they are asked.


def test_easy_ai_gets_the_same_nim_and_its_nodes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[Any] = []

    class Negamax:
        def __init__(self, depth: int) -> None:
            assert depth == sum(searches.SMALL_NIM)

        def __call__(self, game: Any) -> None:
            games.append(game)
            for _ in range(3):
                self.negamax()

        def negamax(self) -> None: ...

    easy = SimpleNamespace(AI_Player=lambda _: "player", TwoPlayerGame=object, Negamax=Negamax)
    monkeypatch.setitem(sys.modules, "easyAI", easy)  # type: ignore[arg-type]
    work = searches._easy()
    assert work is not None and work() == 3 and sys.getprofile() is None
    game = games[0]
    assert (game.players, game.current_player, game.piles) == (["player", "player"], 1, [1, 2, 3, 4])
    assert game.possible_moves()[:4] == [(0, 1), (1, 1), (1, 2), (2, 1)] and len(game.possible_moves()) == 10
    game.make_move((3, 3))
    assert (game.piles, game.is_over(), game.scoring(), game.show()) == ([1, 2, 3, 1], False, 0, None)
    game.unmake_move((3, 3))
    assert game.piles == [1, 2, 3, 4]
    game.piles = [0, 0, 0, 0]
    assert game.is_over() and game.scoring() == -100


def test_open_spiel_is_asked_for_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def _alpha_beta() -> int:
        return 1

    spiel = mock.MagicMock()
    spiel.alpha_beta_search.side_effect = lambda game: [_alpha_beta() for _ in range(7)]
    for name in ("pyspiel", "open_spiel.python.algorithms.minimax"):
        monkeypatch.setitem(sys.modules, name, spiel)
    game, start = spiel.load_game.return_value, spiel.load_game.return_value.new_initial_state.return_value
    made, searched = spiel.MCTSBot, spiel.MCTSBot.return_value.mcts_search
    for ask, number, units, playouts, options in (
        (searches._played, 500, 500, 500, (1, 10)),
        (searches._searched, 3, 30_000, 1, (10_000, 1000)),
    ):
        work = ask("nim", number)
        assert work is not None and work() == units
        assert spiel.RandomRolloutEvaluator.call_args == mock.call(playouts, 0)
        evaluator = spiel.RandomRolloutEvaluator.return_value
        assert made.call_args == mock.call(game, evaluator, 1.0, *options, False, 0, False)
        assert searched.call_args_list == [mock.call(start)] * (units // options[0] // playouts)
        searched.reset_mock()
    nodes = searches._spiel_minimax("nim")
    assert nodes is not None and nodes() == 7


def test_open_spiel_trains_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[Any] = []
    plies = [mock.MagicMock(observations={"current_player": ply % 2}) for ply in range(4)]
    for ply, now in enumerate(plies):
        now.last.return_value = ply == 3
    spiel = mock.MagicMock()
    monkeypatch.setitem(sys.modules, "open_spiel", spiel)
    monkeypatch.setitem(sys.modules, "open_spiel.python", spiel)
    monkeypatch.setitem(sys.modules, "open_spiel.python.algorithms", spiel)
    environment = spiel.rl_environment.Environment.return_value
    environment.action_spec.return_value = {"num_actions": 28}
    environment.reset.return_value = plies[0]
    environment.step.side_effect = plies[1:] * 2
    spiel.tabular_qlearner.QLearner.side_effect = lambda player_id, num_actions: SimpleNamespace(
        step=lambda now: steps.append(player_id) or SimpleNamespace(action=num_actions)
    )
    monkeypatch.setattr(learners, "GAMES_IN_OPEN_SPIEL", 2)
    work = learners._open_spiel()
    assert work is not None and work() == 2
    assert spiel.rl_environment.Environment.call_args == mock.call(learners.IN_OPEN_SPIEL)
    assert environment.step.call_args_list == [mock.call([28])] * 6
    assert steps == [0, 1, 0, 0, 1] * 2  # three moves, and both learn from the end


def test_bitbully_scores_the_same_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    bully = mock.MagicMock()
    monkeypatch.setitem(sys.modules, "bitbully", bully)
    work = connect_four._theirs([(3, 3), (0,)])
    assert work is not None and work() == 2 and bully.BitBully.call_args == mock.call(opening_book=None)
    assert bully.Board.return_value.play.call_args_list == [mock.call(move) for move in (3, 3, 0)]
    assert [name for name, *_ in bully.BitBully.return_value.mock_calls] == [
        "reset_transposition_table",
        "mtdf",
        "mtdf",
    ]
    monkeypatch.setitem(sys.modules, "bitbully", None)
    assert connect_four._theirs([()]) is None


def test_connect_four_positions_are_open_and_scored_from_an_empty_table() -> None:
    assert connect_four.lines(8, 3) == ((3, 6, 1, 0, 1, 2, 5, 6), (6, 3, 3, 3, 3, 0, 1, 4), (2, 2, 2, 6, 2, 3, 6, 2))
    game = parse_game("connect4")
    at_once = [connect_four._wins_at_once(game, game.new(place)) for place in ("112233", "11223", "11")]
    assert at_once == [True, False, False]
    late = tuple(column for column in range(5) for _ in range(6))[:28]
    assert connect_four._ours([late, late])() == 2


def test_what_an_idea_of_the_solver_is_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("POSITIONS", "LATER"):
        monkeypatch.setattr(connect_four, name, ("445331226644", "52264575446722"))
    connect_four.work.cache_clear()
    results = {(one.idea, one.timed, one.alone): one.measure() for one in connect_four.ablations()[::2]}
    connect_four.work.cache_clear()
    counted = [row for (_, timed, _), row in results.items() if not timed]
    assert len({row.nimtui for row in counted if "only" not in row.name}) == 1
    assert len({row.baseline for row in counted if "only" in row.name}) == 1
    assert all(row.ratio == pytest.approx(row.nimtui / row.baseline) for row in results.values() if row.baseline)
    pairing, weights = results[5, False, False], next(row for key, row in results.items() if key[2] and row.nimtui)
    assert (pairing.name, pairing.unit) == ("connect4: the bound by pairing", "scores/M nodes")
    assert pairing.against == "the search without it" and weights.against == "the search without any of them"
    assert pairing.ratio is not None and pairing.ratio > 1.2


# The same algorithms in plain Python.


def test_the_learners_in_plain_python_learn() -> None:
    # source: the tower of 16: taking both of the last two wins, and its score is the only one above 0
    for learn in (literal.learn_on_lists, literal.learn_on_numbers):
        table = learn((1, 3, 5, 7), 1000, 1)
        assert len(table) == 383 and sum(map(len, table.values())) == 3072
        assert table[0, 0, 0, 2][3, 2] > 0 >= table[0, 0, 0, 2][3, 1]
    assert literal.learn_on_lists((1, 2), 60, 1) == {
        (0, 1): {(1, 1): 24}, (0, 2): {(1, 1): -1, (1, 2): 2}, (1, 0): {(0, 1): 34},
        (1, 1): {(0, 1): -23, (1, 1): -34}, (1, 2): {(0, 1): -1, (1, 1): 57, (1, 2): 0},
    }  # fmt: skip
    assert literal.learn_on_numbers((1, 2), 60, 1) == {
        (0, 1): {(1, 1): 23}, (0, 2): {(1, 1): -4, (1, 2): 12}, (1, 0): {(0, 1): 25},
        (1, 1): {(0, 1): -19, (1, 1): -23}, (1, 2): {(0, 1): -8, (1, 1): 42, (1, 2): -2},
    }  # fmt: skip
    assert literal.learn_qualities((1, 2), 40, 1) == {
        0: [], 1: [[1, 1, 1000]], 2: [[1, 1, -1000], [1, 2, 1000]], 10: [[0, 1, 1000]],
        11: [[0, 1, -1000], [1, 1, -1000]], 12: [[0, 1, -1000], [1, 1, 100], [1, 2, -1000]],
    }  # fmt: skip


def test_the_agents_in_plain_python_play(monkeypatch: pytest.MonkeyPatch) -> None:
    # source: the subtraction tournament: 1, 5, 9, … are lost, and whoever moves first from 21 loses to perfect play
    monkeypatch.setattr(literal, "PLAYOUTS", 12)
    monkeypatch.setattr(literal, "SIMULATIONS", 15)
    literal.seed(3)
    assert [[literal.play(first, second, 5) for second in literal.AGENTS] for first in literal.AGENTS] == [
        *([2, 0, 0, 0, 1, 0], [5, 0, 5, 3, 5, 0], [5, 0, 0, 0, 2, 0]),
        *([5, 0, 5, 0, 5, 0], [4, 0, 3, 0, 4, 0], [5, 0, 4, 3, 5, 0]),
    ]
    literal.seed(5)
    assert "".join(str(agent(9)) for agent in literal.AGENTS for _ in range(4)) == "233333123233121313131111"
    assert [literal.perfectly(left) for left in (2, 3, 4, 6, 7, 8, 12)] == [1, 2, 3, 1, 2, 3, 3]
    assert [literal.by_values(left) for left in range(1, 14)] == [1, 1, 2, 3, 1, 1, 2, 3, 1, 1, 2, 3, 1]
