"""Paints the positions of a game beside each other, as books do: the one on the board, those before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nimtui.games import base
from nimtui.playing.session import Session
from nimtui.report.lines import BLANK, Ink, Line, beside, centred, fit, line
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import of_nothing, painter

WIDE, HIGH = 36, 15  # least columns and lines of a diagram, where there are several


@painter
def diagrams(columns: int, rows: int, signs: Glyphs, session: Session, ply: int) -> list[Line]:
    """Return the positions around the one after `ply` moves, as many as fit, each below the move that led to it."""
    game, moves, names = session.game, session.known_moves, ["start", *session.move_names()]
    if not moves:
        return [*of_nothing("Positions", "The positions of the game will stand here.")(columns, rows, signs)]
    across, room = max(1, columns // WIDE), rows - 1
    count = min(len(names), across * max(1, room // HIGH))
    first = max(0, min(len(names) - count, ply - count // 2))
    across = min(across, count)
    wide, high = columns // across, room // -(-count // across)
    state, marks, drawn = base.copy(session.record.state_at(0)), NOBODY, list[Sequence[Line]]()
    for number, name in enumerate(names[: first + count]):
        if number:
            last = small_board.after(game, state, moves[number - 1], session.authors[number - 1].side)
            marks = replace(last, by={**marks.by, **last.by})
            base.play(state, moves[number - 1])
        if number >= first:
            text = f"{number} {session.labels[number - 1]} {name}" if number else name
            head = line((f"{signs.cursor} {text}", Ink.STRONG)) if number == ply else line((text, Ink.QUIET))
            picture = small_board.drawing(game, state, marks, wide - 2, high - 2, signs)
            diagram = [centred(fit(head, wide, signs), wide), *picture]
            drawn.append([*diagram, *[BLANK] * (high - len(diagram))])
    lines = [drawn[at : at + across] for at in range(0, len(drawn), across)]
    return [line(("Positions", Ink.TITLE)), *(each for row in lines for each in beside(row, [wide] * len(row)))]
