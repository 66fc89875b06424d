"""Keeps one tournament going: begins it, holds it, stops it, goes on with it. Knows no widgets.

Belongs to the app, so a tournament goes on whichever screen is shown. Everything here happens in the event loop; the
tournament itself is a job, and its games are played in other processes. What is long (the database, the ratings, what
theory says) happens beside the event loop, too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Progress
from nimtui.ui.beside import Beside
from nimtui.ui.errand import Errand
from nimtui.ui.sweep_conductor import State

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Standings
    from nimtui.jobs.tournament import Tournament, View
    from nimtui.store.database import Database
    from nimtui.store.tournaments import Kept, TournamentInfo
    from nimtui.ui.library_shelf import Item
    from nimtui.ui.tournament_setup import TournamentSetup

RESTING = 4  # times as long as working out standings took, until they are worked out again
MOST_LISTED, MOST_LOOKED_AT = 3, 100  # unfinished tournaments that are listed, of the latest so many


class TournamentConductor:
    """One tournament after another. `changed` is called when something happened that no tick would show."""

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.changed: Callable[[], None] = lambda: None
        self.pace = 0.5  # seconds between two standings while games are played
        self.tournament: Tournament | None = None
        self.name = ""  # what the person called it
        self.workers: int | None = None  # asked for; None: one a core
        self.message = ""
        self.unkept = ""  # why its games are not kept, in a line; '' where they are
        self.standings: Standings | None = None  # of a moment ago
        self.remarks: tuple[str, ...] = ()  # what theory says of where its games start
        self.unfinished: tuple[TournamentInfo, ...] = ()  # kept ones that can be gone on with
        self._database: Database | None = None
        self._job: Job[Any] | None = None
        self._seen: tuple[object, ...] = ()  # at the last look
        self._rating: Beside[Standings] = Beside()
        self._rated: View | None = None
        self._rated_at = self._rating_took = 0.0
        self._again = False  # to be gone on with as soon as it has stopped
        self._opening: Errand[Tournament] = Errand()
        self._listing: Errand[tuple[TournamentInfo, ...]] = Errand()
        self._remarking: Errand[tuple[str, ...]] = Errand()
        self._writing: Errand[Path] = Errand()

    # What there is to see.

    @property
    def plan(self) -> Plan | None:
        return None if self.tournament is None else self.tournament.plan

    @property
    def view(self) -> View | None:
        return None if self.tournament is None else self.tournament.view

    @property
    def kept(self) -> Kept | None:
        """Where its games are kept; None where they are not."""
        return None if self.tournament is None else self.tournament.kept

    @property
    def opening(self) -> bool:
        """Is one being made ready, or read?"""
        return self._opening.running

    @property
    def state(self) -> State:
        if self.tournament is None or self._job is None:
            return State.NONE
        if self._job.state.ended:
            if self.tournament.view.finished:
                return State.FINISHED
            return State.FAILED if self._job.state is JobState.FAILED else State.STOPPED
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
        if self.kept is not None and not self.kept.fault:
            jobs.append(self._job)
        return [job for job in jobs if job is not None]

    def look(self) -> bool:
        """Is anything to be seen that was not at the last look? Standings are worked out meanwhile."""
        view = self.view
        seen = (view, self.state, self.standings)
        changed = any(now is not before for now, before in zip(seen, self._seen or (None,) * 3, strict=True))
        self._seen = seen
        if view is not None and not self._rating.running and self._worth_rating(view):
            self._rate(view)
        return changed

    def _worth_rating(self, view: View) -> bool:
        """Has anything been played since the standings were worked out, and is that long enough ago?"""
        rated = self._rated
        if rated is None or self.state is not State.GOING:
            return rated is None or rated.scores != view.scores
        wait = max(self.pace, RESTING * self._rating_took)
        return monotonic() - self._rated_at >= wait and rated.scores != view.scores

    def _rate(self, view: View) -> None:
        """Work out the standings in a thread: some milliseconds with few entrants, more with many."""
        tournament, begun = self.tournament, monotonic()

        def rated(found: Standings | None, fault: str) -> None:
            self._rated_at = monotonic()
            self._rating_took = self._rated_at - begun
            if self.tournament is tournament and found is not None:
                self._rated, self.standings = view, found
                self.changed()

        self._rating.start(lambda: view.standings, rated)

    # What is kept.

    def database(self) -> Database:
        """Where games are kept; opened when first asked for, which may take a moment. Not in the event loop."""
        if self._database is None:
            from nimtui.store.database import Database

            self._database = Database()
        return self._database

    def look_for_unfinished(self) -> None:
        """Find the kept tournaments that were not ended; `changed` is called when that is known."""

        def find(progress: Progress) -> tuple[TournamentInfo, ...]:
            from nimtui.store.tournaments import tournaments

            found = tournaments(self.database(), kind="tournament", limit=MOST_LOOKED_AT)
            return tuple(each for each in found if each.state != "done")[:MOST_LISTED]

        def found(job: Job[tuple[TournamentInfo, ...]]) -> None:
            if job.result is not None:
                self.unfinished = job.result
            elif job.error_text and self.tournament is None:
                self.message = f"What was kept cannot be read: {job.error_text}"
            self.changed()

        self._listing.start(self.jobs, "kept tournaments", find, found)

    # Beginning.

    def start(self, setup: TournamentSetup) -> None:
        """Begin this tournament; one that is going on stops, and is kept."""
        self.workers, self.name = setup.workers, setup.name

        def load(progress: Progress) -> Tournament:
            from nimtui.jobs.tournament import Tournament

            plan = setup.plan()
            return Tournament(plan, self._begun(plan, setup.name), setup.workers)

        self._open("Making it ready", load)

    def _begun(self, plan: Plan, name: str) -> Kept | None:
        """A place for its games; without one it goes on in memory, and that is said."""
        from nimtui.store.tournaments import begin

        self.unkept = ""
        try:
            return begin(
                self.database(), plan.document(), plan.games, plan.agents, plan.pairings, plan.total, name=name
            )
        except (InputError, OSError) as fault:
            self.unkept = f"Its games are not kept: {fault}"
            return None

    def resume(self, number: int | None = None) -> None:
        """Go on with a kept tournament, the latest unfinished one if none is named; or show one that is finished."""
        if self.kept is not None and number == self.kept.id and self.state not in (State.STOPPED, State.FAILED):
            self.changed()  # it is this one that is shown
            return

        def load(progress: Progress) -> Tournament:
            from nimtui.arena.plan import Plan
            from nimtui.jobs.tournament import Tournament
            from nimtui.store.tournaments import resume

            kept = resume(self.database(), number)
            try:
                self.name, self.unkept = kept.info.name, ""
                return Tournament(Plan.from_document(kept.info.document), kept, self.workers)
            except BaseException:
                kept.close()
                raise

        self._open("Reading its games", load)

    def _open(self, message: str, load: Callable[[Progress], Tournament]) -> None:
        self.stop()
        before = self._job
        self.message = message

        def work(progress: Progress) -> Tournament:
            if before is not None:
                before.join(30)  # its place in the database is its own until then
            return load(progress)

        self._opening.start(self.jobs, "opening a tournament", work, self._opened)
        self.changed()

    def _opened(self, job: Job[Tournament]) -> None:
        if job.result is None:
            self.message = f"It cannot be played: {job.error_text or 'stopped'}"
            self.changed()
            return
        self.message = ""
        self.tournament, self.standings, self.remarks = job.result, None, ()
        self._rated = None
        self._go()
        self._remark(job.result.plan)

    def _remark(self, plan: Plan) -> None:
        """Ask theory about the start: seconds for a large board."""

        def ask(progress: Progress) -> tuple[str, ...]:
            from nimtui.arena.standings import remark

            return tuple(remark(plan, progress))

        def told(job: Job[tuple[str, ...]]) -> None:
            self.remarks = job.result or ()
            self.changed()

        self._remarking.start(self.jobs, "theory", ask, told)

    def _go(self) -> None:
        tournament = self.tournament
        assert tournament is not None

        def work(progress: Progress) -> View:
            try:
                return tournament.work(progress)
            finally:
                if tournament.kept is not None:
                    tournament.kept.close()  # so that it can be gone on with, here or elsewhere

        self._again = False
        self._job = self.jobs.start("tournament", work)
        self._job.add_done_callback(self._ended)
        self.changed()

    def _ended(self, job: Job[Any]) -> None:
        if job is not self._job:
            return
        if self.state is State.FAILED:
            self.message = f"It has stopped: {job.error_text}"
        elif self._again and self.state is State.STOPPED:
            self.go_on()
        elif self.state is State.STOPPED:
            kept = self.kept
            self.message = "Stopped, and its games are kept: r goes on." if kept is not None else "Stopped: r goes on."
        self.changed()

    # Controls.

    def pause_or_go_on(self) -> None:
        """Hold it, or let it go on; one that was stopped goes on where it was."""
        job, state = self._job, self.state
        self.message = ""
        if job is None:
            return
        if state is State.GOING:
            job.pause()
        elif state is State.PAUSED:
            job.resume()
        elif state in (State.STOPPED, State.FAILED):
            self.go_on()
        self.changed()

    def go_on(self) -> None:
        """Go on with the one that was stopped."""
        self.message = ""
        if self.kept is not None:
            self.resume(self.kept.id)
        elif self.tournament is not None:
            self._go()

    def stop(self) -> None:
        """End it; every game that is over is kept."""
        if self._job is not None:
            self._job.cancel()
        self.changed()

    def leave(self) -> None:
        """Show none any more; one that is going on stays."""
        if self._job is None or self._job.state.ended:
            self.tournament = self._job = self.standings = self._rated = None
            self.name = self.message = ""
            self.look_for_unfinished()
            self.changed()

    def change_workers(self) -> None:
        """Twice as many processes, from all cores to one again; a tournament at work goes on with them."""
        from nimtui.jobs.processes import cores

        self.workers = 1 if self.at_work >= cores() else min(cores(), 2 * self.at_work)
        self.message = f"{self.workers} of {cores()} cores at work"
        if self.state in (State.GOING, State.PAUSED):
            self._again = True
            self.stop()
        self.changed()

    # For other programs.

    @property
    def item(self) -> Item | None:
        """It as a kept thing, which can be written to a file; None where it is not kept."""
        from nimtui.ui.library_shelf import Item, Kind

        kept, view = self.kept, self.view
        if kept is None or view is None:
            return None
        name = self.name or f"tournament-{kept.id}"
        return Item(Kind.TOURNAMENT, kept.id, name, name, kept.info.changed, view.done, "")

    def export(self, path: Path) -> None:
        """Write what is kept of it to a new file: standings, results or games, by the end of its name."""
        item = self.item
        if item is None:
            return

        def write(progress: Progress) -> Path:
            from nimtui.ui import library_acts

            return library_acts.write(item, path, self.database, progress)

        def written(job: Job[Path]) -> None:
            wrong = f"It is not written: {job.error_text or 'stopped'}"
            self.message = f"Written to {path.absolute()}" if job.result is not None else wrong
            self.changed()

        self._writing.start(self.jobs, "export", write, written)
