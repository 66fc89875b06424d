"""The line above the keys of the Train screen: what is typed or asked, what happened, or what the table is worth."""

from __future__ import annotations

from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, cut, line
from nimtui.ui.kit.panel import Paint
from nimtui.ui.play.prompt import keys
from nimtui.ui.play.typing_line import TypingLine
from nimtui.ui.train.conductor import TrainConductor
from nimtui.ui.train.view import facts


def paint(conductor: TrainConductor, typing: TypingLine, asking: bool) -> Paint:
    """A painter of one line."""
    if not typing.open and not asking and not conductor.message:
        return facts(conductor)
    text, fault, message = typing.text, typing.fault, conductor.message
    games = conductor.lanes[0].games if conductor.lanes else 0

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if typing.open:
            end = keys("   ", "⏎", "  ", "esc") if not fault else [(f"  {signs.fault} {fault}", Ink.BAD)]
            said = line(("Go to position: ", Ink.TEXT), (text, Ink.STRONG), (signs.full, Ink.PICK), *end)
        elif asking:
            said = line(
                (f"Forget what {games:,} games taught, and begin anew?", Ink.STRONG),
                *keys("   ", "y", " yes   ", "esc", " no"),
            )
        else:
            said = line((message, Ink.TEXT))
        plain = line(*((signs.plain(run.text), run.ink) for run in said))
        return [cut(plain, columns, signs.hidden)]

    return lines
