"""What the tests of the Search screen share: an app at a search, once its tree is shown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from nimtui.jobs import Job, Jobs
from nimtui.progress import Progress
from nimtui.store.settings import Settings
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.search.work import SearchWork
from tests.ui.playing import panel as panel
from tests.ui.playing import until

CALM = Settings(animation=False)
ORIGINAL = SearchSetup("nim:1,2,3,4", None, "alphabeta:depth=4,heuristic=original")
GROWN = SearchSetup("subtraction:21,3:misere", None, "mcts:simulations=500,c=1.0")


class Paced(Jobs):
    """Jobs of which searches are slow from their first report on, so that none ends before a test has looked at it."""

    def start(
        self, name: str, work: Callable[[Progress], Any], release: Callable[[], object] = lambda: None
    ) -> Job[Any]:
        job = super().start(name, work, release)
        job.set_pace(0.2 if name.startswith("search ") else None)
        return job


@asynccontextmanager
async def searching(
    make_app: Any, setup: SearchSetup = ORIGINAL, *, size: tuple[int, int] = (80, 24), whole: bool = True, **more: Any
) -> Any:
    """A pilot at this search; `whole`: once it is finished and all that is known beside it is there."""
    app = make_app(CALM, **more)
    app.jobs = app.jobs if whole else Paced()
    async with app.run_test(size=size) as pilot:
        app.begin("search", setup)
        await until(pilot, lambda: bool(app.screen_stack[0].query("SearchStage")))
        if whole:
            await until(
                pilot, lambda: app.conductor(SearchWork).found is not None and not app.conductor(SearchWork).working
            )
        yield pilot


def stage(pilot: Pilot[Any]) -> Any:
    return pilot.app.screen_stack[0].stage


def work(pilot: Pilot[Any]) -> Any:
    return pilot.app.conductor(SearchWork)  # type: ignore[attr-defined]


def outline(pilot: Pilot[Any]) -> Any:
    return stage(pilot).walk.outline
