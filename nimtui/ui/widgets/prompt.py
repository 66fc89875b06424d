"""The two lines under the board: what can be done now, and what there is to say about it."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.ui import words
from nimtui.ui.glyphs import Glyphs
from nimtui.ui.session import Hold, Session
from nimtui.ui.typing_line import Asked, TypingLine
from nimtui.ui.widgets.ink import Ink, Line, Run, cut, line

ENTER = "⏎"
LONGEST_BAR = 48
DOING = 26  # columns for what the marked move does
QUESTIONS = {Asked.MOVE: "Move: ", Asked.PLAYER: "Who plays for "}


def keys(*parts: str) -> list[Run]:
    """Text in which every other part is a key: 'press ', 'u', ' to undo'."""
    return [Run(part, Ink.KEY if at % 2 else Ink.QUIET) for at, part in enumerate(parts)]


def typed(typing: TypingLine, seat: str, columns: int, signs: Glyphs, offers: Sequence[str] = ()) -> list[Line]:
    """What is being typed, and what is wrong with it."""
    question = QUESTIONS[typing.asked] + (f"{seat}: " if typing.asked is Asked.PLAYER else "")
    end = keys("   ", ENTER, "  ", "esc")
    first = line((question, Ink.TEXT), (typing.text, Ink.STRONG), (signs.full, Ink.PICK), *end)
    if typing.fault:
        second = line((f"{signs.fault} {typing.fault}", Ink.BAD))
    else:
        second = line((", ".join(offers), Ink.QUIET)) if typing.asked is Asked.PLAYER else ()
    return [_fit(first, columns, signs), _fit(second, columns, signs)]


def shown(
    session: Session, doing: str, working: str, share: float | None, message: str, columns: int, signs: Glyphs
) -> list[Line]:
    """What the person can do: `doing` is what the marked move does, `working` what an agent is busy with.

    `share` is how much of that is finished.
    """
    who = words.called(session, session.record.turn)
    second, do = line((message, Ink.TEXT)), f" {doing}"
    if session.over:
        first = line((words.result(session), Ink.GOOD if _mine(session) else Ink.STRONG))
        if not message:
            second = line(*keys("", "r", f" {words.question(session)}   ", "u", " take back   ", "n", " new game"))
    elif session.hold is Hold.FAILED:
        first = line((f"{signs.fault} {who} failed: {session.fault}", Ink.BAD))
        second = line(*keys("", "space", " try again   ", "o", " another player   ", ENTER, f"{do} for it"))
    elif session.hold is Hold.STOPPED:
        first = line((f"{who} was stopped", Ink.STRONG))
        second = line(*keys("", "space", " think again   ", "o", " another player   ", ENTER, f"{do} for it"))
    elif session.hold is Hold.PAUSED and not session.steps:
        can = keys("   ", "space", " go on   ", ".", " one move   ", "o", " another player")
        first = line((f"Paused, {who} to move", Ink.STRONG), *can)
    elif not session.person_may_move:
        first = line((working or f"{who} is thinking", Ink.TEXT), *keys("   ", "esc", " stop"))
        if share is not None and not message:
            second = line((signs.bar(share, min(LONGEST_BAR, columns)), Ink.BAR))
    else:
        # What changes with every key stands leftmost: the rest of the line is not sent again.
        whose = "your move" if who == "You" else f"{who[:1].lower() + who[1:]}'s move"
        first = line((f"{doing}  {ENTER}".ljust(DOING), Ink.PICK), (whose, Ink.QUIET))
    return [_fit(first, columns, signs), _fit(second, columns, signs)]


def _mine(session: Session) -> bool:
    winner = session.record.winner
    return winner is not None and session.players[winner].is_person


def _fit(said: Line, columns: int, signs: Glyphs) -> Line:
    return cut(tuple(Run(signs.plain(run.text), run.ink) for run in said), columns, signs.hidden)
