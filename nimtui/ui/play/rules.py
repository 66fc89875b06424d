"""The rules of a game, until its first move and in the help."""

from __future__ import annotations

from nimtui.games.game import Game
from nimtui.games.rule_text import both, notation, told
from nimtui.report.lines import BLANK, Ink, Line, keys, line, paragraphs
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.play.session import Session


def wanted(session: Session) -> bool:
    """Return whether the screen shows the rules: until the person's first move, or the first move of two agents."""
    made = [session.authors[ply].person for ply in range(session.opening, session.record.ply)]
    return not (session.over or session.record.undone or (made if session.watched else any(made)))


def paint(game: Game, columns: int, signs: Glyphs) -> list[Line]:
    """Return the rules under their title, then an empty line."""
    texts = [signs.plain(text) for text in (told(game), notation(game)) if text]
    return [line(("Rules", Ink.TITLE)), *paragraphs(texts, columns), BLANK]


def brief(game: Game, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return the rules without a title: with the notation if both fit, else alone, else where to read them."""
    for text in (both(game), told(game)):
        lines = paragraphs([signs.plain(text)], columns, Ink.QUIET)
        if len(lines) <= rows:
            return lines
    return [line(*keys("", "?", " shows the rules"))]
