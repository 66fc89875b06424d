"""Games are dealt out evenly, in pieces that take about as long as they should; the clock, and its words."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from nimtui.arena.play.batch import Batch, Played
from nimtui.arena.play.plan import Plan
from nimtui.arena.standings.ledger import Ledger
from nimtui.jobs import clock
from nimtui.jobs.clock import TRUSTED, Clock, Remaining, compiling_text, duration_text, remaining_text
from nimtui.jobs.job import Snapshot
from nimtui.jobs.tournament import GROWTH, MOST, ROUNDS, TARGET, Deal
from tests.jobs.playing import some_plan

SECONDS = [1e-6, 0.003, 0.004, 0.5, 0.02, 0.0]  # a game takes, by pairing


def ledgers(plan: Plan) -> list[Ledger]:
    return [Ledger(plan, place) for place in range(len(plan.pairings))]


def played(first: int, last: int) -> Batch:
    return Batch.of([Played(n, n % 2, 0, b"", 1, (1, 1), (0, 0), (0, 0), "", 0.1) for n in range(first, last)])


def all_pieces(plan: Plan, deal: Deal) -> list[tuple[int, int, int]]:
    """What is dealt if every piece is played before the next one is asked for."""
    pieces = []
    for piece in deal:
        games = piece.last - piece.first
        pieces.append((piece.pairing, piece.first, piece.last))
        deal.took(piece.pairing, games, games * SECONDS[piece.pairing % len(SECONDS)])
    return pieces


def test_every_game_is_dealt_once_and_of_the_pairing_with_the_fewest_next() -> None:
    plan = some_plan(number=3_000)
    pieces = all_pieces(plan, Deal(plan, ledgers(plan)))
    found = Counter((pairing, number) for pairing, first, last in pieces for number in range(first, last))
    assert len(found) == plan.total and set(found.values()) == {1}
    dealt = Counter(dict.fromkeys(range(len(plan.pairings)), 0))
    for pairing, first, last in pieces:
        assert dealt[pairing] == min(dealt.values())
        dealt[pairing] += last - first


def test_only_what_is_missing_is_dealt() -> None:
    plan = some_plan(number=20)
    entered = ledgers(plan)
    entered[0].add(played(0, 20))
    entered[1].add(played(5, 9))
    entered[1].add(played(12, 20))
    pieces = all_pieces(plan, Deal(plan, entered))
    assert 0 not in {pairing for pairing, _, _ in pieces}
    numbers = [n for pairing, first, last in pieces if pairing == 1 for n in range(first, last)]
    assert numbers == [0, 1, 2, 3, 4, 9, 10, 11]


@pytest.mark.slow
def test_pieces_grow_to_what_takes_as_long_as_it_should() -> None:
    plan = some_plan(number=100_000)
    pieces = all_pieces(plan, Deal(plan, ledgers(plan)))
    for pairing in range(len(plan.pairings)):
        sizes = [last - first for place, first, last in pieces if place == pairing]
        each = SECONDS[pairing % len(SECONDS)]
        assert sizes[0] == 1 and all(later <= GROWTH * former for former, later in pairwise(sizes))
        assert max(sizes) == max(1, min(plan.number // ROUNDS, round(TARGET / each) if each else MOST))


def test_a_pairing_that_is_decided_gets_no_more() -> None:
    plan = some_plan("elo0=0,elo1=100", 200)
    entered = ledgers(plan)
    deal = Deal(plan, entered)
    piece = next(deal)
    assert piece.pairing == 0
    deal.again(piece)
    assert next(deal) == piece, "a piece that is given back is dealt again"
    entered[1].add(played(0, 200))  # all won
    assert entered[1].decided
    assert 1 not in {piece.pairing for piece in deal}


def test_what_is_left_takes_as_long_as_what_was_played() -> None:
    plan = some_plan(number=10, agents=["random", "perfect", "awkward:slow"])
    entered = ledgers(plan)
    deal = Deal(plan, entered)
    assert deal.left() is None and deal.next_seconds() is None
    deal.took(0, 2, 4.0)
    assert deal.left() == pytest.approx(60 * 2.0)  # as if all were like the one seen
    entered[0].add(played(0, 2))
    deal.took(1, 1, 8.0)
    assert deal.left() == pytest.approx(8 * 2.0 + 10 * 8.0 + 40 * 5.0)
    assert deal.next_seconds() == pytest.approx(2.0)
    again = Deal(plan, ledgers(plan), [(10, 20.0 * at) for at, _ in enumerate(entered)])  # of earlier runs
    assert again.left() == pytest.approx(sum(10 * 2.0 * at for at, _ in enumerate(entered)))


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    moment = np.array([1000.0])
    monkeypatch.setattr(clock, "monotonic", lambda: float(moment[0]))
    return moment


def test_a_clock_stands_still_in_a_pause(now: np.ndarray) -> None:
    kept = Clock(10.0)
    assert kept.seconds == 10.0
    now += 5
    kept.go()
    now += 2
    with kept.resting():
        now += 100
        kept.did(4, 2.0)
    now += 2
    assert kept.seconds == pytest.approx(14.0)
    assert kept.rate == pytest.approx(1.0) and kept.speed == pytest.approx(0.5)
    kept.rest()
    with kept.resting():
        now += 7
    assert kept.seconds == pytest.approx(14.0)


def test_a_rate_is_of_late_and_looks_back_farther_at_slow_games(now: np.ndarray) -> None:
    kept = Clock()
    kept.go()
    assert kept.rate == 0.0
    for _ in range(100):
        now += 1
        kept.did(1, 2.0)
    for _ in range(100):
        now += 0.1
        kept.did(5, 0.2)
    assert kept.rate == pytest.approx(50, rel=0.05) and kept.speed == pytest.approx(2.0)
    slow = Clock()
    slow.go()
    for _ in range(30):
        now += 20
        slow.did(1, 20.0)
        assert slow.rate == pytest.approx(0.05)


def test_what_is_to_come_is_not_foretold_before_it_is_sure(now: np.ndarray) -> None:
    kept = Clock()
    kept.go()
    now += 1
    kept.did(9, 0.5)
    assert kept.rate == pytest.approx(9.0) and kept.speed == 0.0
    kept.begin()
    now += 2.5
    kept.did(500, 5.0)
    assert kept.rate == pytest.approx(200.0) and kept.speed == pytest.approx(2.0)


def test_a_duration_in_plain_words_and_what_is_unknown_or_over_at_once_is_not_told() -> None:
    for seconds, text in (
        (9.9, "a few seconds"), (10, "about 10 s"), (89.9, "about 90 s"), (90, "about 2 min"), (149, "about 2 min"),
        (5399, "about 90 min"), (5400, "about 2 h"), (36_000, "about 10 h"),
    ):  # fmt: skip
        assert duration_text(seconds) == text and remaining_text(seconds) == f"{text} left"
    assert remaining_text(None) == remaining_text(1.99) == "" and remaining_text(2) == "a few seconds left"


def test_the_time_left_is_that_of_the_present_work_at_its_pace() -> None:
    left = Remaining()
    assert left.seen(Snapshot(10, 100, "games"), 1_000.0) is None
    assert left.seen(Snapshot(20, 100, "games"), 1_000.0 + TRUSTED - 0.01) is None
    assert left.seen(Snapshot(10, 100, "games"), 1_010.0) is None, "nothing was done"
    assert left.seen(Snapshot(30, 100, "games"), 1_010.0) == pytest.approx(70 * 10 / 20)
    assert left.seen(Snapshot(120, 100, "games"), 1_010.0) == 0.0
    assert left.seen(Snapshot(30, 90, "games"), 1_011.0) is None, "another amount is other work"
    assert left.seen(Snapshot(30, 0, "moves"), 1_020.0) is None and left.seen(Snapshot(60, 0, "moves"), 1_040.0) is None


def test_the_compiler_says_how_many_kernels_are_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = [None, None]
    monkeypatch.setattr(clock, "activity", SimpleNamespace(compiling=lambda: found[0], orders=lambda: found[1]))
    assert compiling_text() == ""
    found[0] = "first_moves"
    assert compiling_text() == "compiling the engine, once"
    for total, kernels in ((1, "1 kernel"), (3, "3 kernels")):
        found[1] = SimpleNamespace(done=1, total=total, seconds=3.6)
        assert compiling_text() == f"compiling the engine, once: 1 of {kernels}, 4 s"
