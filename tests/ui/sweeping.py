"""What the tests of the Sweep screen share: workers that are threads, small sweeps, an app at one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from nimtui.jobs.workers import Workers
from nimtui.store.settings import Settings
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.sweep.work import SweepWork
from tests.ui.playing import panel as panel
from tests.ui.playing import until

CALM = Settings(animation=False)
PATIENCE = 20.0  # seconds that a closed app's jobs have to end
SMALL = SweepSetup("nim:3,2,1", "quality", ("margin=50,90", "win=19,29"), 2, 2_000, 1)
DEEP = SweepSetup("nim:3,2,1", "quality", ("margin=50,90", "win=19,29", "loss=5,11,17"), 1, 500, 1)


class Threads(Workers):
    """Two threads in the place of processes; `gate` closed, nothing is finished."""

    gate = threading.Event()

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2)

    @property
    def size(self) -> int:
        return 2

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        def work() -> Any:
            self.gate.wait(30)
            return function(*given, **named)

        return self._pool.submit(work)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(False, cancel_futures=cancel_futures)


@asynccontextmanager
async def sweeping(
    make_app: Any,
    setup: SweepSetup | None = SMALL,
    *,
    size: tuple[int, int] = (80, 24),
    settings: Settings = CALM,
    held: bool = False,
    **more: Any,
) -> Any:
    """A pilot at this sweep, done by threads; `held`: nothing is finished until the gate is opened."""
    Threads.gate = threading.Event()
    if not held:
        Threads.gate.set()
    app = make_app(settings, **more)
    app.conductor(SweepWork)._opener = lambda workers: Threads
    try:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            app.begin("sweep", setup)
            await pilot.pause()
            if setup is not None:
                await until(pilot, lambda: app.screen_stack[0].is_mounted and app.conductor(SweepWork).task is not None)
            yield pilot
    finally:
        app.jobs.shutdown(PATIENCE)  # before the gate opens, so that nothing held is finished
        Threads.gate.set()


async def finished(pilot: Any) -> SweepWork:
    """Let it come to its end, and be drawn."""
    conductor: SweepWork = pilot.app.conductor(SweepWork)
    await until(pilot, lambda: conductor.state.value == "finished")
    await until(pilot, lambda: "finished" in panel(pilot, "progress"))
    return conductor
