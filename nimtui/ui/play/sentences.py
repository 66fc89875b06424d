"""What the Play screen says of a game, in plain sentences."""

from __future__ import annotations

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.jobs import Snapshot
from nimtui.ui.play.session import Session

MATCHES = ("rows", "runs")  # kinds of board


def doing(game: Game, state: State, move: Move, taking: str = "take", dropping: str = "drop") -> str:
    """What a move does: 'take 2 from C', 'take C2 to C4', 'drop in column 4', 'b2'."""
    name = game.move_name(move, state)
    cells = sorted(game.touched(state, move))
    if not cells or game.board_kind not in (*MATCHES, "columns"):
        return f"{taking} {name}" if taking != "take" else f"play {name}"
    row, first = cells[0]
    letter = chr(ord("A") + row)
    if game.board_kind == "columns":
        return f"{dropping} in column {first + 1}"
    if game.board_kind == "rows":
        return f"{taking} {len(cells)} from {letter}" if len(game.cells(state) or ()) > 1 else f"{taking} {len(cells)}"
    return f"{taking} {letter}{first + 1}" + (f" to {letter}{cells[-1][1] + 1}" if len(cells) > 1 else "")


def called(session: Session, seat: int) -> str:
    """'You', 'Hard', or where two people play 'The first player'."""
    return session.called(seat)


def names(session: Session) -> tuple[str, str]:
    """Who played on the two seats when the move made last was made."""
    return session.names_at(session.record.ply - 1)


def verb(name: str, third: str, second: str) -> str:
    """'Hard wins', 'You win'."""
    return f"{name} {second if name.lower() == 'you' else third}"


def latest(session: Session) -> str:
    """The move made last, if it was not one's own: 'Hard took 2 from D'."""
    record = session.record
    if not record.ply or session.author(record.ply - 1).person:
        return ""
    move, before = record.moves[-1], record.state_at(record.ply - 1)
    return f"{names(session)[(record.ply - 1) % 2]} {doing(session.game, before, move, 'took', 'dropped')}"


def result(session: Session) -> str:
    """How the game ended: 'You took the last match and win.'"""
    record = session.record
    winner = record.winner
    if not record.over:
        other = names(session)[1 - record.turn]
        return f"{session.fault}: {verb(other, 'wins', 'win')}." if session.fault else "It was not played to its end."
    if winner is None:
        full = "The board is full: " if session.game.board_kind == "columns" else ""
        return f"{full}a draw.".capitalize() if not full else f"{full}a draw."
    name, loser = names(session)[winner], names(session)[1 - winner]
    if not record.ply:
        return f"{verb(name, 'has', 'have')} already won."
    if session.game.board_kind in MATCHES:
        if record.outcome == base.WON:
            return f"{name} took the last match and {'win' if name == 'You' else 'wins'}."
        return f"{loser} took the last match: {verb(inside(name), 'wins', 'win')}."
    if session.game.board_kind == "columns":
        return f"{verb(name, 'has', 'have')} {_in_a_row(session)} in a row and {'win' if name == 'You' else 'wins'}."
    return f"{verb(name, 'wins', 'win')}."


def question(session: Session) -> str:
    """What a review answers: 'why did I lose?'"""
    winner = session.record.winner
    if not session.over:
        return "where did it turn?"
    if winner is None:
        return "why a draw?"
    loser = names(session)[1 - winner]
    return "why did I lose?" if loser == "You" else f"why did {inside(loser)} lose?"


def inside(name: str) -> str:
    """The name within a sentence: 'you', 'the first player', 'Hard'."""
    return name[0].lower() + name[1:] if name == "You" or name.startswith("The ") else name


def _in_a_row(session: Session) -> str:
    k = int(getattr(session.state, "k", 4))
    return {3: "three", 4: "four", 5: "five", 6: "six"}.get(k, str(k))


def working(name: str, ready: bool, snapshot: Snapshot, compiling: bool) -> str:
    """What an agent is doing: 'Hard trains: 412,000 of 1,000,000 games'."""
    count = f"{snapshot.done:,.0f} of {snapshot.total:,.0f} {snapshot.what}" if snapshot.total else ""
    if compiling or snapshot.what == "compiling":
        return f"{name}: compiling the engine, once for this game"
    if not ready and snapshot.what == "games":
        return f"{name} trains: {count}"
    if not ready:
        return f"{name} gets ready" + (f": {snapshot.what}" if snapshot.what else "")
    return f"{name} is thinking" + (f": {count}" if snapshot.what == "playouts" else "")


def standing(session: Session) -> str:
    """How many matches are left: '9 matches left'; '' for other boards."""
    if session.game.board_kind not in MATCHES:
        return ""
    return f"{plural(sum(map(sum, session.game.cells(session.state) or [])), 'match', 'matches')} left"
