"""The explanation of the position on the board, as theory gives it."""

from __future__ import annotations

from nimtui.theory.explanation import Explanation, lines
from nimtui.ui.kit.glyphs import ASCII, Glyphs
from nimtui.ui.kit.ink import Ink, Line, line, paragraphs


def paint(why: Explanation | str | None, columns: int, rows: int, signs: Glyphs, ending: str = "") -> list[Line]:
    """The panel; None while it is being worked out. `ending` is how a game that is over ended, with names."""
    head = line(("Why", Ink.TITLE))
    if why is None:
        return [head, line((f"working it out {signs.hidden}", Ink.QUIET))]
    if isinstance(why, str):
        said = paragraphs([signs.plain(f"{why[:1].upper()}{why[1:]}.")], columns)
    elif why.over and ending:
        said = paragraphs([signs.plain(text) for text in (ending, *_rule(why))], columns)
    else:
        found = lines(why, columns, signs is ASCII)
        said = [line((text, Ink.STRONG if text.startswith("sum") else Ink.TEXT)) for text in found]
    room = rows - 1
    if len(said) > room:
        said = [*said[: room - 1], line((signs.hidden, Ink.QUIET))]
    return [head, *said]


def _rule(why: Explanation) -> list[str]:
    """What decided a game of matches."""
    return [f"Whoever takes the last match {'loses' if why.misere else 'wins'} this game."] if why.rows else []


def closed(key: str) -> list[Line]:
    """The panel while nobody asks."""
    return [line(("Why", Ink.TITLE)), line((key, Ink.KEY), (" explains the position", Ink.QUIET))]
