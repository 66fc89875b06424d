"""Random games: how often they are won, in any chunks, in rounds under a clock; games without an end; the generator."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.play.match import play_match
from nimtui.engine import activity, limits, playouts, rng
from nimtui.engine.jit import kernel
from nimtui.engine.limits import Pace, in_chunks
from nimtui.engine.playouts import DONE, PLY, Pick, Tally, rounds
from nimtui.engine.rng import GAMMA, Stream, below, bits60, draw_below, draw_bits60, draw_share, ground, mix, start
from nimtui.games import base, parse_game, registry
from nimtui.progress import Progress, TimeUp
from nimtui.trees import parse, search_of
from tests.agents.chance import plausible
from tests.games import hanging
from tests.games.refusal import refusal
from tests.stops import Noted

RULES = ["nim:1,3,5", "nim:9,2:max=3:misere", "adjacent:1,3,5", "connect:5x4x3", "noughts:4x3x3", "chomp:4x5"]


@pytest.mark.parametrize("name", RULES)
def test_games_are_those_that_the_rules_play_by_a_stream_in_any_pieces(name: str) -> None:
    game = parse_game(name)
    for casually in (False, True):
        stream, told = Stream(3), [0, 0, 0, 0]
        while told[0] < 20:
            state, plies, result = game.new(), 0, base.GOING_ON
            while result == base.GOING_ON:
                drawn = base.casual(state, stream.bits60()) if casually else stream.choose(base.legal_moves(state))
                base.play(state, drawn)
                plies, result = plies + 1, int(base.outcome(state))
            told[0] += 1
            told[1] += result == (base.WON if plies % 2 else base.LOST)
            told[2] += result == base.DRAW
        for play, pieces in ((playouts.playouts, 10**6), (playouts.playouts, 7), (playouts.playouts.py_func, 7)):
            counts, again, scratch = np.zeros(playouts.NUMBERS, np.int64), Stream(3), game.new()
            with np.errstate(over="ignore"):
                while counts[DONE] < 20:  # in pieces that end within a game
                    play(scratch, game.start.board, 20, casually, again.counter, counts, pieces)
            assert (counts.tolist(), again.counter) == (told, stream.counter)


@pytest.mark.parametrize("name", RULES)
def test_compiled_and_interpreted_rules_play_the_same_games_in_any_pieces(name: str) -> None:
    game = parse_game(name)
    for casually in (False, True):
        streams, states = (Stream(3), Stream(3)), (game.new(), game.new())
        fast, slow = np.zeros((2, playouts.NUMBERS), np.int64)
        playouts.playouts(states[0], game.start.board, 20, casually, streams[0].counter, fast, 10**6)
        with np.errstate(over="ignore"):
            while slow[DONE] < 20:  # in pieces that end within a game
                playouts.playouts.py_func(states[1], game.start.board, 20, casually, streams[1].counter, slow, 7)
        assert fast.tolist() == slow.tolist() and fast[DONE] == 20 and fast[PLY] == 0
        assert streams[0].counter == streams[1].counter


@pytest.mark.parametrize("name", ["nim:1,3", "connect:1x3x3"])
def test_so_many_random_moves_are_those_of_a_stream_unless_the_game_ends_before(name: str) -> None:
    game, scratch = parse_game(name), parse_game(name).new()
    for plies in (0, 1, 2, 3, 4, 7):
        state, streams, on = game.new(), (Stream(plies), Stream(plies)), True
        for _ in range(plies):
            if on := base.outcome(state) == base.GOING_ON:
                base.play(state, streams[1].choose(base.legal_moves(state)))
        goes_on = playouts.reach(scratch, game.start.board, plies, streams[0].counter)
        assert goes_on == (on and base.outcome(state) == base.GOING_ON)
        assert scratch.board.tolist() == state.board.tolist() and streams[0].counter == streams[1].counter


@cache
def random_wins(rows: tuple[int, ...]) -> float:
    """Independent: the chance that the player to move wins a uniformly random game of neighbours in normal play."""
    after = []
    for at, row in enumerate(rows):
        for take in range(1, row + 1):
            for left in range(row - take + 1):
                parts = [part for part in (left, row - take - left) if part]
                after.append(random_wins(tuple(sorted((*rows[:at], *parts, *rows[at + 1 :])))))
    return 1 - math.fsum(after) / len(after) if after else 0.0


def test_playouts_win_as_often_as_theory_says() -> None:
    # Nim: exactly one half while a row of two or more stands, however the random move is drawn.
    for name, chance in (("nim:1,2,3", 0.5), ("adjacent:3", random_wins((3,))), ("nim:1,1", 0.0)):
        for pick in Pick:
            wins, draws = playouts.count_playouts(parse_game(name).new(), 2_000, Stream(1), pick)
            assert draws == 0 and plausible(wins, 2_000, chance)
    assert abs(random_wins((3,)) - 0.5) > 0.05
    # source: all 255,168 games of noughts and crosses; random ones are won in 58.5, lost in 28.8 of 100
    wins, draws = playouts.count_playouts(parse_game("noughts").new(), 1_000, Stream(2))
    assert plausible(wins, 1_000, 0.5849) and plausible(draws, 1_000, 0.1270)
    for position, result in (("xxx/oo./...", (0, 0)), ("xxo/oox/xxo", (0, 9))):
        assert playouts.count_playouts(parse_game("noughts").new(position), 9, Stream(0)) == result
    over = parse_game("nim:1:misere").new("0")
    counts = np.zeros(playouts.NUMBERS, np.int64)
    playouts.play_on(over, 9, Stream(0), Pick.UNIFORM_MOVE, counts)
    assert counts.tolist() == [9, 9, 0, 0], "who would have to move has won, and no game goes on"


def test_playouts_win_as_often_as_theory_says_and_report(monkeypatch: pytest.MonkeyPatch) -> None:
    # source: all 255,168 games of noughts and crosses; random ones are won in 58.5, lost in 28.8 of 100
    wins, draws = playouts.count_playouts(parse_game("noughts").new(), 1_000, Stream(2))
    assert plausible(wins, 1_000, 0.5849) and plausible(draws, 1_000, 0.1270)
    for position, result in (("xxx/oo./...", (0, 0)), ("xxo/oox/xxo", (0, 9))):
        assert playouts.count_playouts(parse_game("noughts").new(position), 9, Stream(0)) == result
    ends, noted, counts = list[int](), Noted(), np.zeros(playouts.NUMBERS, np.int64)
    monkeypatch.setattr(limits.Pace, "begin", lambda *_: 1)  # ply of a call
    monkeypatch.setattr(limits.Pace, "end", lambda pace, done: ends.append(done))
    playouts.play_on(parse_game("nim:1,1").new(), 2, Stream(0), Pick.UNIFORM_MOVE, counts, noted)  # two plies each
    assert (ends, noted.lines) == ([1, 1, 1, 0], [(done, 2, "playouts") for done in (0, 1, 1, 2)])
    over = parse_game("nim:1:misere").new("0")
    counts = np.zeros(playouts.NUMBERS, np.int64)
    playouts.play_on(over, 9, Stream(0), Pick.UNIFORM_MOVE, counts)
    assert counts.tolist() == [9, 9, 0, 0], "who would have to move has won, and no game goes on"


def test_flat_monte_carlo_counts_for_the_player_who_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    state = parse_game("nim:2,1:misere").new()  # a2 leaves one match: the opponent must take it and loses
    tallies = {tally.move: tally for tally in playouts.flat_monte_carlo(state, 50, Stream(2))}
    assert tallies[1] == Tally(1, 50, 0, 0) and (tallies[1].value, tallies[1].playouts) == (1.0, 50)
    assert playouts.flat_monte_carlo(parse_game("nim:1").new(), 10, Stream(0)) == [Tally(0, 10, 0, 0)]
    assert (Tally(0, 1, 3, 4).value, Tally(0, 0, 0, 0).value) == (-0.25, 0.0)
    assert state.board.tolist() == parse_game("nim:2,1:misere").start.board.tolist()
    results = set()
    for chunk in (1, 37, 50_000):
        monkeypatch.setattr(playouts, "CHUNK", chunk)
        stream = Stream(9)
        found = playouts.flat_monte_carlo(parse_game("connect:4x4x4").new(), 20, stream, Pick.ROW_THEN_COUNT)
        results.add((tuple(found), int(stream.counter[0])))
    assert len(results) == 1


# Rounds.


@pytest.mark.parametrize(
    ("seconds", "first"), [(100.0, [(0, 1), (0, 1000), (1000, 2000)]), (1.0, [(0, 1), (1, 4), (4, 16)])]
)
def test_a_round_with_a_clock_fits_into_the_time_left(seconds: float, first: list[tuple[int, int]]) -> None:
    now, done = [seconds], []
    for before, after in rounds(10**9, lambda: now[0]):
        now[0] -= 0.001 * (after - before)  # a thousand playouts a second
        done.append((before, after))
    assert done[:3] == first and 0 < now[0] < 0.0021, "until half of the time left is less than a playout"
    assert done[-1][1] == pytest.approx(1000 * seconds, rel=0.01)


def test_without_a_clock_a_round_doubles_the_playouts() -> None:
    assert list(rounds(5_000, lambda: math.inf)) == [(0, 1000), (1000, 2000), (2000, 4000), (4000, 5000)]
    assert list(rounds(7, lambda: math.inf)) == [(0, 7)] and list(rounds(0, lambda: math.inf)) == []
    assert list(rounds(1000, lambda: math.inf)) == [(0, 1000)]


class Clock(Progress):
    """Time that a report takes a part of, up when none is left."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.lines: list[tuple[float, float]] = []

    def report(self, done: float, total: float, what: str = "") -> None:
        self.lines.append((done, total))
        self.seconds -= 1
        if self.seconds < 0:
            raise TimeUp

    def seconds_left(self) -> float:
        return self.seconds


@pytest.mark.parametrize(
    ("seconds", "counts"),
    [(0, [1, 0, 0]), (1, [1, 1, 0]), (2, [1, 1, 1]), (4, [1, 1, 1]), (60, [9, 9, 9]), (math.inf, [9, 9, 9])],
)
def test_a_round_that_the_time_interrupts_does_not_count_unless_it_is_the_first(
    seconds: float, counts: list[int]
) -> None:
    clock, table, stream = Clock(seconds), np.zeros((3, playouts.NUMBERS), np.int64), Stream(1)

    def play(at: int, until: int, part: Progress) -> None:
        table[at, DONE] = until
        stream.bits60()
        part.report(until, until)

    playouts.in_rounds(9, table, play, stream, clock)
    assert table[:, DONE].tolist() == counts
    first = 27 if seconds == math.inf else 3
    assert clock.lines[0] == (first / 3, 27) and all(done <= total == 27 for done, total in clock.lines)
    if seconds > 9:
        assert clock.lines[-3:] == [(9, 27), (18, 27), (27, 27)] and stream.bits60() == after(3)


def after(draws: int) -> int:
    """The number that follows so many, with rounds from the start anew."""
    stream = Stream(1)
    return [stream.bits60() for _ in range(draws + 1)][-1]


# The pace of chunks.


def test_chunks_follow_the_speed_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(limits, "perf_counter", lambda: now[0])
    monkeypatch.setattr(limits, "_learned", {})

    def work(of: Pace, times: int, seconds_a_unit: float) -> list[int]:
        sizes = []
        for _ in range(times):
            sizes.append(of.begin())
            now[0] += sizes[-1] * seconds_a_unit
            of.end(sizes[-1])
        return sizes

    slow = Pace("a kind", 1_600)
    assert work(slow, 4, 0.0099) == [101, 3, 3, 3]  # at first a part of what is usual, then what takes 0.02 s
    assert Pace("a kind", 1_600).units == 3, "the next work of the kind begins so"
    quick = Pace("another", 1_600, 10_000)
    assert work(quick, 5, 1e-9) == [101, 405, 1_621, 6_485, 10_000] and Pace("another", 1_600).units == 1_600
    assert [quick.begin(seconds) for seconds in (math.inf, 9.0, 0.4, 0.2, 0.0, -1.0)] == [10_000] * 3 + [5_000, 1, 1]
    now[0] += 1.0
    quick.end(0)  # the work ended early: this time says little
    now[0] -= 1.0
    quick.begin()
    now[0] += 0.001
    quick.end(50)
    assert quick.units == 10_000
    quick.begin()
    now[0] += 0.0999
    quick.end(50)  # early, but slow
    assert quick.units == 11


def test_work_in_chunks_covers_everything_once_and_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_learned", {})
    monkeypatch.setattr(limits, "perf_counter", lambda: 0.0)
    chunks, clock = list[tuple[int, int]](), Clock(99)

    def cover(into: list[tuple[int, int]], first: int, last: int) -> None:
        into.append((first, last))

    in_chunks(cover, (chunks,), 100, clock, "things", chunk=32)
    assert chunks == [(0, 3), (3, 16), (16, 69), (69, 100)]
    assert clock.lines == [(3, 100), (16, 100), (69, 100), (100, 100)]
    in_chunks(cover, (chunks,), 0)
    assert len(chunks) == 4


def test_what_is_compiled_and_ordered_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert activity.compiling() is None and activity.orders() is None
    told = list[bool]()
    monkeypatch.setattr(activity.stopping, "compiles", told.append)
    with activity.waiting("other"):
        assert activity.compiling() == "other"
        activity.begin("outer")
        activity.begin("inner")
        assert activity.compiling() == "outer"
        activity.end()
        activity.end()
        assert activity.compiling() == "other" and told == [True, True, False, False]
    assert activity.compiling() is None
    activity.ordered()
    activity.ordered()
    activity.delivered()
    orders = activity.orders()
    assert orders is not None and orders[:2] == (2, 1) and 0 <= orders.seconds < 60
    activity.delivered()
    activity.ordered()
    assert activity.orders() is not None and activity.orders()[:2] == (1, 0)  # type: ignore[index]
    activity.delivered()
    assert activity.orders() is None


# Games without an end.

ENDLESS = "no end after 10,000 moves: hanging:endless may be endless"


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: playouts.count_playouts(game.new(), 1, Stream(0)),
        lambda game: search_of(game, game.start, parse("mcts:simulations=10")).run(),
        pytest.param(lambda game: play_match(game, *[parse_agent("random", game)] * 2, 1), marks=pytest.mark.slow),
        *(
            pytest.param(
                lambda game, name=name: parse_agent(name, game).decide(game.new(), Stream(0)), marks=pytest.mark.slow
            )
            for name in ("mc:pick=row-then-count", "mcts:simulations=50", "mcts:time=60")
        ),
    ],
)
def test_what_plays_games_out_says_that_a_game_has_no_end(ask: Callable[[object], object]) -> None:
    registry.add(hanging)
    assert refusal(ask, parse_game("hanging:endless")) == ENDLESS


# The generator: the published numbers of splitmix64, the same interpreted and compiled, independent streams.


@kernel
def draw_shared(rng, numbers, shares):  # type: ignore[no-untyped-def]
    numbers[0] = draw_bits60(rng)
    numbers[1], numbers[2] = draw_below(rng, 7), draw_below(rng, 4_000_000_000)
    shares[0] = draw_share(rng)


def test_it_gives_the_published_numbers_of_splitmix64() -> None:
    # Source: the reference implementation of splitmix64 by Sebastiano Vigna, seeded with 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    stream = Stream(0)
    stream.counter[0] = 1234567
    assert [stream.bits64() for _ in published] == published
    stream.counter[0] = 1234567
    assert [stream.bits60(), stream.below(10), stream.share()] == [
        published[0] >> 4,
        (published[1] >> 32) * 10 >> 32,
        (published[2] >> 11) / 2**53,
    ]
    assert stream.choose("abcdefghij") == "abcdefghij"[(published[3] >> 32) * 10 >> 32]
    counter = np.uint64(1234567)
    with np.errstate(over="ignore"):
        for number in published:
            counter += GAMMA
            assert (mix(counter), bits60(mix(counter))) == (number, number >> 4)
            assert below(mix(counter), 6) == (number >> 32) * 6 >> 32
        assert [rng.drawn(np.uint64(1234567), at) for at in (np.uint64(1234567), counter)] == [0, 4]


def test_a_stream_starts_at_its_place_of_a_seed() -> None:
    with np.errstate(over="ignore"):
        assert ground(5) == mix(np.uint64(5) + GAMMA) and ground(-1) == mix(np.uint64(2**64 - 1) + GAMMA)
        for seed, stream in ((0, 0), (5, 0), (5, 3), (-1, 2**40), (2**200, 1)):
            at = mix(np.uint64(ground(seed)) + np.uint64(stream) * GAMMA)
            assert start(seed, stream)[0] == Stream(seed, stream).counter[0] == at
            assert stream or start(seed)[0] == Stream(seed).counter[0] == at
    assert Stream(-1).bits64() != Stream(2**200).bits64()


def test_compiled_numbers_are_those_of_a_stream() -> None:
    compiled, interpreted, plain = Stream(9), Stream(9), Stream(9)
    fast, slow, shares = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros((2, 1))
    draw_shared(compiled.counter, fast, shares[0])
    draw_shared.py_func(interpreted, slow, shares[1])  # interpreted, a generator is a Stream
    told = [plain.bits60(), plain.below(7), plain.below(4_000_000_000), plain.share()]
    assert [*fast.tolist(), *shares[0]] == [*slow.tolist(), *shares[1]] == told
    assert compiled.counter == interpreted.counter == plain.counter


@kernel
def draw(counter, out, n):  # type: ignore[no-untyped-def]
    x = counter[0]
    for i in range(out.shape[0]):
        x += GAMMA
        out[i] = below(mix(x), n) if n else bits60(mix(x))
    counter[0] = x


def test_many_compiled_numbers_are_those_of_a_stream() -> None:
    for n in (0, 1, 7, 4_000_000_000):
        compiled, plain = Stream(5, 3), Stream(5, 3)
        numbers = np.zeros(50, np.int64)
        draw(compiled.counter, numbers, n)
        assert numbers.tolist() == [plain.below(n) if n else plain.bits60() for _ in range(50)]
        assert compiled.counter == plain.counter


def test_streams_and_seeds_differ_and_are_even() -> None:
    assert len({Stream(seed, stream).bits64() for seed in range(30) for stream in range(30)}) == 900
    counts = np.bincount([Stream(seed, stream).below(6) for seed in range(60) for stream in range(100)], minlength=6)
    # 6,000 throws of a die: chi-square with 5 degrees of freedom is below 25.7 with probability 0.9999
    assert ((counts - 1000) ** 2 / 1000).sum() < 25.7
