"""Paint the two lines below the board: what the person can do now, and the latest message."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.playing import levels
from nimtui.playing import sentences as words
from nimtui.playing.session import Hold, Session
from nimtui.report.lines import Ink, Line, Run, cut, fit, keys, line, paragraphs, width
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter
from nimtui.ui.kit.widgets.typing_line import Prompt, TypingLine
from nimtui.ui.play.conductor import Waiting

ENTER = "⏎"
LONGEST_BAR = 48
DOING = 26  # columns for the marked move


@painter
def typed(
    columns: int, rows: int, signs: Glyphs, typing: TypingLine, seat: str = "", offers: Sequence[str] = ()
) -> list[Line]:
    """Return the typed text, and its error or the offers."""
    question = f"{typing.asked.value}{f' {seat}' if typing.asked is Prompt.PLAYER else ''}: "
    end = keys("   ", ENTER, "  ", "esc")
    first = line((question, Ink.TEXT), (typing.text, typing.ink), (signs.full, Ink.PICK), *end)
    if typing.fault:
        second = line((f"{signs.fault} {typing.fault}", Ink.BAD))
    else:
        second = line((", ".join(offers), Ink.QUIET)) if typing.asked is not Prompt.MOVE else ()
    return [fit(first, columns, signs), fit(second, columns, signs)]


def actions(
    session: Session, doing: str, waiting: Waiting, message: str, columns: int, signs: Glyphs, tip: str = ""
) -> list[Line]:
    """Return what the person can do: `doing` is the marked move. `tip` is shown if there is no message."""
    who = session.called(session.record.turn)
    messages = [fit(part, columns, signs) for part in paragraphs([signs.plain(message)], columns)]
    second = messages[0]
    if session.over:
        winner = session.record.winner
        mine = winner is not None and session.players[winner].is_person
        ended = (words.result(session), Ink.GOOD if mine else Ink.STRONG)
        news = levels.news(session)
        first = _first_fitting(
            columns, [ended, (f" {news}", Ink.TEXT)], [ended, (f" {news.partition(',')[0]}", Ink.TEXT)]
        )
        if not message:
            asks = words.question(session)
            long = keys("", "r", f" {asks}   ", "u", " take back   ", "n", " new game")
            longer = [*long, *keys("   ", "^s", " save")]
            longest = [*longer, *keys("   ", "V", " values")]
            second = _first_fitting(
                columns, longest, longer, long, keys("", "r", f" {asks}  ", "u", " undo  ", "n", " new")
            )
    elif session.hold is Hold.FAILED:
        first = line((f"{signs.fault} {who} failed: {session.fault}", Ink.BAD))
        second = _instead("try again", doing, columns)
    elif session.hold is Hold.STOPPED:
        first = line((f"{who} was stopped", Ink.STRONG))
        second = _instead("think again", doing, columns)
    elif session.hold is Hold.PAUSED and not session.steps:
        can = keys("   ", "space", " continue   ", ".", " one move   ", "o", " another player")
        less = keys("  ", "space", " continue  ", ".", " step  ", "o", " other player")
        paused = (f"Paused, {who} to move", Ink.STRONG)
        first = _first_fitting(columns, [paused, *can], [paused, *less], [("Paused", Ink.STRONG), *less])
    elif not session.person_may_move:
        stop = keys("   ", "esc", " stop")
        busy = line((signs.plain(waiting.text) or f"{who} is thinking", Ink.TEXT))
        first = line(*cut(busy, columns - sum(len(run.text) for run in stop), signs.hidden), *stop)
        if waiting.share is not None and not message:
            time = f"  {waiting.left}" if waiting.left else ""
            bar = signs.bar(waiting.share, min(LONGEST_BAR, columns - len(time)))
            second = line((bar, Ink.JOB), (time, Ink.QUIET))
    else:
        # The part that changes with every key is leftmost, so the rest of the line is not sent again.
        whose = "your move" if who == "You" else f"{who[:1].lower() + who[1:]}'s move"
        first = line((f"{doing}  {ENTER}".ljust(DOING), Ink.PICK), (whose, Ink.QUIET))
        second = second if message else line((tip, Ink.QUIET))
    return [fit(first, columns, signs), fit(second, columns, signs), *messages[1:]]


def _instead(again: str, doing: str, columns: int) -> Line:
    """Return what the person can do when an agent does not move: let it try again, replace it, or move for it."""
    long = keys("", "space", f" {again}   ", "o", " another player   ", ENTER, f" {doing} for it")
    return _first_fitting(columns, long, keys("", "space", f" {again}  ", "o", " other player  ", ENTER, f" {doing}"))


def _first_fitting(columns: int, *choices: Sequence[Run | tuple[str, Ink]]) -> Line:
    """Return the first of these lines that fits, else the last."""
    lines = [line(*choice) for choice in choices]
    return next((shorter for shorter in lines if width(shorter) <= columns), lines[-1])
