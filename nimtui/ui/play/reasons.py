"""The panels that say why a position of a game is won or lost, and what each move leads to, while they have room."""

from __future__ import annotations

from typing import Any, cast

from nimtui import theory
from nimtui.games import base
from nimtui.playing.advice import explained
from nimtui.playing.sentences import inside, result
from nimtui.playing.session import Session
from nimtui.report.lines import Ink, Line, line
from nimtui.theory.claims import Player
from nimtui.theory.explanation import Depth, Explanation
from nimtui.ui.kit.contract.stack import Answering
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Paint, Panel
from nimtui.ui.play import view


class Reasons(Panel):
    """Explains one position after another, each beside the event loop."""

    _of: tuple[object, ...] = ()  # the position that is explained
    _why: Explanation | str | None = None  # None until it is ready
    _ending = ""  # how a finished game ended

    def __init__(self, values: Panel) -> None:
        """`values` is the panel of what each move leads to."""
        super().__init__(id="why", classes="box")
        self._values = values

    def explain(self, session: Session, ply: int) -> None:
        """Explain the position after so many moves, unless the panel is hidden, or shows that already."""
        game, state = session.game, base.copy(session.record.state_at(ply))
        of = (game.name, state.board.tobytes(), ply)
        if not self.size.area or of == self._of:
            return
        self._of, self._ending = of, result(session) if session.over and ply == session.record.ply else ""
        turn = ply % 2
        mover, other = (Player(inside(session.called(seat))) for seat in (turn, 1 - turn))

        def show(why: Explanation | str | None) -> None:
            if of == self._of:
                self._why = why
                self.fill(self._painted)
                self._values.fill(view.values_paint(session, ply, why))

        show(reason := theory.why_unsolvable(game, state))
        if reason is None:
            screen = cast(Answering[Any], self.screen)
            screen.fetch("why", lambda progress: explained(game, state, progress, mover, other), show, show)

    def say(self, paint: Paint) -> None:
        """Show something else until the next explanation."""
        self._of = ()
        self.fill(paint)

    def _painted(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        """Draw the reason in words and in binary; there is no key for more."""
        lines = view.why_lines(self._why, self._ending, Depth.REASON)(columns, rows, signs)
        return [line(("Why", Ink.TITLE)), *lines[1:]]
