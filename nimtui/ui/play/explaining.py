"""Explains the position on the board: at once, or as a job if that takes long."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nimtui import theory
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.jobs import Job, Jobs
from nimtui.theory.explanation import Explanation
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.play import advice
from nimtui.ui.play.session import Session


class Explaining:
    """Holds the explanation of one position. Calls `changed` when a job brings it."""

    def __init__(self, jobs: Jobs, changed: Callable[[], None]) -> None:
        self._jobs, self._changed = jobs, changed
        self._job: LatestJob[Explanation | str] = LatestJob()
        self._watched: float | None = None
        self.on = False
        self.found: Explanation | str | None = None  # None until it is ready; a text says why there is none

    @property
    def running(self) -> bool:
        return self._job.running

    def scores(self, session: Session) -> Mapping[Move, int]:
        """Return the exact scores of a connect game's columns on the board, as far as they are solved."""
        if isinstance(self.found, Explanation):
            moves = base.legal_moves(session.state)
            return dict(zip(moves, (score for _, score in self.found.scores), strict=False))
        job = self._job.job
        return job.thinking if job is not None and isinstance(job.thinking, dict) else {}

    def watch(self, every: float | None) -> None:
        """Look at the solver at most once in `every` seconds; None: not."""
        self._watched = every
        if self._job.job is not None:
            self._job.job.watch_thinking(every)

    def explain(self, session: Session) -> None:
        """Drop the explanation, and explain the position on the board if explaining is on."""
        self._job.cancel()
        self.found = None
        if not self.on:
            return
        game, state = session.game, base.copy(session.state)
        if session.over or (theory.is_instant(game, state) and not isinstance(state, Connect)):  # its line takes longer
            self.found = advice.explained(game, state)
        elif (reason := theory.why_unsolvable(game, state)) is not None:
            self.found = reason
        else:
            self._job.start(self._jobs, "why", lambda progress: advice.explained(game, state, progress), self._ended)
            self.watch(self._watched)

    def _ended(self, job: Job[Explanation | str]) -> None:
        self.found = job.result if job.result is not None else f"cannot explain this position: {job.error_text}"
        self._changed()
