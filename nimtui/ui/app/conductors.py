"""Makes the conductors on demand. They run games, training, search, sweeps and tournaments on any screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nimtui.jobs import Jobs
from nimtui.ui.kit.conductor import Conductor, State
from nimtui.ui.kit.entries import usual_name

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.ui.play.conductor import PlayConductor
    from nimtui.ui.search.conductor import SearchConductor
    from nimtui.ui.tournament.conductor import TournamentConductor
    from nimtui.ui.train.conductor import TrainConductor

C = TypeVar("C", bound=Conductor)

AT_WORK = {State.GOING: "running", State.PAUSED: "paused", State.STOPPING: "stopping"}
WORTH_ASKING = 1.0  # seconds of work: shorter jobs end without a question


class Conductors:
    """The part of the app that owns the conductors."""

    jobs: Jobs

    def __init__(self, *given: Any, **more: Any) -> None:
        self._conductors: dict[type[Conductor], Any] = {}
        super().__init__(*given, **more)

    def conductor(self, kind: type[C]) -> C:
        """Return the only conductor of this kind."""
        if kind not in self._conductors:
            self._conductors[kind] = kind(self.jobs)
        found: C = self._conductors[kind]
        return found

    @property
    def game_played(self) -> PlayConductor:
        """The conductor of the Play screen."""
        from nimtui.ui.play.conductor import PlayConductor

        return self.conductor(PlayConductor)

    @property
    def training(self) -> TrainConductor:
        """The conductor of the training."""
        from nimtui.ui.train.conductor import TrainConductor

        return self.conductor(TrainConductor)

    @property
    def searching(self) -> SearchConductor:
        """The conductor of the search."""
        from nimtui.ui.search.conductor import SearchConductor

        return self.conductor(SearchConductor)

    @property
    def tournament(self) -> TournamentConductor:
        """The conductor of the tournament."""
        from nimtui.ui.tournament.conductor import TournamentConductor

        return self.conductor(TournamentConductor)

    @property
    def at_work(self) -> str:
        """What quitting now would end and lose, in a sentence; '' for nothing. Saved work is not lost."""
        made = list(self._conductors.values())  # conductors that were never made lose nothing
        if lost := next((one.lost_by_leaving for one in made if one.lost_by_leaving), ""):
            return lost
        kept = [job for one in made for job in one.kept_jobs]
        jobs = [job for job in self.jobs.running() if job not in kept and job.age > WORTH_ASKING]
        return f"Still running: {jobs[0].name}." if jobs else ""

    # Requests of rooms that may not import the room concerned.

    def database(self) -> Database:
        """Return the database of games. Do not call it in the event loop."""
        return self.tournament.database()

    def release(self) -> None:
        """Release what the conductors hold open. Call it when the app and all jobs have ended."""
        for conductor in self._conductors.values():
            conductor.release()

    def search(self, game: str, position: str) -> None:
        """Search this position with the search used last. Raises InputError if that is impossible."""
        from nimtui.ui.search.setup import SearchSetup

        last = self.searching.setup or SearchSetup()
        self.searching.start(SearchSetup(usual_name(game), position, last.search))
        self.action_mode("search")

    def action_mode(self, name: str) -> None:
        """Show a mode."""
        raise NotImplementedError

    def tournament_at_work(self) -> tuple[int, str, int] | None:
        """Return the running tournament: its number, its state in a word, its finished games; or None."""
        shown = self.tournament
        state, number, view = AT_WORK.get(shown.state, ""), shown.number, shown.view
        return (number, state, view.done) if state and number is not None and view is not None else None

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the current players on the Play screen."""
        raise NotImplementedError

    def use_of(self, table: Path) -> str:
        """Return what uses this table now, as a line without a subject; '' if nothing does."""
        from nimtui.agents.table import plays

        plan = self.tournament.plan
        if any(plays(agent, table) for agent in self.players):
            return "plays on the Play screen: end that game first"
        playing = plan is not None and any(plays(agent, table) for agent in plan.agents)
        if playing and self.tournament.state in (State.GOING, State.PAUSED):
            return "plays in the running tournament: stop the tournament first"
        return ""
