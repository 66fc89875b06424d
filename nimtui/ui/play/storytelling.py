"""Decides when the Play screen shows the value history, and has a game judged and estimated for it."""

from __future__ import annotations

from collections.abc import Callable

from nimtui.arena.review import Judgement, review
from nimtui.games import Record
from nimtui.jobs.conductor import Conductor
from nimtui.report.lines import Line
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.play import move_list, value_history
from nimtui.ui.play.session import Session

JUDGING = "values"


class Storytelling:
    """The value history is shown on request, and by itself after a game on wide screens, always on large ones.

    Exact values would give the truth away: a game is judged only when it is over, or while the person has the positions
    explained.
    """

    def __init__(self, conductor: Conductor, has: Callable[[str], bool]) -> None:
        """The conductor has games judged. `has` tells whether the screen has a class of its size."""
        self._conductor, self._has = conductor, has
        self._wanted = False  # the person asked for it
        self._hidden: Session | None = None  # the finished game whose history the person does not want
        self._judged: tuple[Session, tuple[int, ...]] | None = None  # the latest judged game, and its moves

    def toggle(self, session: Session) -> None:
        """Show the history, or hide it."""
        self._wanted = not self.is_shown(session)
        self._hidden = session if (session.over or self.boxed) and not self._wanted else None

    @property
    def boxed(self) -> bool:
        """Whether the screen has a box for the history, so that it covers nothing."""
        return self._has("-large")

    def is_shown(self, session: Session) -> bool:
        by_itself = (self.boxed or (session.over and self._has("-wide"))) and session is not self._hidden
        return (self.boxed or bool(session.authors)) and (self._wanted or by_itself)

    def covers(self, session: Session) -> bool:
        """Return whether the history is shown in the place of something else."""
        return self.is_shown(session) and not self.boxed

    def follow(self, session: Session, explaining: bool) -> bool:
        """Return whether the history is shown; judge the game if its exact values may be shown."""
        shown = self.is_shown(session)
        known = len(session.judged()) >= session.record.ply
        if not shown or known or not (session.over or explaining):
            if not shown:
                self._conductor.drop(JUDGING)
            return shown
        moves = tuple(session.record.moves)
        if self._judged == (session, moves):  # it is at work, or has failed
            return True
        self._judged = session, moves
        record = Record(session.game, session.position, moves)

        def judged(judgements: list[Judgement]) -> None:
            if tuple(session.record.moves) == moves:
                session.judgements = judgements

        self._conductor.errand(JUDGING, lambda progress: review(record, progress, plies=True), judged)
        return True


def paint(session: Session, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the value history of a game on the Play screen."""
    story = value_history.story_of(session)
    return move_list.history(story, session.labels, session.move_names(), session.record.ply, columns, rows, signs)
