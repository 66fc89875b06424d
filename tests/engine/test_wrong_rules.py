"""Rules of a person's own that are wrong: one line says so, nothing hangs, crashes or answers at random."""

from __future__ import annotations

import re
import threading
from time import sleep

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.engine import activity, graph, own_rules
from nimtui.engine.jit import kernel
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game, registry
from nimtui.learning import opponents
from nimtui.theory import Unsolvable
from nimtui.trees.mcts import MonteCarloSearch
from tests.engine import astray, crowded
from tests.games.refusal import refusal


@pytest.fixture(autouse=True)
def added() -> None:
    registry.add(astray)
    registry.add(crowded)


WRONG = {
    "5,17:heaps": r"the boards \[\d, \d+\] and \[\d, \d+\] have the same index, \d+",
    "22,3:forgets": r"undo after the move \d from the board \[2[12], [123]\] gives \[2[12], 0\]",
    "3,5:beyond": "index returns a number outside 0 … 30",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_game_in_which_rules_are_wrong_gives_no_answer_with_a_table_or_without(name: str) -> None:
    game, agents = parse_game(f"crowded:{name}"), ("mc:playouts=10", "mcts:simulations=10", "alphabeta:depth=2")
    assert re.fullmatch(f"no table for this game: {WRONG[name]}", refusal(graph.build, game.new()))
    with pytest.raises(Unsolvable, match=f"{WRONG[name]}$"):
        theory.solve(game, game.new())
    searches = refusal(lambda: MonteCarloSearch(game, game.new(), 10).run())
    assert re.fullmatch(f"no answer for this game: {WRONG[name]}", searches)
    for agent in (*agents, agents[0]):
        line = refusal(lambda agent=agent: parse_agent(agent, game).decide(game.new(), Stream(0)))
        assert re.fullmatch(f"no answer for this game: {WRONG[name]}", line)


@pytest.mark.slow
def test_no_graph_is_made_of_a_game_that_need_not_end_or_whose_numbers_stray() -> None:
    stray, ends = "index returns a number outside 0 … 3", "by its rules a game need not end"
    for variant, reason in ((astray.AGAIN, ends), (astray.STUCK, ends), (astray.UNNUMBERED, stray)):
        game = parse_game(f"astray:3,{variant}")
        assert refusal(graph.build, game.new()) == f"no table for this game: {reason}"
        with pytest.raises(Unsolvable, match=reason):
            theory.solve(game, game.new())


def test_a_game_that_comes_back_to_a_position_is_not_learned_for_ever() -> None:
    with pytest.raises(InputError, match="allow endless games"):
        for seed in range(9):  # a random move of the first game decides
            opponents.train_interpreted(parse_game(f"astray:3,{astray.AGAIN}"), "reward", 10, seed)


def test_a_name_that_such_rules_stumble_over_is_bad_input() -> None:
    for wrong in ("astray", "astray:3", "astray:3,none", "astray:x,again"):
        assert "is invalid: expected astray" in refusal(parse_game, wrong)


def test_a_board_in_a_message_has_twelve_cells_at_most() -> None:
    assert own_rules.board_text(range(12)) == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]"
    assert own_rules.board_text(np.arange(13)) == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …]"
    assert own_rules.own(parse_game("astray:3,again").start) and not own_rules.own(parse_game("nim:1").start)


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
    line = refusal(own_rules._look, base.copy(parse_game("nim:1,2").start))
    assert line == "no answer for this game: the board [1, 2, 3, 5] has no legal move, but outcome gives 0"


def test_random_games_begin_again_at_the_start_and_end_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    boards, now = [], [0.0]
    monkeypatch.setattr(own_rules, "monotonic", lambda: now[0])
    monkeypatch.setattr(own_rules, "_tell_apart", lambda state, numbers: boards.append(state.board.tolist()[:2]))
    own_rules._look(base.copy(parse_game("nim:1,2").start))
    assert len(boards) == own_rules.MOVES and boards.count([1, 2]) > 500 and [0, 0] not in boards
    now[0] = -1.0
    monkeypatch.setattr(own_rules, "_tell_apart", lambda state, numbers: now.append(now.pop() + 1.0))
    own_rules._look(base.copy(parse_game("nim:1,2").start))
    assert now == [0.0]
