"""What Ctrl+Y copies on the Play screen and in a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.store.rows import short_id
from nimtui.ui.kit.clipboard import Copy, command

if TYPE_CHECKING:
    from nimtui.ui.play.replay import Replay
    from nimtui.ui.play.session import Session


def of_game(session: Session) -> list[Copy]:
    """Return the shown position, and the moves that led to it."""
    found = [Copy("position", session.game.position_name(session.state))]
    if session.record.ply:
        found.append(Copy("moves", session.record.transcript()))
    return found


def of_session(session: Session) -> list[Copy]:
    """Return what a game offers: the position, the moves, and the command that starts this game again."""
    return [*of_game(session), session.setup().command]


def of_replay(replay: Replay) -> list[Copy]:
    """Return what a replay offers: the position, the moves so far, all moves, and the command of a saved game."""
    found = of_game(replay)
    if not replay.at_end:
        found.append(Copy("whole game", " ".join(replay.move_names())))
    id = replay.kept.id
    return [*found, command("games", "show", short_id(id))] if id is not None else found
