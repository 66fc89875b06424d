"""Paint what stands below the board: what the person can do now and the latest message; what is told of a past game."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.arena.review.history import Story
from nimtui.arena.review.review_text import kept_by
from nimtui.playing import levels
from nimtui.playing import sentences as words
from nimtui.playing.replay import Replay
from nimtui.playing.session import OPENING, Hold, Session
from nimtui.report.lines import Ink, Line, Run, cut, fit, justified, keys, line, paragraphs, width
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter
from nimtui.ui.kit.widgets.typing_line import Prompt, TypingLine
from nimtui.ui.play.conductor import Waiting

ENTER = "⏎"
LONGEST_BAR = 48
DOING = 26  # columns for the marked move
PLAYED = 34  # columns for the latest move of a replay


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


# Below a game that was played.


@painter
def replayed(
    columns: int, rows: int, signs: Glyphs, replay: Replay, pace: float | None, message: str, story: Story | None
) -> list[Line]:
    """Return what stands below a replay: the latest move with its judgement and its story, then the next move.

    `pace`: seconds per move of automatic play; None if it is off.
    """
    ply = replay.record.ply
    done = f"{ply} of {replay.last}   {_latest_move(replay)}"
    judged, ink = _judged(replay)
    sign = f"{signs.wrong} " if ink is Ink.BAD else ""
    first = line((signs.plain(done).ljust(PLAYED), Ink.STRONG), (f"  {sign}{signs.plain(judged)}", ink))
    second = cut(line((signs.plain(message or _following(replay)), Ink.TEXT)), columns, signs.hidden)
    if pace is not None:
        second = justified(second, line((f"{signs.running} {pace:g} s per move", Ink.QUIET)), columns)
    history = "" if story is None else signs.plain(story.told(ply - 1))
    third = [cut(line((history, Ink.TEXT)), columns, signs.hidden)] if rows > 2 else []
    fault = [cut(line((signs.plain(text), Ink.QUIET)), columns, signs.hidden) for text in replay.particulars]
    return [cut(first, columns, signs.hidden), *third, second, *fault[: rows - 2 - len(third)]]


@painter
def reviewed(columns: int, rows: int, signs: Glyphs, asks: str, told: str, history: str, fault: str) -> list[Line]:
    """Return what stands below a review: the question, what decided the game, and the history of the marked move."""
    if fault:
        return paragraphs([f"The review failed: {fault}"], columns, Ink.BAD)
    if not told:
        return [line(("Solving every position ", Ink.QUIET), (signs.hidden, Ink.QUIET))]
    story, marked = (paragraphs([signs.plain(text)], columns) if text else [] for text in (told, history))
    rows -= len(marked)
    if len(story) > rows - 1 > 0:
        story = [*story[: rows - 2], line(*cut(story[rows - 2], columns - 2, ""), f" {signs.hidden}")]
    return [line((asks[:1].upper() + asks[1:], Ink.TITLE)), *story, *marked]


def _who(replay: Replay, ply: int) -> str:
    return "the opening" if replay.authors[ply].label == OPENING else replay.short(ply % 2)


def _latest_move(replay: Replay) -> str:
    """Return the latest move: 'mc took 2 from D'."""
    ply = replay.record.ply - 1
    if ply < 0:
        return "the start"
    before = replay.record.state_at(ply)
    return f"{_who(replay, ply)} {words.doing(replay.game, before, replay.record.moves[ply], 'took', 'dropped')}"


def _judged(replay: Replay) -> tuple[str, Ink]:
    """Return what the latest move did: 'win → loss; b1 keeps the win'."""
    latest = replay.judged().get(replay.record.ply - 1)
    if latest is None or latest.before is None:
        return "", Ink.QUIET
    if not latest.mistake:
        return latest.effect, Ink.QUIET
    return f"{latest.effect}; {kept_by(replay.record, latest)}", Ink.BAD


def _following(replay: Replay) -> str:
    """Return how the game ended, or the next move."""
    if replay.at_end:
        return replay.result
    ply = replay.record.ply
    who = _who(replay, ply)
    taking, dropping = ("take", "drop") if who == "you" else ("takes", "drops")
    following = f"Next: {who} {words.doing(replay.game, replay.state, replay.record.undone[-1], taking, dropping)}"
    return f"{replay.kept.title} · {following[0].lower()}{following[1:]}" if replay.kept.title else following
