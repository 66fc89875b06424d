"""Says why a position of a game is won or lost, in three depths: plain words, the reason in binary, and the terms.

Beside it, what each move leads to. The panel of the reasons stands there unasked while it has room.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from nimtui import glossary, theory
from nimtui.agents import Thinking
from nimtui.games import base
from nimtui.playing.advice import explained
from nimtui.playing.sentences import inside, result
from nimtui.playing.session import Session
from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.lines import BLANK, Ink, Line, keys, line, paragraphs, plain_text
from nimtui.theory.answers import is_solvable
from nimtui.theory.claims import Player
from nimtui.theory.explanation import Depth, Explanation, sentences
from nimtui.theory.report import reason as reason_blocks
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.stack import Answering
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Paint, Panel, of_nothing, painter
from nimtui.ui.play import thinking, value_history
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.thinking import Belief
from nimtui.ui.play.view import namer


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
                self._values.fill(values_paint(session, ply, why))

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
        lines = why_lines(self._why, self._ending, Depth.REASON)(columns, rows, signs)
        return [line(("Why", Ink.TITLE)), *lines[1:]]


def may_explain(session: Session) -> bool:
    """Return whether the reasons may stand there unasked: they would show a person the move that wins."""
    return session.over or (session.watched and is_solvable(session.game, session.state))


def why_paint(conductor: PlayConductor) -> Paint:
    """Return the painter of the explanation."""
    if not conductor.explaining.on:
        ask = (
            f"{keymap.key_of('play.why', 'w')} explains the position: who wins, and why. After the game it stands here."
        )
        return of_nothing("Why", ask)
    explanation, depth = conductor.explaining.explanation, conductor.explaining.depth
    ending = result(conductor.session) if conductor.session.over else ""
    return why_lines(explanation, ending, depth)


def values_paint(session: Session, ply: int, why: Explanation | str | None) -> Paint:
    """Return the painter of what each move leads to after so many moves, the best first; the move played is marked."""
    if session.over and ply == session.record.ply:  # no move is left
        return value_history.judged_paint(session)
    title = "Exact value of every move"
    if not isinstance(why, Explanation) or not why.values:
        return of_nothing(title, why if isinstance(why, str) else "Solving.")
    truths, played = {each.move: each for each in why.values}, next(iter(session.known_moves[ply : ply + 1]), None)
    moves = thinking.by_value(list(truths), truths)
    belief = Belief(0, title, Thinking((), played), namer(session, ply), moves, truths)
    return lambda columns, rows, signs: thinking.panel(belief, None, columns, rows, signs)


@painter
def why_lines(
    columns: int, rows: int, signs: Glyphs, why: Explanation | str | None, ending: str = "", depth: Depth = Depth.PLAIN
) -> list[Line]:
    """Return the lines of the explanation `why` at a depth; None means that it is not ready yet.

    `ending` says how a finished game ended, with names.
    """
    head = line(("Why", Ink.TITLE))
    if why is None:
        return [head, line((f"solving {signs.hidden}", Ink.QUIET))]
    if isinstance(why, str):
        lines = paragraphs([signs.plain(f"{why[:1].upper()}{why[1:]}.")], columns)
    elif why.over:
        did = "makes the last move" if why.heaps else "takes the last match"
        rule = f"The player who {did} {'loses' if why.misere else 'wins'}."
        ended = [ending, *([rule] if why.rows else [])] if ending else sentences(why)
        lines = paragraphs([signs.plain(text) for text in ended], columns)
    else:
        deeper = keys("", keymap.key_of("play.why", "w"), f" {depth.deeper.value if depth.deeper else 'close'}")
        period = keys("  ", keymap.key_of("play.sequence", "P"), " the period") if why.rows else ()
        head = line(("Why  ", Ink.TITLE), *deeper, *period)
        choices = list(_at_depth(why, depth, columns, signs))
        lines = next((fitting for fitting in choices if len(fitting) < rows), choices[-1])
    if len(lines) > rows - 1:
        lines = [*lines[: rows - 2], line((signs.hidden, Ink.QUIET))]
    return [head, *lines]


def _at_depth(why: Explanation, depth: Depth, columns: int, signs: Glyphs) -> Iterator[list[Line]]:
    """Yield the lines at a depth, then shorter ones for a panel that has no room for them."""
    if depth is Depth.TERMS:
        terms = list(glossary.meanings(why.terms, why.meaning))
        brief = [(term, f"{meaning.partition('. ')[0].rstrip('.')}.") for term, meaning in terms]
        for some in (terms, brief):
            yield [text for term, meaning in some for text in _term_lines(term, meaning, columns, signs)]
        return
    table = cells(Report(reason_blocks(why)), columns, signs=signs) if depth is Depth.REASON else []
    texts = [signs.plain(text) for text in (sentences(why) if depth is Depth.REASON else why.plain)]
    if table:
        meant = next(_at_depth(why, Depth.TERMS, columns, signs))
        yield [*table, *paragraphs(texts, columns), BLANK, *meant]
    yield [*table, *paragraphs(texts, columns)]
    yield [*table, *paragraphs([" ".join(texts)], columns)]
    if table and why.remoteness:
        yield [*table, *paragraphs([" ".join(texts[:-1])], columns)]  # the plain words say how soon the game ends


def _term_lines(name: str, meaning: str, columns: int, signs: Glyphs) -> list[Line]:
    """Return a term, which stands out, and what it means."""
    first, *rest = paragraphs([signs.plain(f"{name}: {meaning}")], columns)
    text = plain_text(first)
    return [line((text[: len(name)], Ink.STRONG), text[len(name) :]), *rest]
