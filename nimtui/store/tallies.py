"""What the games of a tournament add up to, counted where they are kept: nothing of them is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nimtui.foreign.values import fit_text
from nimtui.store.stored import count

if TYPE_CHECKING:
    from nimtui.store.database import Database


class Tally(NamedTuple):
    """The games of one pairing that one of its two players began. The first player's numbers stand first."""

    pairing: int  # its number
    game: str
    first: str  # the full names
    second: str
    opener: int  # the player who moved first
    wins: int  # of the first player
    draws: int
    losses: int
    own: tuple[int, int]  # moves
    chances: tuple[int, int]  # of these, those that could be mistakes
    mistakes: tuple[int, int]
    faults: int  # games ended by an illegal move or an error


def tallies(db: Database, tournament: int) -> list[Tally]:
    """All of them, in the order of the pairings."""
    found = db.query(
        "SELECT p.number, b.name, first.name, second.name, g.opener = 1, sum(g.result = 1), sum(g.result = 0),"
        " sum(g.result = -1), sum(g.own_first), sum(g.own_second), sum(g.chances_first), sum(g.chances_second),"
        " sum(g.mistakes_first), sum(g.mistakes_second), sum(g.fault <> '')"
        " FROM pairings p JOIN boards b ON b.id = p.board JOIN agents first ON first.id = p.first"
        " JOIN agents second ON second.id = p.second CROSS JOIN games g ON g.pairing = p.id"
        " WHERE p.tournament = ? GROUP BY p.id, g.opener = 1 ORDER BY p.number, g.opener = 1",
        (tournament,),
    )
    return [_tally(*values) for values in found]


def _tally(number: int, board: str, first: str, second: str, *counts: int) -> Tally:
    opener, won, drawn, lost, own, own2, able, able2, bad, bad2, faults = map(count, counts)
    names = fit_text(board), fit_text(first), fit_text(second)
    return Tally(count(number), *names, opener, won, drawn, lost, (own, own2), (able, able2), (bad, bad2), faults)
