"""The moves so far: in one line at the bottom, or down a column where there is room. Marks come from a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, Run, cut, line


@dataclass(frozen=True, slots=True)
class Moves:
    """All known moves by name, of which the first `ply` have been played and the others taken back."""

    names: Sequence[str]
    ply: int
    by: Sequence[str]  # who made each of them, in a word
    marks: Mapping[int, str]  # ply -> a sign behind it


def across(moves: Moves, columns: int, signs: Glyphs) -> list[Line]:
    """One line, of which the latest move is always seen: '… 5 you c3  6 hard d2'."""
    runs = [_run(moves, at, f"{at + 1} {moves.by[at]} {name}") for at, name in enumerate(moves.names)]
    width = 0
    first = min(moves.ply, len(runs))
    while first and width + len(runs[first - 1].text) + 3 <= columns - 2:
        first -= 1
        width += len(runs[first].text) + 3
    shown: list[Run | str] = [f"{signs.hidden} "] if first else []
    for run in runs[first:]:
        shown += [run, "   "]
    return [cut(line(*shown), columns, signs.hidden)]


def down(moves: Moves, columns: int, rows: int, signs: Glyphs, cursor: int | None = None) -> list[Line]:
    """A line a move under a title, the latest (or the cursor's) always seen."""
    room = rows - 1
    middle = moves.ply - 1 if cursor is None else cursor
    first = max(0, min(len(moves.names) - room, middle - room // 2))
    lines = [line(("Moves", Ink.TITLE))]
    for at in range(first, min(first + room, len(moves.names))):
        here = signs.cursor if at == cursor else " "
        text = f"{here}{at + 1:>3}  {moves.by[at]:<8} {moves.names[at]}"
        lines.append(cut(line(_run(moves, at, text)), columns, signs.hidden))
    return lines


def _run(moves: Moves, at: int, text: str) -> Run:
    mark = moves.marks.get(at, "")
    latest, undone = at == moves.ply - 1, at >= moves.ply
    ink = Ink.STRONG if latest else Ink.QUIET if undone else Ink.TEXT
    return Run(f"{text} {mark}" if mark else text, ink)
