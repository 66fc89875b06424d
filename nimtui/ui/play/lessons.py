"""Opens the screen of a lesson after a game, and lets the opponent learn with the chosen weight."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

if TYPE_CHECKING:
    from nimtui.ui.play.conductor import PlayConductor


def show(screen: Screen[Any], conductor: PlayConductor, learn: Callable[[int], object]) -> None:
    """Show the lesson of this game, and call `learn` with the weight that the person chooses.

    A lesson that is not saved yet can get another weight. A saved one is shown again.
    """
    from nimtui.ui.play.lesson import LessonScreen, Shown

    session, teaching = conductor.session, conductor.teaching
    if session.can_learn and session.pupil is not None:
        course, lesson = teaching.lesson(session)
        shown = Shown(course.who, course.table, lesson, False)
    else:
        known = teaching.course(session)
        unsaved = teaching.unsaved_lesson(session) is not None
        if not unsaved:
            learn(1)  # which only says that this game is learned
        if known is None or known.last is None or known.last[1].moves != tuple(session.record.moves):
            return
        shown = Shown(known.who, *known.last, not unsaved)

    def answered(weight: int | None) -> None:
        if weight is not None and conductor.session is session:
            teaching.withdraw(session)
            learn(weight)

    screen.app.push_screen(LessonScreen(shown), answered)
