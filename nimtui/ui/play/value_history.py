"""Paints a game's value history: a row per move, lost and won to the left and right of a middle line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimtui.arena import history_text
from nimtui.arena.history import Cell, Moment, cells
from nimtui.arena.review_text import Names
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, cut, inked, line, paragraphs
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import Session

LEAST, MOST = 9, 41  # columns of a bar
NAMED = 8  # characters of a player in front of a bar
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
EMPTY = (
    "No player expected a result so far. People, random agents and agents that only score their moves expect none. "
    "Exact values follow after the game, if it can be solved."
)
SEATS = ("the first player", "the second player")


@dataclass(frozen=True, slots=True)
class Story:
    """The moments of a game, and who played it: the first and the second player, after the opening."""

    moments: Sequence[Moment]
    names: Names
    analyst: str = ""  # the agent of the estimates
    by: Sequence[Names] = ()  # the names at each move: players may have swapped their seats later

    @property
    def blank(self) -> bool:
        """Return whether nothing can be drawn."""
        return all(moment.blank for moment in self.moments)

    def told(self, ply: int) -> str:
        """Return what is known of the move at this ply, as a sentence; '' if nothing is."""
        names = self.by[ply] if ply < len(self.by) else self.names
        return history_text.told(self.moments[ply], names, self.analyst) if 0 <= ply < len(self.moments) else ""


def story_of(session: Session) -> Story:
    """Return the story of a session's known moves, with what has been judged."""
    first = session.opening % 2

    def names(ply: int) -> tuple[str, str]:
        both = [words.inside(name) for name in session.names_at(ply)]
        return both[first], both[1 - first]

    by = tuple(map(names, range(len(session.authors) + 1)))  # the last names: who sits there now
    both = SEATS if len(set(by)) > 1 else by[-1]
    return Story(session.moments(), both, session.analyst, by)


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
    shorter = history_text.sides((next(brief), next(brief)))
    left, right = (
        signs.plain(next((text for text in texts if len(text) <= room), texts[-1].partition(" ")[0][:room]))
        for room, texts in zip((half, half - 1), zip(history_text.sides(names), shorter, strict=True), strict=True)
    )
    return line((f"{left:<{half}} {signs.more_left}{signs.more_right} {right:>{half - 1}}", Ink.QUIET))


def legend(story: Story, columns: int, signs: Glyphs) -> list[Line]:
    """Return what the signs mean."""
    rows = [cells(moment, MOST) for moment in story.moments if not moment.blank]
    meaning = dict(zip(ORDER, signs.history, strict=True))
    return paragraphs([signs.plain(history_text.legend(rows, meaning, story.analyst))], columns, Ink.QUIET)


def paint(
    story: Story, labels: Sequence[str], moves: Sequence[str], ply: int, columns: int, rows: int, signs: Glyphs
) -> list[Line]:
    """Return a title, a line per move around the latest, what is known of it, and what the signs mean.

    `labels` are the players of the moves, `ply` the number of moves on the board.
    """
    title = line(("Value history", Ink.TITLE))
    said = paragraphs([signs.plain(story.told(ply - 1))], columns) if story.told(ply - 1) else []
    if story.blank:
        return [title, *said, *paragraphs([EMPTY], columns, Ink.QUIET)][:rows]
    digits, who = len(str(len(moves))), min(NAMED, max(map(len, labels)))
    lead = digits + who + max(map(len, moves)) + 4
    width = width_in(columns - lead)
    below = [*said, *legend(story, columns, signs)]
    if rows - len(below) < len(moves) + 2 and rows < 16:
        below = said
    room = max(1, rows - 2 - len(below))
    first = max(0, min(len(moves) - room, ply - 1 - room // 2))
    found = [title, line(" " * lead, *head(story.names, width, signs)) if width else ()]
    for at in range(first, min(len(moves), first + room)):
        here, latest = (signs.cursor if at == ply - 1 else " "), at == ply - 1
        text = f"{here}{at + 1:>{digits}} {labels[at]:<{who}.{who}} {moves[at]}".ljust(lead)
        ink = Ink.STRONG if latest else Ink.QUIET if at >= ply else Ink.TEXT
        found.append(cut(line((text, ink), *bar(story.moments[at], width, signs)), columns, signs.hidden))
    return [*found, *below][:rows]
