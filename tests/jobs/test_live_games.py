"""Looking on at what workers play: seen across processes, never torn, never for more than it is."""

from __future__ import annotations

import random
import threading
from functools import partial

import pytest

from nimtui.jobs import live_games, tournament
from nimtui.jobs.live_games import LONGEST, LiveGame, Slot, Window, take
from nimtui.jobs.processes import executor
from nimtui.jobs.tournament import Tournament
from tests.jobs.playing import Looking, some_plan


@pytest.fixture
def slot() -> Slot:
    return Slot(memoryview(bytearray(Slot.SIZE)))


def test_what_was_shown_is_seen_once(slot: Slot) -> None:
    assert slot.seen() is None
    slot.show(3, 2**40, [5, 0, 32_000])
    assert slot.seen() == LiveGame(3, 2**40, (5, 0, 32_000))
    slot.show(0, 0, [])
    assert slot.seen() == LiveGame(0, 0, ())
    slot.clear()
    assert slot.seen() is None
    slot.show(0, 1, list(range(2 * LONGEST)))  # of a long game the first moves are seen
    assert slot.seen() == LiveGame(0, 1, tuple(range(LONGEST)))
    window = Window(1)
    first, second = window._slots  # a worker that died has left its game behind; another one plays it again
    first.show(0, 7, [1, 2])
    second.show(0, 7, [1])
    assert window.playing() == [LiveGame(0, 7, (1, 2))]


def test_only_so_many_a_second_are_written(slot: Slot, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(live_games, "monotonic", lambda: now)
    written = []
    for _ in range(10_000):
        now += 0.001
        slot.show(0, round(now * 1000), [])
        written.append(slot.seen())
    assert len(set(written)) == pytest.approx(10 * live_games.RATE, abs=live_games.BURST + 1)
    now += 10.0
    for number in (1, 2, 3):  # quick replies after a long thought are seen
        slot.show(0, number, [])
        assert slot.seen() == LiveGame(0, number, ())


def test_what_is_half_written_is_not_seen() -> None:
    """Memory that is copied while somebody writes: whatever is seen was shown as a whole."""
    memory, changed = bytearray(Slot.SIZE), bytearray(Slot.SIZE)
    before, after = Slot(memoryview(memory)), Slot(memoryview(changed))
    before.show(1, 10, [1, 2, 3])
    after.show(1, 10, [1, 2, 3, 4])
    whole = {before.seen(), after.seen()}
    rng, seen = random.Random(1), set()
    for _ in range(500):
        mixed = bytearray(memory)
        cut = rng.randrange(80)
        mixed[cut:] = changed[cut:]
        if rng.random() < 0.5:
            mixed[:8] = changed[:8]
        seen.add(Slot(memoryview(mixed)).seen())
    assert None in seen and seen - {None} <= whole


def test_somebody_writes_all_the_time(slot: Slot) -> None:
    ended = threading.Event()

    def write() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            slot._write(number, number, number % 50, *[number] * (number % 50))

    writer = threading.Thread(target=write)
    writer.start()
    found = list[LiveGame]()
    while len(found) < 500:  # most of what is read
        found += filter(None, [slot.seen()])
    ended.set()
    writer.join()
    assert all(set(game.moves) <= {game.number} for game in found)
    assert all(game.pairing == game.number and len(game.moves) == game.number % 50 for game in found)


def show(number: int) -> bool:
    """In a worker."""
    slot = live_games.own
    if slot is not None:
        slot.show(number, number, [number])
    return slot is not None


@pytest.mark.slow
def test_workers_are_seen_by_their_parent() -> None:
    window = Window(2)
    assert live_games.own is None and window.playing() == []
    with executor(2, first=partial(take, *window.shared)) as workers:
        assert all(workers.submit(show, number).result() for number in range(6))
    found = window.playing()
    assert 1 <= len(found) <= 2 and all(game == LiveGame(game.number, game.number, (game.number,)) for game in found)
    assert not show(1)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_tournament_shows_what_is_played(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "WORTH", 0.0)
    monkeypatch.setattr(tournament, "SURE", 0.0)
    plan = some_plan(agents=["awkward:slow", "random"], number=4)
    played = Tournament(plan, workers=workers)
    looking = Looking(played)
    view = played.work(looking)
    seen = [game for shown in looking.views for game in shown.playing]
    assert seen and all(game.pairing < 2 and game.number < 4 and game.moves for game in seen)
    for shown in looking.views:
        assert len({game[:2] for game in shown.playing}) == len(shown.playing) <= workers + 1
    assert view.playing == ()
