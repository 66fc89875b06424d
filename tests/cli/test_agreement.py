"""One exact value of a position and one result of a game, whoever is asked: commands and screens."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

import pytest

from nimtui import theory
from nimtui.cli import search
from nimtui.cli.bar import Bar
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game, registry
from nimtui.playing import advice
from nimtui.progress import Cancelled
from nimtui.theory import answers, exact
from nimtui.theory.answers import SOON, known_moves, move_values
from nimtui.theory.exact import Recent
from nimtui.theory.explanation import Explanation
from nimtui.ui.search import view
from nimtui.ui.search.work import SearchWork
from tests.cli.conftest import Nimtui
from tests.examples import few
from tests.games import crosses, wythoff

slow = pytest.mark.slow
GAMES = (
    *("nim:2,3,4:misere", "connect4:4x4", "nim:60,61,62,63", "adjacent:2,3,4"),
    *(pytest.param(name, marks=slow) for name in ("kayles:20,21,22", "noughts:3x3x3", "wythoff:4,6", "crosses")),
)
OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}
WORDS = {"win": "win", "draw": "draw", "loss": "every move loses"}


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer depends on how fast this machine is. Two games are from elsewhere: of one positions have no numbers."""
    for module in (wythoff, crosses):
        registry.add(module)
    monkeypatch.setattr(answers, "monotonic", lambda: 0.0)


def positions(game: Game) -> list[str | None]:
    """The start and, where they have names, two positions of a random game."""
    names: list[str | None] = [None]
    if hasattr(game.module, "parse_position"):
        state, random = game.new(), Random(3)
        while base.outcome(state) == base.GOING_ON:
            names.append(game.position_name(state))
            base.play(state, random.choice(base.legal_moves(state)))
    return [names[0], *names[len(names) // 3 :: max(1, len(names) // 3)][:2]]


@pytest.mark.parametrize("name", GAMES)
def test_all_commands_and_screens_know_the_same(nimtui: Nimtui, name: str) -> None:
    game = parse_game(name)
    for position in positions(game):
        place = () if position is None else ("-p", position)
        solved = nimtui("solve", name, *place, "--json").document
        state = game.new(position)
        assert solved["position"] == (position or solved["canonical"])
        rows = nimtui("moves", name, *place, "--agent", "random", "--json").document["moves"]
        searched = nimtui("search", name, *place, "--depth", "1", "--json").document
        outcomes = {row["move"]: row["outcome"] for row in rows}
        assert searched["truth"] == outcomes
        best = [row["move"] for row in rows if row["optimal"]]
        assert best == solved["best_moves"] == [row["move"] for row in searched["moves"] if row["optimal"]]
        assert {outcomes[move] for move in best} == {solved["outcome"]}
        plies = [row["remoteness"] for row in rows if row["optimal"]]
        if solved["remoteness"] is not None:
            assert solved["remoteness"] == (min if solved["outcome"] == "win" else max)(plies)
        # The position after a move, asked about by itself.
        for row in few(rows[::3], rows) if position is not None else ():
            after = game.new(position)
            base.play(after, game.parse_move(row["move"], after))
            answer = nimtui("solve", name, "-p", game.position_name(after), "--json").document
            assert answer["outcome"] == OPPOSITE[row["outcome"]]
            assert row["remoteness"] in (None if answer["remoteness"] is None else answer["remoteness"] + 1, None)
        why = advice.explained(game, state)
        assert isinstance(why, Explanation) and why.outcome.value == solved["outcome"]
        assert advice.hint(game, state).move in theory.solve(game, state).best_moves
        truths = move_values(game, state, seconds=SOON)
        conductor = SimpleNamespace(truths=truths, truth_fault="", game=game, root=state, found=None, standing=None)
        [(words, _)] = view.exact_values(cast(SearchWork, conductor))
        assert WORDS[solved["outcome"]] in words


@pytest.mark.parametrize("name", ["nim:2,3,4", "connect:4x4x4"])
def test_a_saved_game_is_judged_the_same(nimtui: Nimtui, name: str) -> None:
    nimtui("match", name, "--first", "random", "--second", "random", "--save")
    game = parse_game(name)
    state = game.new()
    for row in nimtui("games", "show", "1:1", "--json").document["moves"]:
        move = game.parse_move(row["move"], state)
        truths = known_moves(game, state)
        assert truths is not None
        before = theory.solve(game, state)
        assert (row["before"], row["after"]) == (before.outcome.value, truths[move].outcome.value)
        assert row["remoteness_before"] == theory.remoteness(game, state)
        assert row["mistake"] is not truths[move].optimal
        base.play(state, move)
        assert row["remoteness"] == theory.remoteness(game, state)
    assert row["remoteness"] in (0, None)


def test_what_is_too_large_is_unknown_to_all(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_POSITIONS", 1000)
    monkeypatch.setattr(exact, "_recent_in_python", Recent())
    for name in ("connect4:9x6", "crosses"):
        assert nimtui("solve", name, "--json").status == 2
        rows: list[dict[str, Any]] = nimtui("moves", name, "--agent", "random", "--json").document["moves"]
        assert all((row["optimal"], row["outcome"], row["remoteness"]) == (None,) * 3 for row in rows)
        searched = nimtui("search", name, "--depth", "1", "--json").document
        assert searched["truth"] is None and all(row["optimal"] is None for row in searched["moves"])
        assert "unknown" in nimtui("search", name, "--depth", "1").out


def test_a_position_stays_as_it_was_given(nimtui: Nimtui) -> None:
    for words in ("solve connect4:4x4", "moves connect4:4x4 --agent random", "search connect4:4x4 --depth 2"):
        keys = nimtui(f"{words} -p 1423 --json").document
        assert (keys["position"], keys["canonical"]) == ("1423", "2413")


def test_a_search_says_in_how_many_plies_it_wins(nimtui: Nimtui) -> None:
    keys = nimtui("search nim:1,2,3,5 --depth -1 --json").document
    solved = nimtui("solve nim:1,2,3,5 --json").document
    assert keys["remoteness"] == solved["remoteness"] == 1_000_000 - abs(keys["value"])
    exact = {row["move"]: row["remoteness"] for row in keys["moves"] if row["bound"] == "exact"}
    truths = {row["move"]: row["remoteness"] for row in nimtui("moves nim:1,2,3,5 -a random --json").document["moves"]}
    assert exact and exact.items() <= truths.items()


def test_a_clock_bounds_a_search(nimtui: Nimtui) -> None:
    cut = nimtui("search connect4 --algorithm alphabeta --time 0.05 --json").document
    assert cut["settings"] == "alphabeta:time=0.05" and cut["time"] == 0.05 and cut["best_move"]
    assert (cut["finished"] and cut["depth"] is None) or cut["depth"] >= 1
    told = nimtui("search connect4 --algorithm mcts --time 0.05").out
    assert "simulations" in told and told.endswith("depends on the machine: a faster one searches more.\n")
    keys = nimtui("compare connect4 -a mcts:simulations=3000000 --move-time 0.05 --json").document
    assert keys["agents"][0]["fault"] is None and keys["agents"][0]["effort"] < 3_000_000


@pytest.mark.parametrize("algorithm", ["mcts --simulations 5000000", "alphabeta --depth 14"])
def test_stopped_a_search_tells_how_far_it_came(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    report, reports = Bar.report, list[float]()

    def stop_at_the_fifth(self: Bar, done: float, total: float, what: str = "") -> None:
        reports.append(done)
        self.stopped = len(reports) >= 5
        report(self, done, total, what)

    monkeypatch.setattr(Bar, "report", stop_at_the_fifth)
    answer = nimtui(f"search connect4 --algorithm {algorithm} --json")
    assert (answer.status, answer.err) == (130, "nimtui: stopped\n")
    assert answer.document["finished"] is False and answer.document["nodes"] > 100


def test_a_stopped_comparison_has_the_columns_that_are_done_and_no_curves(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(works: list[Any], bar: Bar) -> list[Any]:
        bar.stopped = True
        return [None] * len(works)

    monkeypatch.setattr("nimtui.jobs.job.side_by_side", stopped)
    answer = nimtui("compare nim:1,2 -a random -a mc:playouts=5 --curve --json")
    assert (answer.status, answer.err) == (130, "nimtui: stopped\n")
    agents = answer.document["agents"]
    assert [one["fault"] for one in agents] == ["stopped before it answered"] * 2
    assert not any("curve" in one for one in agents)
    monkeypatch.setattr("nimtui.jobs.job.side_by_side", mock.Mock(side_effect=Cancelled("compare")))
    with Bar("compare") as bar:
        assert search.curves_of([], parse_game("nim:1").new(), 0, 0.0, bar) is None


def test_the_solver_gets_the_memory_and_the_threads_that_are_asked_for(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    solver = mock.Mock(side_effect=InputError("asked"))
    usual = theory.Patience()
    monkeypatch.setattr("nimtui.engine.connect.Solver", lambda start, memory, threads: solver(memory, threads))
    monkeypatch.setattr("nimtui.theory.report.answer", lambda *_, patience: solver(patience.memory, patience.threads))
    for words in ("solve connect4:4x4", f"book connect4:4x4 --plies 1 --file {tmp_path}/x.book"):
        for more, memory, threads in (("", 0, 0), (" --memory 1M", 1 << 20, 0), (" --threads 3", 0, 3)):
            assert nimtui(words + more).err == "nimtui: asked\n"
            assert solver.call_args == mock.call(memory or usual.memory, threads or usual.threads)


@slow
def test_perfect_is_asked_at_a_late_position_of_a_game_too_large_from_its_start(nimtui: Nimtui) -> None:
    place = "noughts:4x4x4 -p xoxo/oxox/xo../...."
    solved = nimtui(f"solve {place} --json").document["best_moves"]
    keys = nimtui(f"moves {place} --agent perfect --json").document
    assert [row["move"] for row in keys["moves"] if row["optimal"]] == solved
    beside = nimtui(f"compare {place} -a perfect -a random --json").document
    assert beside["agents"][0]["best_move"] in solved
