"""Runs one tournament at a time: start, pause, stop, resume. Knows no widgets.

Belongs to the app, so a tournament runs whichever screen is shown. The conductor works in the event loop; the
tournament itself is a job, and its games are played in other processes. Slow work (the database, ratings, theory)
happens beside the event loop, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import is_not
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs, JobState
from nimtui.ui.kit.conductor import State, WorkConductor
from nimtui.ui.kit.keymap import key_of
from nimtui.ui.kit.latest_job import LatestJob, LatestLookup

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Standings
    from nimtui.jobs.tournament import Tournament, View
    from nimtui.store.database import Database
    from nimtui.store.tournament_writer import TournamentWriter
    from nimtui.store.tournaments import TournamentInfo
    from nimtui.ui.library.scan import Open
    from nimtui.ui.library.shelf import Item
    from nimtui.ui.tournament.setup import TournamentSetup

    Listed: TypeAlias = "tuple[list[TournamentInfo], list[TournamentInfo]]"  # unfinished and finished ones

MOST_LISTED, MOST_LOOKED_AT = 3, 100  # tournaments of each kind to list, from the latest so many
RESTING = 4  # wait this many times as long as the last standings took


class Opened(NamedTuple):
    """A tournament, and what its screen needs to know."""

    tournament: Tournament
    name: str  # given by the user
    workers: int | None  # requested; None: one per core
    unkept: str = ""  # why its games are not saved, in a line


def open_new(database: Open, setup: TournamentSetup) -> Opened:
    """Open a new tournament. If its games cannot be saved it runs in memory. InputError if it cannot be played."""
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.tournaments import begin

    plan = setup.plan()
    try:
        kept = begin(database(), plan.document(), plan.games, plan.agents, plan.pairings, plan.total, name=setup.name)
    except (InputError, OSError) as fault:
        unkept = f"Its games are not saved: {fault}"
        return Opened(Tournament(plan, None, setup.workers), setup.name, setup.workers, unkept)
    return _opened(kept, setup.workers)


def open_unfinished(database: Open, number: int | None, workers: int | None) -> Opened:
    """Open a saved tournament to resume it, by default the latest unfinished one. InputError if that is impossible."""
    from nimtui.store.tournaments import resume

    return _opened(resume(database(), number), workers)


def _opened(kept: TournamentWriter, workers: int | None) -> Opened:
    """Return the tournament of this row, which is closed if its games cannot be played."""
    from nimtui.arena.plan import Plan
    from nimtui.jobs.tournament import Tournament

    try:
        return Opened(Tournament(Plan.from_document(kept.info.document), kept, workers), kept.info.name, workers)
    except BaseException:
        kept.close()
        raise


def open_stopped(database: Open, number: int, workers: int | None) -> Opened:
    """Open a saved tournament as it stands, even if another process plays it. InputError if it cannot be read."""
    from nimtui.jobs.tournament import StoppedTournament

    stopped = StoppedTournament(database(), number)
    return Opened(stopped, stopped.info.name, workers)


def as_it_is(tournament: Tournament, now: Tournament | None) -> Tournament:
    """Return what is shown now if it is the same tournament: resuming makes another object."""
    same = now is not None and (now.plan, now.number) == (tournament.plan, tournament.number)
    return now if now is not None and same else tournament


def listed(database: Database) -> Listed:
    """Return the saved tournaments: the latest unfinished and finished ones. StoreError if they cannot be read."""
    from nimtui.store.tournaments import tournaments

    found = tournaments(database, kind="tournament", limit=MOST_LOOKED_AT)
    unfinished, ended = ([each for each in found if (each.state == "done") is done] for done in (False, True))
    return unfinished[:MOST_LISTED], ended[:MOST_LISTED]


class Rating:
    """The standings of one tournament after another, worked out beside the event loop.

    `changed` is called when there are new ones.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.pace = 0.5  # seconds between two standings while games are played
        self.standings: Standings | None = None  # a moment old
        self._changed = changed
        self._of: View | None = None
        self._at = self._took = 0.0  # when they were finished, and how long they took
        self._working: LatestLookup[Standings] = LatestLookup()

    def forget(self) -> None:
        """Forget the standings: another tournament is shown."""
        self._working.forget()
        self.standings = self._of = None

    def up_to_date(self, view: View) -> bool:
        """Return whether the standings cover all games played."""
        return self._of is not None and self._of.scores == view.scores

    def look(self, view: View, going: bool) -> None:
        """Work the standings out if games were played since; while it runs, not too soon after the last."""
        if self._working.running or self.up_to_date(view):
            return
        if going and self._of is not None and monotonic() - self._at < max(self.pace, RESTING * self._took):
            return
        begun = monotonic()

        def done(found: Standings | None, fault: str) -> None:
            self._at = monotonic()
            self._took = self._at - begun
            if found is not None:
                self._of, self.standings = view, found
                self._changed()

        self._working.start(lambda: view.standings, done)


class TournamentConductor(WorkConductor):
    """Runs one tournament after another. `changed` is called after every event that no tick would show."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.rating = Rating(lambda: self.changed())
        self.tournament: Tournament | None = None
        self.name = ""  # given by the user
        self._damage: list[str] = []  # damage found but not reported yet, a line each
        self.unkept = ""  # why its games are not saved, in a line; '' if they are
        self.remarks: Sequence[str] = ()  # what theory says about the starting position
        self.unfinished: list[TournamentInfo] = []  # saved tournaments that can be resumed
        self.ended: list[TournamentInfo] = []  # the latest finished ones
        self._database: Database | None = None
        self._opening_database = Lock()
        self._jobs: dict[int, Job[Any]] = {}  # the last job of each saved tournament, which holds its row until it ends
        self._seen: tuple[object, ...] = (None, None, None)  # at the last call of `look`
        self._again: JobState | None = None  # the state in which to resume once it has stopped
        self._opening: LatestJob[Opened] = LatestJob()
        self._wanted: int | None = None  # the number of the tournament being opened
        self._listing: LatestJob[Listed] = LatestJob()
        self._remarking: LatestJob[list[str]] = LatestJob()

    # State.

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
        """Return its number in the database; None if it is not saved."""
        return None if self.tournament is None else self.tournament.number

    @property
    def fault(self) -> str:
        """Say how many games are saved, and why the rest are not; '' if all are."""
        kept = self.tournament.kept if self.tournament is not None else None
        if kept is None or self.view is None or not kept.fault:
            return ""
        return f"{kept.info.played:,} of {self.view.total:,} games are saved: {kept.fault}"

    @property
    def finished(self) -> bool | None:
        return None if self.tournament is None else self.tournament.view.finished

    @property
    def getting_ready(self) -> str:
        """Return what happens before the first game: 'training hard'; '' once games are played."""
        view, job = self.view, self._job
        if view is None or job is None or view.done or self.state is not State.GOING:
            return ""
        return job.snapshot.what if job.snapshot.what not in ("", "games") else "starting"

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """Return its jobs if all games are saved: stopping these loses nothing."""
        stopping = [job for job in self._jobs.values() if job is not self._job]
        own = self._job if self.number is not None and not self.fault else None
        jobs = (self._opening.job, self._listing.job, self._remarking.job, *stopping, own)
        return [job for job in jobs if job is not None]

    @property
    def lost_by_leaving(self) -> str:
        """Say which games leaving would lose, in a sentence; '' if they are saved or there are none."""
        view = self.view
        if view is None or not view.done or not (self.unkept or self.fault):
            return ""
        if self.number is None:
            return "The tournament is not saved: its games will be lost."
        return (
            "The latest games of the tournament are not saved and will be lost. "
            f"Tournament {self.number} plays them again when you continue it."
        )

    @property
    def in_the_way(self) -> str:
        """Say what another tournament in its place would stop or lose, in a sentence; '' for nothing."""
        if self.lost_by_leaving:
            return self.lost_by_leaving
        if self.state not in (State.GOING, State.PAUSED):
            return ""
        kept = "; its finished games are saved" if self.number is not None else ""
        return f"A tournament is unfinished. It will stop{kept}."

    def look(self) -> bool:
        """Return whether anything visible changed since the last call. Starts the next update of the standings."""
        view, before = self.view, self._seen
        self._seen = view, self.state, self.standings
        changed = any(map(is_not, self._seen, before))
        if self._damage:  # found by a recent read
            self.message, changed = self._damage[-1], True
            self._damage.clear()
        if view is not None:
            self.rating.look(view, self.state is State.GOING)
        return changed

    # The database.

    def database(self) -> Database:
        """Return the database of games, opened at the first call, which may take a moment. Not for the event loop."""
        with self._opening_database:
            if self._database is None:
                from nimtui.store.database import Database

                self._database = Database(tell=self._damage.append)
            return self._database

    def release(self) -> None:
        """Close the database: SQLite then removes the files beside it."""
        if self._database is not None:
            self._database.close()

    def look_for_unfinished(self) -> None:
        """Find the saved tournaments that are unfinished; `changed` is called when they are known."""

        def found(job: Job[Listed]) -> None:
            if job.result is not None:
                self.unfinished, self.ended = job.result
            elif job.error_text and self.tournament is None:
                self.message = f"Cannot read the saved tournaments: {job.error_text}"
            self.changed()

        self._listing.start(self.jobs, "saved tournaments", lambda _: listed(self.database()), found)

    # Starting.

    def start(self, setup: TournamentSetup) -> None:
        """Start this tournament. A running one stops as soon as this one is ready, and stays saved."""
        self._open("Preparing the tournament", partial(open_new, self.database, setup), "Cannot start")

    def resume(self, number: int | None = None) -> None:
        """Resume a saved tournament: this one, or the latest unfinished one."""
        if number is not None and number == self.number and self.state not in (State.STOPPED, State.FAILED):
            self.changed()  # already shown
            return
        if self._opening.running and number is not None and number == self._wanted:
            return  # already being opened
        before = self._jobs.get(number) if number is not None else None

        def load() -> Opened:
            if before is not None:
                before.join(30)
            return open_unfinished(self.database, number, self.workers)

        self._open("Reading its games", load, "Cannot resume", number)

    def show(self, number: int) -> None:
        """Show a saved tournament as it stands, without resuming it."""
        if number == self.number and self.state is not State.STOPPED:
            self.changed()
        else:
            load = partial(open_stopped, self.database, number, self.workers)
            self._open("Reading its games", load, "Cannot show it", number)

    def _open(self, message: str, load: Callable[[], Opened], wrong: str, number: int | None = None) -> None:
        """Replace this tournament by another one; if that fails, this one stays."""
        self.message, self._wanted = message, number

        def opened(job: Job[Opened]) -> None:
            if job.result is None or job.state is not JobState.DONE:
                self.message, self._again = f"{wrong}: {job.error_text or 'stopped'}", None
                self.changed()
            else:
                self._opened(job.result)

        def unwanted(job: Job[Opened]) -> None:
            """Close the tournament just read if the user asked for another one meanwhile."""
            kept = job.result.tournament.kept if job.result is not None else None
            if kept is not None and job.state is not JobState.DONE:
                self.jobs.start("closing a tournament", lambda _: kept.close())

        self._opening.start(self.jobs, "opening a tournament", lambda _: load(), opened)
        assert self._opening.job is not None
        self._opening.job.add_done_callback(unwanted)
        self.changed()

    def _opened(self, opened: Opened) -> None:
        from nimtui.jobs.tournament import StoppedTournament

        before, number = self._job, self.number
        self.tournament, self.name, self.workers, self.unkept, self.message, self._job = *opened, "", None
        if before is not None:
            before.cancel()
        if self.number is None or self.number != number:
            self.remarks = ()
            self.rating.forget()
            self._remark(opened.tournament.plan)
        if not isinstance(opened.tournament, StoppedTournament):
            self._go(opened.tournament)
        elif self.state is State.STOPPED:
            self.message = f"Not running. Press {key_of('tournament.resume', 'r')} to resume."
        self.changed()

    def _remark(self, plan: Plan) -> None:
        """Ask theory about the start, which takes seconds for a large board."""
        from nimtui.arena.standings import remark

        def told(job: Job[list[str]]) -> None:
            self.remarks = job.result or ()
            self.changed()

        self._remarking.start(self.jobs, "theory", partial(remark, plan), told)

    def _go(self, tournament: Tournament) -> None:
        job = self.run("tournament", tournament.work, tournament.kept)
        if self.number is not None:
            self._jobs[self.number] = job
        if self._again is JobState.PAUSED:
            job.pause()
        self._again = None
        self.changed()

    def after_end(self) -> None:
        if self.state is not State.STOPPED:
            return
        if self._again is not None:
            self.go_on()
            return
        kept = "Finished games are saved. " if self.number is not None and not self.fault else ""
        self.message = f"Stopped. {kept}Press {key_of('tournament.resume', 'r')} to resume."

    # Controls.

    def go_on(self) -> None:
        self.message = ""
        if self.number is not None:
            self.resume(self.number)
        elif self.tournament is not None:
            self._go(self.tournament)

    def stop(self) -> None:
        self._again = None
        super().stop()

    def leave(self) -> None:
        """Close the tournament shown; a running one stays."""
        if self._job is None or self._job.state.ended:
            self.tournament = self._job = None
            self.rating.forget()
            self.name = self.message = self.unkept = ""
            self.look_for_unfinished()
            self.changed()

    def change_workers(self) -> None:
        """Double the number of processes; after all cores comes one. A running tournament continues with them."""
        from nimtui.jobs.processes import cores

        state = self.state
        if self.number is None and self.tournament is not None:
            self.message = "Cannot change the workers: its games are not saved"
        elif state is not State.STOPPING:
            self.workers = 1 if self.at_work >= cores() else min(cores(), 2 * self.at_work)
            self.message = f"Plays on {self.workers} of {cores()} cores"
            if state in (State.GOING, State.PAUSED):
                self.stop()
                self._again = JobState.PAUSED if state is State.PAUSED else JobState.RUNNING
        self.changed()

    # Export.

    @property
    def item(self) -> Item | None:
        """Return it as a saved item, which can be exported; None if it is not saved."""
        from nimtui.ui.library.shelf import Item, Kind

        if self.number is None or self.view is None:
            return None
        name = self.name or f"tournament-{self.number}"
        return Item(Kind.TOURNAMENT, self.number, name, name, 0.0, self.view.done)

    def export(self, path: Path) -> None:
        """Write its standings, results or games to a new file; the extension says which."""
        from nimtui.ui.library import actions

        item = self.item
        if item is not None:
            self.write(path, lambda progress: actions.write(item, path, self.database, progress))
