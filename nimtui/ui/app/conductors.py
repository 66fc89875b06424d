"""What goes on whatever screen is shown: training, search, sweep, tournament. Each is made when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nimtui.jobs import Jobs
    from nimtui.ui.search.conductor import SearchConductor
    from nimtui.ui.sweep.conductor import SweepConductor
    from nimtui.ui.tournament.conductor import TournamentConductor
    from nimtui.ui.train.conductor import TrainConductor


WORTH_ASKING = 1.0  # seconds of work that are lost without a question


class Conductors:
    """The part of the app that has them."""

    jobs: Jobs

    @cached_property
    def training(self) -> TrainConductor:
        """What is being trained."""
        from nimtui.ui.train.conductor import TrainConductor

        return TrainConductor(self.jobs)

    @cached_property
    def searching(self) -> SearchConductor:
        """The search."""
        from nimtui.ui.search.conductor import SearchConductor

        return SearchConductor(self.jobs)

    @cached_property
    def sweeping(self) -> SweepConductor:
        """The sweep."""
        from nimtui.ui.sweep.conductor import SweepConductor

        return SweepConductor(self.jobs)

    @cached_property
    def tournament(self) -> TournamentConductor:
        """The tournament."""
        from nimtui.ui.tournament.conductor import TournamentConductor

        return TournamentConductor(self.jobs)

    @property
    def at_work(self) -> str:
        """What leaving now would end and lose, in a sentence; '' for nothing. What is kept is not lost."""
        made = vars(self)  # those that were never asked for have nothing to lose
        kept: list[Any] = []
        if "training" in made:
            if self.training.unkept:
                return self.training.unkept
            kept += self.training.jobs_of_runs
        if "sweeping" in made:
            kept += self.sweeping.kept_jobs
        if "searching" in made:
            kept += self.searching.jobs_beside
        if "tournament" in made:
            if self.tournament.unkept_games:
                return self.tournament.unkept_games
            kept += self.tournament.kept_jobs
        jobs = [job for job in self.jobs.running() if job not in kept and job.age > WORTH_ASKING]
        return f"Still at work: {jobs[0].name}." if jobs else ""
