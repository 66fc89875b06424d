"""What each panel of the Play screen shows of a game: painters, ready to be given a room."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nimtui.games import base
from nimtui.games.base import Move
from nimtui.ui.board.board import Owned
from nimtui.ui.board.cursor import Cell
from nimtui.ui.board.discs import winning_cells
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Run
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.typing_line import TypingLine
from nimtui.ui.play import learned, move_list, prompt, thoughts, title, verdicts, why
from nimtui.ui.play import sentences as words
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.keys import rows_that_are_keys
from nimtui.ui.play.move_list import Moves
from nimtui.ui.play.session import Session

QUIET = "When an agent has moved, this is what it thought of every move it could make."


def owned(session: Session, ply: int | None = None) -> Owned:
    """Whose marks the cells bear after so many moves (now): 0 one's own, 1 the other's."""
    ply = session.record.ply if ply is None else ply
    by = session.owners(ply)
    winning: frozenset[Cell] = frozenset()
    state = session.record.state_at(ply)
    if session.game.board_kind == "columns" and ply and base.outcome(state) == base.WON:
        before = session.record.state_at(ply - 1)
        [last] = session.game.touched(before, session.record.moves[ply - 1])
        winning = winning_cells(session.game.cells(state) or [], last, int(getattr(state, "k", 4)))
    return Owned(by, winning)


def marks(session: Session, signs: Glyphs) -> tuple[Run, Run]:
    """The signs of the two players on this board."""
    if session.game.board_kind == "columns":
        start = session.game.cells(session.record.state_at(0)) or []
        begun = sum(disc > 0 for row in start for disc in row) % 2
        discs = (Run(signs.discs[0], Ink.FIRST), Run(signs.discs[1], Ink.SECOND))
        return (discs[begun], discs[1 - begun])
    if session.game.board_kind in words.MATCHES:
        own, others = (Run(ghost, Ink.GHOST) for ghost in signs.ghosts)
        return (others, own) if session.sides[0] else (own, others)
    return (Run(""), Run(""))


def moves(session: Session, signs: Glyphs) -> Moves:
    marks = {ply: verdicts.sign(found, signs.wrong) for ply, found in session.judged().items()}
    return Moves(session.move_names(), session.record.ply, session.labels, marks)


def paints(
    conductor: PlayConductor, typing: TypingLine, marked: Move | None, offers: Sequence[str]
) -> dict[str, Paint]:
    """The painter of each panel, by the panel's name. `marked` is the move under the cursor."""
    session = conductor.session
    return {
        "title": _title(session),
        "thoughts": _thoughts(session),
        "why": _why(conductor),
        "log": lambda columns, rows, signs: move_list.down(moves(session, signs), columns, rows, signs),
        "prompt": prompt_paint(conductor, typing, marked, offers),
        "moves": lambda columns, rows, signs: move_list.across(moves(session, signs), columns, signs),
    }


def prompt_paint(conductor: PlayConductor, typing: TypingLine, marked: Move | None, offers: Sequence[str]) -> Paint:
    session = conductor.session
    if typing.open:
        seat = words.called(session, asked_seat(session))
        return lambda columns, rows, signs: prompt.typed(typing, seat, columns, signs, offers)
    doing = words.doing(session.game, session.state, marked) if marked is not None else ""
    working, share, message = conductor.progress(), conductor.share, conductor.message
    left, tip = conductor.left, _tip(session)
    return lambda columns, rows, signs: prompt.shown(
        session, doing, working, share, message, columns, signs, left=left, tip=tip
    )


def _tip(session: Session) -> str:
    """How a move is typed in a row whose letter is a key."""
    rows = rows_that_are_keys(session).upper()
    return f"Row{'s' * (len(rows) > 1)} {' '.join(rows)}: type with Shift, as in {rows[0]}1" if rows else ""


def asked_seat(session: Session) -> int:
    """Whose player is changed: that of the agent in trouble or being watched to move, else the opponent's."""
    if session.hold is not None or session.watched:
        return session.record.turn
    return 1 - session.me if session.opponent is None else session.opponent


def _title(session: Session) -> Paint:
    called = [words.called(session, seat) for seat in (0, 1)]
    titles = [name if player.is_person else player.title for name, player in zip(called, session.players, strict=True)]
    short = called if session.opponent is not None else ["First", "Second"]
    turn = None if session.over else session.record.turn
    return lambda columns, rows, signs: title.paint(
        session.game.title, (titles, short), marks(session, signs), turn, columns, signs
    )


def _thoughts(session: Session) -> Paint:
    if session.learned is not None and session.pupil is not None:
        who, changes = session.pupil.title.partition(" (")[0], session.learned
        return lambda columns, rows, signs: learned.paint(who, changes, session.game.move_name, columns, rows, signs)
    found = session.reflection
    if found is None:
        empty = [QUIET] if session.opponent is not None else ["Two people play: nobody's thoughts are shown here."]
        return lambda columns, rows, signs: thoughts.paint("Thoughts", None, str, empty, columns, rows, signs)
    name = _namer(session, found.ply)
    who = found.player.title.partition(" (")[0]
    move, unit = name(found.decision.move), thoughts.legend(found.decision, found.player.agent)
    empty = [f"{who} has no opinion of its moves."]
    return lambda columns, rows, signs: thoughts.paint(
        thoughts.head(who, move, columns), found.decision, name, empty, columns, rows, signs, unit
    )


def _namer(session: Session, ply: int) -> Callable[[Move], str]:
    state = session.record.state_at(ply)
    return lambda move: session.game.move_name(move, state)


def _why(conductor: PlayConductor) -> Paint:
    if not conductor.explaining:
        return lambda columns, rows, signs: why.closed("w")
    explanation = conductor.why
    ending = words.result(conductor.session) if conductor.session.over else ""
    return lambda columns, rows, signs: why.paint(explanation, columns, rows, signs, ending)
