"""The moves of a game with what each of them did to its outcome."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from nimtui.arena.review import Judgement
from nimtui.theory import Outcome
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, cut, line
from nimtui.ui.kit.virtual_list import Rows
from nimtui.ui.play import verdicts
from nimtui.ui.play.session import OPENING

MOST = 8  # signs of who made a move


def rows(
    names: Sequence[str],
    by: Sequence[str],
    judgements: Sequence[Judgement] | None,
    cursor: int,
    go: Callable[[int], None],
) -> Rows:
    """A line a move; above them how many mistakes each player made. `by` says who made each."""
    wide = max(map(len, names), default=2)
    digits, who = len(str(len(names))), min(MOST, max(map(len, by), default=3))

    def move(at: int, columns: int, signs: Glyphs) -> Line:
        here = signs.cursor if at == cursor else " "
        text = f"{here}{at + 1:>{digits}} {by[at]:<{who}.{who}} {names[at]:<{wide}}"
        ink = Ink.STRONG if at == cursor else Ink.TEXT
        if judgements is None:
            return line((text, ink))
        found = judgements[at]
        sign = verdicts.sign(found, signs.wrong) or (signs.right if found.before else " ")
        judged = f" {sign} {verdicts.said(found)}"
        return cut(line((text, ink), (judged, Ink.BAD if found.mistake else Ink.QUIET)), columns, signs.hidden)

    def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
        head = [line((signs.plain(text), Ink.TITLE)) for text in _tallies(by, judgements, columns)]
        return [*head, *(move(at, columns, signs) for at in places)]

    return Rows(len(names), cursor, paint, go, heads=lambda columns: len(_tallies(by, judgements, columns)))


def _tallies(by: Sequence[str], judgements: Sequence[Judgement] | None, columns: int) -> list[str]:
    """'Winning positions thrown away' and 'hard 0 of 4, you 1 of 1'; nobody who never had one."""
    counts = {who: verdicts.tally(verdicts.made_by(who, by, judgements or ())) for who in dict.fromkeys(by)}
    told = [f"{who} {wrong} of {could}" for who, (could, wrong) in counts.items() if could and who != OPENING]
    if not told:
        return ["Moves"]
    drawn = any(found.before is Outcome.DRAW for found in judgements or ())
    what = "Wins and draws thrown away" if drawn else "Winning positions thrown away"
    return [what, *textwrap.wrap(", ".join(told), columns)]
