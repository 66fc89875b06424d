"""Games that do not end: said in a line after 10,000 moves; and all long work comes back between two chunks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.play.match import play_match
from nimtui.engine import exact, graph, limits, mcts, pace, playouts
from nimtui.engine.pace import Pace, in_chunks
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game, registry
from nimtui.progress import Cancelled
from nimtui.trees import parse, search_of
from tests.games import hanging
from tests.stops import StopAfter

SAID = "^no end after 10,000 moves: hanging:endless may be endless$"


@pytest.fixture(autouse=True)
def added() -> None:
    registry.add(hanging)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["mc:playouts=1", "mc:pick=row-then-count", "mcts:simulations=50", "mcts:time=60"])
def test_an_agent_that_plays_games_out_says_that_a_game_has_no_end(agent: str) -> None:
    game = parse_game("hanging:endless")
    with pytest.raises(InputError, match=SAID):
        parse_agent(agent, game).decide(game.new(), Stream(0))


def test_so_does_a_search_by_playouts_and_a_match() -> None:
    game = parse_game("hanging:endless")
    with pytest.raises(InputError, match=SAID):
        search_of(game, game.start, parse("mcts:simulations=10")).run()
    with pytest.raises(InputError, match=SAID):
        play_match(game, parse_agent("random", game), parse_agent("random", game), 1)


@pytest.mark.parametrize("way", ["mcts:simulations=3000", "mcts:simulations=3000,proven=yes"])
def test_a_tree_search_that_is_stopped_in_a_playout_goes_on_to_the_same_tree(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parse_game("connect:4x4x4")
    whole = search_of(game, game.start, parse(way)).run().result
    monkeypatch.setattr(pace, "_learned", {})
    monkeypatch.setattr("nimtui.trees.mcts.FIRST_CHUNK", 7)
    stopped = search_of(game, game.start, parse(way))
    for reports in itertools.count():
        try:
            stopped.run(StopAfter(1 + reports % 5))
        except Cancelled:
            continue
        break
    assert reports > 1
    assert stopped.result.moves == whole.moves and stopped.nodes == whole.nodes


def test_a_playout_that_is_cut_off_goes_on_where_it_was() -> None:
    game = parse_game("connect:5x4x3")
    one, other = np.zeros((2, playouts.NUMBERS), np.int64)
    fast, slow = Stream(5), Stream(5)
    playouts.playouts(game.new(), game.start.board, 200, False, fast.counter, one, 10**6)
    state = game.new()
    while other[playouts.DONE] < 200:
        playouts.playouts(state, game.start.board, 200, False, slow.counter, other, 3)
    assert one.tolist() == other.tolist() and fast.counter[0] == slow.counter[0]


def test_games_on_a_graph_may_be_long_but_not_of_any_length() -> None:
    limits.check_longest(limits.MOST_GRAPH_PLIES)
    with pytest.raises(InputError, match="a game can take 1,000,001 moves"):
        limits.check_longest(limits.MOST_GRAPH_PLIES + 1)


def test_chunks_follow_the_speed_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(pace, "perf_counter", lambda: now)
    monkeypatch.setattr(pace, "_learned", {})
    slow = Pace("a kind", 1_600)
    assert slow.begin() == 101  # at first a part of what is usual
    for _ in range(5):
        units = slow.begin()
        now += units * 0.01
        slow.end(units)
    assert slow.units * 0.01 <= pace.SECONDS + 0.01
    assert Pace("a kind", 1_600).units == slow.units  # the next work of the kind begins so
    quick = Pace("another", 1_600)
    for _ in range(9):
        units = quick.begin()
        now += units * 1e-9
        quick.end(units)
    assert quick.units > 1_000_000 and Pace("another", 1_600).units == 1_600


def test_work_in_chunks_covers_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_learned", {})
    seen: list[int] = []
    in_chunks("covering", lambda first, last: seen.extend(range(first, last)), 1_000, first=32)
    assert seen == list(range(1_000))


def test_a_graph_and_its_values_do_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("nim:2,3,4:misere")

    def made() -> list[list[int]]:
        built = graph.build(game.new())
        values = exact.values(built)
        columns = (*built[:-2], values, exact.keeps(built, values), exact.grundy(built), exact.heights(built))
        return [column.tolist() for column in columns]

    whole = made()
    monkeypatch.setattr(pace, "_learned", {})
    monkeypatch.setattr(pace, "CAREFUL", 10**9)  # chunks of one at first
    monkeypatch.setattr(pace, "GROWTH", 1.0)
    monkeypatch.setattr(graph, "STRETCH", 3)
    assert made() == whole


def test_building_and_valuing_a_graph_can_be_stopped_at_any_report() -> None:
    from nimtui.theory.truth import truth_from

    game = parse_game("nim:3,3,3")
    for reports in range(4):
        with pytest.raises(Cancelled):
            graph.build(game.new(), StopAfter(1 + reports))
    built = graph.build(game.new())
    with pytest.raises(Cancelled):
        truth_from(built, StopAfter(1))


def test_a_new_search_has_come_nowhere() -> None:
    assert mcts.at_first().tolist() == [1, 0, 0, 0, 0]
