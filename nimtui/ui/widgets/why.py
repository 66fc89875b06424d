"""The explanation of the position on the board, as theory gives it."""

from __future__ import annotations

from nimtui.theory.explanation import Explanation
from nimtui.ui import advice
from nimtui.ui.glyphs import ASCII, Glyphs
from nimtui.ui.widgets.ink import Ink, Line, line


def paint(why: Explanation | str | None, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """The panel; None while it is being worked out."""
    head = line(("Why", Ink.TITLE))
    if why is None:
        return [head, line((f"working it out {signs.hidden}", Ink.QUIET))]
    said = advice.lines(why, columns, signs is ASCII)
    lines = [line((text, Ink.STRONG if text.startswith("sum") else Ink.TEXT)) for text in said]
    room = rows - 1
    if len(lines) > room:
        lines = [*lines[: room - 1], line((signs.hidden, Ink.QUIET))]
    return [head, *lines]


def closed(key: str) -> list[Line]:
    """The panel while nobody asks."""
    return [line(("Why", Ink.TITLE)), line((key, Ink.KEY), (" explains the position", Ink.QUIET))]
