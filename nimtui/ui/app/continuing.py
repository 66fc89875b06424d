"""Hands saved work over to processes in the background when the app ends, and ends the app when its work is taken."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from nimtui.errors import InputError
from nimtui.jobs import recording, runs_report
from nimtui.jobs.job import Job, JobState, Snapshot, post
from nimtui.process import detached
from nimtui.store import run_files
from nimtui.store.errors import StoreError
from nimtui.store.run_files import RunFile
from nimtui.store.settings import Settings

ASKS = "If the link is cut, runs stop, saved. ^o: always continue  ^n: never"
ASKS_FOR = 30.0  # seconds that the line stays
SCREENS = {"training": "train", "tournament": "tournament", "sweep": "sweep", "search": "search"}  # of runs
HANG_UP = 128 + getattr(signal, "SIGHUP", 1)


class Elsewhere(NamedTuple):
    """The run of another program, as the header shows a job."""

    name: str
    state: JobState
    snapshot: Snapshot
    compiling: bool = False


class Continuing:
    """The part of the app that knows which of its runs outlive it."""

    settings: Settings
    change_settings: Callable[..., None]
    notify: Callable[..., None]
    clear_notifications: Callable[[], None]
    push_screen: Callable[..., Any]
    action_mode: Callable[[str], None]
    begin: Callable[[str, object], None]
    _heirs: tuple[int, ...] = ()  # the numbers of these runs
    _lost: Sequence[Job[Any]] = ()  # work that ends with the link
    _has_asked = False
    others: Sequence[RunFile] = ()  # of other programs: those that are on, cut off and failed
    _stamp = -1  # of the folder of runs when they were read
    _driver: Any  # of the terminal

    async def look_around(self) -> None:
        """Look at the runs of other programs, for the header and the start screen; ask if an own one is long."""
        self.ask_once()
        with suppress(OSError, RuntimeError, InputError):  # no home, or the end of the app, or of a run
            await asyncio.to_thread(self._look)

    def _look(self) -> None:
        folder = run_files.folder()
        if (stamp := folder.stat().st_mtime_ns if folder.exists() else 0) != self._stamp:
            worked = [run.id for run in self.others if run.is_on and run.background]
            self.others, self._stamp = run_files.others(), stamp
            for id in worked:  # a run in the background has no terminal of its own
                recording.announce(run_files.read(id))

    def action_runs(self) -> None:
        """List all runs, and show the one that is chosen."""
        from nimtui.ui.app.runs import RunsScreen

        self.push_screen(RunsScreen(), lambda run: self.show_run(run) if run is not None else None)

    def show_run(self, run: RunFile) -> None:
        """Show a run live, on its own screen. Continue it if it was stopped, cut off or failed, and is saved."""
        screen = SCREENS.get(run.kind)
        if screen is not None and (run.is_here or (run.place is None and not run.is_on)):
            self.action_mode(screen)
        elif screen is not None and run.state != "finished":
            self.begin(screen, run)
            return
        self.notify(runs_report.sentence(run))

    @property
    def elsewhere(self) -> list[Elsewhere]:
        """The runs that other programs work on, as the header shows jobs."""
        on = [run for run in self.others if run.is_on]
        states = {"going": JobState.RUNNING, "paused": JobState.PAUSED}
        return [Elsewhere(run.kind, states[run.state], Snapshot(run.done, run.goal or 0)) for run in on]

    def ask_once(self) -> None:
        """Ask at the first long run, in a line that stops nothing, whether runs outlive the terminal."""
        if not self._has_asked and self.settings.background == "ask" and self.long_runs():
            self._has_asked = True
            risk = f" {detached.prospect()}" if detached.ends_processes() else ""
            self.notify(f"{ASKS}{risk}", timeout=ASKS_FOR)

    def may_answer(self) -> bool:
        """Return whether the question is open."""
        return self._has_asked and self.settings.background == "ask"

    def answer(self, background: str) -> None:
        """Keep the answer for all runs to come."""
        self.change_settings(background=background)
        self.clear_notifications()
        self.notify("Long runs continue in the background." if background == "always" else "Runs end with the app.")

    def be_taken_over(self) -> None:
        """From now on, send the notices of runs to the terminal, and end as after a hang-up when another nimtui takes a
        run: nobody may read this terminal.
        """
        loop, driver = asyncio.get_running_loop(), self._driver
        recording.send = lambda notice: post(loop, driver.write, notice)
        if hasattr(signal, "SIGHUP"):
            recording.hand_over = lambda: os.kill(os.getpid(), signal.SIGHUP)

    def long_runs(self) -> list[RunFile]:
        """Return the runs that could continue without the app, and take longer than LONG."""
        runs = [run for run in recording.lasting() if run.rate]
        return [run for run in runs if run.seconds_left is None or run.seconds_left > recording.LONG]

    def choose_heirs(self) -> None:
        """Let the runs that are going continue when the app has ended. Call it before they are stopped."""
        self._heirs = self._heirs or tuple(run.id for run in recording.lasting())

    def hang_up(self, unsaved: Sequence[Job[Any]]) -> None:
        """Note which work ends with the link, and which continues. Call it before the jobs are stopped."""
        self._lost = unsaved
        if self.settings.background == "always":
            self.choose_heirs()

    def continue_elsewhere(self) -> None:
        """Start a process for each chosen run. It waits until this one has released the run's file."""
        lost, self._lost = self._lost, ()
        for job in lost:
            kind, _, rest = job.name.partition(" ")
            with suppress(StoreError):
                run_files.lose(kind, rest, int(job.snapshot.done), job.snapshot.what)
        heirs, self._heirs = self._heirs, ()
        for id in heirs:
            with suppress(OSError):  # no room for a process: the run stays stopped and saved
                detached.start(["runs", "take", str(id)], id, run_files.output(id))
