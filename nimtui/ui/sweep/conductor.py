"""Runs one sweep at a time: start, pause, stop, resume. Knows no widgets.

Belongs to the app, so a sweep runs whichever screen is shown. Everything here happens in the event loop; the sweep
itself is a job, and its trainings run in other processes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs
from nimtui.progress import Progress
from nimtui.store import paths, sweeps
from nimtui.ui.kit.conductor import State, WorkConductor
from nimtui.ui.kit.kept import free, write_new
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.kit.remaining import Remaining
from nimtui.ui.sweep.setup import SweepSetup

if TYPE_CHECKING:
    from nimtui.jobs.sweep import Sweep, View
    from nimtui.learning.sweep import Plan
    from nimtui.store.sweeps import Log


class SweepConductor(WorkConductor):
    """Runs one sweep after another. `changed` is called after every event that no tick would show."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.sweep: Sweep | None = None
        self._view: View | None = None  # at the last call of `look`
        self._before = 0  # trainings that were finished at its start, or when it resumed
        self._remaining = Remaining()
        self._loading: LatestJob[Sweep] = LatestJob()

    # State.

    @property
    def plan(self) -> Plan | None:
        return None if self.sweep is None else self.sweep.plan

    @property
    def view(self) -> View | None:
        return None if self.sweep is None else self.sweep.view

    @property
    def finished(self) -> bool | None:
        return None if self.sweep is None else self.sweep.view.finished

    @property
    def loading(self) -> bool:
        """Return whether a sweep is being read."""
        return self._loading.running

    @property
    def path(self) -> Path | None:
        """Return the file it is saved in; None if it is not saved."""
        return self.sweep.log.path if self.sweep is not None and self.sweep.log is not None else None

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """Return its job if all results are saved: stopping it loses nothing."""
        kept = self._job is not None and self.path is not None and self.sweep is not None and not self.sweep.fault
        return [self._job] if kept and self._job is not None else []

    @property
    def moving(self) -> bool:
        """Return whether a training has finished since it started or resumed."""
        return self.sweep is not None and self.sweep.view.done > self._before

    def left(self) -> float | None:
        """Return the seconds left; None while they are unknown."""
        if self._job is None or self.state is not State.GOING:
            return None
        return self._remaining.seen(self._job.snapshot, monotonic())

    def look(self) -> bool:
        """Return whether results came in since the last call."""
        view = self.view
        changed, self._view = view is not self._view, view
        return changed

    # Starting.

    def start(self, setup: SweepSetup) -> None:
        """Start this sweep. A running one stops and stays saved. InputError if the setup is invalid."""
        from nimtui.jobs.sweep import Sweep

        plan = setup.plan()
        self.message = ""
        log = self._new_log(plan)
        self._begin(Sweep(plan, log, self._opener(setup.workers)), setup.workers)

    def _new_log(self, plan: Plan) -> Log | None:
        """Create a file for the sweep; without one it runs in memory, and a message says so."""
        from nimtui.jobs.sweep import begin

        try:
            paths.ensure(sweeps.folder())
            return begin(plan, free(sweeps.usual_path().with_suffix(""), ".jsonl"))
        except InputError as fault:
            self.message = f"The sweep is not saved: {fault}"
            return None

    def _opener(self, workers: int | None) -> Callable[[], Any]:
        from nimtui.jobs.processes import executor

        return partial(executor, workers)

    def resume(self, path: Path) -> None:
        """Resume the sweep in this file, or show it if it is finished, once it is read."""
        if path == self.path and self.state not in (State.STOPPED, State.FAILED):
            self.message = "This sweep is already shown"
            self.changed()
            return
        opener = self._opener(self.workers)

        def load(progress: Progress) -> Sweep:
            from nimtui.jobs.sweep import Sweep, plan_of

            log = sweeps.Log(path)
            try:
                return Sweep(plan_of(log), log, opener)
            except InputError:
                log.close()
                raise

        self.message = f"Reading {path.name} …"
        self._loading.start(self.jobs, "reading a sweep", load, self._loaded)
        self.changed()

    def _loaded(self, job: Job[Sweep]) -> None:
        if job.result is None:
            self.message = f"Cannot resume: {job.error_text or 'stopped'}"
            self.changed()
            return
        self.message = ""
        self._begin(job.result, self.workers)

    def _begin(self, sweep: Sweep, workers: int | None) -> None:
        self.stop()
        self.sweep, self.workers = sweep, workers
        self._go()

    def _go(self) -> None:
        sweep = self.sweep
        assert sweep is not None
        self._remaining, self._before = Remaining(), sweep.view.done
        self.run("sweep", sweep.work, sweep.log)
        self.changed()

    # Controls.

    def pause_or_go_on(self) -> None:
        self._remaining = Remaining()  # a pause must not count as slow work
        super().pause_or_go_on()

    def go_on(self) -> None:
        if self.path is not None:
            self.resume(self.path)
        else:
            self._go()

    def export(self, path: Path) -> None:
        """Write the results of the cells to a new file."""
        from nimtui.ui.sweep.setup import contents

        plan, view = self.plan, self.view
        if plan is not None and view is not None:
            self.write(path, lambda progress: write_new(path, contents(path.suffix.lower(), plan, view.cells)))
