"""Prints one game, move by move: the agent, the move, the position after it, mistakes, and what decided the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.documents.game import OPENING, columns

if TYPE_CHECKING:
    from nimtui.arena.review_text import Names, Reviewed
    from nimtui.documents.game import GameText, Row

MOST_NAMED = 4  # better moves that are named beside a mistake


def show(text: GameText, history: bool = True) -> None:
    """Print one line per move, with what mistakes gave away; then the value history, and what decided the game."""
    from nimtui.cli import output

    point = text.reviewed.decision.point if text.reviewed is not None else None
    marks = [_mark(row, point is not None and row["ply"] == point.ply + 1) for row in text.rows]
    cells = [[str(row["ply"]), row["agent"], row["move"], row["position"] or "the start"] for row in text.rows]
    head = ["", "agent", "move", "position after it"]
    if any(marks):
        head.append("")
        cells = [[*line, mark] for line, mark in zip(cells, marks, strict=True)]
    output.columns(head, cells, left=(1, 2, 3, 4))
    if text.reviewed is not None:
        from nimtui.arena.review_text import story
        from nimtui.cli import game_history

        if history and (lines := game_history.lines(text.moments, *columns(text), _seats(text.reviewed), text.analyst)):
            output.say("", *lines[:-1], "")
            output.paragraph(lines[-1])
        output.say("")
        output.paragraph(" ".join(story(text.reviewed)))


def _seats(game: Reviewed) -> Names:
    """Return the names of the first and the second player, after the opening."""
    names, first = game.names(0), game.opening % 2
    return names[first], names[1 - first]


def _mark(row: Row, decisive: bool) -> str:
    """Return 'mistake: win → loss; better: a1', or '' for other moves."""
    if not row.get("mistake"):
        return ""
    best = row["best_moves"]
    more = f" or {len(best) - MOST_NAMED} others" if len(best) > MOST_NAMED else ""
    said = "mistake in the opening" if row["agent"] == OPENING else "turning point" if decisive else "mistake"
    return f"{said}: {row['before']} → {row['after']}; better: {' '.join(best[:MOST_NAMED])}{more}"
