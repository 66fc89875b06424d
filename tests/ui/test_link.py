"""The link paces itself: what is under way stays small where it is slow."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

import pytest

from nimtui.ui.app.painting import FIRST, LATE, LEAST, LOST, MEMORY, PROMPT, UNKNOWN, Link
from nimtui.ui.kit.widgets.bars import Header
from tests.ui.conftest import screen_text
from tests.ui.playing import until

MakeApp = Callable[..., Any]


class Wire:
    """A link with a rate in bytes a second and a round trip in seconds, and its clock."""

    def __init__(self, rate: float, trip: float) -> None:
        self.now, self.rate, self.trip = 0.0, rate, trip
        self.link = Link(lambda: self.now)
        self._free = 0.0
        self._answers: deque[float] = deque()
        self.send(0)

    def send(self, size: float) -> float:
        """Send a frame; return when it is on the screen."""
        self._free = max(self._free, self.now) + size / self.rate
        self._answers.append(self._free + self.trip)
        self.link.sent(int(size))
        return self._free + self.trip / 2

    def until(self, time: float) -> None:
        while self._answers and self._answers[0] <= time:
            self.now = self._answers.popleft()
            self.link.answered(self.now)
        self.now = time

    def busy(self, seconds: float, frame: float) -> Iterator[float]:
        """Send as much as there is room for, 15 times a second; yield the sizes."""
        until = self.now + seconds
        while self.now < until:
            self.until(self.now + 1 / 15)
            if (room := self.link.room()) > 0:
                size = min(frame, room)
                self.send(size)
                yield size


@pytest.mark.parametrize(
    ("rate", "trip", "frame"), [(4_000, 0.3, 20_000), (4_000, 0.05, 1_000), (16_000, 0.05, 20_000)]
)
def test_on_a_slow_link_a_key_is_seen_within_a_round_trip_and_two_slices(
    rate: float, trip: float, frame: float
) -> None:
    wire = Wire(rate, trip)
    sizes = list(wire.busy(30, frame))
    assert (max(sizes[len(sizes) // 2 :]) <= LEAST and wire.link.slow) or frame <= LEAST
    for _ in range(20):
        list(wire.busy(1.37, frame))
        assert wire.link.room(urgent=True) > 0  # it never waits for an answer
        seen = wire.send(min(400, wire.link.room(urgent=True))) - wire.now
        assert seen <= trip / 2 + LATE + (2 * LEAST + 400) / rate
    assert sum(sizes[len(sizes) // 2 :]) > min(0.4 * rate, 15 * frame) * 15  # and it is used


def test_a_slow_link_stays_slow_for_small_frames_and_is_used_when_it_becomes_fast_again() -> None:
    wire = Wire(4_000, 0.3)
    list(wire.busy(20, 5_000))
    for _ in range(100):  # one at a time, each answered
        wire.send(100)
        wire.until(wire.now + 1)
    assert wire.link.slow and wire.link.room() <= LEAST
    wire.rate = 1_000_000
    list(wire.busy(60, 5_000))
    assert not wire.link.slow


def test_on_a_fast_link_nothing_waits_and_a_single_stall_does_not_make_it_slow_for_long() -> None:
    wire = Wire(2_000_000, 0.15)
    list(wire.busy(5, 30_000))
    assert not wire.link.slow and wire.link.room() > 30_000
    wire = Wire(2_000_000, 0.01)
    wire.until(1)
    wire.send(300)
    wire.now += 0.3  # nothing is heard meanwhile
    while wire._answers:
        wire._answers.popleft()
        wire.link.answered(wire.now)
    assert wire.link.slow
    list(wire.busy(2, 400))  # small frames
    assert not wire.link.slow


def test_a_terminal_that_never_answers_gets_everything() -> None:
    now = [0.0]
    link = Link(lambda: now[0])
    link.sent(0)
    assert link.room() == FIRST and link.wait() == UNKNOWN
    link.sent(FIRST)
    assert link.room() <= 0
    now[0] = UNKNOWN
    assert link.room() == inf and link.wait() is None
    link.sent(100_000)
    assert link.room() == inf


def test_a_lost_answer_holds_the_picture_for_seconds_at_most() -> None:
    wire = Wire(4_000, 0.3)
    list(wire.busy(10, 5_000))
    wire._answers.clear()  # they are lost
    while wire.link.room() > 0:
        wire.link.sent(LEAST)
    wire.now += LOST
    assert wire.link.room() == LEAST
    wire.link.answered(wire.now)  # nothing is open: late
    assert wire.link.under_way == 0


def test_the_window_follows_each_answer_by_its_round_trip_and_its_bytes() -> None:
    now = [100.0]
    link = Link(lambda: now[0])
    for _ in range(5):  # unasked
        link.answered(100.0)
    assert link.round_trip == inf and not link.slow

    def trip(size: int, seconds: float) -> int:
        link.sent(size)
        assert link.under_way == size
        now[0] += seconds
        link.answered(now[0])
        link.answered(now[0])  # twice
        assert link.under_way == 0
        return link._window

    assert trip(0, 0.25) == FIRST and link.round_trip == 0.25  # nothing was under way: that tells nothing of the rate
    assert trip(100, 0.25) == 2 * FIRST == link.room()
    assert trip(100, 0.249 + LATE) == 2 * FIRST  # not late yet
    assert trip(100, 0.251 + LATE) == FIRST and not link.slow
    assert trip(100, 0.251 + LATE) == FIRST // 2 and link.slow
    assert trip(FIRST // 2, 0.251 + PROMPT) == FIRST // 2  # neither late nor prompt
    assert trip(FIRST // 2, 0.249 + PROMPT) == FIRST // 2 + LEAST  # slowly up again
    assert [trip(100, 1) for _ in range(5)][-2:] == [LEAST, LEAST] == [link.room(), link.room(urgent=True)]
    link.sent(LEAST)
    assert (link.room(), link.room(urgent=True)) == (0, LEAST)
    now[0] += MEMORY + 1
    link.answered(now[0])
    assert link.round_trip == 0.25  # that of the last period
    trip(0, 0.5)
    now[0] += MEMORY + 1
    trip(0, 0.375)
    assert link.round_trip == 0.375


async def test_a_slow_link_is_told_at_the_top_where_there_is_room(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        now = [0.0]
        slow = Link(lambda: now[0])
        for _ in range(20):  # a round trip of 0.1 s, then frames that take 5 s
            for size, seconds in ((0, 0.1), (5_000, 5)):
                slow.sent(size)
                now[0] += seconds
                slow.answered(now[0])
        for link, width, told in ((slow, 120, True), (slow, 60, False), (Link(), 120, False)):
            app.link = link
            await pilot.resize_terminal(width, 24)
            app.screen.query_one(Header).look()
            await until(pilot, lambda told=told: ("slow link" in screen_text(app).splitlines()[0]) is told)
