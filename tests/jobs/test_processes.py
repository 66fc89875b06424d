"""Work in processes: what dies is done again, what is cancelled ends at once; and the process that compiles."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.jobs import Jobs, JobState
from nimtui.jobs.kernels import KernelProcess
from nimtui.jobs.processes import AHEAD, BEAT, TRIES, executor, work_off
from nimtui.jobs.workers import Workers
from nimtui.progress import Cancelled, Progress
from tests.engine.test_cache import RULES
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


def all_of(workers: Workers, function: Any, pieces: Any, progress: Progress | None = None) -> dict[Any, Any]:
    made: dict[Any, Any] = {}
    work_off(workers, function, pieces, made.update, progress or Progress())
    return made


@pytest.mark.slow
def test_everything_is_done_whoever_does_it_also_what_a_killed_process_had(tmp_path: Path) -> None:
    wanted = {number: number * number for number in range(30)}
    pieces = [(str(tmp_path / "mark"), number) for number in range(12)]
    with Threads(3) as threads, executor(2) as workers:
        assert all_of(threads, square, range(30)) == all_of(workers, square, range(30)) == wanted
        found = all_of(workers, settings, range(4))  # deaf to Ctrl+C, each with one thread
        assert {answer[:2] for answer in found.values()} == {("1", True)}
        assert os.getpid() not in {answer[2] for answer in found.values()}
        assert all_of(workers, dies_once, pieces) == {piece: piece[1] for piece in pieces}


@pytest.mark.slow
def test_a_piece_that_always_kills_is_given_up_and_what_one_raises_is_raised_here() -> None:
    with pytest.raises(ChildProcessError, match=f"^.*died {TRIES} times.*$"), executor(1) as opened:
        all_of(opened, dies, [0])
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


@pytest.mark.slow
def test_what_is_finished_in_a_pause_is_handed_on_in_the_pause() -> None:
    made, found, waited = threading.Event(), dict[int, int](), list[bool]()

    class Pausing(Progress):
        """Pauses as soon as a piece is on hand, until something is made of it."""

        def report(self, done: float, total: float, what: str = "") -> None:
            waited.append(len(waited) == 1 and made.wait(LONG))

    def keep(pieces: list[tuple[int, int]]) -> None:
        found.update(pieces)
        made.set()

    with Threads(1) as threads:
        work_off(threads, slower, range(3), keep, Pausing())  # type: ignore[arg-type]
    assert waited[1] and found == {0: 0, 1: 1, 2: 2}


def test_pieces_may_be_made_as_they_are_needed() -> None:
    def pieces() -> Iterator[int]:
        for number in range(20):
            most.append(number - len(made))
            yield number

    made, most, told = dict[int, int](), list[int](), StopAt(1000)
    with Threads(1) as threads:
        work_off(threads, square, pieces(), made.update, told, far=lambda: (len(made), 20))
    assert made == {number: number * number for number in range(20)}
    assert max(most) <= AHEAD
    assert told.seen[0] == (0, 20) and told.seen[-1] == (20, 20)


@pytest.mark.slow
def test_time_is_used_until_somebody_has_finished_something() -> None:
    used, made, pieces = list[int](), dict[int, int](), iter(range(10_000_000))

    def meanwhile() -> bool:
        used.append(next(pieces))
        return True

    some = (next(pieces) for _ in range(3))
    with Threads(1) as threads:
        work_off(threads, slower, some, made.update, far=lambda: (0, 0), meanwhile=meanwhile)
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
    addresses = ("somewhere", "tcp://", "tcp://host", "tcp://host:port", "tcp://host:70000", "tcp://[::1", "http://h:1")
    for text in addresses:
        expected = f"invalid scheduler address '{text}': expected tcp://HOST:8786"
        with pytest.raises(InputError, match=re.escape(expected)):
            executor(None, text)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'nimtui\[cluster\]'"):
        executor(None, "tcp://127.0.0.1:1")


@pytest.mark.slow
def test_nobody_at_that_address_or_certificates_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("nimtui.jobs.cluster.PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1$"):
        executor(None, "tcp://127.0.0.1:1")
    with pytest.raises(InputError, match=r"^tls://127\.0\.0\.1:1 needs certificates"):
        executor(None, "tls://127.0.0.1:1")


# Kernels come from a process of their own: in the order of need, whatever the cache or the process is like.


PROGRAM = """
import os, signal, sys
from pathlib import Path
from nimtui.engine import activity, jit
from nimtui.games import parse_game, registry
from nimtui.jobs.kernels import KernelProcess

def main():
    if sys.argv[3] == "no cache":
        jit._Results._locator_classes = []
    registry.add_folder(Path(sys.argv[1]))
    here = []
    begin = activity.begin
    activity.begin = lambda kernel: (here.append(kernel), begin(kernel))
    kernels = KernelProcess()
    activity.use(kernels)
    if sys.argv[3] == "killed":
        ask = kernels.order
        def order(*given):
            future = ask(*given)
            while kernels._workers is None or not kernels._workers._pool._processes: pass
            for number in list(kernels._workers._pool._processes): os.kill(number, signal.SIGKILL)
            return future
        kernels.order = order
    from tests.engine.first_moves import first_moves
    print(first_moves(parse_game(sys.argv[2]).new()), "compiled here:", here, activity.orders())
    kernels.close()

if __name__ == "__main__":
    main()
"""


def run(folder: Path, how: str = "", game: str = "pile") -> str:
    (folder / "program.py").write_text(PROGRAM)
    (folder / "games").mkdir(exist_ok=True)
    (folder / "games" / "pile.py").write_text(RULES.format(bonus=0, result=1))
    paths = ":".join([str(ROOT), *sys.path])
    done = subprocess.run(
        [sys.executable, folder / "program.py", folder / "games", game, how],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_a_kernel_for_own_rules_comes_from_the_other_process(tmp_path: Path) -> None:
    assert run(tmp_path, "no cache") == "(3, 1) compiled here: [] None"


@pytest.mark.slow
def test_a_process_that_is_killed_costs_time_only(tmp_path: Path) -> None:
    assert run(tmp_path, "killed").startswith("(3, 1) compiled here: ['first_moves'")


class Starting:
    """Does what it is given when it may."""

    def __init__(self) -> None:
        self.may, self.given = Event(), list[str]()

    def submit(self, function: Any, module: str, kernel: str, signature: bytes) -> Future[bytes]:
        assert self.may.wait(60)
        future: Future[bytes] = Future()
        self.given.append(kernel)
        future.set_result(kernel.encode())
        return future

    def shutdown(self, **how: bool) -> None: ...


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Starting:
    """A process that is still starting."""
    made = Starting()
    monkeypatch.setattr("nimtui.jobs.kernels.LULL", 0.01)
    monkeypatch.setattr(KernelProcess, "_begun", lambda kernels: made.may.wait(60) and made)
    return made


def test_what_a_thread_waits_for_is_compiled_first(workers: Starting) -> None:
    kernels = KernelProcess()
    orders = [kernels.order("module", name, b"") for name in ("one", "two", "three")]
    kernels.hurry(orders[2])
    workers.may.set()
    assert [order.result(60) for order in orders] == [b"one", b"two", b"three"]
    assert workers.given[0] == "three"
    kernels.close()


def test_the_end_of_the_app_calls_all_orders_off(workers: Starting) -> None:
    kernels = KernelProcess()
    before = [kernels.order("module", name, b"") for name in ("one", "two")]
    kernels.close()
    workers.may.set()
    for order in (*before, kernels.order("module", "three", b"")):
        with pytest.raises(Cancelled):
            order.result(60)
