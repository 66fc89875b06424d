"""Makes the conductors on demand. They run games, training, search, sweeps and tournaments on any screen."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from nimtui.jobs import Job, Jobs
from nimtui.jobs.conductor import Conductor
from nimtui.jobs.work import RUNNING, State

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
        """Return the only conductor of this kind."""
        if kind not in self._conductors:
            self._conductors[kind] = kind(self.jobs)
            self._conductors[kind].database = self.database
        conductor: C = self._conductors[kind]
        return conductor

    @property
    def playing(self) -> bool:
        """Whether a game has been started."""
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
        """Return the database of games, opened at the first call, which may take a moment. Not for the event loop."""
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
        """Return the running tournament: its number, its state in a word, its finished games; or None."""
        shown = self.tournament
        state, number, view = AT_WORK.get(shown.state, ""), shown.number, shown.view
        return (number, state, view.done) if state and number is not None and view is not None else None

    def use_of(self, table: Path) -> str:
        """Return what uses this table now, as a line without a subject; '' if nothing does."""
        from nimtui.agents.table import plays

        plan = self.tournament.plan
        players = self.game_played.session.players if self.playing else ()
        if any(plays(player.spec, table) for player in players):
            return "plays on the Play screen: end that game first"
        playing = plan is not None and any(plays(agent, table) for agent in plan.agents)
        if playing and self.tournament.state.is_on:
            return "plays in the running tournament: stop the tournament first"
        return ""
