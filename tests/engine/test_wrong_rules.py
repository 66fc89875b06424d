"""Rules of a person's own that are wrong: one line says so, nothing hangs, crashes or answers at random."""

from __future__ import annotations

import threading
from time import sleep

import pytest
from numba.core.compiler_lock import global_compiler_lock

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.engine import activity, graph, own_rules
from nimtui.engine.jit import kernel
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game, registry
from nimtui.learning import interpreted
from nimtui.theory import Unsolvable
from tests.engine import astray, crowded


@pytest.fixture(autouse=True)
def added() -> None:
    registry.add(astray)
    registry.add(crowded)


@pytest.mark.slow
@pytest.mark.parametrize("heaps", ["3,5", "6,9"])
@pytest.mark.parametrize("variant", [crowded.HEAPS, crowded.FORGETS])
def test_rules_that_are_right_in_small_games_are_solved_there(heaps: str, variant: str) -> None:
    game = parse_game(f"crowded:{heaps}:{variant}")
    one, other = (int(heap) % 3 for heap in heaps.split(","))
    outcome = theory.solve(game, game.new()).outcome
    assert outcome is (theory.Outcome.WIN if one != other else theory.Outcome.LOSS)  # Grundy values 0, 1, 2, 0, …


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("5,17:heaps", r"the boards \[\d, \d+\] and \[\d, \d+\] have the same index, \d+$"),
        ("22,3:forgets", r"undo after the move \d from the board \[2[12], [123]\] gives \[2[12], 0\]$"),
        ("3,5:beyond", "index returns a number outside 0 … 30$"),
    ],
)
def test_a_game_in_which_they_are_wrong_gives_no_answer(name: str, reason: str) -> None:
    game = parse_game(f"crowded:{name}")
    with pytest.raises(InputError, match=f"^no table for this game: {reason}" if "beyond" not in name else reason):
        graph.build(game.new())
    with pytest.raises(Unsolvable, match=reason):
        theory.solve(game, game.new())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("5,17:heaps", r"the boards \[\d, \d+\] and \[\d, \d+\] have the same index, \d+$"),
        ("22,3:forgets", r"undo after the move \d from the board \[2[12], [123]\] gives \[2[12], 0\]$"),
        ("3,5:beyond", "index returns a number outside 0 … 30$"),
    ],
)
@pytest.mark.parametrize("agent", ["mc:playouts=10", "mcts:simulations=10", "alphabeta:depth=2", "minimax:depth=2"])
def test_nor_does_it_give_one_where_it_is_searched_without_a_table(name: str, reason: str, agent: str) -> None:
    game = parse_game(f"crowded:{name}")
    for _ in range(2):
        with pytest.raises(InputError, match=f"^no answer for this game: {reason}"):
            parse_agent(agent, game).decide(game.new(), Stream(0))


@pytest.mark.slow
def test_rules_that_are_right_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_rules, "_seen", set())
    for heaps, seen in (("3,5", 1), ("3,5", 1), ("5,3", 2)):
        game = parse_game(f"crowded:{heaps}:heaps")
        parse_agent("mc:playouts=10", game).decide(game.new(), Stream(0))
        assert len(own_rules._seen) == seen
    parse_agent("mc:playouts=10", parse_game("nim:3,5")).decide(parse_game("nim:3,5").new(), Stream(0))
    assert len(own_rules._seen) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        (astray.AGAIN, "a game need not end"),
        (astray.STUCK, "a game need not end"),
        (astray.UNNUMBERED, "index returns a number outside 0 … 3"),
    ],
)
def test_no_graph_is_made_of_them(variant: str, reason: str) -> None:
    game = parse_game(f"astray:3,{variant}")
    with pytest.raises(InputError, match=reason):
        graph.build(game.new())
    with pytest.raises(Unsolvable, match=reason):
        theory.solve(game, game.new())


def test_a_game_that_comes_back_to_a_position_is_not_learned_for_ever() -> None:
    with pytest.raises(InputError, match="allow endless games"):
        for seed in range(9):  # a random move of the first game decides
            interpreted.train(parse_game(f"astray:3,{astray.AGAIN}"), "reward", 10, seed)


def test_a_name_that_such_rules_stumble_over_is_bad_input() -> None:
    for wrong in ("astray", "astray:3", "astray:3,none", "astray:x,again"):
        with pytest.raises(InputError, match="is invalid: expected astray"):
            parse_game(wrong)


@kernel
def nonsense(n):  # type: ignore[no-untyped-def]
    return n + "one"


@kernel
def plain_sense(n):  # type: ignore[no-untyped-def]
    return n + 1


def test_what_is_being_compiled_is_announced_even_if_it_fails_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[str | None] = []
    begin = activity.begin

    def told(name: str) -> None:
        begin(name)
        announced.append(activity.compiling())

    monkeypatch.setattr(activity, "begin", told)
    plain_sense._cache.flush()  # of an earlier run
    assert plain_sense(1) == 2
    with pytest.raises(
        InputError, match=r"^nonsense cannot be compiled: add\(.+\) in \S*test_wrong_rules.py, line \d+$"
    ):
        nonsense(1)
    assert announced == ["plain_sense", "nonsense"]
    assert activity.compiling() is None


@kernel
def late_sense(n):  # type: ignore[no-untyped-def]
    return n + 2


def test_a_thread_that_waits_for_the_compiler_is_known() -> None:
    late_sense._cache.flush()
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(late_sense(1)))
    with global_compiler_lock:
        thread.start()
        while not activity.at_the_compiler(thread.ident or 0):
            sleep(0.001)
        assert activity.compiling() is None and not found
    thread.join()
    assert found == [3] and not activity.at_the_compiler(thread.ident or 0)


def test_a_position_without_a_move_that_is_not_over_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "legal_moves", lambda state: [])
    with pytest.raises(InputError, match="has no legal move, but outcome gives 0"):
        own_rules._look(base.copy(parse_game("nim:1,2").start))
