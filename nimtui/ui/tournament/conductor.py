"""Keeps one tournament going: begins it, holds it, stops it, goes on with it. Knows no widgets.

Belongs to the app, so a tournament goes on whichever screen is shown. Everything here happens in the event loop; the
tournament itself is a job, and its games are played in other processes. What is long (the database, the ratings, what
theory says) happens beside the event loop, too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Progress
from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.kit.state import State
from nimtui.ui.tournament import shown
from nimtui.ui.tournament.shown import Rating

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Standings
    from nimtui.jobs.tournament import Tournament, View
    from nimtui.store.database import Database
    from nimtui.store.tournaments import TournamentInfo
    from nimtui.ui.library.shelf import Item
    from nimtui.ui.tournament.setup import TournamentSetup
    from nimtui.ui.tournament.shown import Opened, Shown


class TournamentConductor(Conductor):
    """One tournament after another. `changed` is called when something happened that no tick would show."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.rating = Rating(lambda: self.changed())
        self.tournament: Shown | None = None
        self.name = ""  # what the person called it
        self.workers: int | None = None  # asked for; None: one a core
        self._damage: list[str] = []  # what was found damaged and is not said yet, a line each
        self.unkept = ""  # why its games are not kept, in a line; '' where they are
        self.remarks: tuple[str, ...] = ()  # what theory says of where its games start
        self.unfinished: tuple[TournamentInfo, ...] = ()  # kept ones that can be gone on with
        self.ended: tuple[TournamentInfo, ...] = ()  # the latest that are finished
        self._database: Database | None = None
        self._opening_database = Lock()
        self._job: Job[Any] | None = None
        self._jobs: dict[int, Job[Any]] = {}  # that played a kept one last: its place is that job's until its end
        self._seen: tuple[object, ...] = ()  # at the last look
        self._again: JobState | None = None  # as soon as it has stopped it goes on, so
        self._opening: LatestJob[Opened] = LatestJob()
        self._wanted: int | None = None  # the number of the one that is being opened
        self._listing: LatestJob[tuple[TournamentInfo, ...]] = LatestJob()
        self._remarking: LatestJob[tuple[str, ...]] = LatestJob()
        self._writing: LatestJob[Path] = LatestJob()

    # What there is to see.

    @property
    def standings(self) -> Standings | None:
        return self.rating.standings

    @property
    def plan(self) -> Plan | None:
        return None if self.tournament is None else self.tournament.plan

    @property
    def view(self) -> View | None:
        return None if self.tournament is None else self.tournament.view

    @property
    def number(self) -> int | None:
        """Its number in the database; None where it is not kept."""
        return None if self.tournament is None else self.tournament.number

    @property
    def fault(self) -> str:
        """How many games are saved of how many, and why not all that are played; '' where they are."""
        kept = self.tournament.kept if self.tournament is not None else None
        view = self.view
        if kept is None or view is None or not kept.fault:
            return ""
        return f"{kept.info.played:,} of {view.total:,} games are saved: {kept.fault}"

    @property
    def state(self) -> State:
        if self.tournament is None:
            return State.NONE
        if self._job is None or self._job.state.ended:
            if self.tournament.view.finished:
                return State.FINISHED
            failed = self._job is not None and self._job.state is JobState.FAILED
            return State.FAILED if failed else State.STOPPED
        if self._job.cancelling:
            return State.STOPPING
        return State.PAUSED if self._job.state is JobState.PAUSED else State.GOING

    @property
    def at_work(self) -> int:
        """How many processes it was given."""
        from nimtui.jobs.processes import cores

        return self.workers or cores()

    @property
    def getting_ready(self) -> str:
        """What is done before the first game: 'training hard'; '' as soon as games are played."""
        view, job = self.view, self._job
        if view is None or job is None or view.done or self.state is not State.GOING:
            return ""
        return job.snapshot.what if job.snapshot.what not in ("", "games") else "starting"

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """Its jobs, where all games are kept: then nothing is lost when they are stopped."""
        jobs: list[Job[Any] | None] = [self._opening.job, self._listing.job, self._remarking.job]
        jobs += [job for job in self._jobs.values() if job is not self._job]  # they are stopping
        if self.number is not None and not self.fault:
            jobs.append(self._job)
        return [job for job in jobs if job is not None]

    @property
    def lost_by_leaving(self) -> str:
        """That its games would be gone with it, in a sentence; '' where they are kept, or there are none."""
        view = self.view
        if view is None or not view.done or not (self.unkept or self.fault):
            return ""
        if self.number is None:
            return "The tournament is not saved: its games will be lost."
        return (
            "The latest games of the tournament are not saved and will be lost. "
            f"Tournament {self.number} plays them again when you continue it, once there is room."
        )

    @property
    def in_the_way(self) -> str:
        """What another tournament in its place would end or lose, in a sentence; '' for nothing."""
        if self.lost_by_leaving:
            return self.lost_by_leaving
        if self.state not in (State.GOING, State.PAUSED):
            return ""
        return "A tournament is going on: it stops, and is kept as far as it is."

    def look(self) -> bool:
        """Is anything to be seen that was not at the last look? Standings are worked out meanwhile."""
        view = self.view
        seen = (view, self.state, self.standings)
        changed = any(now is not before for now, before in zip(seen, self._seen or (None,) * 3, strict=True))
        self._seen = seen
        if self._damage:  # what was read lately
            self.message, changed = self._damage[-1], True
            self._damage.clear()
        if view is not None:
            self.rating.look(view, self.state is State.GOING)
        return changed

    # What is kept.

    def database(self) -> Database:
        """Where games are kept; opened when first asked for, which may take a moment. Not in the event loop."""
        with self._opening_database:
            if self._database is None:
                from nimtui.store.database import Database

                self._database = Database(tell=self._damage.append)
            return self._database

    def look_for_unfinished(self) -> None:
        """Find the kept tournaments that were not ended; `changed` is called when that is known."""

        def find(progress: Progress) -> tuple[TournamentInfo, ...]:
            return shown.listed(self.database())

        def found(job: Job[tuple[TournamentInfo, ...]]) -> None:
            if job.result is not None:
                self.unfinished = tuple(info for info in job.result if info.state != "done")
                self.ended = tuple(info for info in job.result if info.state == "done")
            elif job.error_text and self.tournament is None:
                self.message = f"What was kept cannot be read: {job.error_text}"
            self.changed()

        self._listing.start(self.jobs, "kept tournaments", find, found)

    # Beginning.

    def start(self, setup: TournamentSetup) -> None:
        """Begin this tournament; as soon as it can begin, one that is going on stops, and is kept."""

        def load(progress: Progress) -> Opened:
            return shown.begin(self.database, setup)

        self._open("Making it ready", load, "It cannot be played")

    def resume(self, number: int | None = None) -> None:
        """Go on with a kept tournament, the latest unfinished one if none is named."""
        if number is not None and number == self.number and self.state not in (State.STOPPED, State.FAILED):
            self.changed()  # it is this one that is shown
            return
        if self._opening.running and number is not None and number == self._wanted:
            return  # it is being opened
        before = self._jobs.get(number) if number is not None else None

        def load(progress: Progress) -> Opened:
            if before is not None:
                before.join(30)
            return shown.go_on(self.database(), number, self.workers)

        self._open("Reading its games", load, "It cannot be gone on with", number)

    def show(self, number: int) -> None:
        """Show a kept tournament as it stands; it goes on when that is asked for."""
        if number == self.number and self.state is not State.STOPPED:
            self.changed()
            return

        def load(progress: Progress) -> Opened:
            return shown.show(self.database(), number, self.workers)

        self._open("Reading its games", load, "It cannot be shown", number)

    def _open(self, message: str, load: Callable[[Progress], Opened], wrong: str, number: int | None = None) -> None:
        """Put another one in the place of this; where that cannot be, this one stays as it is."""
        self.message, self._wanted = message, number

        def opened(job: Job[Opened]) -> None:
            if job.result is None or job.state is not JobState.DONE:
                self.message, self._again = f"{wrong}: {job.error_text or 'stopped'}", None
                self.changed()
            else:
                self._opened(job.result)

        def unwanted(job: Job[Opened]) -> None:
            """Another one was asked for while this one was read."""
            kept = job.result.tournament.kept if job.result is not None else None
            if kept is not None and job.state is not JobState.DONE:
                self.jobs.start("closing a tournament", lambda _: kept.close())

        self._opening.start(self.jobs, "opening a tournament", load, opened)
        assert self._opening.job is not None
        self._opening.job.add_done_callback(unwanted)
        self.changed()

    def _opened(self, opened: Opened) -> None:
        from nimtui.jobs.tournament import Tournament

        before, number = self._job, self.number
        self.tournament, self.name, self.workers, self.unkept, self.message = *opened, ""
        self._job = None
        if before is not None:
            before.cancel()
        if self.number is None or self.number != number:
            self.remarks = ()
            self.rating.forget()
            self._remark(opened.tournament.plan)
        if isinstance(opened.tournament, Tournament):
            self._go(opened.tournament)
        elif self.state is State.STOPPED:
            self.message = "It stands still: r goes on."
        self.changed()

    def _remark(self, plan: Plan) -> None:
        """Ask theory about the start: seconds for a large board."""

        def ask(progress: Progress) -> tuple[str, ...]:
            from nimtui.arena.standings import remark

            return tuple(remark(plan, progress))

        def told(job: Job[tuple[str, ...]]) -> None:
            self.remarks = job.result or ()
            self.changed()

        self._remarking.start(self.jobs, "theory", ask, told)

    def _go(self, tournament: Tournament) -> None:
        def work(progress: Progress) -> View:
            try:
                return tournament.work(progress)
            finally:
                if tournament.kept is not None:
                    tournament.kept.close()  # so that it can be gone on with, here or elsewhere

        self._job = self.jobs.start("tournament", work)
        if self.number is not None:
            self._jobs[self.number] = self._job
        if self._again is JobState.PAUSED:
            self._job.pause()
        self._again = None
        self._job.add_done_callback(self._ended)
        self.changed()

    def _ended(self, job: Job[Any]) -> None:
        if job is not self._job:
            return
        if self.state is State.FAILED:
            self.message = f"It has stopped: {job.error_text}"
        elif self._again is not None and self.state is State.STOPPED:
            self.go_on()
        elif self.state is State.STOPPED:
            kept = self.number is not None
            self.message = "Stopped, and its games are kept: r goes on." if kept else "Stopped: r goes on."
        self.changed()

    # Controls.

    def pause_or_go_on(self) -> None:
        """Hold it, or let it go on; one that was stopped goes on where it was."""
        job, state = self._job, self.state
        self.message = ""
        if state in (State.STOPPED, State.FAILED):
            self.go_on()
        elif job is not None and state is State.GOING:
            job.pause()
        elif job is not None and state is State.PAUSED:
            job.resume()
        self.changed()

    def go_on(self) -> None:
        """Go on with the one that was stopped."""
        from nimtui.jobs.tournament import Tournament

        self.message = ""
        if self.number is not None:
            self.resume(self.number)
        elif isinstance(self.tournament, Tournament):
            self._go(self.tournament)

    def stop(self) -> None:
        """End it; every game that is over is kept."""
        self._again = None
        if self._job is not None:
            self._job.cancel()
        self.changed()

    def leave(self) -> None:
        """Show none any more; one that is going on stays."""
        if self._job is None or self._job.state.ended:
            self.tournament = self._job = None
            self.rating.forget()
            self.name = self.message = self.unkept = ""
            self.look_for_unfinished()
            self.changed()

    def change_workers(self) -> None:
        """Twice as many processes, from all cores to one again; a tournament at work goes on with them."""
        from nimtui.jobs.processes import cores

        state = self.state
        if self.number is None and self.tournament is not None:
            self.message = "The workers of one whose games are not kept stay as they are"
        elif state is not State.STOPPING:
            self.workers = 1 if self.at_work >= cores() else min(cores(), 2 * self.at_work)
            self.message = f"{self.workers} of {cores()} cores at work"
            if state in (State.GOING, State.PAUSED):
                self.stop()
                self._again = JobState.PAUSED if state is State.PAUSED else JobState.RUNNING
        self.changed()

    # For other programs.

    @property
    def item(self) -> Item | None:
        """It as a kept thing, which can be written to a file; None where it is not kept."""
        from nimtui.ui.library.shelf import Item, Kind

        view = self.view
        if self.number is None or view is None:
            return None
        name = self.name or f"tournament-{self.number}"
        return Item(Kind.TOURNAMENT, self.number, name, name, 0.0, view.done, "")

    def export(self, path: Path) -> None:
        """Write what is kept of it to a new file: standings, results or games, by the end of its name."""
        item = self.item
        if item is None:
            return

        def write(progress: Progress) -> Path:
            from nimtui.ui.library import actions as library_acts

            return library_acts.write(item, path, self.database, progress)

        def written(job: Job[Path]) -> None:
            wrong = f"It is not written: {job.error_text or 'stopped'}"
            self.message = f"Written to {path}" if job.result is not None else wrong
            self.changed()

        self._writing.start(self.jobs, "export", write, written)
