"""Paints a game's value history: a row per move, lost and won to the left and right of a middle line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from nimtui.arena import history
from nimtui.arena.history import Cell, Moment, Story, cells
from nimtui.arena.review import Judgement
from nimtui.arena.review_text import Names, Reviewed
from nimtui.report.lines import Ink, Line, inked, line, paragraphs
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import Session

LEAST, MOST = 9, 41  # columns of a bar
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
SEATS = ("the first player", "the second player")


def names_at(session: Session, ply: int) -> Names:
    """Return both players' names when this move was made, as they stand inside a sentence."""
    first, second = map(words.inside, session.names_at(ply))
    return first, second


def story_of(session: Session) -> Story:
    """Return the story of a session's known moves, with what has been judged."""

    def names(ply: int) -> Names:
        even, odd = names_at(session, ply)
        return (odd, even) if session.opening % 2 else (even, odd)

    by = tuple(map(names, range(len(session.authors) + 1)))  # the last names: who sits there now
    both = SEATS if len(set(by)) > 1 else by[-1]
    return Story(session.moments(), both, session.analyst, by)


def reviewed(session: Session, judgements: Sequence[Judgement]) -> Reviewed:
    """Return the game with its judgements and its players' names, from which its story is told."""
    return Reviewed(session.record, judgements, partial(names_at, session), session.opening, session.fault)


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
