"""A game's value history: a row per move, lost and won to the left and right of a middle line. When Play shows it."""

from __future__ import annotations

from collections.abc import Callable

from nimtui.arena import history
from nimtui.arena.history import Cell, Moment, Story, cells
from nimtui.arena.review import Judgement, review
from nimtui.arena.review_text import Names
from nimtui.games import Record
from nimtui.jobs.conductor import Conductor
from nimtui.report.lines import Ink, Line, inked, line, paragraphs
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.play.session import Session

LEAST, MOST = 9, 41  # columns of a bar
JUDGING = "values"  # the errand
ORDER = tuple(map(str, Cell))
INKS = {
    Cell.EMPTY: Ink.TEXT,
    Cell.MIDDLE: Ink.QUIET,
    Cell.DRAWN: Ink.STRONG,
    Cell.LOST: Ink.BAR,
    Cell.WON: Ink.BAR,
    Cell.JUMP: Ink.BAD,
    Cell.MISTAKE: Ink.BAD,
    Cell.BELIEVED: Ink.STRONG,
    Cell.ESTIMATED: Ink.OPEN,
}
KINDS = tuple(INKS.values())
HELP = (
    "V draws the value history, a row per move: who wins to the left, who wins to the right, a draw in the middle. "
    "A bar is the exact value under perfect play: the longer, the sooner the game is over. A mistake jumps to its new "
    "value. The sign beside or on the bar is what the player expected of its move, from a sure loss at one end to a "
    "sure win at the other."
)


def bar(moment: Moment, width: int, signs: Glyphs) -> Line:
    """Return the row of a moment in `width` columns."""
    if moment.blank:
        return ()
    row = cells(moment, width)
    kinds = [ORDER.index(cell) for cell in row]
    return inked("".join(signs.history[kind] for kind in kinds), kinds, KINDS)


def width_in(columns: int) -> int:
    """Return the odd width of a bar in so many columns; 0 if there is no room."""
    return 0 if columns < LEAST else min(MOST, columns - (1 - columns % 2))


def head(names: Names, width: int, signs: Glyphs) -> Line:
    """Return the line above the bars: who wins to the left and to the right of the middle."""
    half = width // 2 - 1
    brief = (name.removeprefix("the ").partition(" ")[0] for name in names)
    shorter = history.sides((next(brief), next(brief)))
    first, second = (
        signs.plain(next((text for text in texts if len(text) <= room), texts[-1].partition(" ")[0][:room]))
        for room, texts in zip((half, half - 1), zip(history.sides(names), shorter, strict=True), strict=True)
    )
    return line((f"{first:<{half}} {signs.more_left}{signs.more_right} {second:>{half - 1}}", Ink.QUIET))


def legend(story: Story, columns: int, signs: Glyphs) -> list[Line]:
    """Return what the signs mean."""
    rows = [cells(moment, MOST) for moment in story.moments if not moment.blank]
    meaning = dict(zip(ORDER, signs.history, strict=True))
    return paragraphs([signs.plain(history.legend(rows, meaning, story.analyst))], columns, Ink.QUIET)


# When it is shown.


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
        if not self.is_shown(session):
            self._conductor.drop(JUDGING)
            return False
        moves = tuple(session.record.moves)
        judged_already = len(session.judged()) >= len(moves) or self._judged == (session, moves)  # at work, or failed
        if judged_already or not (session.over or explaining):
            return True
        self._judged = session, moves
        record = Record(session.game, session.position, moves)

        def judged(judgements: list[Judgement]) -> None:
            if tuple(session.record.moves) == moves:
                session.judgements = judgements

        self._conductor.errand(JUDGING, lambda progress: review(record, progress, plies=True), judged)
        return True
