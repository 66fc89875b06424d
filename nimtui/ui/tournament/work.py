"""Runs one tournament at a time, whichever screen is shown. Its games are played in other processes. Knows no widgets.

Slow work (the database, ratings, theory) happens beside the event loop, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from nimtui.errors import InputError
from nimtui.jobs import Jobs, processes
from nimtui.jobs.clock import compiling_text
from nimtui.jobs.conductor import LatestLookup
from nimtui.jobs.job import Snapshot
from nimtui.jobs.live_games import Waits
from nimtui.jobs.work import State, Work
from nimtui.progress import Progress
from nimtui.store.run_files import RunFile
from nimtui.ui.kit.contract.keymap import key_of

if TYPE_CHECKING:
    from nimtui.arena.play.plan import Plan
    from nimtui.arena.standings.standings import Standings
    from nimtui.jobs.tournament import Tournament, View
    from nimtui.store.database import Database
    from nimtui.store.rows import TournamentInfo
    from nimtui.store.tournaments import TournamentWriter
    from nimtui.ui.library.catalogue import Open
    from nimtui.ui.library.shelf import Item
    from nimtui.ui.tournament.setup import TournamentSetup

    Listed: TypeAlias = "tuple[list[TournamentInfo], list[TournamentInfo]]"  # unfinished and finished ones

MOST_LISTED, MOST_LOOKED_AT = 3, 100  # tournaments of each kind to list, from the latest so many
READING = "Reading its games"
RESTING = 4  # wait this many times as long as the last standings took


class Told(Progress):
    """The progress of a preparation as a line; '' before it is known."""

    def __init__(self, saying: str) -> None:
        self.saying, self.text = saying, ""

    def report(self, done: float, total: float, what: str = "") -> None:
        if total:
            self.text = f"{self.saying}: {Snapshot(done, total).far} {what}"


def open_class(database: Open, setup: TournamentSetup, progress: Progress) -> Tournament:
    """Open the class of a folder. InputError if nobody can play."""
    from nimtui.arena.classes import class_folder
    from nimtui.games import parse_game
    from nimtui.jobs import classes

    class_folder.begin(Path(setup.folder))
    return classes.opened(database(), Path(setup.folder), parse_game(setup.games[0]), setup.workers, progress)


def open_new(database: Open, setup: TournamentSetup) -> Tournament:
    """Open a new tournament. If its games cannot be saved it runs in memory. InputError if it cannot be played."""
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.tournaments import begin

    plan = setup.plan()
    try:
        writer = begin(database(), plan.document(), plan.games, plan.agents, plan.pairings, plan.total, name=setup.name)
    except (InputError, OSError) as fault:
        tournament = Tournament(plan, None, setup.workers)
        tournament.name, tournament.unkept = setup.name, f"Its games are not saved: {fault}"
        return tournament
    return _opened(writer, setup.workers)


def _opened(kept: TournamentWriter, workers: int | None) -> Tournament:
    """Return the tournament of this row, which is closed if its games cannot be played."""
    from nimtui.agents.program import changes
    from nimtui.arena.play.plan import Plan
    from nimtui.jobs.tournament import Tournament

    try:
        changes(kept.info.document, resumed=True)  # a program that is gone is missed before any game
        return Tournament(Plan.from_document(kept.info.document), kept, workers)
    except BaseException:
        kept.close()
        raise


def as_it_is(tournament: Tournament, now: Tournament | None) -> Tournament:
    """Return what is shown now if it is the same tournament: resuming makes another object."""
    same = now is not None and (now.plan, now.number) == (tournament.plan, tournament.number)
    return now if now is not None and same else tournament


def listed(database: Database) -> Listed:
    """Return the saved tournaments: the latest unfinished and finished ones. StoreError if they cannot be read."""
    from nimtui.store.tournaments import tournaments

    infos = tournaments(database, kind="tournament", limit=MOST_LOOKED_AT)
    unfinished, ended = ([each for each in infos if (each.state == "done") is done] for done in (False, True))
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
        self._working.cancel()
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

        self._working.look(lambda: view.standings, done)


class TournamentWork(Work["Tournament"]):
    """Runs one tournament after another."""

    kind = "tournament"

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.rating = Rating(lambda: self.changed())
        self.damage: list[str] = []  # of the database, found but not reported yet, a line each
        self.remarks: Sequence[str] = ()  # what theory says about the starting position
        self.programs: Sequence[str] = ()  # which have changed, and what closes them in
        self.unfinished: list[TournamentInfo] = []  # saved tournaments that can be resumed
        self.ended: list[TournamentInfo] = []  # the latest finished ones
        self._listing: LatestLookup[Listed] = LatestLookup()
        self._told = Told("")  # how far a class is tried
        self._waits = Waits()
        self._again: State | None = None  # in which it was stopped for other workers: it resumes so

    # State.

    @property
    def standings(self) -> Standings | None:
        return self.rating.standings

    @property
    def plan(self) -> Plan | None:
        return None if self.task is None else self.task.plan

    @property
    def view(self) -> View | None:
        return None if self.task is None else self.task.view

    @property
    def number(self) -> int | None:
        """Return its number in the database; None if it is not saved."""
        return None if self.task is None else self.task.number

    @property
    def fault(self) -> str:
        """Say how many games are saved, and why the rest are not; '' if all are."""
        writer = self.task.writer if self.task is not None else None
        if writer is None or self.view is None or not writer.fault:
            return ""
        return f"{writer.info.played:,} of {self.view.total:,} games are saved: {writer.fault}"

    @property
    def stuck(self) -> str:
        """Name the agent whose move takes longest; '' if none takes long."""
        return "" if self.plan is None else self._waits.stuck(self.plan)

    @property
    def getting_ready(self) -> str:
        """Return what happens before the first game: 'training hard'; '' once games are played."""
        if self.job is None or self.state is not State.PREPARING:
            return ""
        return compiling_text() or (self.job.snapshot.what if self.job.snapshot.prepares else "starting")

    @property
    def lost_by_leaving(self) -> str:
        """Say which games leaving would lose, in a sentence; '' if they are saved or there are none."""
        view = self.view
        if self.foreign is not None or view is None or not view.done or self.saved:
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
        if self.foreign is not None or not self.state.is_on:
            return ""
        saved = "; its finished games are saved" if self.number is not None else ""
        return f"A tournament is unfinished. It will stop{saved}."

    @property
    def shown(self) -> tuple[object, ...]:
        return *super().shown, self.standings

    def look(self) -> bool:
        """Return whether anything visible changed since the last call. Starts the next update of the standings."""
        changed = super().look()
        if self.opening and self._told.text and self.message != self._told.text:
            self.message, changed = self._told.text, True
        self._waits.look(self.view.playing if self.view is not None and self.state.runs else ())
        if self.damage:  # found by a recent read
            self.message, changed = self.damage[-1], True
            self.damage.clear()
        if self.view is not None:
            self.rating.look(self.view, self.state.runs)
        return changed

    def look_for_unfinished(self) -> None:
        """Find the saved tournaments that are unfinished, in no job: the header shows work, not a short look."""

        def found(result: Listed | None, fault: str) -> None:
            if result is not None:
                self.unfinished, self.ended = result
            elif self.task is None:
                self.message = f"Cannot read the saved tournaments: {fault}"
            self.changed()

        self._listing.look(lambda: listed(self.database()), found)

    # Starting.

    def start(self, setup: TournamentSetup) -> None:
        """Start this tournament. A running one stops as soon as this one is ready, and stays saved."""
        load, saying = partial(open_new, self.database, setup), "Preparing the tournament"
        if setup.folder:
            saying = "Trying the hand-ins"
            self._told = Told(saying)
            load = partial(open_class, self.database, setup, self._told)
        self.open(None, load, saying, "Cannot start", partial(self.begin, workers=setup.workers))

    def resume(self, place: int | None = None, *, held: bool = False) -> None:
        """Resume a saved tournament: this one, or the latest unfinished one."""
        from nimtui.store.tournaments import resume

        if place is not None and place == self.number and self.foreign is None and not self.state.rests:
            self.changed()  # already shown
        else:
            workers = self.workers
            begin = partial(self.begin, workers=workers, held=held)
            self.open(place, lambda: _opened(resume(self.database(), place), workers), READING, begin=begin)

    def show(self, number: int) -> None:
        """Show a saved tournament as it stands, without resuming it, even if another process plays it."""
        from nimtui.jobs.tournament import StoppedTournament

        if number == self.number and not self.state.stopped:
            self.changed()
        else:
            show = partial(self.begin, go=False, workers=self.workers)
            self.open(number, lambda: StoppedTournament(self.database(), number), READING, "Cannot show it", show)

    def watch_run(self, file: RunFile) -> None:
        """Show the tournament of another nimtui."""
        from nimtui.jobs.following import FollowedTournament

        self.follow(file, lambda: FollowedTournament(self.database(), file))

    def begin(self, task: Tournament, workers: int | None = None, *, go: bool = True, held: bool = False) -> None:
        same = task.number is not None and task.number == self.number
        self._again = None
        if not same:
            self._waits = Waits()  # the games of the plan before are none of this one's
        super().begin(task, workers, go=go, held=held)
        if not same:
            self.remarks = self.programs = ()
            self.rating.forget()
            self._remark(task)
        if self.state is State.LEFT:
            self.say(f"Not running. Press {key_of('tournament.resume', 'r')} to resume.")

    def _remark(self, task: Tournament) -> None:
        """Ask for the state of programs, and theory about the start, which takes seconds for a large board."""
        from nimtui.agents.program import changes, sandbox_line
        from nimtui.arena.standings.standings import remark

        plan, saved = task.plan, task.document

        def look(progress: Progress) -> list[str]:
            self.programs = [*filter(None, [sandbox_line(plan.agents)]), *changes(saved)]
            return remark(plan, progress)

        def told(remarks: list[str]) -> None:
            self.remarks = remarks

        self.errand("theory", look, told, aside=True)

    def after_end(self) -> None:
        if not self.state.stopped:
            return
        again, self._again = self._again, None
        if again is not None:
            self.message = ""
            self.resume(self.number, held=again is State.PAUSED)
            return
        saved = "Finished games are saved. " if self.saved else ""
        self.message = f"Stopped. {saved}Press {key_of('tournament.resume', 'r')} to resume."

    # Controls.

    def stop(self) -> None:
        self._again = None
        super().stop()

    def leave(self) -> None:
        """Close the tournament shown; a running one stays."""
        if self.job is None or self.job.state.ended:
            self.task = self.job = None
            self.rating.forget()
            self.message = ""
            self.look_for_unfinished()
            self.changed()

    def change_workers(self) -> None:
        """Double the number of processes; after all cores comes one. A running tournament continues with them."""
        state = self.state
        if self.foreign is not None:
            self.message = "Another nimtui plays it: take it over first"
        elif self.number is None and self.task is not None:
            self.message = "Cannot change the workers: its games are not saved"
        elif state is not State.STOPPING:
            self.workers = 1 if self.at_work >= processes.cores() else min(processes.cores(), 2 * self.at_work)
            self.message = f"Plays on {self.workers} of {processes.cores()} cores"
            if state.is_on:
                self.stop()
                self._again = state
        self.changed()

    # Export.

    @property
    def item(self) -> Item | None:
        """Return it as a saved item, which can be exported; None if it is not saved."""
        from nimtui.ui.library.shelf import Item, Kind

        if self.task is None or self.number is None:
            return None
        name = self.task.name or f"tournament-{self.number}"
        return Item(Kind.TOURNAMENT, self.number, name, name, 0.0, self.task.done)

    def export(self, path: Path) -> None:
        """Write its standings, results or games to a new file; the extension says which."""
        from nimtui.ui.library import catalogue

        item = self.item
        if item is not None:
            self.write(path, lambda progress: catalogue.write(item, path, self.database, progress))
