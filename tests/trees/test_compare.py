"""Comparisons: the table of minimax and alpha-beta, as far as it came, as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.games import parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.trees import Result, Settings, compare, parse, search_of
from nimtui.trees.compare import Comparison
from tests.engine.test_alpha_beta import NIM_ALPHA_BETA, NIM_MINIMAX
from tests.stops import StopAfter

ENTRANTS = [parse("minimax:heuristic=original"), parse("alphabeta:heuristic=original")]


def comparison(*entrants: Settings, depths: range = range(1, 6)) -> Comparison:
    game = parse_game("nim:1,2,3,4")
    return Comparison(game, game.new(), entrants, depths)


def rows_of(found: Comparison, settings: Settings) -> list[Result]:
    """The rows of these settings, for any depth."""
    return [row for row in found.rows if replace(row.settings, depth=settings.depth) == settings]


def test_the_table_of_the_original() -> None:
    found = comparison(*ENTRANTS).run()
    assert [row.nodes for row in rows_of(found, ENTRANTS[0])] == NIM_MINIMAX[:5]
    assert [row.nodes for row in rows_of(found, ENTRANTS[1])] == NIM_ALPHA_BETA[:5]
    for minimax, alpha_beta in zip(*(rows_of(found, entrant) for entrant in ENTRANTS), strict=True):
        assert (minimax.value, minimax.best_move) == (alpha_beta.value, alpha_beta.best_move)
        assert minimax.cutoffs == 0 and minimax.settings.depth == alpha_beta.settings.depth


def test_as_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(comparison(*ENTRANTS, depths=range(4, 5)).run().csv())))
    assert [(row["algorithm"], row["depth"], row["nodes"]) for row in rows] == [
        ("minimax:depth=4,heuristic=original", "4", "2978"),
        ("alphabeta:depth=4,heuristic=original", "4", "669"),
    ]
    assert (rows[1]["cutoffs"], rows[1]["value"], rows[1]["best_move"]) == ("199", "-2", "c3")
    assert 4 < float(rows[1]["branching"]) < 5 < float(rows[0]["branching"]) < 8


def test_stopped_it_has_the_rows_that_were_done_and_goes_on() -> None:
    found = comparison(*ENTRANTS, depths=range(1, 5))
    with pytest.raises(Cancelled):
        found.run(StopAfter(6))
    assert 0 < len(found.rows) < 8
    assert [row.nodes for row in rows_of(found.run(), ENTRANTS[1])] == NIM_ALPHA_BETA[:4]


def test_the_progress_of_a_search_is_a_part_of_the_comparisons() -> None:
    told: list[tuple[float, float, str]] = []
    whole = Progress()
    whole.report = lambda *report: told.append(report)  # type: ignore[method-assign, assignment]
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
def test_what_best_first_pays_for_its_order_is_the_nodes_of_the_shallower_searches(
    game: str, depth: int, heuristic: str, verdict: str
) -> None:
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
