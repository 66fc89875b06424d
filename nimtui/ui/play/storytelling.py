"""Decides when the Play screen shows the value history, and has a game judged for it."""

from __future__ import annotations

from collections.abc import Callable

from nimtui.arena.review import Judgement, review
from nimtui.games import Record
from nimtui.jobs import Job, Jobs, JobState
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Line
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.play import value_history
from nimtui.ui.play.session import Session


class Storytelling:
    """The value history is shown on request, and after a game by itself where there is room for it.

    Exact values would give the truth away: a game is judged only when it is over, or while the person has the positions
    explained.
    """

    def __init__(self, jobs: Jobs, changed: Callable[[], object]) -> None:
        """`changed` is called after a game has been judged."""
        self._jobs, self._changed = jobs, changed
        self._wanted = False  # the person asked for it
        self._hidden: Session | None = None  # the finished game whose history the person does not want
        self._judging: LatestJob[list[Judgement]] = LatestJob()
        self._judged: tuple[Session, tuple[int, ...]] | None = None  # the latest judged game, and its moves

    def toggle(self, session: Session, wide: bool) -> None:
        """Show the history, or hide it."""
        self._wanted = not self.is_shown(session, wide)
        self._hidden = session if session.over and not self._wanted else None

    def is_shown(self, session: Session, wide: bool) -> bool:
        """Return whether the history is shown; `wide`: there is room for it beside everything else."""
        by_itself = session.over and wide and session is not self._hidden
        return bool(session.authors) and (self._wanted or by_itself)

    def follow(self, session: Session, wide: bool, explaining: bool) -> bool:
        """Return whether the history is shown; judge the game if its exact values may be shown."""
        shown = self.is_shown(session, wide)
        known = len(session.judged()) >= session.record.ply
        if not shown or known or not (session.over or explaining):
            if not shown:
                self._judging.cancel()
            return shown
        moves = tuple(session.record.moves)
        if self._judged == (session, moves):  # it is at work, or has failed
            return True
        self._judged = session, moves
        record = Record(session.game, session.position)
        for move in moves:
            record.push(move)

        def judged(job: Job[list[Judgement]]) -> None:
            if job.state is JobState.DONE and job.result is not None and tuple(session.record.moves) == moves:
                session.judgements = job.result
                self._changed()

        self._judging.start(self._jobs, "values", lambda progress: review(record, progress, plies=True), judged)
        return True


def paint(session: Session, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the value history of a game on the Play screen."""
    story = value_history.story_of(session)
    return value_history.paint(story, session.labels, session.move_names(), session.record.ply, columns, rows, signs)
