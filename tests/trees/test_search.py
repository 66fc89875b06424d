"""Searches as a whole: right wherever theory knows, the same by every option, stopped and gone on with."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.engine.windows import DECIDED, WIN
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.progress import Cancelled
from nimtui.trees import Settings, parse, search_of
from tests.examples import examples
from tests.stops import StopAfter
from tests.theory.force import Force
from tests.trees.helpers import search

COMBINATIONS = [
    *(f"alphabeta:depth=-1,deepening={deepening},table=64" for deepening in ("yes", "no")),
    *(f"alphabeta:depth=-1,table={table},order={order}" for table in (0, 4096) for order in ("killer", "best-first")),
    *(f"minimax:depth=-1,deepening={deepening},table=64" for deepening in ("yes", "no")),
    "minimax:depth=-1",
    "alphabeta:depth=-1",
]


@pytest.mark.parametrize("name", ["nim:1,2", "kayles:3,2:misere", "connect:3x2x2"])
def test_every_option_finds_what_brute_force_finds(name: str) -> None:
    force = Force(name)
    states = [state for state in force.every() if base.outcome(state) == base.GOING_ON]
    for state in states[:: 1 + len(states) // 8]:
        value, plies = force.value(state)
        for how in COMBINATIONS:
            result = search_of(force.game, state, parse(how)).run().result
            assert result.finished and result.exact and result.best_move in force.best(state)
            assert result.value == value * (WIN - plies)


@settings(max_examples=examples(8), deadline=None)
@given(
    st.sampled_from(["nim:2,3:misere", "adjacent:1,3", "connect:3x2x3"]),
    st.integers(1, 5),
    st.sampled_from(["default", "original", "flat"]),
    st.sampled_from(["natural", "killer", "best-first"]),
    st.booleans(),
    st.sampled_from([0, 16, 4096]),
)
def test_no_option_changes_a_value(
    name: str, depth: int, heuristic: str, order: str, deepening: bool, table: int
) -> None:
    game = parse_game(name)
    plain = search_of(game, game.new(), Settings("minimax", depth, heuristic=heuristic)).run().result
    other = search_of(game, game.new(), Settings("alphabeta", depth, order, table, deepening, heuristic)).run().result
    if not other.exact or abs(plain.value or 0) > DECIDED:
        assert other.value == plain.value
    line = base.copy(game.new())
    for move in other.principal_variation:
        assert base.legal(line, move) and base.outcome(line) == base.GOING_ON
        base.play(line, move)
    ends = base.outcome(line)
    assert ends != base.GOING_ON or len(other.principal_variation) == other.depth
    sign = 1 if len(other.principal_variation) % 2 == 0 else -1
    if heuristic == "original" or ends == base.GOING_ON:
        assert other.value == sign * base.evaluate(line)
    elif heuristic == "default":
        won = {base.WON: -1, base.LOST: 1, base.DRAW: 0}[ends] * (WIN - len(other.principal_variation))
        assert other.value == sign * won


def test_a_win_is_worth_more_the_sooner_it_comes() -> None:
    found = search("nim:1,2,3", "alphabeta:depth=-1").result  # lost: the longest of all lines
    assert (found.value, len(found.principal_variation)) == (6 - WIN, 6)


def test_a_search_without_a_record_finds_the_same_line() -> None:
    for how in ("alphabeta:depth=-1", "minimax:depth=3", "alphabeta:depth=5,order=killer"):
        kept, bare = search("connect:3x2x2", how), search("connect:3x2x2", how, record=False)
        assert kept.result.value == bare.result.value and kept.result.nodes == bare.result.nodes
        assert len(kept.result.principal_variation) == len(bare.result.principal_variation)
        if "killer" not in how:
            assert kept.result.principal_variation == bare.result.principal_variation
        with pytest.raises(InputError, match="no tree"):
            _ = bare.tree


@pytest.mark.slow
@pytest.mark.parametrize("how", ["alphabeta:depth=-1", "alphabeta:depth=9,order=best-first"])
def test_a_search_that_is_stopped_is_valid_and_goes_on(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.engine import limits
    from nimtui.trees import depth_first

    monkeypatch.setattr(depth_first, "FIRST_CHUNK", 200)
    monkeypatch.setattr(limits, "SECONDS", 0.0)
    monkeypatch.setattr(limits, "_learned", {})
    whole = search("nim:2,3,4", how).result
    game = parse_game("nim:2,3,4")
    stopped = search_of(game, game.new(), parse(how))
    stops = 0
    while not stopped.result.finished:
        try:
            stopped.run(StopAfter(2))
        except Cancelled:
            stops += 1
            found = stopped.result
            assert found.nodes == stopped.nodes
            assert len(stopped.tree) <= found.nodes
            if stops > 25:
                stopped.run()
    assert stops > 1
    again = stopped.result
    assert (again.nodes, again.value, again.best_move) == (whole.nodes, whole.value, whole.best_move)
    assert (again.moves, again.principal_variation) == (whole.moves, whole.principal_variation)


def test_iterations_tell_each_depth() -> None:
    found = search("connect:4x3x3", "alphabeta:depth=4,deepening=yes").result
    assert [step.depth for step in found.iterations] == [1, 2, 3, 4]
    assert found.nodes == sum(step.nodes for step in found.iterations)
    assert found.iterations[-1].nodes == search("connect:4x3x3", "alphabeta:depth=4").result.nodes
    found = search("nim:1,2,4", "alphabeta:depth=-1,deepening=yes").result  # it ends when the game is decided
    value, plies = Force("nim:1,2,4").value(parse_game("nim:1,2,4").start)
    assert found.exact and found.iterations[-1].depth == plies and found.value == value * (WIN - plies)


@pytest.mark.parametrize(
    ("name", "position", "how", "said"),
    [
        ("nim:1,2", "0,0", "alphabeta", "the game is over"),
        ("connect4", None, "alphabeta:depth=-1", "too many positions"),
        ("connect4", None, "minimax:depth=40", "give a smaller depth"),
        ("nim:255,255,255,255:max=1", None, "alphabeta:depth=-1", "too many positions"),
        ("nim:1,2,3", None, "alphabeta:table=268435456", "5.2 GB"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_done(name: str, position: str | None, how: str, said: str) -> None:
    game = parse_game(name)
    with pytest.raises(InputError, match=said) as fault:
        search_of(game, game.new(position), parse(how))
    assert "\n" not in str(fault.value)


def test_too_many_recorded_nodes_are_refused_in_bytes() -> None:
    game = parse_game("nim:1,2,3")
    with pytest.raises(InputError, match="recorded nodes of 25 bytes"):
        search_of(game, game.new(), parse("alphabeta"), most_nodes=100_000_000)


# Small things that a search says.


@pytest.mark.parametrize(
    ("name", "how", "exact"),
    [
        ("noughts:3x2x3", "alphabeta:depth=-1", True),  # a draw that is searched to the end
        ("noughts:3x2x3", "alphabeta:depth=6", True),
        ("noughts:3x2x3", "alphabeta:depth=3", False),
        ("noughts:3x2x3", "alphabeta:depth=-1,heuristic=original", False),
        ("nim:2,1", "alphabeta:depth=3", True),
        ("nim:2,1", "alphabeta:depth=1", False),
        ("nim:4,5", "alphabeta:depth=1,heuristic=flat", False),
    ],
)
def test_a_value_is_exact_if_nothing_was_guessed(name: str, how: str, exact: bool) -> None:
    assert search(name, how).result.exact == exact


def test_a_search_that_deepens_ends_once_nothing_is_guessed() -> None:
    found = search("noughts:3x2x3", "alphabeta:depth=50,deepening=yes").result
    assert found.finished and [step.depth for step in found.iterations] == [1, 2, 3, 4, 5, 6]
    assert found.seconds >= found.iterations[-1].seconds >= found.iterations[0].seconds > 0


def test_a_game_without_numbers_has_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "key", lambda state: -1)
    with pytest.raises(InputError, match=r"positions of nim:2,1 have no numbers: no table is possible, use table=0"):
        search("nim:2,1", "alphabeta:table=16")
    assert search("nim:2,1", "alphabeta:depth=-1").result.value == WIN - 3


def test_a_search_reports_its_nodes_and_what_it_does() -> None:
    reports = list[tuple[float, float, str]]()

    class Heard(StopAfter):
        def report(self, done: float, total: float, what: str = "") -> None:
            reports.append((done, total, what))

    game = parse_game("nim:2,1")
    found = search_of(game, game.new(), parse("alphabeta:depth=2,deepening=yes")).run(Heard(99)).result
    assert [(done, total) for done, total, _ in reports][-1] == (found.nodes, 0) and reports == sorted(reports)
    assert all(what for _, _, what in reports)


def test_before_its_first_move_a_search_has_no_value() -> None:
    game = parse_game("nim:2,1")
    before = search_of(game, game.new(), parse("alphabeta:depth=2"))
    assert (before.result.value, before.result.best_move, before.result.principal_variation) == (None, None, ())
    assert not before.result.exact and not before.finished and before.nodes == 0
