"""Work in processes: what dies is done again, what is cancelled ends at once, nobody stays behind."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.errors import InputError
from nimtui.jobs import Jobs, JobState
from nimtui.jobs.processes import AHEAD, BEAT, TRIES, executor, work_off
from nimtui.jobs.workers import Workers
from nimtui.progress import Cancelled, Progress
from tests.jobs.piecework import Threads
from tests.stops import StopAt

pytestmark = pytest.mark.fresh
LONG = 60.0  # seconds: for a machine with other work
ROOT = Path(__file__).resolve().parents[2]


def square(number: int) -> int:
    return number * number


def slowly(number: int) -> int:
    time.sleep(0.05)
    return number


def slower(number: int) -> int:
    """So slow that somebody who waits for it reports meanwhile."""
    time.sleep(3 * BEAT)
    return number


def for_ever(number: int) -> int:
    time.sleep(LONG)
    return number


def dies_once(piece: tuple[str, int]) -> int:
    """Kills its own process, as `kill -9` does, unless somebody did before."""
    mark = Path(piece[0])
    if piece[1] == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return piece[1]


def dies(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fails(number: int) -> int:
    if number == 2:
        raise ValueError("two is not allowed")
    return number


def settings(_: int) -> tuple[str, bool, int]:
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return os.environ["NUMBA_NUM_THREADS"], ignored, os.getpid()


def all_of(
    workers: Workers, function: object, pieces: object, progress: Progress | None = None
) -> dict[object, object]:
    made: dict[object, object] = {}
    work_off(workers, function, pieces, made.update, progress or Progress())  # type: ignore[arg-type]
    return made


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with executor(2) as opened:
        yield opened


@pytest.mark.slow
def test_everything_is_done_whoever_does_it(workers: Workers) -> None:
    wanted = {number: number * number for number in range(30)}
    assert all_of(workers, square, range(30)) == wanted
    made: dict[int, int] = {}
    with Threads(3) as threads:
        work_off(threads, square, range(30), made.update)
    assert made == wanted


@pytest.mark.slow
def test_processes_are_deaf_to_ctrl_c_and_have_one_thread(workers: Workers) -> None:
    found = all_of(workers, settings, range(4))
    assert {answer[:2] for answer in found.values()} == {("1", True)}  # type: ignore[index]
    assert os.getpid() not in {answer[2] for answer in found.values()}  # type: ignore[index]


@pytest.mark.slow
def test_what_a_killed_process_had_is_done_again(tmp_path: Path, workers: Workers) -> None:
    pieces = [(str(tmp_path / "mark"), number) for number in range(12)]
    assert all_of(workers, dies_once, pieces) == {piece: piece[1] for piece in pieces}


@pytest.mark.slow
def test_a_piece_that_always_kills_is_given_up() -> None:
    with pytest.raises(ChildProcessError, match=f"died {TRIES} times") as caught, executor(1) as opened:
        all_of(opened, dies, [0])
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_what_a_piece_raises_is_raised_here_and_the_finished_is_kept() -> None:
    made: dict[int, int] = {}
    with pytest.raises(ValueError, match="two is not allowed"), executor(1) as opened:
        work_off(opened, fails, range(10), made.update)
    assert made == {number: number for number in made} and {0, 1} <= set(made)


@pytest.mark.slow
def test_cancelling_keeps_what_is_finished_and_ends_the_rest() -> None:
    made: dict[int, int] = {}
    stopping = StopAt(3)
    with pytest.raises(Cancelled), executor(2) as opened:
        work_off(opened, slowly, range(1000), made.update, stopping, before=1)
    assert 2 <= len(made) <= 10
    assert stopping.seen[0] == (1, 1001) and all(total == 1001 for _, total in stopping.seen)


@pytest.mark.slow
def test_cancelling_does_not_wait_for_a_long_piece() -> None:
    def work(progress: Progress) -> None:
        with executor(2) as opened:
            begun.set()
            all_of(opened, for_ever, range(10), progress)

    begun = threading.Event()
    job = Jobs().start("endless", work)
    assert begun.wait(LONG)
    job.cancel()
    assert job.join(LONG / 2) and job.state is JobState.CANCELLED  # a piece takes LONG


class Pausing(Progress):
    """Pauses as soon as a piece is on hand, until something is made of it."""

    def __init__(self) -> None:
        self.reports = 0
        self.made = threading.Event()
        self.was_made = False

    def report(self, done: float, total: float, what: str = "") -> None:
        self.reports += 1
        if self.reports == 2:
            self.was_made = self.made.wait(LONG)


@pytest.mark.slow
def test_what_is_finished_in_a_pause_is_handed_on_in_the_pause() -> None:
    def keep(made: list[tuple[int, int]]) -> None:
        found.update(made)
        pausing.made.set()

    pausing, found = Pausing(), dict[int, int]()
    with Threads(1) as threads:
        work_off(threads, slower, range(3), keep, pausing)  # type: ignore[arg-type]
    assert pausing.was_made and found == {0: 0, 1: 1, 2: 2}


def test_pieces_may_be_made_as_they_are_needed() -> None:
    def pieces() -> Iterator[int]:
        for number in range(20):
            most.append(number - len(made))
            yield number

    made: dict[int, int] = {}
    most: list[int] = []
    told = StopAt(1000)
    with Threads(1) as threads:
        work_off(threads, square, pieces(), made.update, told, far=lambda: (len(made), 20))
    assert made == {number: number * number for number in range(20)}
    assert max(most) <= AHEAD
    assert told.seen[0] == (0, 20) and told.seen[-1] == (20, 20)


@pytest.mark.slow
def test_time_is_used_until_somebody_has_finished_something() -> None:
    used: list[int] = []

    def meanwhile() -> bool:
        used.append(next(pieces))
        return True

    made: dict[int, int] = {}
    pieces = iter(range(10_000_000))
    with Threads(1) as threads:
        work_off(
            threads, slower, (next(pieces) for _ in range(3)), made.update, far=lambda: (0, 0), meanwhile=meanwhile
        )
    assert used and len(made) == 3 and not set(used) & set(made)


def alive(process: int) -> bool:
    """Is it there, and not merely waiting to be forgotten?"""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    try:
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_scheduler_that_cannot_be_used_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (
        "somewhere",
        "tcp://",
        "tcp://host",
        "tcp://host:port",
        "tcp://host:70000",
        "tcp://[::1",
        "http://h:1",
    ):
        with pytest.raises(
            InputError, match=rf"invalid scheduler address '{re.escape(text)}': expected tcp://HOST:8786"
        ):
            executor(None, text)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'nimtui\[cluster\]'"):
        executor(None, "tcp://127.0.0.1:1")


@pytest.mark.slow
def test_nobody_at_that_address(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("nimtui.jobs.cluster.PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1$"):
        executor(None, "tcp://127.0.0.1:1")


@pytest.mark.slow
def test_a_scheduler_with_certificates_that_nobody_has() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match=r"^tls://127\.0\.0\.1:1 needs certificates"):
        executor(None, "tls://127.0.0.1:1")
