"""Kernels come from a process of their own: in the order of need, whatever the cache or the process is like."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from nimtui.jobs.kernels import KernelProcess
from nimtui.progress import Cancelled
from tests.engine.test_cache import RULES

ROOT = Path(__file__).parents[2]

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


class Workers:
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
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    """A process that is still starting."""
    made = Workers()
    monkeypatch.setattr("nimtui.jobs.kernels.LULL", 0.01)
    monkeypatch.setattr(KernelProcess, "_begun", lambda kernels: made.may.wait(60) and made)
    return made


def test_what_a_thread_waits_for_is_compiled_first(workers: Workers) -> None:
    kernels = KernelProcess()
    orders = [kernels.order("module", name, b"") for name in ("one", "two", "three")]
    kernels.hurry(orders[2])
    workers.may.set()
    assert [order.result(60) for order in orders] == [b"one", b"two", b"three"]
    assert workers.given[0] == "three"
    kernels.close()


def test_the_end_of_the_app_calls_all_orders_off(workers: Workers) -> None:
    kernels = KernelProcess()
    before = [kernels.order("module", name, b"") for name in ("one", "two")]
    kernels.close()
    workers.may.set()
    for order in (*before, kernels.order("module", "three", b"")):
        with pytest.raises(Cancelled):
            order.result(60)
