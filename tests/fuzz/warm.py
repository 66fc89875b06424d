"""What every sequence needs, loaded once: the processes that run sequences are forked from one that imported this.

Nothing here leaves a thread or an event loop behind, so that a fork is sound.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import pkgutil
import sys

import nimtui.ui.app.app
from nimtui.agents import parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.jobs import processes, tournament
from nimtui.progress import SILENT
from tests.fuzz import choose, drive, rules, starts  # noqa: F401 - loaded once, for all
from tests.fuzz.home import at_home, template
from tests.fuzz.steps import KEYS
from tests.ui.sheets import parse_style_sheets_once
from tests.ui.sweeping import Threads

QUICK_TICK = 0.03  # seconds: eight times as often as a person sees it, so that what ticks do is met more often
SEED = 7


def _load_screens() -> None:
    for module in pkgutil.walk_packages(nimtui.ui.__path__, f"{nimtui.ui.__name__}."):
        importlib.import_module(module.name)


def _tame() -> None:
    """One core, no processes of its own, no waiting for what a fuzzer learns nothing from, the same seeds always."""
    os.sched_getaffinity = lambda pid: {0}  # type: ignore[attr-defined, assignment]
    processes.executor = tournament.executor = lambda *given, **more: Threads()  # type: ignore[assignment]
    Threads.gate.set()
    nimtui.ui.app.app.TICK = QUICK_TICK
    for name, module in list(sys.modules.items()):
        if name.startswith("nimtui.") and hasattr(module, "fresh_seed"):
            module.fresh_seed = lambda: SEED  # type: ignore[attr-defined]


def _compile() -> None:
    """Load or compile the kernels that most sequences use."""
    for game in ("tower:16", "subtraction:21,3:misere", "connect:5x4x4", "adjacent:1,3,5"):
        for agent in ("mc:playouts=5", "mcts:simulations=20", "perfect", "reward:games=10", "alphabeta:depth=2"):
            known = parse_game(game)
            with contextlib.suppress(ValueError):  # not for this game
                player = parse_agent(agent, known)
                player.prepare(SILENT)
                player.decide(known.new(), Stream(1), SILENT)


async def _visit() -> None:
    """Open every screen once: what is worked out for its first opening need not be for the others."""
    async with drive.driven(SIZE) as driver:
        for step in VISITED:
            await driver.do(step)
            await driver.until(lambda: not driver.app.jobs.running(), LONGEST)
        await driver.leave()
    driver.app.jobs.shutdown(LONGEST)


SIZE, LONGEST = (80, 24), 20.0  # seconds that a job may take
ESCAPE = b"\x1b"
AWAY = {number: KEYS[f"f{number}"] for number in range(1, 10)}
VISITED = (
    *(AWAY[1], ESCAPE, AWAY[9], ESCAPE, KEYS["ctrl+p"], b"pl", ESCAPE, b"n", ESCAPE),
    *(AWAY[3], b"e", ESCAPE, ESCAPE, AWAY[4], b"e", ESCAPE, b"\r", AWAY[5], b"n", ESCAPE),
    *(AWAY[6], ESCAPE, AWAY[7], b"S", b"e", ESCAPE, ESCAPE, AWAY[7], b"p", b"r", ESCAPE),
)

parse_style_sheets_once(setattr)
_load_screens()
_tame()
_compile()
with template() as folder, at_home(folder):
    asyncio.run(_visit())
gc.collect()
gc.freeze()
