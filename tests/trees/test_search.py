"""Searches as a whole: named by settings, right wherever theory knows, the same by every option, stopped in time."""

from __future__ import annotations

from dataclasses import asdict
from itertools import count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.agents import parse_agent
from nimtui.agents.agent import Deterministic
from nimtui.arena.play.plan import plan
from nimtui.arena.standings.standings import remark
from nimtui.engine import limits
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED, LONGEST, WIN
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.trees import Settings, depth_first, parse, search_of
from nimtui.trees.settings import ALPHA_BETA, HEURISTICS, KILLER, MCTS, MINIMAX, OPTIONS, ORDERS, default_options
from tests.examples import examples, few
from tests.games.refusal import refusal
from tests.stops import StopAfter
from tests.theory.force import Force
from tests.trees.helpers import begun, growing, search

# Names of settings.

DEPTHS, TABLES, TIMES = st.just(-1) | st.integers(1, LONGEST), st.integers(0, 1 << 28), st.floats(0.001, 3600)
PLAIN = {"depth": DEPTHS, "table": TABLES, "deepening": st.booleans(), "heuristic": st.sampled_from(HEURISTICS)}
GROWN = {
    **{
        "c": st.floats(0, 1000),
        "log": st.sampled_from(["parent", "root"]),
        "policy": st.sampled_from(["uniform", "perfect-opponent"]),
    },
    **{"proven": st.booleans(), "seed": st.integers(0, (1 << 63) - 1)},
}
ANY = st.one_of(
    st.builds(Settings, algorithm=st.just(MINIMAX), **PLAIN),
    st.builds(Settings, algorithm=st.just(ALPHA_BETA), order=st.sampled_from(ORDERS), **PLAIN),
    st.builds(Settings, algorithm=st.just(ALPHA_BETA), depth=DEPTHS, time=TIMES, table=TABLES),
    st.builds(Settings, algorithm=st.just(MCTS), simulations=st.integers(0, 10**8), time=TIMES, c=GROWN["c"]),
    st.builds(Settings, algorithm=st.just(MCTS), simulations=st.integers(1, 10**8), **GROWN),
)


@given(ANY)
def test_a_name_parses_to_the_same_settings(settings: Settings) -> None:
    assert parse(settings.name) == settings == parse(settings.name.upper())


NAMES = {
    "alphabeta": "alphabeta:depth=4",
    " AlphaBeta: order=killer , depth=−1": "alphabeta:depth=-1,order=killer",
    "minimax:table=yes": "minimax:depth=4,table=1048576",
    "mcts:c=1.4,proven=yes": "mcts:simulations=500,c=1.4,proven=yes",
    "alphabeta:table=no,deepening=off": "alphabeta:depth=4",
    # a time is the only limit where no other is named
    "alphabeta:time=0.5": "alphabeta:time=0.5",
    "alphabeta:time=.5,depth=-1,deepening=yes": "alphabeta:time=0.5",
    "alphabeta:time=2,depth=6,order=killer": "alphabeta:depth=6,time=2.0,order=killer",
    "mcts:time=0.5": "mcts:time=0.5,c=1.0",
    "mcts:time=0.5,simulations=500": "mcts:simulations=500,time=0.5,c=1.0",
    "alphabeta:time=0": "alphabeta:depth=4",
    "mcts:time=0,c=2": "mcts:simulations=500,c=2.0",
}
OF_MINIMAX = "Options of minimax: depth, table, deepening, heuristic, value"
TAKEN = "value names a function that takes the place of "
WRONG = {
    "alphabet": "unknown algorithm 'alphabet' (did you mean alphabeta?). Algorithms: minimax, alphabeta, mcts",
    "alphabeta:depth=0": "depth must be from 1 to 6,630, or −1 to the end of the game, not 0",
    "alphabeta:depth=6631": "depth must be from -1 to 6,630, not 6631",
    "alphabeta:depth=x": "depth must be a whole number from -1 to 6,630, not 'x'",
    "alphabeta:depth=yes": "depth must be a whole number from -1 to 6,630, not 'yes'",
    "alphabeta:c=1": f"unknown option of alphabeta 'c'. Options of alphabeta: {', '.join(OPTIONS[ALPHA_BETA])}",
    "alphabeta:order=worst": "unknown order 'worst'. Allowed: natural, killer, best-first",
    "alphabeta:order": "invalid option of alphabeta 'order': expected "
    + ", ".join(f"{o}=…" for o in OPTIONS[ALPHA_BETA]),
    "alphabeta:depth=4,depth=5": "the option 'depth' of alphabeta is given twice",
    "alphabeta:deepening=maybe": "deepening must be yes or no, not 'maybe'",
    "alphabeta:table=268435457": "table must be from 0 to 268,435,456, not 268435457",
    "alphabeta:value=x,heuristic=flat": TAKEN + "heuristic=flat: give one of them",
    "minimax:order=killer": f"unknown option of minimax 'order'. {OF_MINIMAX}",
    "minimax:time=1": f"unknown option of minimax 'time'. {OF_MINIMAX}",
    "mcts:c=nan": "c must be from 0 to 1,000, not nan",
    "mcts:c=-0.1": "c must be from 0 to 1,000, not -0.1",
    "mcts:c=1000.1": "c must be from 0 to 1,000, not 1000.1",
    "mcts:c=much": "c must be a number from 0 to 1,000, not 'much'",
    "mcts:simulations=0": "simulations must be from 1 to 100,000,000, not 0",
    "mcts:simulations=100000001": "simulations must be from 0 to 100,000,000, not 100000001",
    "mcts:seed=-1": "seed must be from 0 to 9,223,372,036,854,775,807, not -1",
    "mcts:seed=9223372036854775808": "seed must be from 0 to 9,223,372,036,854,775,807, not 9223372036854775808",
    "mcts:value=x,policy=perfect-opponent": TAKEN + "policy=perfect-opponent: give one of them",
    **{
        f"{algorithm}:time={time}": f"time must be a number of seconds from 0.001 to 3,600, not '{told}'"
        for time, told in {"-1": "-1.0", "0.0009": "0.0009", "3601": "3601.0", "nan": "nan", "soon": "soon"}.items()
        for algorithm in ("alphabeta", "mcts")
    },
}


def test_names_are_short_and_what_is_wrong_is_said_in_one_line() -> None:
    assert {text: parse(text).name for text in NAMES} == NAMES
    assert {text: refusal(parse, text) for text in WRONG} == WRONG
    every = "minimax searches every move: order=killer changes nothing; use alphabeta"
    assert refusal(Settings, MINIMAX, order=KILLER) == every
    assert refusal(Settings, MINIMAX, time=1.0) == "minimax has no time limit: use alphabeta or mcts"
    for entries in (-1, 268_435_457):
        told = f"table must be from 0 to 268,435,456 entries, not {entries:,}"
        assert refusal(Settings, table=entries) == told
    for simulations in (-1, 100_000_001):
        told = f"simulations must be from 1 to 100,000,000, not {simulations:,}"
        assert refusal(Settings, MCTS, simulations=simulations, time=1.0) == told
    assert refusal(Settings, heuristic="best") == "unknown heuristic 'best'. Allowed: default, original, flat"


def test_each_option_has_its_default_and_its_limits() -> None:
    plain = {"algorithm": "alphabeta", "depth": 4, "order": "natural", "table": 0, "deepening": False}
    grown = {"simulations": 500, "c": 1.0, "log": "parent", "policy": "uniform", "proven": False, "seed": 0}
    whole = {**plain, "heuristic": "default", **grown, "time": 0.0, "value": "", "largest": 0}
    assert default_options(timed=False) == whole == asdict(Settings())
    assert default_options(timed=True) == {**whole, "depth": -1, "simulations": 0}
    for key, ends in {
        "depth": (-1, 1, LONGEST),
        "table": (0, 268_435_456),
        "simulations": (1, 100_000_000),
        "c": (0.0, 1000.0),
        "time": (0.001, 3600.0),
        "seed": (0, (1 << 63) - 1),
    }.items():
        way = MCTS if key in OPTIONS[MCTS] else ALPHA_BETA
        assert [getattr(parse(f"{way}:{key}={end}"), key) for end in ends] == list(ends)
    assert [Settings(table=entries).table for entries in (1, 2, 3, 1000)] == [1, 2, 4, 1024]  # powers of two
    assert [Settings(largest=payoff).pays for payoff in (0, 1)] == [False, True]


# Values.

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
    some = COMBINATIONS[4:6] if name.startswith("kayles") else COMBINATIONS  # table and order; others are compiled, too
    states = [state for state in force.every() if base.outcome(state) == base.GOING_ON]
    for state in states[:: 1 + len(states) // 8]:
        value, plies = force.value(state)
        for how in few(some, COMBINATIONS):
            result = search_of(force.game, state, parse(how)).run().result
            assert result.finished and result.exact and result.best_move in force.best(state)
            assert result.value == value * (WIN - plies)


@settings(max_examples=examples(8), deadline=None)
@given(
    st.sampled_from(["nim:2,3:misere", "connect:3x2x3", *few([], ["adjacent:1,3"])]),
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


@pytest.mark.parametrize(
    ("name", "how", "exact"),
    [
        ("noughts:3x2x3", "alphabeta:depth=-1", True),  # a draw that is searched to the end
        ("noughts:3x2x3", "alphabeta:depth=6", True),
        ("noughts:3x2x3", "alphabeta:depth=3", False),
        ("noughts:3x2x3", "alphabeta:depth=-1,heuristic=original", False),
        ("nim:2,1", "alphabeta:depth=3", True),
        ("nim:2,1", "alphabeta:depth=1", False),
        ("nim:3", "alphabeta:depth=1", True),  # won at once, whatever the guessed moves are worth
        ("nim:3", "alphabeta:depth=1,heuristic=flat", False),
        ("nim:4,5", "alphabeta:depth=1,heuristic=flat", False),
        ("tree:((3,9),(2,7))", "alphabeta:depth=-1,heuristic=original", True),  # payoffs need no heuristic
        ("tree:(950000,(1,2))", "alphabeta:depth=1", False),  # and are no codes of wins
    ],
)
def test_a_value_is_exact_if_nothing_was_guessed(name: str, how: str, exact: bool) -> None:
    found = search(name, how).result
    assert found.exact == exact
    assert name != "nim:3" or found.value == (1000 if "flat" in how else WIN - 1)  # won by the first move


def test_a_search_without_a_record_finds_the_same_line() -> None:
    ways = ("alphabeta:depth=-1", "minimax:depth=3", "alphabeta:depth=5,order=killer")
    for name, how in (*(("connect:3x2x2", how) for how in ways), ("tree:((3,(9,1)),((2,8),7))", "minimax:depth=-1")):
        kept, bare = search(name, how), search(name, how, record=False)
        assert kept.result.value == bare.result.value and kept.result.nodes == bare.result.nodes
        assert len(kept.result.principal_variation) == len(bare.result.principal_variation)
        if "killer" not in how:
            assert kept.result.principal_variation == bare.result.principal_variation
        with pytest.raises(InputError, match="no tree"):
            _ = bare.tree


def test_iterations_tell_each_depth_and_end_once_nothing_is_guessed() -> None:
    found = search("connect:4x3x3", "alphabeta:depth=4,deepening=yes").result
    assert [step.depth for step in found.iterations] == [1, 2, 3, 4]
    won = search("nim:3", "alphabeta:depth=3,deepening=yes").result  # at once, whatever the guessed moves are worth
    assert [step.depth for step in won.iterations] == [1]
    assert found.nodes == sum(step.nodes for step in found.iterations)
    assert found.iterations[-1].nodes == search("connect:4x3x3", "alphabeta:depth=4").result.nodes
    found = search("nim:1,2,4", "alphabeta:depth=-1,deepening=yes").result
    value, plies = Force("nim:1,2,4").value(parse_game("nim:1,2,4").start)
    assert found.exact and found.iterations[-1].depth == plies and found.value == value * (WIN - plies)
    found = search("noughts:3x2x3", "alphabeta:depth=50,deepening=yes").result
    assert found.finished and [step.depth for step in found.iterations] == [1, 2, 3, 4, 5, 6]
    assert found.seconds >= found.iterations[-1].seconds >= found.iterations[0].seconds > 0


def test_a_game_without_numbers_has_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "key", lambda state: -1)
    said = refusal(search, "nim:2,1", "alphabeta:table=16")
    assert "positions of nim:2,1 have no numbers: no table is possible, use table=0" in said
    assert search("nim:2,1", "alphabeta:depth=-1").result.value == WIN - 3
    assert search("nim:2,1", "alphabeta:depth=3,order=best-first").result.space.table_entries is None
    monkeypatch.setattr(base, "key", lambda state: 0)
    assert begun("nim:2,1", "alphabeta:depth=3,order=best-first")._entries == depth_first.REMEMBERED
    assert begun("nim:2,1", "alphabeta:table=16")._entries == 16


# Stopped and resumed.


@pytest.mark.slow
@pytest.mark.parametrize("how", ["alphabeta:depth=-1", "alphabeta:depth=9,order=best-first"])
def test_a_search_that_is_stopped_is_valid_and_goes_on(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth_first, "FIRST_CHUNK", 200)
    monkeypatch.setattr(limits, "SECONDS", 0.0)
    monkeypatch.setattr(limits, "_learned", {})
    whole, stopped, stops = search("nim:2,3,4", how).result, begun("nim:2,3,4", how), 0
    while not stopped.result.finished:
        try:
            stopped.run(StopAfter(2))
        except Cancelled:
            stops += 1
            found = stopped.result
            assert found.nodes == stopped.nodes and len(stopped.tree) <= found.nodes
            if stops > 25:
                stopped.run()
    assert stops > 1
    again = stopped.result
    assert (again.nodes, again.value, again.best_move) == (whole.nodes, whole.value, whole.best_move)
    assert (again.moves, again.principal_variation) == (whole.moves, whole.principal_variation)


def test_a_search_reports_its_nodes_and_what_it_does_and_has_no_value_before_its_first_move() -> None:
    reports = list[tuple[float, float, str]]()

    class Heard(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            reports.append((done, total, what))

    found = begun("nim:2,1", "alphabeta:depth=2,deepening=yes")
    before = found.result
    assert (before.value, before.best_move, before.principal_variation) == (None, None, ())
    assert not before.exact and not found.finished and found.nodes == 0
    after = found.run(Heard()).result
    one, two = (step.nodes for step in after.iterations)
    assert reports == [(one, 0, "nodes, depth 1"), (one + two, 0, "nodes, depth 2")]
    reports.clear()
    bare = begun("nim:2,1", "alphabeta:depth=3", record=False).run(Heard()).result
    assert reports[0] == (bare.nodes, 0, "nodes") and {*reports[1:]} == {(bare.nodes, 0, "finding the best line")}


def test_alpha_beta_searches_for_nine_tenths_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr(depth_first, "perf_counter", lambda: next(ticks) / 4)  # each chunk takes a fourth of a second
    found = search("connect4", "alphabeta:time=1.0")
    result = found.result
    assert found.standing.seconds == 1.0 and result.finished and not result.exact
    assert result.depth == len(result.iterations) == len(result.principal_variation) > 1
    same = search("connect4", f"alphabeta:depth={result.depth},deepening=yes").result
    assert (result.best_move, result.value, result.moves) == (same.best_move, same.value, same.moves)
    assert result.principal_variation == same.principal_variation and result.nodes >= same.nodes


# By a time.


def test_a_depth_simulations_memory_and_the_end_of_the_game_still_are_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    found = search("connect4", "alphabeta:time=3600,depth=3").result
    assert found.finished and found.depth == 3
    found = search("connect4", "mcts:time=3600,simulations=90").result
    assert found.finished and found.simulations == 90
    found = search("nim:1,2,3", "alphabeta:time=3600").result
    assert found.finished and found.exact and found.seconds < 3600
    usual, given = (growing("connect4", 0, time=1.0, timed_bytes=room) for room in (0, 1 << 29))
    assert usual.bytes_needed == given.bytes_needed
    monkeypatch.setattr("nimtui.trees.mcts.TIMED_BYTES", 20_000)
    full = search("connect4", "mcts:time=3600")
    assert full.result.finished and full.result.simulations is not None
    assert 30 < full.result.simulations < 50_000 and full.result.space.used_bytes <= full.bytes_needed


def test_there_always_is_a_move_however_short_the_time_and_no_certain_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    for module in ("nimtui.trees.depth_first", "nimtui.trees.mcts", "nimtui.engine.limits"):
        monkeypatch.setattr(f"{module}.perf_counter", lambda: 10.0 * next(ticks))
    monkeypatch.setattr(limits, "_learned", {})
    for name, way in product(("tower:16", "connect4"), ("mcts:time=0.001", "alphabeta:time=0.001,order=best-first")):
        game, agent = parse_game(name), parse_agent(way, parse_game(name))
        decision = agent.decide(game.new(), Stream(0))
        assert base.legal(game.start, decision.move) and len(decision.thoughts) == base.count(game.start)
        assert not isinstance(agent, Deterministic)
        assert way.startswith("mcts") or all(thought.value is None for thought in decision.thoughts)
    assert isinstance(parse_agent("alphabeta:depth=2", game), Deterministic)


# With a clock that goes on at each look.


class Clock:
    """A clock that goes on by a step whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(0.001)
    for module in ("nimtui.trees.depth_first", "nimtui.trees.mcts", "nimtui.engine.limits"):
        monkeypatch.setattr(f"{module}.perf_counter", clock)
    monkeypatch.setattr(limits, "_learned", {})
    return clock


@pytest.mark.slow
def test_alpha_beta_plays_the_best_move_of_the_last_depth_it_finished(clock: Clock) -> None:
    found = search("connect4", "alphabeta:time=0.05").result
    assert found.finished and not found.exact and found.depth > 1
    assert [step.depth for step in found.iterations] == list(range(1, found.depth + 1))
    same = search("connect4", f"alphabeta:depth={found.depth},deepening=yes").result
    assert (found.best_move, found.value, found.moves) == (same.best_move, same.value, same.moves)
    assert found.nodes >= same.nodes
    line = parse_game("connect4").new()
    for move in found.principal_variation:
        assert base.legal(line, move)
        base.play(line, move)
    assert found.principal_variation[0] == found.best_move


@pytest.mark.slow
def test_tree_search_simulates_until_the_time_is_up(clock: Clock) -> None:
    clock.step = 0.01  # a chunk seems to take 0.02 s and more: chunks do not grow
    found = search("connect4", "mcts:time=0.2").result
    assert found.finished and found.simulations > 50
    same = search("connect4", f"mcts:simulations={found.simulations}").result
    assert (found.moves, found.best_move) == (same.moves, same.best_move)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["mcts:time=0.001", "alphabeta:time=0.001,order=best-first"])
def test_there_always_is_a_move_by_this_clock(way: str, clock: Clock) -> None:
    clock.step, tower = 10.0, parse_game("tower:16")
    decision = parse_agent(way, tower).decide(tower.new(), Stream(0))
    assert base.legal(tower.start, decision.move)
    assert len(decision.thoughts) == base.count(tower.start)


def test_what_alpha_beta_has_not_seen_to_the_end_is_no_certain_draw(clock: Clock) -> None:
    four = parse_game("connect4")
    agent = parse_agent("alphabeta:time=0.005", four)
    assert not isinstance(agent, Deterministic) and isinstance(parse_agent("alphabeta:depth=2", four), Deterministic)
    assert all(thought.value is None for thought in agent.decide(four.new(), Stream(0)).thoughts)


def test_a_tournament_says_who_depends_on_the_machine() -> None:
    said = remark(plan(["nim:1,2,3"], ["random", "mcts:time=0.5", "alphabeta:time=1"]))
    timed = "mcts:time=0.5,c=1.0 and alphabeta:time=1.0"
    assert said[-1] == f"{timed} play by the clock: another machine plays other games."
    assert not any("clock" in line for line in remark(plan(["nim:1,2,3"], ["random", "perfect"])))


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
    assert said in refusal(begun, name, how, position)
    assert "recorded nodes of 25 bytes" in refusal(begun, "nim:1,2,3", "alphabeta", most=100_000_000)
