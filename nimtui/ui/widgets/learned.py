"""Which scores of a table a game has changed, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nimtui.games.base import Move
from nimtui.learning.table import Change
from nimtui.ui.glyphs import Glyphs
from nimtui.ui.widgets.ink import BLANK, Ink, Line, cut, line, paragraphs
from nimtui.ui.widgets.thoughts import grouped


def paint(
    who: str, changes: Sequence[Change], name: Callable[[Move], str], columns: int, rows: int, signs: Glyphs
) -> list[Line]:
    """A line a score: the position, the move, the number before and after."""
    head = [line((f"{who} learned", Ink.TITLE)), BLANK]
    if not changes:
        told = "Nothing changed: this learner learns only from games it has numbers for."
        return [*head, *paragraphs([told], columns, Ink.QUIET)]
    room = rows - len(head)
    shown = changes if len(changes) <= room else changes[: room - 1]
    places = min(max(len(change.position_name) for change in shown), columns - 22)
    lines = list(head)
    for change in shown:
        better = change.after > change.before
        position = change.position_name[-places:].ljust(places)
        before, after = (signs.plain(grouped(score)) for score in (change.before, change.after))
        lines.append(
            cut(
                line(
                    (f"{position}  {name(change.move):<5}", Ink.TEXT),
                    (f"{before:>6} {signs.to} {after:>6} ", Ink.TEXT),
                    (signs.up if better else signs.down, Ink.GOOD if better else Ink.BAD),
                ),
                columns,
                signs.hidden,
            )
        )
    if len(shown) < len(changes):
        lines.append(line((f"{signs.hidden} {len(changes) - len(shown)} more", Ink.QUIET)))
    return lines
