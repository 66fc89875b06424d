"""The work of the app: its conductors, made on demand, and what of their work outlives the app.

The conductors run games, training, search, sweeps and tournaments on any screen. When the app ends, saved work is
handed over to processes in the background; the app ends when another nimtui takes its work.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from nimtui.errors import InputError
from nimtui.jobs import Jobs, recording, runs_report
from nimtui.jobs.conductor import Conductor
from nimtui.jobs.job import Job, JobState, Snapshot, post
from nimtui.jobs.work import RUNNING, State
from nimtui.process import detached
from nimtui.store import run_files
from nimtui.store.errors import StoreError
from nimtui.store.run_files import RunFile
from nimtui.store.settings import Settings

if TYPE_CHECKING:
    from nimtui.playing.setup import PlaySetup
    from nimtui.store.database import Database
    from nimtui.ui.play.conductor import PlayConductor
    from nimtui.ui.tournament.work import TournamentWork
    from nimtui.ui.train.work import TrainWork

C = TypeVar("C", bound=Conductor)

AT_WORK = dict.fromkeys(RUNNING, "running") | {State.PAUSED: "paused", State.STOPPING: "stopping"}
WORTH_ASKING = 1.0  # seconds of work: shorter jobs end without a question


class Conductors:
    """The part of the app that owns the conductors."""

    jobs: Jobs
    setup: PlaySetup | None  # of the game started last

    def __init__(self, *given: Any, **more: Any) -> None:
        self._conductors: dict[type[Conductor], Any] = {}
        self._database: Database | None = None
        self._opening_database = Lock()
        super().__init__(*given, **more)

    def conductor(self, kind: type[C]) -> C:
        if kind not in self._conductors:
            self._conductors[kind] = kind(self.jobs)
            self._conductors[kind].database = self.database
        conductor: C = self._conductors[kind]
        return conductor

    @property
    def playing(self) -> bool:
        return self.setup is not None

    @property
    def game_played(self) -> PlayConductor:
        """The conductor of the Play screen."""
        from nimtui.ui.play.conductor import PlayConductor

        return self.conductor(PlayConductor)

    @property
    def training(self) -> TrainWork:
        """The conductor of the training."""
        from nimtui.ui.train.work import TrainWork

        return self.conductor(TrainWork)

    @property
    def tournament(self) -> TournamentWork:
        """The conductor of the tournament."""
        from nimtui.ui.tournament.work import TournamentWork

        return self.conductor(TournamentWork)

    @property
    def at_work(self) -> str:
        """What quitting now would end and lose, in a sentence; '' for nothing. Saved work is not lost."""
        conductors = list(self._conductors.values())  # conductors that were never made lose nothing
        if lost := next((one.lost_by_leaving for one in conductors if one.lost_by_leaving), ""):
            return lost
        jobs = self.unsaved_jobs
        return f"Still running: {jobs[0].name}." if jobs else ""

    @property
    def unsaved_jobs(self) -> list[Job[Any]]:
        """The jobs that a person asked for, and that quitting now would end for good."""
        saved = [job for one in list(self._conductors.values()) for job in one.kept_jobs]
        return [job for job in self.jobs.running() if job not in saved and job.age > WORTH_ASKING]

    # Requests of rooms that may not import the room concerned.

    def database(self) -> Database:
        with self._opening_database:
            if self._database is None:
                from nimtui.store.database import Database

                self._database = Database(tell=self.tournament.damage.append)
            return self._database

    def release(self) -> None:
        """Close the database when the app and all jobs have ended: SQLite then removes the files beside it."""
        if self._database is not None:
            self._database.close()

    def tournament_at_work(self) -> tuple[int, str, int] | None:
        shown = self.tournament
        state, number, view = AT_WORK.get(shown.state, ""), shown.number, shown.view
        return (number, state, view.done) if state and number is not None and view is not None else None

    def use_of(self, table: Path) -> str:
        from nimtui.agents.table import plays

        plan = self.tournament.plan
        players = self.game_played.session.players if self.playing else ()
        if any(plays(player.spec, table) for player in players):
            return "plays on the Play screen: end that game first"
        playing = plan is not None and any(plays(agent, table) for agent in plan.agents)
        if playing and self.tournament.state.is_on:
            return "plays in the running tournament: stop the tournament first"
        return ""


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
