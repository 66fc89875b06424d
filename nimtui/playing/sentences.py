"""Makes the Play screen's sentences about a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from nimtui.arena.review.history import Story, history
from nimtui.arena.review.review import Judgement, Names, Reviewed
from nimtui.games import base
from nimtui.games.notation import plural
from nimtui.games.rule_text import MATCHES as MATCHES
from nimtui.games.rule_text import doing as doing
from nimtui.jobs import Snapshot
from nimtui.playing.session import Session

NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six"}
SEATS = ("the first player", "the second player")


def names(session: Session) -> tuple[str, str]:
    """Return the names of both players at the time of the latest move."""
    return session.names_at(session.record.ply - 1)


def verb(name: str, third: str, second: str) -> str:
    """Return the name with its verb: 'Hard wins', 'You win'."""
    return f"{name} {second if name.lower() == 'you' else third}"


def latest(session: Session) -> str:
    """Return the latest move, if an agent made it: 'Hard took 2 from D'."""
    record = session.record
    if not record.ply or session.authors[record.ply - 1].person:
        return ""
    return f"{names(session)[(record.ply - 1) % 2]} {latest_done(session)}"


def result(session: Session) -> str:
    """Return how the game ended: 'You took the last match and win.'"""
    record, kind = session.record, session.game.board_kind
    winner = record.winner
    if record.over and session.game.pays:
        if winner is None:
            return "The game pays 0."
        points = plural(abs(int(base.payoff(session.state))), "point", "points")
        return f"{verb(names(session)[winner], 'gets', 'get')} {points}."
    if not record.over:
        other = names(session)[1 - record.turn]
        return f"{session.fault}: {verb(other, 'wins', 'win')}." if session.fault else "The game is not finished."
    if winner is None:
        cells = session.game.cells(session.state)
        full = kind in ("columns", "grid") and cells and all(map(all, cells))
        return "The board is full: a draw." if full else "A draw."
    name, loser = names(session)[winner], names(session)[1 - winner]
    if not record.ply:
        return f"{verb(name, 'has', 'have')} already won."
    wins = f"{'win' if name == 'You' else 'wins'}."
    if kind == "columns":
        k = int(getattr(session.state, "k", 4))
        return f"{verb(name, 'has', 'have')} {NUMBERS.get(k, k)} in a row and {wins}"
    if kind not in MATCHES and session.game.verbs is None:
        return f"{name} {wins}"
    did = "took the last match" if kind in MATCHES else latest_done(session)
    return f"{name} {did} and {wins}" if record.outcome == base.WON else f"{loser} {did}: {inside(name)} {wins}"


def latest_done(session: Session) -> str:
    """Return what the latest move did: 'took 2 from D', 'ate b2'."""
    record = session.record
    return doing(session.game, record.state_at(record.ply - 1), record.moves[-1], "took", "dropped")


def question(session: Session) -> str:
    """Return the question that a review answers: 'why did I lose?'"""
    winner = session.record.winner
    if not session.over:
        return "where did it turn?"
    if winner is None:
        return "why a draw?"
    if session.game.pays:
        return "which moves gave points away?"
    loser = names(session)[1 - winner]
    return "why did I lose?" if loser == "You" else f"why did {inside(loser)} lose?"


def inside(name: str) -> str:
    """Return the name inside a sentence: 'you', 'the first player', 'Hard'."""
    return name[0].lower() + name[1:] if name == "You" or name.startswith("The ") else name


def working(name: str, ready: bool, snapshot: Snapshot, compiling: str = "") -> str:
    """Return what an agent is doing: 'Hard trains: 412,000 of 1,000,000 games'; `compiling` is `compiling_text`."""
    count = f"{snapshot.far} {snapshot.what}" if snapshot.total else ""
    if compiling:
        return f"{name}: {compiling}"
    if not ready and snapshot.what == "games":
        return f"{name} trains: {count}"
    if not ready:
        return f"{name} prepares" + (f": {snapshot.what}" if snapshot.what else "")
    return f"{name} is thinking" + (f": {count}" if snapshot.what == "playouts" else "")


# What a review and a value history tell.


def names_inside(session: Session, ply: int) -> Names:
    """Return both players' names when this move was made, as they stand inside a sentence."""
    first, second = map(inside, session.names_at(ply))
    return first, second


def reviewed(session: Session, judgements: Sequence[Judgement]) -> Reviewed:
    """Return the game with its judgements and its players' names, from which its story is told."""
    return Reviewed(session.record, judgements, partial(names_inside, session), session.opening, session.fault)


def story_of(session: Session) -> Story:
    """Return the value history of a session's known moves, with what has been judged."""
    plies, turned = len(session.authors), session.opening % 2
    pairs = [names_inside(session, ply) for ply in range(plies + 1)]
    by = [(second, first) if turned else (first, second) for first, second in pairs]
    both = SEATS if len(set(by)) > 1 else by[-1]  # the last names: who sits there now
    judged = list(session.judged().values())
    moments = history(plies, judged, session.beliefs(), session.estimates, session.opening)
    return Story(moments, both, session.analyst, by)
