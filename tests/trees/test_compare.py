"""Comparisons: the table of minimax and alpha-beta, and two trees walked by the same moves, against each alone."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.games import base, parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.trees import Search, Settings, compare, parse, search_of
from nimtui.trees.compare import Comparison, Half, Place, TwoTrees
from nimtui.trees.result import Iteration
from tests.engine.test_searches import NIM_ALPHA_BETA, NIM_MINIMAX
from tests.stops import StopAfter

ENTRANTS = [parse("minimax:heuristic=original"), parse("alphabeta:heuristic=original")]


def test_stopped_it_has_the_rows_that_were_done_and_goes_on_to_the_table_of_the_original() -> None:
    game = parse_game("nim:1,2,3,4")
    found = Comparison(game, game.new(), ENTRANTS, range(1, 6))
    with pytest.raises(Cancelled):
        found.run(StopAfter(6))
    before = len(found.rows)
    assert 0 < before < 8
    told: list[str] = []
    heard = Progress()
    heard.report = lambda done, total, what="": told.append(f"{done:g} of {total}: {what}")
    found.run(heard)
    ends = [f"{number} of 10: {row.settings.name}" for number, row in enumerate(found.rows, 1)]
    assert [text for text in told if text in ends] == ends[before:]
    assert found.run() is found and len(found.rows) == 10 and not any(row.space.recorded for row in found.rows)
    minimax, alpha_beta = found.rows[::2], found.rows[1::2]
    assert [row.nodes for row in minimax] == NIM_MINIMAX[:5]
    assert [row.nodes for row in alpha_beta] == NIM_ALPHA_BETA[:5]
    for depth, (one, other) in enumerate(zip(minimax, alpha_beta, strict=True), 1):
        assert (one.value, one.best_move, one.cutoffs) == (other.value, other.best_move, 0)
        assert [row.settings for row in (one, other)] == [replace(entrant, depth=depth) for entrant in ENTRANTS]
    found.rows[6:8] = [replace(row, seconds=seconds) for row, seconds in zip(found.rows[6:8], (0.01, 0.5), strict=True)]
    rows = list(csv.DictReader(io.StringIO(found.csv())))[6:8]
    # 669 = 1 + b + … + b⁴, all 4 plies have a frame of 64 bytes, and a node would take 25
    counts = {"nodes": 669, "leaves": 393, "cutoffs": 199, "skipped": alpha_beta[3].skipped, "table_hits": 0}
    costs = {"branching": "4.7976", "seconds": "0.500000", "nodes_per_second": 1338, "bytes": 256}
    space = {"tree_nodes": 669, "tree_bytes": 669 * 25, "stack_plies": 4, "stack_bytes": 256, "table_bytes": 0}
    name = {"algorithm": "alphabeta:depth=4,heuristic=original", "depth": 4}
    whole = name | counts | costs | space | {"table_used": "", "table_entries": "", "value": -2, "best_move": "c3"}
    assert rows[1] == {key: str(value) for key, value in whole.items()} and list(rows[1]) == compare.HEADER.split(",")
    assert (rows[0]["nodes"], rows[0]["seconds"], rows[0]["nodes_per_second"]) == ("2978", "0.010000", "")
    none = Comparison(game, game.new(), [], [], [replace(found.rows[0], best_move=None)])
    assert next(csv.DictReader(io.StringIO(none.csv())))["best_move"] == ""


def test_the_progress_of_a_search_is_a_part_of_the_comparisons() -> None:
    told: list[tuple[float, float, str]] = []
    whole = Progress()
    whole.report = lambda *report: told.append(report)
    for done, total in ((0, 0), (1, 4), (9, 4)):
        compare._Within(whole, 2, 6).report(done, total, "nodes")
    assert told == [(2.0, 6, "0 nodes"), (2.25, 6, "1 nodes"), (3.0, 6, "9 nodes")]


@given(st.floats(0.1, 12), st.integers(1, 12))  # below 1 where games end before the depth
def test_the_branching_factor_is_that_of_an_even_tree(b: float, depth: int) -> None:
    nodes = sum(b**ply for ply in range(depth + 1))
    found = compare.branching(round(nodes), depth)
    assert abs(sum(found**ply for ply in range(depth + 1)) - nodes) <= 1 + 1e-9 * nodes


@pytest.mark.parametrize(
    ("game", "depth", "heuristic", "verdict"),
    [
        ("nim:1,2,3,4", 4, "original", "the order found prunes less than natural order"),
        pytest.param("connect4:5x5", 7, "default", "the order prunes more, but costs more", marks=pytest.mark.slow),
        pytest.param("connect4:5x5", 10, "default", "the order saves more than it costs", marks=pytest.mark.slow),
    ],
)
def test_best_first_pays_with_shallower_searches(game: str, depth: int, heuristic: str, verdict: str) -> None:
    start = parse_game(game)
    plain, ordered = (
        Settings("alphabeta", depth=depth, heuristic=heuristic, order=order) for order in ("natural", "best-first")
    )
    rows = Comparison(start, start.start, [plain, ordered], [depth]).run().rows
    before = search_of(start, start.start, replace(ordered, depth=depth - 1), record=False).run().result
    shallower = [sum(done.nodes for done in row.iterations[:-1]) for row in rows]
    assert shallower == [0, before.nodes]  # iterations do not depend on the goal
    said = compare.cost_of_order(rows[1], rows[0])
    assert verdict in said and f"{before.nodes:,} of {rows[1].nodes:,} nodes" in said


@pytest.mark.parametrize(
    ("last", "verdict"),
    [
        (101, "last one takes 101, alpha-beta 100: the order found prunes less than natural order."),
        (100, "last one takes 100, alpha-beta 100: the order prunes more, but costs more than it saves."),
        (81, "last one takes 81, alpha-beta 100: the order prunes more, but costs more than it saves."),
        (80, "last one takes 80, alpha-beta 100: the order saves more than it costs."),
    ],
)
def test_an_order_costs_its_shallower_searches(last: int, verdict: str) -> None:
    plain = replace(search_of(GAME, STATE, parse("alphabeta:depth=1"), record=False).run().result, nodes=100)
    steps = tuple(Iteration(depth, nodes, 0, 0, 0.0) for depth, nodes in enumerate((5, 15, last), 1))
    said = compare.cost_of_order(replace(plain, nodes=20 + last, iterations=steps), plain)
    share = f"{100 * 20 / (20 + last):.1f} %"
    assert (
        said
        == f"Best-first: shallower searches take 20 of {20 + last} nodes ({share}) to sort the moves. The {verdict}"
    )


# Two trees.

GAME = parse_game("connect4:4x4")
STATE = GAME.new("122")


def grown(one: str, other: str) -> tuple[TwoTrees, Search, Search]:
    first, second = (search_of(GAME, STATE, parse(name)).run() for name in (one, other))
    return TwoTrees(GAME, STATE, first.tree, second.tree), first, second


def test_a_place_has_what_both_trees_say_of_its_move_and_the_best_lines_part_where_best_moves_first_differ() -> None:
    trees, first, second = grown("mcts:simulations=300", "alphabeta:depth=4")
    places = {place.path: place for place in trees.lines()}
    assert set(places) == {(move,) for move in base.legal_moves(STATE)}
    for found, alone in zip(first.result.moves, second.result.moves, strict=True):
        one, other = places[(found.move,)].halves
        assert (one.size, one.value) == (found.visits, pytest.approx(found.mean))
        assert (other.value, other.bound) == (alone.value, alone.bound)
        assert one.best == (found.move == first.result.best_move)
        assert other.best == (alone.move == second.result.best_move)
    mine, theirs = first.result.principal_variation, second.result.principal_variation
    ply = next(at for at, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1])
    assert trees.parting() == mine[: ply + 1]
    assert (trees.line(0), trees.line(1)) == (mine, theirs)


def test_sizes_add_up_and_what_alpha_beta_pruned_only_minimax_has() -> None:
    trees, _, second = grown("minimax:depth=4", "alphabeta:depth=4")
    assert trees.parting() == ()  # alpha-beta finds the line of minimax
    partings = []
    for depths in ((1, 3), (3, 1), (2, 3), (2, 4)):
        both, *searches = grown(*(f"minimax:depth={depth}" for depth in depths))
        mine, theirs = (search.result.principal_variation for search in searches)
        differ = [ply for ply, (one, other) in enumerate(zip(mine, theirs, strict=False)) if one != other]
        partings.append(both.parting())
        assert partings[-1] == (mine[: differ[0] + 1] if differ else ())
    assert partings[:2] == [(), ()], "where one line is a part of the other they never part"
    todo, only = [()], 0
    while todo:
        path = todo.pop()
        below = trees.children(path)
        for at in (0, 1):
            node = trees.node(path, at)
            size = sum(half.size for place in below if (half := place.halves[at]) is not None)
            assert node is not None and size == trees.trees[at].below(node)
        for place in below:
            assert place.halves[0] is not None  # minimax searches every move
            if place.only == 0:
                only += 1
            else:
                todo.append(place.path)
    assert only == second.result.skipped > 0


def test_lines_unfold_and_fold() -> None:
    trees, _, _ = grown("minimax:depth=2", "alphabeta:depth=2")
    before = [place.path for place in trees.lines()]
    assert trees.unfold((1,)) and not trees.unfold((1, 0, 0))
    shown = [place.path for place in trees.lines()]
    assert shown == sorted(shown) and set(shown) - set(before) == {(1, move) for move in range(4)}
    trees.fold((1,))
    assert [place.path for place in trees.lines()] == before
    assert GAME.position_name(trees.state((1, 0))) == GAME.position_name(GAME.new("12221"))
    book = parse_game("tree:(L(a(1,2),b(3,4)),R(c(5,6),d(7,8)))")  # what a move is called depends on where it is made
    named = TwoTrees(book, book.start, *(search_of(book, book.start, parse("minimax")).run().tree for _ in "12"))
    assert [named.name(path) for path in ((1,), (1, 0), (1, 0, 1))] == ["R", "c", "2"]
    trees.reveal((2, 0))
    assert (2, 0) in [place.path for place in trees.lines()] and trees.open == {(), (2,)}
    assert trees.unfold((1,)) and trees.unfold((1, 0)) is False
    trees.fold(())  # the root stays open
    assert trees.open == {(), (1,), (2,)}
    trees.fold((2,))
    assert trees.open == {(), (1,)}


def side_that_is_sure(half: Half) -> int:
    sign = 0 if half.value is None else int(np.sign(half.value))
    return sign if half.bound in ("exact", {1: "lower", -1: "upper"}.get(sign)) else 0


def test_values_contradict_each_other_only_if_both_are_sure_of_a_side() -> None:
    values, bounds = (None, -2.0, -0.5, 0.0, 0.5, 2.0), ("exact", "upper", "lower")
    every = [Half(1, value, bound, 1, True) for value in values for bound in bounds]
    assert [half.leaning for half in every] == list(map(side_that_is_sure, every))
    assert not any(Place((0,), pair).opposed for half in every for pair in ((None, half), (half, None)))
    for halves in product(every, repeat=2):
        assert (
            Place((0,), halves).opposed == ({*map(side_that_is_sure, halves)} == {1, -1})
            and not Place((0,), halves).parts
        )
    for both, only, parts in (
        ((halves[0], None), 0, True),
        ((None, halves[1]), 1, True),
        (halves, None, False),
        ((halves[0], replace(halves[1], best=False)), None, True),
        ((None, replace(halves[1], best=False)), 1, False),
    ):
        place = Place((0,), both)
        assert (place.only, place.parts) == (only, parts) and (None not in both or not place.opposed)
