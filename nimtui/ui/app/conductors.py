"""What goes on whatever screen is shown: a game, training, search, sweep, tournament; each made when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.state import State

if TYPE_CHECKING:
    from pathlib import Path

    from nimtui.jobs import Jobs
    from nimtui.store.database import Database
    from nimtui.ui.play.conductor import PlayConductor
    from nimtui.ui.search.conductor import SearchConductor
    from nimtui.ui.sweep.conductor import SweepConductor
    from nimtui.ui.tournament.conductor import TournamentConductor
    from nimtui.ui.train.conductor import TrainConductor

C = TypeVar("C", bound=Conductor)

AT_WORK = {State.GOING: "running", State.PAUSED: "paused", State.STOPPING: "stopping"}
WORTH_ASKING = 1.0  # seconds of work that are lost without a question


class Conductors:
    """The part of the app that has them."""

    jobs: Jobs

    def __init__(self, *given: Any, **more: Any) -> None:
        self._conductors: dict[type[Conductor], Any] = {}
        super().__init__(*given, **more)

    def conductor(self, kind: type[C]) -> C:
        """The one conductor of this kind."""
        if kind not in self._conductors:
            self._conductors[kind] = kind(self.jobs)
        found: C = self._conductors[kind]
        return found

    @property
    def game_played(self) -> PlayConductor:
        """The game on the Play screen."""
        from nimtui.ui.play.conductor import PlayConductor

        return self.conductor(PlayConductor)

    @property
    def training(self) -> TrainConductor:
        """What is being trained."""
        from nimtui.ui.train.conductor import TrainConductor

        return self.conductor(TrainConductor)

    @property
    def searching(self) -> SearchConductor:
        """The search."""
        from nimtui.ui.search.conductor import SearchConductor

        return self.conductor(SearchConductor)

    @property
    def sweeping(self) -> SweepConductor:
        """The sweep."""
        from nimtui.ui.sweep.conductor import SweepConductor

        return self.conductor(SweepConductor)

    @property
    def tournament(self) -> TournamentConductor:
        """The tournament."""
        from nimtui.ui.tournament.conductor import TournamentConductor

        return self.conductor(TournamentConductor)

    @property
    def at_work(self) -> str:
        """What leaving now would end and lose, in a sentence; '' for nothing. What is kept is not lost."""
        made = list(self._conductors.values())  # those that were never asked for have nothing to lose
        if lost := next((one.lost_by_leaving for one in made if one.lost_by_leaving), ""):
            return lost
        kept = [job for one in made for job in one.kept_jobs]
        jobs = [job for job in self.jobs.running() if job not in kept and job.age > WORTH_ASKING]
        return f"Still at work: {jobs[0].name}." if jobs else ""

    # For rooms below the one that it is asked of.

    def database(self) -> Database:
        """Where games are kept. Not in the event loop."""
        return self.tournament.database()

    def search(self, game: str, position: str) -> None:
        """Search this position in the way that was asked for last. InputError where it cannot be."""
        from nimtui.ui.search.setup import SearchSetup

        last = self.searching.setup or SearchSetup()
        self.searching.start(SearchSetup(game, position, last.search))
        self.action_mode("search")

    def action_mode(self, name: str) -> None:
        """Show a mode."""
        raise NotImplementedError

    def tournament_at_work(self) -> tuple[int, str, int] | None:
        """The kept tournament that goes on: its number, its state in a word, its finished games."""
        shown = self.tournament
        state, number, view = AT_WORK.get(shown.state, ""), shown.number, shown.view
        return (number, state, view.done) if state and number is not None and view is not None else None

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays the game on the Play screen now, by name."""
        raise NotImplementedError

    def use_of(self, table: Path) -> str:
        """What uses this table now, in a line without its subject; '' where nothing does."""
        agent, plan = f"table:{table}", self.tournament.plan
        if agent in self.players:
            return "is played against on the Play screen: end that game first"
        if plan is not None and agent in plan.agents and self.tournament.state in (State.GOING, State.PAUSED):
            return "plays in the tournament that goes on: stop that first"
        return ""
