"""Makes the painters of a replay's panels."""

from __future__ import annotations

from collections.abc import Callable

from nimtui.arena.history import Story
from nimtui.report.lines import Ink, Line, cut, justified, line
from nimtui.theory import explanation
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import painter
from nimtui.ui.kit.typing_line import TypingLine
from nimtui.ui.kit.virtual_list import Rows
from nimtui.ui.play import move_list, prompt
from nimtui.ui.play import sentences as words
from nimtui.ui.play.replay import Replay
from nimtui.ui.play.session import OPENING
from nimtui.ui.play.view import marks, title_lines

DOING = 34  # columns for the move played


@painter
def titles(columns: int, rows: int, signs: Glyphs, replay: Replay) -> list[Line]:
    """Return the game's title and its players."""
    names = [[name(seat) for seat in (0, 1)] for name in (replay.in_full, replay.called, replay.short)]
    return title_lines(replay.game.title, names, marks(replay, signs), None, columns, signs)


def moves(replay: Replay, go: Callable[[int], None], story: Story | None) -> Rows:
    """Return the list of moves with their judgements, if known, and their value history; the latest move is marked."""
    names, at = replay.move_names(), replay.record.ply - 1
    known = replay.judgements if len(replay.judgements) == len(names) else None
    return move_list.judged(names, replay.labels, known, at, go, story)


@painter
def said(
    columns: int,
    rows: int,
    signs: Glyphs,
    replay: Replay,
    pace: float | None,
    message: str,
    typing: TypingLine,
    story: Story | None,
) -> list[Line]:
    """Return the painter of the prompt: the latest move with its judgement and its story, then the next move.

    `pace`: seconds per move of automatic play; None if it is off.
    """
    if typing.open:
        return prompt.typed(typing, "", columns, signs)
    ply = replay.record.ply
    done = f"{ply} of {replay.last}   {_made(replay)}"
    judged, ink = _judged(replay)
    sign = f"{signs.wrong} " if ink is Ink.BAD else ""
    first = line((signs.plain(done).ljust(DOING), Ink.STRONG), (f"  {sign}{signs.plain(judged)}", ink))
    left = line((signs.plain(message or _following(replay)), Ink.TEXT))
    right = line((f"{signs.running} {pace:g} s per move" if pace is not None else "", Ink.QUIET))
    second = justified(left, right, columns) if pace is not None else cut(left, columns, signs.hidden)
    told = "" if story is None else signs.plain(story.told(ply - 1))
    third = [cut(line((told, Ink.TEXT)), columns, signs.hidden)] if rows > 2 else []
    return [cut(first, columns, signs.hidden), *third, second]


def _who(replay: Replay, ply: int) -> str:
    return "the opening" if replay.authors[ply].label == OPENING else replay.short(ply % 2)


def _made(replay: Replay) -> str:
    """Return the latest move: 'mc took 2 from D'."""
    ply = replay.record.ply - 1
    if ply < 0:
        return "the start"
    before = replay.record.state_at(ply)
    return f"{_who(replay, ply)} {words.doing(replay.game, before, replay.record.moves[ply], 'took', 'dropped')}"


def _judged(replay: Replay) -> tuple[str, Ink]:
    """Return what the latest move did: 'win → loss; b1 keeps the win'."""
    found = replay.judged().get(replay.record.ply - 1)
    if found is None or found.before is None:
        return "", Ink.QUIET
    if not found.mistake:
        return found.effect, Ink.QUIET
    state = replay.record.state_at(found.ply)
    names = [replay.game.move_name(move, state) for move in found.best_moves]
    keep = f"{explanation.several(names, 3)} keep{'s' * (len(names) == 1)} the {found.before.value}"
    return f"{found.effect}; {keep}", Ink.BAD


def _following(replay: Replay) -> str:
    """Return how the game ended, or the next move."""
    if replay.at_end:
        return replay.result
    ply = replay.record.ply
    who = _who(replay, ply)
    taking, dropping = ("take", "drop") if who == "you" else ("takes", "drops")
    following = f"Next: {who} {words.doing(replay.game, replay.state, replay.record.undone[-1], taking, dropping)}"
    return f"{replay.kept.title} · {following[0].lower()}{following[1:]}" if replay.kept.title else following
