"""Comparisons: the table of minimax and alpha-beta, and two trees walked by the same moves, against each alone."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.games import base, parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.trees import Search, Settings, compare, parse, search_of
from nimtui.trees.compare import Comparison, Half, Place, TwoTrees
from tests.engine.test_searches import NIM_ALPHA_BETA, NIM_MINIMAX
from tests.stops import StopAfter

ENTRANTS = [parse("minimax:heuristic=original"), parse("alphabeta:heuristic=original")]


def test_stopped_it_has_the_rows_that_were_done_and_goes_on_to_the_table_of_the_original() -> None:
    game = parse_game("nim:1,2,3,4")
    found = Comparison(game, game.new(), ENTRANTS, range(1, 6))
    with pytest.raises(Cancelled):
        found.run(StopAfter(6))
    assert 0 < len(found.rows) < 8
    found.run()
    minimax, alpha_beta = found.rows[::2], found.rows[1::2]
    assert [row.nodes for row in minimax] == NIM_MINIMAX[:5]
    assert [row.nodes for row in alpha_beta] == NIM_ALPHA_BETA[:5]
    for depth, (one, other) in enumerate(zip(minimax, alpha_beta, strict=True), 1):
        assert (one.value, one.best_move, one.cutoffs) == (other.value, other.best_move, 0)
        assert [row.settings for row in (one, other)] == [replace(entrant, depth=depth) for entrant in ENTRANTS]
    rows = list(csv.DictReader(io.StringIO(found.csv())))[6:8]
    assert [(row["algorithm"], row["depth"], row["nodes"]) for row in rows] == [
        ("minimax:depth=4,heuristic=original", "4", "2978"),
        ("alphabeta:depth=4,heuristic=original", "4", "669"),
    ]
    assert (rows[1]["cutoffs"], rows[1]["value"], rows[1]["best_move"]) == ("199", "-2", "c3")
    assert 4 < float(rows[1]["branching"]) < 5 < float(rows[0]["branching"]) < 8


def test_the_progress_of_a_search_is_a_part_of_the_comparisons() -> None:
    told: list[tuple[float, float, str]] = []
    whole = Progress()
    whole.report = lambda *report: told.append(report)
    for done, total in ((0, 0), (1, 4), (9, 4)):
        compare._Within(whole, 2, 6).report(done, total, "nodes")
    assert told == [(2.0, 6, "0 nodes"), (2.25, 6, "1 nodes"), (3.0, 6, "9 nodes")]


@given(st.floats(1.1, 12), st.integers(1, 12))
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


def test_sizes_add_up_and_what_alpha_beta_pruned_only_minimax_has() -> None:
    trees, _, second = grown("minimax:depth=4", "alphabeta:depth=4")
    assert trees.parting() == ()  # alpha-beta finds the line of minimax
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
    trees.reveal((2, 0))
    assert (2, 0) in [place.path for place in trees.lines()]


@pytest.mark.parametrize(
    ("one", "other", "opposed"),
    [
        ((0.5, "exact"), (-2.0, "exact"), True),
        ((0.5, "exact"), (-2.0, "lower"), False),  # at least −2 may be an advantage
        ((0.5, "exact"), (-2.0, "upper"), True),
        ((-0.5, "exact"), (2.0, "upper"), False),
        ((0.5, "exact"), (2.0, "exact"), False),
        ((0.0, "exact"), (-2.0, "exact"), False),
    ],
)
def test_values_contradict_each_other_only_if_both_are_sure_of_a_side(
    one: tuple[float, str], other: tuple[float, str], opposed: bool
) -> None:
    halves = (Half(1, *one, 1, True), Half(1, *other, 1, True))
    assert Place((0,), halves).opposed == opposed and not Place((0,), halves).parts
    assert Place((0,), (halves[0], None)).only == 0 and Place((0,), (None, halves[1])).parts
