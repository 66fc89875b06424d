"""Explains the position on the board: at once, or as a job if that takes long."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nimtui import theory
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.jobs import Job, Jobs
from nimtui.progress import SILENT, Progress
from nimtui.theory.claims import OPPONENT, YOU, Player
from nimtui.theory.explanation import Depth, Explanation
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.play import advice
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import Session


class Explaining:
    """Holds the explanation of one position. Calls `changed` when a job brings it."""

    def __init__(self, jobs: Jobs, changed: Callable[[], None]) -> None:
        self._jobs, self._changed = jobs, changed
        self._job: LatestJob[Explanation | str] = LatestJob()
        self._watched: float | None = None
        self.on = False
        self.depth = Depth.PLAIN  # stays from move to move
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
        mover, other = _players(session)

        def explained(progress: Progress) -> Explanation | str:
            return advice.explained(game, state, progress, mover, other)

        if session.over or (theory.is_instant(game, state) and not isinstance(state, Connect)):  # its line takes longer
            self.found = explained(SILENT)
        elif (reason := theory.why_unsolvable(game, state)) is not None:
            self.found = reason
        else:
            self._job.start(self._jobs, "why", explained, self._ended)
            self.watch(self._watched)

    @property
    def explains(self) -> bool:
        """Return whether an unfinished position is explained now."""
        return isinstance(self.found, Explanation) and not self.found.over

    def next(self, session: Session, close: bool = False) -> None:
        """Explain, go deeper, or after the last depth stop explaining; `close`: stop at once."""
        deeper = self.depth.deeper if self.explains and not close else None
        if deeper is None:
            self.on, self.depth = not self.on, Depth.PLAIN
            self.explain(session)
        else:
            self.depth = deeper

    def _ended(self, job: Job[Explanation | str]) -> None:
        self.found = job.result if job.result is not None else f"cannot explain this position: {job.error_text}"
        self._changed()


def _players(session: Session) -> tuple[Player, Player]:
    """Return how sentences call the player to move and the other one: a person who may move is 'you'."""
    if session.person_may_move:
        return YOU, OPPONENT
    turn = session.record.turn
    mover, other = (Player(words.inside(words.called(session, seat))) for seat in (turn, 1 - turn))
    return mover, other
