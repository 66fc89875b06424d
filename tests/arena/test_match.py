"""Matches: the figures of the originals, seats and seeds, how they are stopped, and how long agents may think."""

from __future__ import annotations

from math import inf, sqrt
from statistics import mean, stdev
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.agents.agent import AgentFault, AlwaysReady, Deterministic, Judged, StopsItself, moves_of
from nimtui.agents.agent import Clock as AgentClock
from nimtui.arena.play import match as match_module
from nimtui.arena.play import pairings
from nimtui.arena.play.batch import Batch, Played
from nimtui.arena.play.limits import MOST, Limit, Limits, parse_limits
from nimtui.arena.play.match import MatchResult, play_match
from nimtui.arena.play.pairings import player
from nimtui.arena.play.pieces import Piece, play
from nimtui.arena.play.plan import LOSES_GAME, LOSES_MATCH, VOID, Plan, parse_openings, plan
from nimtui.arena.play.steps import MeanPayoff
from nimtui.arena.rating.ratings import head_to_head
from nimtui.arena.standings import match_report
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.sandbox import client
from nimtui.sandbox.command import FaultKind
from tests.agents.conftest import own_agents  # noqa: F401 - a fixture
from tests.arena.fields import of_results
from tests.stops import StopAt

MATCHES = "subtraction:21,3:misere"


def match(game: str, first: str, second: str, games: int, **more: object) -> MatchResult:
    chosen = parse_game(game)
    players = parse_agent(first, chosen), parse_agent(second, chosen)
    return play_match(chosen, *players, games=games, **more)  # type: ignore[arg-type]


def games(result: MatchResult) -> list[Played]:
    """Return the games of a match, each with its players and moves."""
    return [result.batch.game(at) for at in range(len(result.batch))]


def outcomes(result: MatchResult) -> list[tuple[int, int | None, bytes]]:
    """Return who moved first in each game, who won, and all moves."""
    return [(game.opener, game.winner, game.moves) for game in games(result)]


def test_wins_are_counted_by_seat_and_by_agent() -> None:
    result = match(MATCHES, "random", "perfect", 10, alternate=True)
    first, second = result.by_agent
    assert (first.agent, second.agent) == ("random", "perfect")
    assert (first.wins, first.losses, first.draws) == (second.losses, second.wins, second.draws)
    assert [game.opener for game in games(result)] == [0, 1] * 5
    by_hand = sum(game.winner == game.opener for game in games(result))
    assert (result.first_wins, result.second_wins) == (by_hand, 10 - by_hand)
    assert all(game.winner == 1 for game in games(result)[::2])  # perfect, moving second
    assert result.plies == sum(len(game.codes()) for game in games(result))
    assert result.transcript == tuple(result.game.line_names(games(result)[0].codes(), result.game.start))
    drawn = match("connect:3x3x3", "perfect", "perfect", 4, alternate=True)
    assert (drawn.first_wins, drawn.second_wins, drawn.draws) == (0, 0, 4)
    assert [score.draws for score in drawn.by_agent] == [4, 4]


@pytest.mark.parametrize(("openings", "alternate"), [("start", True), ("random:2", True), ("start", False)])
def test_two_agents_are_compared_by_the_games_of_their_match(openings: str, alternate: bool) -> None:
    begun = parse_openings(openings)
    with np.errstate(all="raise"):
        result = match("connect:3x3x3", "random", "mc:playouts=3", 21, alternate=alternate, openings=begun)
    by_hand = [sum(game.winner == seat ^ game.opener for game in games(result)) for seat in (0, 1)]
    assert [result.first_wins, result.second_wins] == by_hand
    rows = result.batch.result.astype(np.int8)
    played = of_results(0, 1, rows, None if openings == "start" else 0, alternate)
    assert result.head_to_head == head_to_head([played._replace(results=None)])


def test_the_same_seed_gives_the_same_games_however_many_and_another_one_others() -> None:
    results = [match(MATCHES, "random", "random", 50, seed=seed) for seed in (1, 1, 2)]
    assert outcomes(results[0]) == outcomes(results[1])
    assert results[0].transcript == results[1].transcript
    assert outcomes(results[0]) != outcomes(results[2])
    few = match(MATCHES, "random", "mc:playouts=10", 5, seed=3)
    swapped = match(MATCHES, "random", "mc:playouts=10", 5, seed=3, alternate=True)
    first = play(Piece(plan([MATCHES], ("random", "mc:playouts=10"), number=5, seed=3), 0, 0, 5))
    assert [game.moves for game in first.rows()] == [moves for _, _, moves in outcomes(swapped)], "a tournament's first"
    many = match(MATCHES, "random", "mc:playouts=10", 9, seed=3)
    assert outcomes(many)[:5] == outcomes(few)


class Slow(AlwaysReady):
    """Reports to its progress as often as asked, as an agent that thinks long does."""

    name = title = "slow"

    def __init__(self, reports: int) -> None:
        self.reports = reports

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        for done in range(self.reports):
            progress.report(done, 0)
        return Decision(base.legal_moves(state)[0], ())


def test_stopped_in_the_middle_or_while_an_agent_thinks_it_keeps_the_finished_games() -> None:
    game = parse_game("nim:1,3,5,7")
    agent = parse_agent("random", game)
    stopped = play_match(game, agent, agent, games=10**9, seed=2, progress=StopAt(1, "games"))
    assert 1 <= stopped.games < 10**9
    whole = play_match(game, agent, agent, games=stopped.games, seed=2)
    assert outcomes(stopped) == outcomes(whole)
    stopped = play_match(game, Slow(10**12), Slow(10**12), games=2, progress=StopAt(0, "games"))
    assert (stopped.games, stopped.transcript) == (0, ())
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("tests.stops.Cancelled", KeyboardInterrupt)  # of an agent that does not report
        assert 1 <= play_match(game, agent, agent, games=10**9, progress=StopAt(1, "games")).games < 10**9
        play_match(game, Slow(10**12), Slow(0), games=2, progress=StopAt(0, "games"))


def test_an_illegal_move_of_an_agent_loses_its_game() -> None:
    game = parse_game("nim:1,3")

    class Cheat(Slow):
        name, move = "cheat", 0

        def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
            return Decision(self.move, ())

    result = play_match(game, Cheat(0), Slow(0), games=2)
    assert [game.winner for game in games(result)] == [1, 1]
    assert result.faults == ("cheat played 0, which is not legal",) * 2
    assert [fault.kind for _, _, fault in result.sums.faults] == ["illegal"] * 2
    lost = play_match(game, Cheat(0), Slow(0), games=5, fault=LOSES_MATCH)
    assert (len(lost.batch), lost.by_agent[1].wins) == (1, 5)
    assert len(play_match(game, Slow(0), Slow(0), games=5, fault=LOSES_MATCH).batch) == 5
    assert result.transcript == ("a1", "b1")
    pays, Cheat.move = parse_game("tree:(((3,8),5),(6,9,7),(0,1))"), 99  # a fault costs the largest payoff
    payoffs = [play_match(pays, Cheat(0), Slow(0), 2, fault=rule).payoff for rule in (VOID, LOSES_GAME)]
    assert payoffs == [MeanPayoff(0, 0, 0), MeanPayoff(2, -18, 162)]


def test_a_mean_payoff_has_the_interval_of_its_standard_error() -> None:
    of_three = 1.959964 * stdev((3, -2, 5)) / sqrt(3)
    for values, error in (((3, -2, 5), of_three), ((-4, -4), 0.0), ((7,), None), ((), None)):
        paid, average = MeanPayoff.of(np.array(values, np.int64)), mean(values) if values else None
        ends = (None, None) if error is None or average is None else (average - error, average + error)
        assert paid == (len(values), sum(values), sum(value**2 for value in values))
        assert (paid.mean, paid.turned.mean, paid.error) == (average, average and -average, pytest.approx(error))
        assert [paid.keys[f"payoff{end}"] for end in ("", "_low", "_high")] == [average, *map(pytest.approx, ends)]
    assert MeanPayoff() + MeanPayoff(1, 2, 4) + MeanPayoff(2, 3, 5) == (3, 5, 9)


@pytest.mark.parametrize("number", [30, 3000])  # move by move, whole
def test_of_very_many_games_only_the_first_are_held(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = match(MATCHES, "random", "perfect", number, alternate=True)
    monkeypatch.setattr(match_module, "MOST_WITH_MOVES", 10)
    few = match(MATCHES, "random", "perfect", number, alternate=True)
    assert 10 <= len(few.batch) < len(whole.batch) == whole.games == few.games == number
    assert outcomes(few) == outcomes(whole)[: len(few.batch)]
    assert (few.by_agent, few.first_wins, few.plies) == (whole.by_agent, whole.first_wins, whole.plies)
    assert whole.plies == sum(len(game.codes()) for game in games(whole))
    assert whole.first_wins == sum(game.winner == game.opener for game in games(whole))
    assert whole.by_agent[0].wins == sum(game.winner == 0 for game in games(whole))


# How long agents may think: over it they lose that game, with the reason; who is quick plays the same games.


GAME = parse_game("nim:3,4,5")
AGES = 86_400.0
SECONDS = "must be 0 (none) or 0.001 to 86,400 seconds"


class Clock:
    """The clock on the wall, which stands still but where a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (pairings, match_module):
        monkeypatch.setattr(module, "perf_counter", made)
    return made


class Dreamy(AlwaysReady):
    """Plays at random; for some moves it takes its time, and looks every second whether it shall stop."""

    title = name = "dreamy"

    def __init__(self, clock: Clock, seconds: int, chance: int = 1, reports: bool = True) -> None:
        self.clock, self.seconds, self.chance, self.reports = clock, seconds, chance, reports

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        if stream.below(self.chance) == 0:
            for _ in range(self.seconds):
                self.clock.now += 1
                if self.reports:
                    progress.report(0, 0)
        return Decision(stream.choose(moves_of(state)), ())


def against_random(agent: Any, games: int = 6, progress: Progress = SILENT, **limits: float) -> MatchResult:
    return play_match(GAME, agent, parse_agent("random", GAME), games, progress=progress, limits=Limits(**limits))


def test_who_takes_too_long_is_stopped_and_loses_that_game_alone(clock: Clock) -> None:
    result = against_random(Dreamy(clock, 1_000_000, 6), 12, move=5)
    assert result.games == 12 and 0 < len(result.faults) < 12
    assert set(result.faults) == {"dreamy took longer than 5 s"}
    assert all(result.batch.game(game).winner == 1 for game in result.batch.faults)
    assert clock.now == 6 * len(result.faults) == result.seconds == result.batch.seconds.sum()
    clock.now = 0.5
    assert against_random(Dreamy(clock, 5), 2, move=5).faults == ()
    result = against_random(Dreamy(clock, 6, reports=False), 2, move=5)  # a move that comes too late counts as none
    assert result.faults == ("dreamy took longer than 5 s",) * 2 and result.plies == 0
    assert against_random(Dreamy(clock, 5, reports=False), 2, move=5).faults == ()


def test_the_moves_of_a_game_share_its_time(clock: Clock) -> None:
    result = against_random(Dreamy(clock, 5), 3, game=12, move=10)
    lengths = [len(result.batch.game(at).codes()) for at in range(len(result.batch))]
    assert result.faults and set(result.faults) == {"dreamy took longer than 12 s for the game"}
    assert {lengths[game] for game in result.batch.faults} == {4}, "two moves of five seconds are in time"


def test_a_pause_is_nobodys_time(clock: Clock) -> None:
    class Pausing(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            clock.now += 1_000

    result = against_random(Dreamy(clock, 4), 2, Pausing(), move=5, game=100)
    assert clock.now > 2_000 and result.faults == ()


def test_quick_agents_play_the_same_games_under_a_clock() -> None:
    players = parse_agent("mc:playouts=5", GAME), parse_agent("easy", GAME)
    plain = play_match(GAME, *players, 30, alternate=True)
    timed = play_match(GAME, *players, 30, alternate=True, limits=Limits(AGES, AGES))
    games = [[row._replace(seconds=0.0) for row in result.batch.rows()] for result in (plain, timed)]
    assert games[0] == games[1] and plain.faults == ()


class Ticking(Clock):
    """A hundredth of a second passes whenever somebody looks."""

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


class Late(Slow, Deterministic, StopsItself):
    asked = 0

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        self.asked += 1
        return Decision(moves_of(state)[0], ())


def test_a_move_that_the_clock_has_made_is_not_remembered() -> None:
    agent = Late(0)
    sitting = player(agent)
    for _ in range(3):
        sitting.choose(GAME.new(), Stream(0), SILENT, Limit(1.0, "1 s", 1e-9))  # not in time
    assert agent.asked == 3
    for _ in range(3):
        sitting.choose(GAME.new(), Stream(0), SILENT, Limit(AGES, "ages", AGES))
    assert agent.asked == 4


def test_limits_are_typed_and_named_and_others_are_refused_in_a_line() -> None:
    for text, limits in (
        ("", Limits()), ("2", Limits(move=2)), (" 2 s ", Limits(2)), ("move=2, game=60", Limits(2, 60)),
        ("game=0.5s", Limits(game=0.5)), ("move=0", Limits(0)), ("nodes=0", Limits(nodes=0)),
        ("game=0.001,increment=86400", Limits(None, 0.001, 86_400)), ("nodes=1000000000000", Limits(nodes=10**12)),
    ):  # fmt: skip
        assert parse_limits(text) == limits == parse_limits(limits.name)
    for text, fault in (
        *((f"move={text}", f"the move time {SECONDS}, not '{text}'") for text in ("x", "", "-1", "nan", "inf", "1e9")),
        ("1_0", f"the move time {SECONDS}, not '1_0'"), ("game=0.0009", f"the game time {SECONDS}, not '0.0009'"),
        ("game=1,increment=86401", f"the increment {SECONDS}, not '86401'"),
        ("time=2", "unknown time limit of an agent 'time'. Time limits of an agent: move, game, increment, nodes"),
        ("2,3", "the time limit 'move' of an agent is given twice"),
        ("increment=1", "an increment needs a time for the game, such as 60 s"),
        ("nodes=-1", "the nodes must be from 0 to 1,000,000,000,000, not -1"),
        ("nodes=1000000000001", "the nodes must be from 0 to 1,000,000,000,000, not 1000000000001"),
    ):  # fmt: skip
        with pytest.raises(InputError) as caught:
            parse_limits(text)
        assert str(caught.value) == fault
    for keys, fault in (
        ({"move": 0.0009}, f"the move time {SECONDS}, not 0.0009"),
        ({"game": 86401}, f"the game time {SECONDS}, not 86,401"),
        ({"nodes": -1}, "the nodes must be 0 (no limit) to 1,000,000,000,000, not -1"),
        ({"nodes": 10**12 + 1}, "the nodes must be 0 (no limit) to 1,000,000,000,000, not 1,000,000,000,001"),
    ):  # fmt: skip
        with pytest.raises(InputError) as caught:
            Limits(**keys)
        assert str(caught.value) == fault
    named = {
        Limits(2, 60): "2 s a move, 60 s a game", Limits(game=0.5): "0.5 s a game", Limits(): "", Limits(0): "",
        Limits(2, 60, 1, 500): "2 s a move, 60 s a game and 1 s for each move, 500 nodes a move",
        Limits(nodes=1): "1 node a move",
    }  # fmt: skip
    assert {limits: limits.title for limits in named} == named
    names = ["move=2,game=60", "game=0.5", "", "move=0", "move=2,game=60,increment=1,nodes=500", "nodes=1"]
    assert [limits.name for limits in named] == names
    facts = {"move_time": 2, "game_time": 60, "increment": 1, "nodes": 500}
    assert Limits(2, 60, 1, 500).facts == Limits(2, 60, 1, 500).document() == facts
    assert Limits().facts == dict.fromkeys(facts, 0) and Limits().document() == {"move_time": None, "game_time": 0.0}


def test_a_plan_keeps_its_limits_and_differs_by_them() -> None:
    asked = plan(["nim:3,4,5"], ["random", "perfect"], limits=Limits(2, 60))
    again = Plan.from_document(asked.document())
    assert again == asked != plan(["nim:3,4,5"], ["random", "perfect"])
    older = {key: value for key, value in asked.document().items() if not key.endswith("_time")}
    assert Plan.from_document(older).limits == Limits()
    unlimited = plan(["nim:3,4,5"], ["random", "perfect"], limits=Limits(0))
    assert Plan.from_document(unlimited.document()) == unlimited != plan(["nim:3,4,5"], ["random", "perfect"])
    for wrong in ("soon", -1, float("nan"), []):
        with pytest.raises(InputError):
            Plan.from_document({**asked.document(), "move_time": wrong})


def test_a_persons_own_agent_has_half_a_minute_unless_told_otherwise() -> None:
    own, built_in = True, False
    asked = [Limits(), Limits(0), Limits(2)]
    assert [limit and limit.seconds for limit in (limits.now(0, own) for limits in asked)] == [30, MOST, 2]
    assert [limit and limit.seconds for limit in (limits.now(0, built_in) for limits in asked)] == [None, None, 2]


def test_the_next_move_has_the_time_that_its_game_leaves() -> None:
    for limits, spent, limit in (
        (Limits(move=2), 9.0, Limit(2, "2 s", 1.8)), (Limits(move=0.1), 0.0, Limit(0.1, "0.1 s", 0.08)),
        (Limits(move=0.03), 0.0, Limit(0.03, "0.03 s", 0.015)),
        (Limits(game=60), 10.0, Limit(50, "60 s for the game", 5)),
        (Limits(game=60), 61.0, Limit(0, "60 s for the game", 0)), (Limits(2, 60), 57.0, Limit(2, "2 s", 0.3)),
        (Limits(2, 60), 58.0, Limit(2, "2 s", 0.2)), (Limits(2, 60), 58.5, Limit(1.5, "60 s for the game", 0.15)),
        (Limits(2, 6000), 0.0, Limit(2, "2 s", 1.8)), (Limits(100, 2), 0.0, Limit(2, "2 s for the game", 0.2)),
        (Limits(game=86_400), 0.0, None), (Limits(), 0.0, None),
    ):  # fmt: skip
        found = limits.now(spent, False)
        assert (found and (*found[:2], pytest.approx(found[2]))) == (limit and tuple(limit))


class Sitting(Slow, Judged):
    """A program that is only asked; at the end of a game it may be found to have answered wrongly."""

    fault: AgentFault | None = None
    late: AgentFault | None = None

    def finish(self, last: bool) -> None:
        self.ends = [*getattr(self, "ends", []), last]
        if self.fault is not None:
            raise self.fault

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> int:
        if self.late is not None and len(base.legal_moves(state)) == 1:
            raise self.late
        return base.legal_moves(state)[0]

    def end(self) -> None:
        pass


def test_a_program_hears_both_clocks_and_measures_its_own_time() -> None:
    agent = Sitting(0)
    asked = player(agent)
    for limits, clock in (
        (Limits(2, 60, 1, 500), AgentClock(2, 0.5, 50, 57, 1, 500)), (Limits(2), AgentClock(2, 0.5)),
        (Limits(0, 60), AgentClock(2, 0.5, 50, 57)), (Limits(0, 0), AgentClock(2, 0.0)),
    ):  # fmt: skip
        asked.hear(Limit(2, "2 s", 0.5), limits, 10.0, 3.0)
        assert agent.clock == clock
    asked.hear(None, Limits(2, 60), 0.0, 0.0)
    assert agent.clock == AgentClock(2, 0.0), "without a limit it hears nothing"
    agent.taken = 0.25
    patient = [player(one).patience(Limit(2, "2 s", 0.5)) for one in (agent, Slow(0), Late(0))]
    assert (asked.taken(7.0), player(Slow(0)).taken(7.0), patient) == (0.25, 7.0, [None, 2, 0.5])
    assert [player(one).patience(None) for one in (agent, Slow(0), Late(0))] == [None] * 3
    assert [player(one).limited for one in (agent, Slow(0))] == [True, False]


@pytest.mark.parametrize(
    ("place", "earlier", "codes", "own"),
    [(1, True, 1, (1, 0)), (0, True, 0, (0, 0)), (1, False, 2, (1, 1)), (0, False, 2, (1, 1))],
)
def test_a_program_that_erred_before_the_end_loses_there(
    place: int, earlier: bool, codes: int, own: tuple[int, int]
) -> None:
    """Two moves end this game: the wrong answer was the last one, or the one before."""
    game, program = parse_game("nim:1,1"), Sitting(0)
    program.fault = AgentFault("it erred", FaultKind.ILLEGAL, "told", "answer", ("error",), earlier)
    players = (Slow(0), program) if place else (program, Slow(0))
    result = play_match(game, *players, games=3)
    position = ("1,1", "0,1", "0,0")[codes]
    for played, (number, loser, fault) in zip(games(result), result.sums.faults, strict=True):
        assert (len(played.codes()), played.own, played.winner, loser) == (codes, own, 1 - place, place)
        assert fault == ("it erred", "illegal", position, "told", "answer", ("error",)) and number == played.number
    assert program.ends == [False, False, True]
    program.late = AgentFault("its last answer was wrong", FaultKind.ILLEGAL, earlier=True)
    [played] = games(play_match(parse_game("nim:1,1,1"), program, Slow(0), games=1))
    assert (played.codes(), played.own, played.winner) == ([], (0, 0), 1)


def test_a_heartbeat_holds_the_clock_of_a_move_and_chunks_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = Clock()
    monkeypatch.setattr(pairings, "perf_counter", now)
    beat = pairings._Heartbeat(SILENT, 1)
    assert (beat.seconds_left(), beat.taken, beat.preparing) == (inf, 0.0, 0.0)
    beat.begin(5.0)
    now.now += 2
    assert beat.seconds_left() == 3.0
    beat.end()
    assert (beat.seconds_left(), beat.taken) == (inf, 2.0)
    monkeypatch.setattr(pairings, "perf_counter", Ticking())
    chunks = list[Batch]()
    match(MATCHES, "random", "perfect", 600, keep=chunks.append)
    assert [chunk.seconds.sum() for chunk in chunks] == [pytest.approx(0.01)] * len(chunks)


@pytest.mark.parametrize(("matches", "wins"), [(21, (0, 20, 0)), (22, (20, 0, 0))])
def test_perfect_agents_win_from_the_seat_that_theory_names(matches: int, wins: tuple[int, int, int]) -> None:
    """tests/arena/test_judge.py has the other agents of this tournament."""
    for first, second in (("perfect", "value"), ("value", "perfect")):
        result = match(f"subtraction:{matches},3:misere", first, second, 20)
        assert (result.first_wins, result.second_wins, result.draws) == wins


def test_progress_counts_games_and_ends_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = StopAt(31, "games")
    match(MATCHES, "random", "random", 30, progress=reports)
    assert reports.seen[-1] == (30, 30) and len(reports.seen) < 30  # not one for each of so short games
    monkeypatch.setattr(pairings, "BEAT", 0.0)  # a stop is heeded after each move
    reports = StopAt(2, "games")
    play_match(parse_game("nim:1,1,1"), Slow(0), Slow(0), 1, progress=reports)
    assert reports.seen == [(0, 1)] * 3 + [(1, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "long", ["mcts:simulations=1000000", "alphabeta:depth=30", "minimax:depth=9", "mc:playouts=1000000000"]
)
def test_a_search_plays_the_best_it_has_found_when_its_time_is_up(long: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairings, "perf_counter", Ticking())
    game = parse_game("connect4:5x5")
    for limits in (Limits(move=0.5), Limits(game=5.0)):
        result = play_match(game, parse_agent(long, game), parse_agent("random", game), 1, limits=limits)
        assert result.faults == () and result.plies > 6


@pytest.mark.slow
@pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here")
@pytest.mark.parametrize(
    ("how", "said"),
    [("loop", "wayward:loop took longer than 0.2 s"), ("exit", "wayward:exit ended without an answer: exit status 3")],
)
@pytest.mark.usefixtures("own_agents")
def test_a_persons_own_agent_loses_by_a_fault_in_its_process(how: str, said: str) -> None:
    result = against_random(parse_agent(f"wayward:{how}", GAME), 3, move=0.2)
    assert result.faults == (said,) * 3 and result.second_wins == 3


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("/a/bot", "/b/bot", ("cmd:/a/bot", "cmd:/b/bot")),
        ("/a/bot", "/a/bot", ("bot", "bot")),
        ("/a/x", "/b/y", ("x", "y")),
    ],
)
def test_programs_are_called_by_their_paths_where_two_files_have_one_name(
    first: str, second: str, names: tuple[str, str]
) -> None:
    match: Any = SimpleNamespace(agents=(f"cmd:{first}", f"cmd:{second}"))
    assert match_report._names(match) == names
