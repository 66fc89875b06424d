"""The memory and the pace of a search, against recursions that know nothing of the engine; and more of a search."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nimtui.engine import limits, windows
from nimtui.engine.windows import ENTRY_BYTES
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.progress import Cancelled
from nimtui.report.values import Bytes
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue, move_values
from nimtui.trees import Result, depth_first, more, parse, report
from nimtui.trees.mcts import bytes_needed, most_simulations
from nimtui.trees.result import MoveResult, Search, Space, best_first, claimed_outcome
from nimtui.ui.search import view
from tests.games.refusal import refusal
from tests.stops import StopAfter, StopAt
from tests.trees.helpers import ORIGINAL, begun, search, tree


def whole_tree(state: State, depth: int) -> tuple[int, int]:
    """The nodes of the whole tree to this depth, and the plies of its longest line: a plain recursion."""
    if depth == 0 or base.outcome(state) != base.GOING_ON:
        return 1, 0
    nodes, deepest = 1, 0
    for move in base.legal_moves(state):
        base.play(state, move)
        below, plies = whole_tree(state, depth - 1)
        base.undo(state, move)
        nodes, deepest = nodes + below, max(deepest, 1 + plies)
    return nodes, deepest


@pytest.mark.parametrize(
    ("game", "depth", "nodes", "plies"),
    [
        ("nim:1,2,3,4", 4, 2_978, 4),  # the game lasts longer than the search looks ahead
        ("subtraction:7,3", -1, 96, 7),
        ("connect:3x2x3", 12, 265, 6),  # the board is full after six moves
    ],
)
def test_tree_and_stack_of_minimax_are_those_of_a_recursion(game: str, depth: int, nodes: int, plies: int) -> None:
    start = parse_game(game).new()
    assert whole_tree(base.copy(start), 99 if depth < 0 else depth) == (nodes, plies)
    space = search(game, f"minimax:depth={depth}", record=False).result.space
    assert (space.tree_nodes, space.stack_plies, space.stack_bytes) == (nodes, plies, plies * 64)
    assert (space.recorded, space.used_bytes, space.tree_bytes) == (0, plies * 64, nodes * 25)
    assert (space.table_used, space.table_entries, space.table_bytes) == (None, None, 0)


@pytest.mark.parametrize(
    ("game", "how"),
    [
        ("nim:1,2,3,4", "alphabeta:depth=3,heuristic=original"),
        ("nim:1,2,3", "alphabeta:depth=-1"),
        ("nim:1,2,3", "alphabeta:depth=3,order=killer"),
        ("connect:3x2x2", "alphabeta:depth=-1"),
    ],
)
def test_the_tree_of_alpha_beta_lacks_exactly_the_pruned_nodes(game: str, how: str) -> None:
    found, depth = tree(game, how), parse(how).depth if parse(how).depth > 0 else 99
    pruned = 0
    for node in range(len(found)):
        skipped = found.skipped(node)
        for move in () if skipped is None else skipped.moves:
            state = found.state(node)
            base.play(state, move)
            pruned += whole_tree(state, depth - int(found.plies[node]) - 1)[0]
    minimax = search(game, how.replace("alphabeta", "minimax").replace(",order=killer", "")).result.space
    kept = search(game, how).result.space
    assert pruned > 0 and kept.tree_nodes + pruned == minimax.tree_nodes
    assert kept.recorded == kept.tree_nodes == len(found) and kept.stack_plies == int(found.plies.max())
    assert kept.tree_bytes == len(found) * kept.node_bytes == minimax.tree_bytes - pruned * 25


def test_a_truncated_tree_is_stated_with_its_bytes_and_its_limit() -> None:
    found = search("nim:1,2,3,4", "minimax:depth=5", most=1_000)
    space = found.result.space
    assert (space.tree_nodes, space.recorded, space.used_bytes) == (11_508, 1_000, 1_000 * 25 + 5 * 64)
    assert report.recorded(space) == "the first 1,000 stored, 25 kB"
    assert more.limit(found) == "the tree has the first 1,000 of 11,508 nodes"
    whole = search("nim:1,2,3,4", "minimax:depth=4")
    assert not more.limit(whole) and not whole.complete, "complete is a search to the end of every game"


def test_a_move_order_costs_its_lists_and_a_table_its_entries() -> None:
    # 6 plies of 64 + 16 bytes; from the root 10 + 9 + … + 5 moves stand in the lists, of 4 bytes each
    space = search("nim:1,2,3,4", "alphabeta:depth=6,order=killer", record=False).result.space
    assert space.stack_plies == 6 and space.stack_bytes == 6 * (64 + 16) + 4 * (10 + 9 + 8 + 7 + 6 + 5)
    found = begun("nim:1,2,3,4", "minimax:depth=-1,table=4096", record=False).run()
    space = found.result.space
    # 2 × 3 × 4 × 5 positions, all but the last with a move: 119 entries, if no two share a slot
    assert space.table_used == int(np.count_nonzero(found._table.key >= 0)) <= 119
    assert (space.table_entries, space.table_bytes) == (4096, 4096 * ENTRY_BYTES)
    best_first = search("nim:1,2,3,4", "alphabeta:depth=6,order=best-first", record=False).result.space
    assert best_first.table_entries == 65_536 and 0 < (best_first.table_used or 0) <= 119


def test_iterations_count_once_in_the_tree_and_together_in_the_nodes() -> None:
    found = search("nim:1,2,3,4", "minimax:depth=4,deepening=yes,heuristic=original", record=False).result
    assert found.nodes == 11 + 91 + 591 + 2_978 and found.space.tree_nodes == 2_978
    assert found.space.stack_plies == 4


@pytest.mark.parametrize(
    ("game", "how"),
    [("nim:1,2,3,4", ""), ("nim:1,2,3,4", ",proven=yes"), ("tree:((3,9),(2,7))", "")],  # real numbers take more
)
def test_a_tree_search_states_the_nodes_and_the_path_that_it_used(game: str, how: str) -> None:
    found: Any = search(game, f"mcts:simulations=300{how}")
    whole, space, done = found.columns, found.result.space, found.result.simulations
    assert space.tree_nodes == space.recorded == len(whole.parent) >= found.result.nodes
    depth = np.zeros(len(whole.parent), np.int64)
    for node in range(1, len(depth)):
        depth[node] = depth[whole.parent[node]] + 1
    assert space.stack_plies == int(depth[whole.visits > 0].max()) and space.stack_bytes == 4 * (space.stack_plies + 1)
    assert space.tree_bytes == sum(column.nbytes for column in (whole if how else whole[:9]))
    roots = 2 * 8  # of the bounds, for each simulation
    assert space.simulation_bytes == sum(column.nbytes for column in found.growth) + roots * done > 0
    counts = [(told.cutoffs, told.skipped, told.table_hits) for told in (found.result, begun("nim:1", "mcts").result)]
    assert counts == [(0, 0, 0)] * 2 and begun("nim:1", "mcts").result.leaves == 0
    assert [move.nodes for move in begun("nim:1", "mcts").result.moves] == [0]


def test_only_a_search_of_a_tenth_of_a_second_has_a_pace_and_texts_have_units() -> None:
    made: Any = search("nim:1,2", "minimax:depth=1").result

    def result(nodes: int, seconds: float) -> Result:
        return Result(**{name: getattr(made, name) for name in made.__slots__} | {"nodes": nodes, "seconds": seconds})

    assert result(3_000_000, 0.1).nodes_per_second == 30_000_000
    assert result(3_000_000, 0.0999).nodes_per_second is None and result(1, 0.0).nodes_per_second is None
    told = replace(begun("nim:1,2", "minimax:depth=1").standing, done=7)
    assert [replace(told, seconds=seconds).per_second for seconds in (0.0999, 0.1)] == [None, 70]
    every = Space(10, 3, 7, 2, 100, 5, 8, table_bytes=1_000, simulation_bytes=20_000)
    assert (every.tree_bytes, every.used_bytes) == (30, 21 + 100 + 1_000 + 20_000)
    assert Space(10, 3, 7, 2, 100) == Space(10, 3, 7, 2, 100, None, None, 0, 0)
    assert MoveResult(1, 2.0) == MoveResult(1, 2.0, None, 0, None, None, None, None)
    space = Space(2_978, 25, 0, 1, 64, 109, 65_536, 65_536 * 19)
    assert report.recorded(space) == "not stored" and report.entries(space) == "109 of 65,536 entries"
    assert view.memory(space) == [("tree", "2,978 nodes, 74.5 kB"), ("stack", "1 ply, 64 bytes")]


def test_the_best_move_stands_first_then_moves_by_value_where_an_unknown_one_is_0() -> None:
    values = {0: -1.0, 1: None, 2: 0.5, 3: 0.0, 4: 3.0, 5: 0.5}
    ratings = tuple(MoveResult(move, value) for move, value in values.items())
    assert best_first(ratings, 0) == [0, 4, 2, 5, 1, 3]


# Source of the nodes of minimax and plain alpha-beta: minimax and alpha-beta.
COSTS = {
    ("nim:1,2,3,4", "minimax:depth=4"): (2_978, 2_978, 4, 256),
    ("nim:1,2,3,4", "alphabeta:depth=4"): (669, 669, 4, 256),
    ("nim:1,2,3,4", "alphabeta:depth=4,order=killer"): (409, 409, 4, 456),
    ("nim:1,2,3,4", "alphabeta:depth=4,order=best-first"): (1_383, 979, 4, 456),
    ("connect4:4x4", "minimax:depth=7"): (20_921, 20_921, 7, 448),
    ("connect4:4x4", "alphabeta:depth=7"): (2_005, 2_005, 7, 448),
    ("connect4:4x4", "alphabeta:depth=7,order=best-first"): (2_888, 2_047, 7, 672),
}


def test_time_and_space_of_the_originals_positions_as_documented() -> None:
    for (game, how), costs in COSTS.items():
        result = search(game, f"{how},heuristic=original", record=False).result
        space = result.space
        assert (result.nodes, space.tree_nodes, space.stack_plies, space.stack_bytes) == costs


@pytest.mark.parametrize("name", ["nim:1,2,3", "connect:3x2x2"])
def test_the_estimate_of_a_tree_has_the_right_size(name: str) -> None:
    state = parse_game(name).new()
    assert depth_first.tree_nodes(state, 300) == depth_first.tree_nodes(state, 300, 60, seed=0)
    assert 0.1 < depth_first.tree_nodes(state, 300) / search(name, "minimax:depth=-1").result.nodes < 10


def test_equal_branches_are_estimated_exactly_and_what_ends_is_not_refused() -> None:
    assert depth_first.tree_nodes(parse_game("connect4").new(), 5) == sum(7**ply for ply in range(6))
    for name, depth, cutting in (
        *((name, 6_630, True) for name in ("tower:16", "connect4:4x4", "connect:5x4x4")),
        ("connect4", 8, False),
    ):
        game = parse_game(name)
        assert depth_first.why_endless(game, game.new(), depth, cutting) is None
    # Four moves at each of the first 255 plies and more: 1 + 4 + … + 4^depth, or the square root, against 10^13.
    game = parse_game("nim:255,255,255,255:max=1")
    for depth, cutting, size in (
        *((21, False, None), (22, False, "10^13 nodes"), (49, False, "10^30 nodes"), (999, False, "10^60 nodes")),
        *((42, True, None), (43, True, "10^13 nodes even with the best pruning")),
    ):
        why = f"{game.name} has too many positions for that depth, about {size}: give a smaller depth, or a table"
        assert depth_first.why_endless(game, game.start, depth, cutting) == (size and why)
        algorithm = "alphabeta" if cutting else "minimax"
        assert size is None or refusal(begun, game.name, f"{algorithm}:depth={depth}") == why
    assert begun(game.name, "minimax:depth=22,table=16") and begun(game.name, "minimax:depth=22,deepening=yes")


def test_the_memory_of_a_search_is_known_before_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for how, most, needed in (
        ("alphabeta:depth=3", 0, 0),
        ("alphabeta:depth=3,order=killer", 0, windows.order_bytes(3, 6)),
        ("alphabeta:depth=3,order=best-first", 0, windows.order_bytes(3, 6) + 65_536 * ENTRY_BYTES),
        ("alphabeta:depth=3,table=64", 100, 64 * ENTRY_BYTES + 100 * windows.record_bytes(6)),
    ):
        found = begun("nim:1,2,3", how, record=most > 0, most=most)
        size = windows.stack_bytes(3) + needed
        assert found.bytes_needed == size
        with monkeypatch.context() as patch:
            patch.setattr(limits, "MOST_BYTES", size)
            assert begun("nim:1,2,3", how, record=most > 0, most=most).bytes_needed == size
            patch.setattr(limits, "MOST_BYTES", size - 1)
            assert refusal(begun, "nim:1,2,3", how, record=most > 0, most=most) == (
                f"the search would need {Bytes(size)} ({size:,} bytes), more than the {Bytes(size - 1)} allowed: "
                f"{most} recorded nodes of 25 bytes, {found.settings.table} table entries of {ENTRY_BYTES}"
            )
    assert refusal(begun, "nim:1,2", "alphabeta", "0,0") == "the game is over at 0,0: nothing to search"
    with monkeypatch.context() as patch:
        patch.setattr(Game, "position_name", lambda *_: "")
        assert refusal(begun, "nim:1,2", "alphabeta", "0,0") == "the game is over at this position: nothing to search"
    shallow = search("nim:1,2,3,4", "alphabeta:depth=1,order=killer", record=False).result.space
    assert shallow.stack_bytes == 64 + 16 + 4 * 10  # the root's moves
    empty = begun("nim:1,2,3", "alphabeta:depth=3").result
    assert empty.moves == tuple(MoveResult(move, None) for move in range(6)) and empty.seconds == 0


@pytest.mark.parametrize("table", [0, 65_536])
def test_a_stopped_search_has_the_results_of_its_last_iteration_and_names_the_move_it_is_at(table: int) -> None:
    same = search("nim:1,2,3,4", f"alphabeta:depth=3,deepening=yes,table={table}").result
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(depth_first, "FIRST_CHUNK", 300)
        patch.setattr(limits, "CAREFUL", 1)
        patch.setattr(limits, "_learned", {})
        running = begun("nim:1,2,3,4", f"alphabeta:depth=9,deepening=yes,table={table}")
        with pytest.raises(Cancelled):
            running.run(StopAfter(4))
        patch.setattr("nimtui.engine.alpha_beta.remembered", lambda *_: 9)  # d4, after d1
        assert running.result.principal_variation == same.principal_variation[:1] == (6,)
    found, standing = running.result, running.standing
    assert (found.depth, found.value, found.best_move, found.moves) == (3, same.value, same.best_move, same.moves)
    assert (standing.depth, standing.best_move, standing.moves) == (4, same.best_move, same.moves)
    assert found.principal_variation == (same.principal_variation if table else same.principal_variation[:1])
    assert (found.nodes, found.space.tree_nodes) == (same.nodes + 301, 301) and found.space.recorded == 301
    [open_child] = [node for node in running.tree.children(0) if running.tree.kind(node) == windows.OPEN]
    assert found.searching == running.tree.move(open_child) and same.searching is None
    assert found.space.table_used == (int(np.count_nonzero(running._table.key >= 0)) if table else None)
    assert running.run().result.searching is None


def test_each_call_tells_its_pace_how_much_it_did_and_nothing_of_one_that_ended_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worked = list[str]()
    monkeypatch.setattr(limits, "_learned", {})
    monkeypatch.setattr(limits.Pace, "begin", lambda *_: 7)
    names = {7: "c", 0: "e", 1 + depth_first.LINE_CHUNK // limits.CAREFUL: "l"}  # a call, an end, one for the line
    monkeypatch.setattr(limits.Pace, "end", lambda pace, done: worked.append(names[done]))
    for name, how, calls in (
        ("nim:2,3", "alphabeta:depth=-1", "c+e(l*e)*l+e(l*e)*"),
        ("nim:1,2", "mcts:simulations=9", "c+e"),
        ("nim:1,1", "mcts:simulations=90,proven=yes", "c*e"),
    ):
        worked.clear()
        begun(name, how, record=False).run()
        assert re.fullmatch(calls, "".join(worked)), name


# More of a search: more simulations, a proof, one ply deeper, and what it tells while it runs.


def test_it_has_one_more_and_a_hundred_more_simulations_than_it_was_meant_to_have_also_with_a_time() -> None:
    found: Any = search("connect:4x3x3", "mcts:simulations=30")
    more.simulations(found, 1)
    assert found.result.simulations == 31 and found.settings.simulations == 31
    more.simulations(found, 100)
    whole = search("connect:4x3x3", "mcts:simulations=131")
    assert found.settings == whole.settings and found.result.moves == whole.result.moves
    timed = search("connect4", "mcts:time=0.01")
    done = timed.result.simulations
    assert done
    more.simulations(timed, 7)
    assert timed.result.simulations == done + 7 and timed.settings.time == 0


def test_it_searches_on_until_the_root_is_proven_or_memory_ends() -> None:
    found = begun("subtraction:6,3:misere", "mcts:simulations=10,proven=yes").run()
    assert more.why_no_proof(found) is None
    more.proof(found)
    assert found.result.exact and not more.limit(found)
    assert more.why_no_proof(found) == "the root is proven"
    assert more.why_no_simulations(found) == f"the root is proven after {found.done} simulations"
    game = parse_game("connect4")
    room = bytes_needed(game.start, 500, True)
    assert most_simulations(game.start, True, room) == 500
    full = begun("connect4", "mcts:simulations=100,proven=yes")
    full.most_bytes = room
    more.proof(full)
    assert full.result.simulations == 500
    assert more.limit(full) == "memory is full after 500 simulations: the root is not proven"
    assert more.why_no_simulations(full) == "memory is full: no more than 500 simulations surely fit"
    assert "at most 500 fit" in refusal(full.extend, 501)
    unproven, plain = (begun("connect4", f"mcts:simulations=10{how}").run() for how in (",proven=yes", ""))
    assert (more.limit(unproven), more.why_no_simulations(unproven)) == ("", None)
    assert more.why_no_proof(plain) == "this search proves nothing: start it with proven=yes"
    for each in (found, plain):  # proven, or not to be proven: memory is no limit
        each.most_bytes = each.bytes_needed
        assert not more.limit(each)
    plain.most_bytes = bytes_needed(game.start, 30)
    more.simulations(plain, 100)
    assert plain.done == 30 and not more.limit(plain)
    other = search("connect4", "alphabeta:depth=2")
    assert more.why_no_proof(other) == "only tree search (mcts) can run until it proves the root"
    assert more.why_no_simulations(other) == "only tree search (mcts) runs simulations"


@pytest.mark.parametrize(
    "settings",
    [
        "alphabeta:depth=2",
        "minimax:depth=2,deepening=yes",
        "alphabeta:depth=3,deepening=yes,order=killer",
        "alphabeta:depth=3,order=best-first,table=yes",
    ],
)
def test_one_ply_deeper_it_is_the_search_that_deep(settings: str) -> None:
    deeper: Any = more.deeper(search("nim:1,2,3,4", settings)).run()
    depth = parse(settings).depth + 1
    whole: Any = search("nim:1,2,3,4", replace(parse(settings), depth=depth).name)
    assert deeper.settings.depth == depth == deeper.result.depth
    mine, theirs = (replace(one.result, seconds=0, iterations=()) for one in (deeper, whole))
    assert mine == theirs and np.array_equal(deeper.tree.values, whole.tree.values)


END = "the search has reached the end of every game: more depth changes nothing"


def test_a_search_with_a_time_goes_deeper_without_one_and_none_beyond_the_end_of_every_game() -> None:
    timed = search("connect4", "alphabeta:time=0.05")
    reached, deeper = timed.result.depth, more.deeper(timed).settings
    assert reached is not None and deeper.depth == reached + 1 and deeper.deepens and not deeper.time
    for settings in ("alphabeta:depth=-1", "alphabeta:depth=11", "minimax:depth=12,deepening=yes"):
        assert refusal(more.deeper, search("nim:1,2,3", settings)) == END
    early = begun("nim:1,2,3", "alphabeta:depth=2")
    assert (early.result.depth, early.result.best_move) == (None, None)
    early.finished = True  # no time even for depth 1
    assert refusal(more.deeper, early) == END and early.result.best_move == 0
    assert [search("nim:1", f"alphabeta:depth={depth}").result.depth for depth in (-1, 2)] == [-1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["mcts:simulations=200000", "alphabeta:depth=12,deepening=yes"])
def test_it_tells_how_far_it_is_at_any_moment_and_a_pause_is_no_time_of_search(settings: str) -> None:
    running, told = begun("connect4:5x5", settings), []

    class Told(StopAt):
        def report(self, done: float, total: float, what: str = "") -> None:
            told.append((running.standing, running.result.seconds))

    running.run(Told(0))
    done, seconds = [standing.done for standing, _ in told], [seconds for _, seconds in told]
    assert len(done) > 2 and done == sorted(done) and all(standing.seconds > 0 for standing, _ in told)
    assert seconds[0] > 0 and seconds == sorted(seconds) and running.result.seconds >= seconds[-1]
    check_standing(running)


GROWN = ["mcts:simulations=300", "mcts:simulations=300,proven=yes", "mcts:simulations=300,time=60"]


@pytest.mark.parametrize("settings", [*GROWN, *(f"alphabeta:depth={how}" for how in ("4", "-1", "3,deepening=yes"))])
def test_a_finished_search_stands_at_its_result(settings: str) -> None:
    check_standing(search("nim:1,2,3,4", settings))


def check_standing(search: Search) -> None:
    last, result = search.standing, search.result
    assert last.value is not None
    assert (last.best_move, last.value, last.exact) == (result.best_move, result.value, result.exact)
    assert [move.value for move in last.moves] == [move.value for move in result.moves]
    assert last.done == (result.simulations if result.simulations is not None else result.nodes)
    assert last.depth == (search.settings.depth if result.simulations is None else result.space.stack_plies)
    assert last.total == (0 if result.simulations is None or search.settings.time else search.settings.simulations)


# What a search claims.


DECIDED, WON = 900_000, 1_000_000


def rating(value: float | None, bound: str | None = "exact", proven: int | None = None) -> MoveResult:
    return MoveResult(0, value, nodes=1, bound=bound, proven=proven)


@pytest.mark.parametrize(
    ("how", "move", "exact", "claim", "plies"),
    [
        ("alphabeta:depth=4", rating(WON - 3), False, Outcome.WIN, 3),
        ("alphabeta:depth=4", rating(WON - 3, "lower"), False, Outcome.WIN, 3),
        ("alphabeta:depth=4", rating(WON - 3, "upper"), False, None, 3),
        ("alphabeta:depth=4", rating(-WON + 4), False, Outcome.LOSS, 4),
        ("alphabeta:depth=4", rating(-WON + 4, "upper"), False, Outcome.LOSS, 4),
        ("alphabeta:depth=4", rating(-WON + 4, "lower"), False, None, 4),
        ("alphabeta:depth=4", rating(DECIDED), False, None, None),
        ("alphabeta:depth=4", rating(-DECIDED), False, None, None),
        ("alphabeta:depth=4", rating(0), True, None, None),
        ("alphabeta:depth=4", rating(None), True, None, None),
        ("alphabeta:depth=-1", rating(0), True, Outcome.DRAW, None),
        ("alphabeta:depth=-1", rating(0), False, None, None),
        ("alphabeta:depth=-1", rating(0, "upper"), True, None, None),
        ("alphabeta:time=1", rating(0), True, None, None),
        ("alphabeta:depth=4,heuristic=original", rating(WON - 3), False, None, 3),
        ("alphabeta:depth=-1", rating(5), True, None, None),
        ("mcts:simulations=40", rating(1.0), False, None, None),
        ("mcts:simulations=40", rating(WON - 3, None), False, None, None),  # a payoff
        ("mcts:simulations=40,proven=yes", rating(1.0, None, proven=-1), False, Outcome.LOSS, None),
    ],
)
def test_what_a_value_claims(how: str, move: MoveResult, exact: bool, claim: Outcome | None, plies: int | None) -> None:
    pays = replace(parse(how), largest=1)
    assert claimed_outcome(pays, move, exact) is (claim if move.proven else None)
    assert report.claimed_plies(pays, move.value) is None
    assert claimed_outcome(parse(how), move, exact) is claim
    assert report.claimed_plies(parse(how), move.value) == plies


@pytest.mark.parametrize(
    ("claim", "preferred", "optimal", "wrong"),
    [
        (None, False, False, False),
        (None, True, True, False),
        (None, True, False, True),
        (Outcome.WIN, False, False, False),
        (Outcome.LOSS, False, True, True),
    ],
)
def test_a_false_claim_or_a_mistake_is_wrong(
    claim: Outcome | None, preferred: bool, optimal: bool, wrong: bool
) -> None:
    truth = MoveValue(0, Outcome.WIN, optimal, 3)
    assert report.JudgedMove(truth, rating(0), claim, preferred).wrong == wrong


def test_a_search_is_wrong_where_it_claims_or_plays_what_is_not_so() -> None:
    # Source: the heuristic of minimax and alpha-beta values won and lost ends alike; from (1,2,3,4) only d4 wins.
    for name, how, mistakes in (
        ("nim:1,2,3,4", ORIGINAL, ["c3"]),
        *((name, "alphabeta:depth=-1", []) for name in ("nim:1,2,3:misere", "connect:3x3x3", "kayles:4,3", "nim:2,3")),
    ):
        game = parse_game(name)
        truths = move_values(game, game.new())
        found = report.judged_moves(truths, search(name, how).result)
        assert [game.move_name(one.truth.move) for one in found if one.wrong] == mistakes
        [best] = [one for one in found if one.preferred]
        if mistakes:
            assert best.claim is None and best.wrong
            assert [game.move_name(truth.move) for truth in truths if truth.optimal] == ["d4"]
        else:
            assert best.claim is best.truth.outcome
            assert {one.claim for one in found if one.believed.bound == "upper"} <= {None, Outcome.LOSS}
