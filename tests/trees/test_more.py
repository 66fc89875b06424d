"""More of a search: more simulations, a proof, one ply deeper, and what it tells while it runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.progress import Cancelled
from nimtui.trees import more, search_of
from nimtui.trees.mcts import MonteCarloSearch, bytes_needed, most_simulations
from nimtui.trees.result import Search
from nimtui.trees.settings import parse
from tests.stops import StopAt


def begun(game: str, settings: str, most_nodes: int = 4_000_000) -> Search:
    found = parse_game(game)
    return search_of(found, found.start, parse(settings), most_nodes=most_nodes)


def grown(game: str, simulations: int, **how: object) -> MonteCarloSearch:
    found = parse_game(game)
    return MonteCarloSearch(found, found.start, simulations, stream=Stream(5), **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "how"),
    [
        ("connect:4x3x3", {}),
        ("subtraction:9,3:misere", {"proven": True}),
        ("nim:3,4", {"policy": "perfect-opponent", "log": "root"}),
    ],
)
@pytest.mark.parametrize("steps", [(1, 2, 3, 90), (10, 50, 51, 90)])
def test_extended_it_grows_the_tree_of_one_long_search(game: str, how: dict[str, object], steps: tuple[int]) -> None:
    whole, search = grown(game, 90, **how).run(), grown(game, steps[0], **how).run()
    for simulations in steps[1:]:
        search.extend(simulations)
        search.run()
    assert search.done == whole.done and search.moves == whole.moves
    mine, theirs = search.columns, whole.columns
    visited = theirs.visits > 0
    for column in ("parent", "move", "visits", "width", *(["proof"] if search.proven else [])):
        assert np.array_equal(getattr(mine, column), getattr(theirs, column)), column
    for column in ("total", "mean", "doubt", "ended"):
        assert np.array_equal(getattr(mine, column)[visited][1:], getattr(theirs, column)[visited][1:]), column
    assert np.array_equal(mine.first[mine.width > 0], theirs.first[theirs.width > 0])
    assert all(map(np.array_equal, search.growth, whole.growth))


@pytest.mark.slow
def test_a_search_cut_in_a_playout_is_extended_too() -> None:
    search, whole = grown("connect4", 30_000), grown("connect4", 40_000).run()
    with pytest.raises(Cancelled):
        search.run(StopAt(2))
    search.extend(40_000)
    assert search.run().moves == whole.moves


def test_it_runs_to_a_number_of_simulations_and_on() -> None:
    search = grown("connect:4x3x3", 60)
    assert search.run(until=20).done == 20 and not search.finished
    assert search.run(until=21).done == 21
    assert search.run().moves == grown("connect:4x3x3", 60).run().moves


def test_one_more_and_a_hundred_more_than_it_was_meant_to_have() -> None:
    search = begun("connect:4x3x3", "mcts:simulations=30").run()
    more.simulations(search, 1)
    assert search.result.simulations == 31 and search.settings.simulations == 31
    more.simulations(search, 100)
    whole = begun("connect:4x3x3", "mcts:simulations=131").run()
    assert search.settings == whole.settings and search.result.moves == whole.result.moves


def test_a_search_with_a_time_has_more_simulations_too() -> None:
    search = begun("connect4", "mcts:time=0.01").run()
    done = search.nodes and search.result.simulations
    assert done
    more.simulations(search, 7)
    assert search.result.simulations == done + 7 and search.settings.time == 0


def test_it_searches_on_until_the_root_is_proven() -> None:
    search = begun("subtraction:6,3:misere", "mcts:simulations=10,proven=yes").run()
    assert more.why_no_proof(search) is None
    more.proof(search)
    assert search.result.exact and not more.limit(search)
    assert more.why_no_proof(search) == "the root is proven"
    assert "the root is proven after" in (more.why_no_simulations(search) or "")


def test_memory_ends_a_proof_and_it_says_so() -> None:
    game = parse_game("connect4")
    room = bytes_needed(game.start, 500, True)
    assert most_simulations(game.start, True, room) == 500
    search = begun("connect4", "mcts:simulations=100,proven=yes")
    search.most_bytes = room  # type: ignore[attr-defined]
    more.proof(search)
    assert search.result.simulations == 500
    assert more.limit(search) == "memory is full after 500 simulations: the root is not proven"
    assert more.why_no_simulations(search) == "memory is full: no more than 500 simulations surely fit"
    with pytest.raises(InputError, match="at most 500 fit"):
        search.extend(501)  # type: ignore[attr-defined]


def test_other_searches_prove_nothing() -> None:
    assert "proven=yes" in (more.why_no_proof(begun("connect4", "mcts:simulations=10").run()) or "")
    assert "only tree search" in (more.why_no_proof(begun("connect4", "alphabeta:depth=2").run()) or "")


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
    search = begun("nim:1,2,3,4", settings).run()
    deeper = more.deeper(search).run()
    depth = parse(settings).depth + 1
    whole = begun("nim:1,2,3,4", replace(parse(settings), depth=depth).name).run()
    assert deeper.settings.depth == depth == deeper.result.depth
    mine, theirs = (replace(one.result, seconds=0, iterations=()) for one in (deeper, whole))
    assert mine == theirs
    assert np.array_equal(deeper.tree.values, whole.tree.values)  # type: ignore[attr-defined]


def test_a_search_with_a_time_goes_deeper_without_one() -> None:
    search = begun("connect4", "alphabeta:time=0.05").run()
    reached = search.result.depth
    assert reached is not None
    deeper = more.deeper(search)
    assert deeper.settings.depth == reached + 1 and deeper.settings.deepens and not deeper.settings.time


@pytest.mark.parametrize("settings", ["alphabeta:depth=-1", "alphabeta:depth=11", "minimax:depth=12,deepening=yes"])
def test_deeper_than_the_end_of_every_game_it_does_not_go(settings: str) -> None:
    search = begun("nim:1,2,3", settings).run()
    with pytest.raises(InputError, match="reached the end of every game"):
        more.deeper(search)


def test_the_limit_of_recorded_nodes_is_told() -> None:
    search = begun("nim:1,2,3,4", "alphabeta:depth=4", most_nodes=100).run()
    assert more.limit(search) == f"the tree has the first 100 of {search.nodes:,} nodes"
    assert not more.limit(begun("nim:1,2,3,4", "alphabeta:depth=4").run())
    assert not begun("nim:1,2,3,4", "alphabeta:depth=4").complete


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["mcts:simulations=200000", "alphabeta:depth=12,deepening=yes"])
def test_it_tells_how_far_it_is_at_any_moment_and_at_the_end_its_result(settings: str) -> None:
    search, told = begun("connect4:5x5", settings), []

    class Told(StopAt):
        def report(self, done: float, total: float, what: str = "") -> None:
            told.append(search.standing)

    search.run(Told(0))
    done = [standing.done for standing in told]
    assert len(done) > 2 and done == sorted(done) and all(standing.seconds > 0 for standing in told)
    check_standing(search)


@pytest.mark.parametrize("settings", ["mcts:simulations=300", "mcts:simulations=300,proven=yes", "alphabeta:depth=4"])
def test_a_finished_search_stands_at_its_result(settings: str) -> None:
    check_standing(begun("nim:1,2,3,4", settings).run())


def check_standing(search: Search) -> None:
    last, result = search.standing, search.result
    assert last.value is not None and (last.best_move, last.value, last.exact) == (
        result.best_move,
        result.value,
        result.exact,
    )
    assert [move.value for move in last.moves] == [move.value for move in result.moves]
    assert last.done == (result.simulations if result.simulations is not None else result.nodes)


@pytest.mark.slow
def test_a_pause_is_no_time_of_search() -> None:
    search = begun("connect4", "mcts:simulations=60000")
    inside: list[float] = []

    class Slow(StopAt):
        def report(self, done: float, total: float, what: str = "") -> None:
            before = search.result.seconds
            inside.append(before)
            assert before > 0

    search.run(Slow(0))
    assert inside == sorted(inside) and search.result.seconds >= inside[-1]
