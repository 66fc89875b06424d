"""The moves of a game with what each of them did to its outcome."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.arena.review import Judgement
from nimtui.ui import verdicts
from nimtui.ui.glyphs import Glyphs
from nimtui.ui.widgets.ink import Ink, Line, cut, line


def paint(
    names: Sequence[str],
    by: Sequence[str],
    judgements: Sequence[Judgement] | None,
    cursor: int,
    columns: int,
    rows: int,
    signs: Glyphs,
) -> list[Line]:
    """A line a move, the marked one always seen; first how many mistakes each player made. `by` says who made each."""
    head = [cut(line((_tallies(by, judgements), Ink.TITLE)), columns, signs.hidden)]
    room = rows - len(head)
    first = max(0, min(len(names) - room, cursor - room // 2))
    lines = list(head)
    wide = max(map(len, names), default=2)
    for at in range(first, min(first + room, len(names))):
        here = signs.cursor if at == cursor else " "
        text = f"{here}{at + 1:>3} {by[at]:<7.7} {names[at]:<{wide}}"
        ink = Ink.STRONG if at == cursor else Ink.TEXT
        if judgements is None:
            lines.append(line((text, ink)))
            continue
        found = judgements[at]
        sign = verdicts.sign(found, signs.turning_point, signs.wrong) or (signs.right if found.before else " ")
        judged = f" {sign} {verdicts.said(found)}"
        lines.append(cut(line((text, ink), (judged, Ink.BAD if found.mistake else Ink.QUIET)), columns, signs.hidden))
    return lines


def _tallies(by: Sequence[str], judgements: Sequence[Judgement] | None) -> str:
    """'you 1 of 3 wrong · hard 0 of 2'."""
    if judgements is None:
        return "Moves"
    counts = {who: verdicts.tally(verdicts.made_by(who, by, judgements)) for who in dict.fromkeys(by)}
    told = [f"{who} {wrong} of {could}" for who, (could, wrong) in counts.items()]
    return f"Mistakes: {', '.join(told)}"
