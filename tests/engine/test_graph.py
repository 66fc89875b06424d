"""Graphs of positions, their values and playouts, against brute force over the rules; and rules that are wrong."""

from __future__ import annotations

import re
import threading
from time import sleep

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.engine import activity, exact, graph, limits, own_rules, self_play
from nimtui.engine.graph import DRAWN_EDGE, LOST_EDGE, WON_EDGE, TooMany
from nimtui.engine.jit import kernel
from nimtui.engine.playouts import DONE, Tally
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game, registry
from nimtui.learning import opponents
from nimtui.progress import Cancelled
from nimtui.theory import Unsolvable
from nimtui.theory.truth import truth_from
from nimtui.trees.mcts import MonteCarloSearch
from tests.agents.subtraction import perfect_wins
from tests.engine import astray, crowded
from tests.games.refusal import refusal
from tests.stops import Noted, StopAfter
from tests.theory.force import Force

SMALL = ["nim:1,2,3", "nim:2,3:misere", "nim:5,2:max=2", "adjacent:2,4", "kayles:4:misere", "connect:3x2x2"]
SMALL += ["connect:1x3x3", "noughts:3x2x2", "chomp:3x3"]
ENDS = {base.WON: WON_EDGE, base.LOST: LOST_EDGE, base.DRAW: DRAWN_EDGE}


@pytest.mark.parametrize("name", [*SMALL, "connect:3x3x3"])
def test_a_graph_holds_every_position_and_its_columns_what_brute_force_says(name: str) -> None:
    force, state = Force(name), parse_game(name).new()
    states = [at for at in force.every() if base.outcome(at) == base.GOING_ON]
    states.sort(key=lambda at: int(base.index(at)))
    node_of = {at.board.tobytes(): node for node, at in enumerate(states)}
    built = graph.build(state)
    assert (
        built.boards.tolist() == [at.board.tolist() for at in states]
        and state.board.tolist() == force.game.start.board.tolist()
    )
    assert built.start == node_of[state.board.tobytes()] == graph.node_at(built, state)
    assert np.flatnonzero(built.node_of >= 0).tolist() == [int(base.index(at)) for at in states]
    values, grundy = exact.values(built), exact.grundy(built)
    keeps, distances, longest = exact.keeps(built, values), exact.distances(built, values), exact.heights(built)
    timely = {sign: exact.timed(built, values, keeps, sign) for sign in (1, -1)}
    place = np.argsort(built.order)
    for node, at in enumerate(states):
        edges, worth = range(int(built.ptr[node]), int(built.ptr[node + 1])), force.worth(at)
        assert built.move[edges].tolist() == list(worth)
        after = [force.after(at, move) for move in worth]
        ends = [node_of.get(left.board.tobytes(), ENDS.get(int(base.outcome(left)))) for left in after]
        assert built.to[edges].tolist() == ends
        assert all(end < 0 or place[end] < place[node] for end in ends)
        rows = [int(base.row(at, move)) for move in worth]
        groups = built.group[built.group_ptr[node] : built.group_ptr[node + 1]].tolist()
        assert groups == [edges[i] for i in range(len(rows)) if not i or rows[i] != rows[i - 1]]
        value, remoteness = force.value(at)
        assert (values[node], distances[node]) == (value, remoteness if value else -1)
        assert keeps[edges].tolist() == [sign == value for sign, _ in worth.values()]
        for sign, may in timely.items():
            quick = [sign != value or worth[move][1] == remoteness for move in worth]
            assert may[edges].tolist() == (keeps[edges] & quick).tolist()
        assert longest[node] == 1 + max(int(longest[end]) if end >= 0 else 0 for end in ends)
        if not force.misere and force.game.impartial and not name.startswith("chomp"):
            assert grundy[node] == force.grundy(at)
    assert (built.longest, built.group[-1]) == (longest[built.start], len(built.to))
    assert built.largest == 0 == len(built.payoff) and values.dtype == np.int8
    assert not exact.timed(built, values, np.zeros_like(keeps), 1).any()
    assert {graph.node_at(built, at) for at in force.every() if base.outcome(at) != base.GOING_ON} == {-1}


@pytest.mark.parametrize("name", ["redblue:2,3", "tree:((3,5),(6,9,7),1)"])
def test_a_graph_has_the_payoffs_of_moves_that_end_a_game(name: str) -> None:
    game, wanted = parse_game(name), list[int]()
    built = graph.build(game.new())
    for state in map(game.at, built.boards):
        after = [game.after(state, move) for move in base.legal_moves(state)]
        wanted += [int(base.payoff(left)) if base.outcome(left) != base.GOING_ON else 0 for left in after]
    assert built.payoff.tolist() == wanted and built.largest == base.largest_payoff(game.start)
    values, may = exact.values(built), np.zeros(len(built.to), np.bool_)
    assert values.dtype == np.int32 and exact.timed(built, values, may, 1) is may
    worth = np.where(built.to < 0, built.payoff, -values[built.to])
    assert values.tolist() == np.maximum.reduceat(worth, built.ptr[:-1]).tolist() and (values != 0).all()
    assert exact.keeps(built, values).tolist() == (worth == np.repeat(values, np.diff(built.ptr))).tolist()
    assert exact.distances(built, values).tolist() == [-1] * len(values)


def test_a_position_without_a_move_is_no_end() -> None:
    ptr, to, at = np.array([0, 1, 1]), np.array([1], np.int32), np.zeros(2, np.int64)
    order, path, height = np.zeros((3, 2), np.int32)
    assert graph.arrange(ptr, to, order, ptr[:-1].copy(), path, height, at, 9)
    assert at.tolist() == [graph.ENDLESS, -1]


def test_a_graph_and_its_values_do_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Noted()

    def columns() -> list[list[int]]:
        built = graph.build(parse_game("nim:2,3,4:misere").new(), told)
        values = exact.values(built)
        rest = values, exact.keeps(built, values), exact.grundy(built), exact.heights(built)
        return [column.tolist() for column in (*built[: built._fields.index("start")], *rest)]

    whole = columns()
    for name, value in (("_learned", {}), ("CAREFUL", 10**9), ("GROWTH", 1.0)):  # chunks of one
        monkeypatch.setattr(limits, name, value)
    monkeypatch.setattr(graph, "STRETCH", 3)
    told.lines.clear()
    assert columns() == whole
    ordering = [(done, total) for done, total, what in told.lines if what == graph.ORDERING]
    numbers, nodes = 3 * 4 * 5, 3 * 4 * 5 - 1  # all rows, and those that are not over
    first = [(done, total) for total in (numbers, nodes) for done in range(0, total, 3)] + [(0, 1)]
    first += [(done, nodes + 1) for done in range(0, nodes + 1, 3)]
    assert ordering[: len(first)] == first and ordering[-1] == (nodes, nodes)


@pytest.mark.parametrize("name", ["connect:3x2x2", "tree:((3,5),(6,9,7),(0,1))"])
@pytest.mark.parametrize("n", [1, 2, 5, 1_000])
def test_so_many_positions_are_expanded_and_so_many_steps_walked_in_a_call(name: str, n: int) -> None:
    game = parse_game(name)
    found, sizes = [game.new()], []  # breadth first
    for state in found:  # it grows as it goes
        after = [game.after(state, move) for move in base.legal_moves(state)]
        new = {left.board.tobytes(): left for left in after if base.outcome(left) == base.GOING_ON}
        found += [new[board] for board in new if board not in {other.board.tobytes() for other in found}]
        sizes.append(len(found))
    total, state = len(found), game.new()
    boards, counts, numbers = np.zeros((total, len(state.board)), np.int64), *np.zeros((2, total), np.int64)
    node_of, at, ended = np.full(game.positions, -1, np.int32), np.array([0, 1]), False
    boards[0], numbers[0], node_of[base.index(state)] = state.board, base.index(state), 0
    for done in [*range(n, total, n), total]:
        assert not ended
        ended = graph.discover(state, boards, counts, numbers, node_of, at, n)
        assert at.tolist() == [done, sizes[done - 1]]
    assert ended and boards.tolist() == [other.board.tolist() for other in found]
    assert numbers.tolist() == [base.index(other) for other in found]
    assert counts.tolist() == [base.count(other) for other in found]
    built, at = graph.build(game.new()), np.zeros(2, np.int64)
    order, path, height = np.zeros((3, total), np.int32)
    path[0], cursor, steps = built.start, built.ptr[:-1].copy(), len(built.to) + total  # each edge, and each node's end
    ends = [graph.arrange(built.ptr, built.to, order, cursor, path, height, at, n) for _ in range(-(-steps // n))]
    assert ends == [False] * (len(ends) - 1) + [True] and at.tolist() == [total, -1]
    assert order.tolist() == built.order.tolist() and height[built.start] == built.longest


@pytest.mark.slow
def test_graphs_have_the_known_numbers_of_positions() -> None:
    # sources: products of rows + 1; brute force for 4 × 4: 161,029 positions with the finished ones
    built = graph.build(parse_game("tower:16").new())
    assert (len(built.order), len(built.to)) == (383, 3_072)
    assert len(graph.build(parse_game("adjacent:1,3,5,7").new()).order) == 65_535
    game = parse_game("connect4:4x4")
    built = graph.build(game.new())
    ends = {
        game.after(game.at(built.boards[node]), int(built.move[edge])).board.tobytes()
        for node in range(len(built.order))
        for edge in range(int(built.ptr[node]), int(built.ptr[node + 1]))
        if built.to[edge] < 0
    }
    assert len(built.order) + len(ends) == 161_029


def test_a_graph_that_is_too_large_is_refused_before_it_is_built() -> None:
    large, vast, small = (parse_game(name).new() for name in ("tower:64", "tower:676", "nim:2,3"))
    assert limits.bytes_per_position(large) == 12 + 16 * 10 + 32 + 12 * 65 // 2
    said = "its 10,321,920 positions would need about 6.13 GB (6,131,220,480 bytes), more than the 2.15 GB allowed"
    assert limits.why_no_graph(large) == said and refusal(graph.build, large) == f"no table for this game: {said}"
    assert refusal(graph.build, vast) == "no table for this game: it has too many positions to number them"
    assert refusal(graph.build, parse_game("nim:2").new("0")) == "no table for a finished position"
    assert limits.bytes_needed(small) == 12 * limits.bytes_per_position(small) == 12 * 144
    assert [limits.why_no_graph(small, most) is None for most in (12 * 144 - 1, 12 * 144)] == [False, True]
    rooms = [limits.room_from(small, most) for most in (0, 48 + 143, 48 + 144, 48 + 288)]
    assert rooms == [0, 0, 1, 2] and limits.room_from(vast) == 0
    assert limits.room_from(parse_game("connect:6x3x3").new(), 1 << 62) == limits.MOST_FOLLOWING == 5_000_000


def test_only_the_positions_that_follow_count_if_that_is_asked() -> None:
    late = parse_game("nim:2,3").new("0,3")
    room = limits.bytes_per_position(late)
    assert room == 12 + 16 * 4 + 32 + 12 * 2
    assert len(graph.build(late, most_bytes=48 + 3 * room, following=True).order) == 3
    for most, said in (
        (48 + 3 * room - 1, "more than 2 positions follow"),
        (48, "no room for the numbers of its positions"),
    ):
        with pytest.raises(TooMany) as fault:
            graph.build(late, most_bytes=most, following=True)
        assert str(fault.value) == said


def test_building_and_valuing_a_graph_can_be_stopped_at_any_report() -> None:
    game = parse_game("nim:3,6")
    for reports in range(1, 5):
        with pytest.raises(Cancelled):
            graph.build(game.new(), StopAfter(reports))
    built = graph.build(game.new())
    for reports in (1, 2):
        with pytest.raises(Cancelled):
            truth_from(built, StopAfter(reports))


def test_games_on_a_graph_may_be_long_but_not_of_any_length() -> None:
    built = graph.build(parse_game("nim:1").new())
    values, said = exact.values(built), "a game can take 1,000,001 moves, and such games are not played compiled: "
    said += "at most 1,000,000 moves are allowed"
    for ask in (
        lambda graph: limits.check_longest(graph.longest),
        lambda graph: self_play.buffers(1, graph.longest),
        self_play.scratch,
        lambda graph: exact.perfect(graph, values),
    ):
        ask(built._replace(longest=1_000_000))
        assert refusal(ask, built._replace(longest=1_000_001)) == said


# Playouts against a perfect player, and chances.


def test_a_perfect_player_is_met_as_often_as_theory_says() -> None:
    built = graph.build(parse_game("subtraction:10,3:misere").new())
    player = exact.perfect(built, exact.values(built))
    for node, matches in ((5, 6), (9, 10)):
        for tally in exact.against_perfect(built, player, node, 300, Stream(node)):
            assert (tally.playouts, tally.draws) == (300, 0)
            assert abs(tally.wins / 300 - 1 + perfect_wins(matches - tally.move - 1, True)) < 0.12


def test_playouts_of_two_perfect_players_and_of_moves_that_end_a_game_have_the_exact_value() -> None:
    built = graph.build(parse_game("subtraction:10,3:misere").new())
    player = exact.perfect(built, exact.values(built))
    for node in (5, 9):  # 6 and 10 matches
        both = exact.against_perfect(built, player, node, 3, Stream(0), both=True)
        assert both == [Tally(take, 3 * (take == 0), 3 * (take > 0), 0) for take in range(3)]
    last = exact.against_perfect(built, player, 1, 4, Stream(0))  # two matches are left: one leaves the other the last
    assert last == [Tally(0, 4, 0, 0), Tally(1, 0, 4, 0)]
    drawn = graph.build(parse_game("connect:1x3x3").new())
    player = exact.perfect(drawn, exact.values(drawn))
    for node in range(3):
        assert exact.against_perfect(drawn, player, node, 5, Stream(0)) == [Tally(0, 0, 0, 5)]


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("name", ["connect:3x2x2", "noughts:2x3x3", "nim:2,3:misere"])
def test_each_ply_of_a_playout_is_that_of_plain_python_in_chunks_of_any_size(name: str, both: bool) -> None:
    force, built, stream, done, won, drawn = Force(name), graph.build(parse_game(name).new()), Stream(4), 0, 0, 0
    told, player = [([0] * 5, int(stream.counter[0]))], exact.perfect(built, exact.values(built))
    while done < 7:
        state, ply, end = force.game.new(), 0, base.GOING_ON
        while end == base.GOING_ON:
            base.play(state, stream.choose(force.best(state) if both or ply % 2 == 0 else base.legal_moves(state)))
            end, ply = int(base.outcome(state)), ply + 1
            at = [done, won, drawn, ply, graph.node_at(built, state) if end == base.GOING_ON else built.start]
            told.append((at, int(stream.counter[0])))
        done, drawn = done + 1, drawn + (end == base.DRAW)
        won += end == (base.WON if ply % 2 else base.LOST)  # the last mover's outcome, for the first player
        told[-1] = [done, won, drawn, 0, built.start if done < 7 else ENDS[end]], int(stream.counter[0])
    assert won + drawn > 0 and (won == 7 or not both or drawn == 7)
    for plies in (1, 2, 3, 5, 10**6):
        counts, again, last = np.zeros(exact.NODE + 1, np.int64), Stream(4), 0
        while counts[DONE] < 7:
            exact.playouts_against_perfect(built, player, built.start, 7, again.counter, counts, plies, both)
            last = min(last + plies, len(told) - 1)
            assert (counts.tolist(), int(again.counter[0])) == told[last]


def test_playouts_tell_how_many_are_done_and_what_they_found(monkeypatch: pytest.MonkeyPatch) -> None:
    built, noted, ends = graph.build(parse_game("nim:1,2").new()), Noted(), list[int]()
    monkeypatch.setattr(limits.Pace, "begin", lambda *_: 1)  # ply of a call
    monkeypatch.setattr(limits.Pace, "end", lambda pace, done: ends.append(done))
    player = exact.perfect(built, exact.values(built))
    tallies = exact.against_perfect(built, player, built.start, 3, Stream(0), noted)
    assert noted.lines[0] == (1, 9, "playouts") and noted.lines[-1] == (9, 9, "playouts") and noted.thought == tallies
    assert [tally.move for tally in tallies] == [0, 1, 2] and {tally.playouts for tally in tallies} == {3}
    assert {*ends} == {0, 1} and ends.count(0) == 3 and ends[-1] == 0  # 0: the work of a move ended early


# Rules of a person's own that are wrong: one line says so, nothing hangs, crashes or answers at random.


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
    names = ("astray:3,again", "astray:2,again", "astray:3,stuck", "crowded:1,2:heaps", "crowded:1,2:beyond")
    games = [own_rules._game(parse_game(name).start) for name in names]
    assert [games.index(game) for game in games] == [0, 0, 2, 3, 4], "a game is its class and its constants"


def test_a_position_without_a_move_that_is_not_over_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "legal_moves", lambda state: [])
    line = refusal(own_rules._look, base.copy(parse_game("nim:1,2").start))
    assert line == "no answer for this game: the board [1, 2, 3, 5] has no legal move, but outcome gives 0"


def test_random_games_begin_again_at_the_start_and_end_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    boards, now = [], [0.0]
    own_rules._tell_apart(parse_game("noughts:2x2x2").start, known := {})  # its index is 0: the least
    assert [(what, board.tolist()) for (what, _), board in known.items()] == [("index", [0, 0]), ("key", [0, 0])]
    monkeypatch.setattr(own_rules, "monotonic", lambda: now[0])
    monkeypatch.setattr(own_rules, "_tell_apart", lambda state, numbers: boards.append(state.board.tolist()[:2]))
    own_rules._look(base.copy(parse_game("nim:1,2").start))
    assert len(boards) == own_rules.MOVES == 2_000 and boards.count([1, 2]) > 500 and [0, 0] not in boards
    now[0] = -1.0
    monkeypatch.setattr(own_rules, "_tell_apart", lambda state, numbers: now.append(now.pop() + 1.0))
    own_rules._look(base.copy(parse_game("nim:1,2").start))
    assert now == [0.0]


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
    with pytest.raises(InputError, match=r"^nonsense cannot be compiled: add\(.+\) in \S*test_graph.py, line \d+$"):
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
