"""Signals that end work in order, and the two watchers of work that does not hear them; with clocks of their own."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.process import detached, stopping, watchdog
from nimtui.process.stopping import Stoppable
from nimtui.process.watchdog import ANSWER, ASLEEP, HIDDEN, PATIENCE, QUESTION, REST, SAVED, SAVING, SHOWN, UNREAD
from nimtui.progress import Cancelled

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
TERM, USER = int(signal.SIGTERM), int(signal.SIGUSR1)


class Dog(watchdog.Watchdog):
    """A watchdog of a program whose processor time and state a test sets. It notes what it asks, and each end."""

    def __init__(self, terminal: str = "") -> None:
        super().__init__(os.getpid(), -1, {}, terminal, [TERM, int(signal.SIGINT)])
        self.asked: list[int] = []
        self.ended, self.time, self.stopped = 0, 0.0, False

    def _used(self) -> float | None:
        return self.time

    def _suspended(self) -> bool:
        return self.stopped

    def _end(self) -> None:
        self.ended += 1

    def looks(self, many: int, key: bool = False) -> int:
        """Look so often; return how often it has ended the program."""
        for _ in range(many):
            self._look(key)
        return self.ended

    def hear(self, *numbers: int) -> None:
        self._hear(bytes(numbers))


@pytest.fixture
def dog(monkeypatch: pytest.MonkeyPatch) -> Dog:
    made = Dog()
    monkeypatch.setattr(watchdog.os, "write", lambda file, text: made.asked.extend(text) if file == 1 else None)
    return made


def test_a_program_that_works_without_an_answer_is_ended_soon_one_that_sleeps_later(dog: Dog) -> None:
    dog.hear(TERM)
    assert dog.asked == [TERM]
    dog.time = watchdog.WORKED
    assert (dog.looks(PATIENCE - 1), dog.looks(1)) == (0, 1)
    sleeping = Dog()
    sleeping.hear(TERM)
    sleeping.time = watchdog.WORKED - 0.01
    assert (sleeping.looks(ASLEEP - 1), sleeping.looks(1)) == (0, 1)
    leaving = Dog()
    leaving.hear(HIDDEN, TERM)
    leaving.time = 9.0
    assert (leaving.looks(ASLEEP - 1), leaving.looks(1)) == (0, 1), "it only tidies up"


def test_an_answer_gives_it_rest_and_then_it_is_asked_again(dog: Dog) -> None:
    dog.hear(USER)
    assert dog.asked == [USER] and dog.looks(2 * ASLEEP) == 0, "not told to stop"
    dog.hear(ANSWER, TERM, ANSWER)
    dog.asked.clear()
    dog.looks(REST - 1)
    assert dog.asked == []
    dog.looks(1)
    assert dog.asked == [QUESTION]
    dog.time += 1
    assert (dog.looks(PATIENCE - 1), dog.looks(1)) == (0, 1)


def test_it_is_not_ended_while_it_saves_or_is_suspended(dog: Dog) -> None:
    dog.hear(SAVING, SAVING, TERM, SAVED)
    dog.time = 9.0
    assert dog.looks(2 * ASLEEP) == 0
    dog.hear(SAVED)  # and it has its time from then on
    dog.time = 18.0
    assert (dog.looks(PATIENCE - 1), dog.looks(1)) == (0, 1)
    other = Dog()
    other.hear(TERM)
    other.time, other.stopped = 9.0, True
    assert other.looks(PATIENCE) == 0
    other.stopped = False
    assert other.looks(1) == 0 and other.looks(PATIENCE) == 0, "asked again, with its time"


def test_a_program_is_ended_by_three_signals_each_with_its_time_until_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, guard = os.pipe()
    made, sent, now = watchdog.Watchdog(77, guard, {TERM: USER}, "", [TERM]), list[tuple[float, int, int]](), [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    lives = [0]  # so many signals
    made._stop = TERM
    monkeypatch.setattr(watchdog.os, "getppid", lambda: 77 if len(sent) < lives[0] else 1)
    monkeypatch.setattr(watchdog.os, "kill", lambda *call: sent.append((now[0], *call)))
    monkeypatch.setattr(watchdog, "time", clock)
    for lives[0], numbers in ((9, [USER, signal.SIGABRT, signal.SIGKILL]), (1, [USER])):
        sent.clear()
        made._end()
        assert [call[1:] for call in sent] == [(77, number) for number in numbers]
        assert os.read(reading, 100) == watchdog.SAID
        for (earlier, *_), (later, *_) in pairwise(sent):
            assert watchdog.DYING <= later - earlier < watchdog.DYING + 2 * watchdog.LOOK
    os.close(reading)
    os.close(guard)


@pytest.mark.parametrize(
    ("keys", "leaves"), [(b"abc\x03", True), (b"\x11", True), (b"\x1b[99;5u", True), (b"\x1b[113;5:1u", True),
                         (b"abc", False), (b"\x1b[99;6u", False)]
)  # fmt: skip
def test_keys_that_nobody_reads_may_ask_it_to_leave(
    keys: bytes, leaves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "terminal")
    dog = Dog(str(tmp_path / "terminal"))
    with (tmp_path / "terminal").open("wb", buffering=0) as terminal:
        terminal.write(keys)
        monkeypatch.setattr(watchdog.os, "write", lambda file, text: dog.asked.extend(text))
        dog.looks(UNREAD, key=True)
        assert dog.asked == [], "no app is shown"
        dog.hear(SHOWN)
        dog.looks(UNREAD - 1, key=True)
        assert dog.asked == []
        dog.looks(1, key=True)
        assert dog.asked == [QUESTION]
        dog.time = 9.0
        assert dog.looks(PATIENCE - 1) == int(leaves)
        os.close(dog._keys)


def test_work_ends_at_its_next_report_and_at_once_after_a_second_signal() -> None:
    before = signal.getsignal(USER)
    with Stoppable("count", [USER]) as work:
        work.report(1, 2)
        signal.raise_signal(USER)
        assert (work.stopped, work.stopped_by) == (True, USER)
        with pytest.raises(Cancelled, match="count"):
            work.report(2, 2)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(USER)
    assert signal.getsignal(USER) == before and work.ended is None


def test_an_ignored_signal_stays_ignored_and_other_threads_watch_none() -> None:
    before = signal.signal(USER, signal.SIG_IGN)
    try:
        with Stoppable("count", [USER]) as work:
            signal.raise_signal(USER)
            assert not work.stopped
    finally:
        signal.signal(USER, before)
    found: list[object] = []

    def enter() -> None:
        with Stoppable("count", [USER]):
            found.append(signal.getsignal(USER))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [before]


def test_work_that_does_not_report_is_interrupted_but_not_while_something_is_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stopping, "UNHEARD", 0.05)
    saved = False
    with Stoppable("loop", [signal.SIGINT]), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
        with stopping.undisturbed():
            assert stopping.saving()
            threading.Event().wait(0.2)
            saved = True
        threading.Event().wait(60)
    assert saved and not stopping.saving()


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(stopping, "_first", 0)
    monkeypatch.setattr(stopping, "_heard", 0)
    yield


def test_the_status_is_that_of_the_first_signal(clean: None) -> None:
    assert stopping.status() == 130
    stopping.heard(TERM)
    stopping.heard()
    assert (stopping.status(), stopping._heard) == (143, 2)
    stopping.forget()
    assert stopping.status() == 130


@pytest.mark.parametrize(("works", "looks"), [(0.0, 18), (1.0, 5), (0.05, 7)])
def test_a_thread_is_inside_own_code_after_five_looks_in_a_row(
    works: float, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, inside = [0.0], [True]
    monkeypatch.setattr(stopping, "time", SimpleNamespace(process_time=lambda: now[0]))
    monkeypatch.setattr(stopping, "_in_own_code", lambda thread: inside[0])
    look = stopping.Inside()

    def stays() -> bool:
        found = look.stays()
        now[0] += works
        return found

    assert [stays() for _ in range(looks)] == [False] * (looks - 1) + [True]
    inside[0] = False
    assert not stays()
    inside[0] = True
    assert [stays() for _ in range(5)][:4] == [False] * 4


def test_a_step_is_waited_for_while_something_is_saved_or_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, clean: None
) -> None:
    waits: list[float] = []

    class Never(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0.0)
            return len(waits) > 40

    def steps(worked: float) -> tuple[bool, int]:
        waits.clear()
        times: Any = iter([0.0, *[worked] * 100])
        return stopping._steps(lambda: next(times), 0), len(waits)

    monkeypatch.setattr(stopping.threading, "Event", Never)
    monkeypatch.setattr(stopping, "_ask_for_a_step", lambda stepped: True)
    assert steps(stopping.WORKED) == (False, 15) and steps(0.0) == (False, 18)
    with stopping.undisturbed():
        assert steps(9.0) == (True, 41)
    stopping.heard()
    assert steps(9.0) == (True, 0)
    monkeypatch.setattr(stopping, "_ask_for_a_step", lambda stepped: False)
    assert stopping._steps(lambda: 0.0, 1) is True


@pytest.mark.parametrize(("groups", "lowered"), [("1\n", True), ("0\n", False), (None, False)])
def test_a_thread_gives_way_where_that_costs_nothing_beside_other_programs(
    groups: str | None, lowered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, calls = tmp_path / "groups", list[tuple[int, ...]]()
    if groups is not None:
        file.write_text(groups)
    monkeypatch.setattr(detached, "GROUPS", file)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "setpriority", lambda *call: calls.append(call))
    detached.give_way_to_screen()
    assert calls == [(os.PRIO_PROCESS, threading.get_native_id(), detached.NICE)] * lowered
