"""Which scores of a table a game has changed, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nimtui.games.base import Move
from nimtui.learning.table import Change
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, cut, line, paragraphs
from nimtui.ui.play.thoughts import grouped

KEPT = "It is kept for as long as the app is open."


def paint(
    who: str, changes: Sequence[Change], name: Callable[[Move], str], columns: int, rows: int, signs: Glyphs
) -> list[Line]:
    """How long it lasts, and a line a score: the position, the move, the number before and after."""
    head = [cut(line((f"{who} learned", Ink.TITLE)), columns, signs.hidden)]
    if not changes:
        told = "Nothing changed: this learner learns only from games it has numbers for."
        return [*head, *paragraphs([told], columns, Ink.QUIET)]
    kept = paragraphs([KEPT], columns, Ink.QUIET)
    room = rows - len(head) - len(kept)
    shown = changes if len(changes) <= room else changes[: max(1, room - 1)]
    lines = _scores(shown, name, columns, signs)
    if len(shown) < len(changes):
        lines.append(line((f"{signs.hidden} {len(changes) - len(shown)} more", Ink.QUIET)))
    return [*head, *lines, *kept][:rows]


def _scores(changes: Sequence[Change], name: Callable[[Move], str], columns: int, signs: Glyphs) -> list[Line]:
    """In columns: 'before → after', or where that is too wide the new score alone; the rest is the position's."""
    numbers = [tuple(signs.plain(grouped(score)) for score in (change.before, change.after)) for change in changes]
    before, after = (max(len(pair[at]) for pair in numbers) for at in (0, 1))
    moves = [name(change.move) for change in changes]
    move = max(map(len, moves))
    positions = max(len(change.position_name) for change in changes)
    both = positions + 1 + move + 1 + before + 3 + after + 2 <= columns
    places = min(positions, columns - move - after - 4 - (before + 3 if both else 0))
    lines = []
    for change, text, (old, new) in zip(changes, moves, numbers, strict=True):
        position = change.position_name
        if len(position) > places:
            position = signs.hidden + position[len(position) - places + 1 :]
        better = change.after > change.before
        score = f"{old:>{before}} {signs.to} {new:>{after}}" if both else f"{new:>{after}}"
        arrow = (f" {signs.up if better else signs.down}", Ink.GOOD if better else Ink.BAD)
        lines.append(cut(line(f"{position:<{places}} {text:<{move}} {score}", arrow), columns, signs.hidden))
    return lines
