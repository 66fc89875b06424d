"""Runs one sweep at a time, whichever screen is shown. The trainings run in other processes. Knows no widgets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from nimtui.errors import InputError
from nimtui.jobs import processes, sweep
from nimtui.jobs.following import FollowedSweep
from nimtui.jobs.sweep import Sweep, View, resumed
from nimtui.jobs.work import Work
from nimtui.learning.sweep import Plan
from nimtui.store import paths, sweeps
from nimtui.store.run_files import RunFile
from nimtui.ui.kit.forms.kept import free, write_new
from nimtui.ui.sweep.setup import SweepSetup, contents


class SweepWork(Work[Sweep]):
    """Runs one sweep after another."""

    kind = "sweep"

    @property
    def plan(self) -> Plan | None:
        return None if self.task is None else self.task.plan

    @property
    def view(self) -> View | None:
        return None if self.task is None else self.task.view

    @property
    def setup(self) -> SweepSetup | None:
        return None if self.task is None else SweepSetup.of(self.task.plan, self.workers)

    def start(self, setup: SweepSetup) -> None:
        """Start this sweep in a new file. A running one stops and stays saved. InputError if the setup is invalid."""
        plan = setup.plan()
        self.message = ""
        log = None
        try:
            paths.ensure(sweeps.folder())
            log = sweep.begin(plan, free(sweeps.usual_path().with_suffix(""), ".jsonl"))
        except InputError as fault:
            self.message = f"The sweep is not saved: {fault}"
        self.begin(Sweep(plan, log, self._opener(setup.workers)), setup.workers)

    def _opener(self, workers: int | None) -> Callable[[], Any]:
        return partial(processes.executor, workers)

    def resume(self, place: Path) -> None:
        """Resume the sweep in this file, or show it if it is finished, once it is read."""
        if place == self.place and self.foreign is None and not self.state.rests:
            self.say("This sweep is already shown")
        else:
            load = partial(resumed, place, self._opener(self.workers))
            self.open(place, load, f"Reading {place.name} …")

    def watch_run(self, file: RunFile) -> None:
        """Show the sweep of another nimtui."""
        self.follow(file, lambda: FollowedSweep(file))

    def export(self, path: Path) -> None:
        """Write the results of the cells to a new file."""
        plan, view = self.plan, self.view
        if plan is not None and view is not None:
            self.write(path, lambda progress: write_new(path, contents(path.suffix.lower(), plan, view.cells)))
