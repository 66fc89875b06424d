"""What the database gives back: plain tuples and columns that need no database to be read."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

MOST_NUMBERS = 10_000_000  # a game's id is its pairing's, times this, plus its number


def short_id(id: int) -> str:
    """A game's id as people can type it: '31:62' for 310000062."""
    return "{}:{}".format(*divmod(id, MOST_NUMBERS))


class GameRow(NamedTuple):
    """One game of a pairing. The two players are 0, the pairing's first agent, and 1, its second."""

    number: int  # which game of its pairing, from 0
    opener: int  # the player who moved first, after the opening
    opening: int  # plies of the opening, made for both
    moves: bytes  # all move codes, two bytes each, the lower one first
    result: int  # −1, 0, 1: lost, drawn, won for player 0
    own: tuple[int, int]  # how many moves each player made
    chances: tuple[int, int]  # of these, in positions that could be made worse
    mistakes: tuple[int, int]  # of these, that made the outcome worse
    fault: str  # why a game was ended by an illegal move or an error of the player who lost it; '' where it was not
    seconds: float


class GameInfo(NamedTuple):
    """A kept game, and where it comes from."""

    id: int
    tournament: int | None  # None for a game of its own
    kind: str  # "tournament", "match", "play"
    game: str
    first: str  # player 0's full name
    second: str
    row: GameRow
    ended: float  # Unix time, in whole seconds
    name: str  # what a person called it, mostly ''
    pairing: int  # its pairing's number in the tournament
    deleted: bool
    wrong: tuple[str, ...] = ()  # the names of those of its values that do not fit, and are shown as they can be


class Columns(NamedTuple):
    """The games of a pairing in ascending order of their numbers, a column a thing, without their moves."""

    number: array[int]
    opener: array[int]
    opening: array[int]
    result: array[int]
    own: tuple[array[int], array[int]]
    chances: tuple[array[int], array[int]]
    mistakes: tuple[array[int], array[int]]
    seconds: array[float]
    faults: dict[int, str]  # by the game's number


class TournamentInfo(NamedTuple):
    """A kept tournament, as it is now."""

    id: int
    kind: str  # "tournament", "match"
    name: str  # what a person called it, mostly ''
    document: dict[str, Any]  # what it was begun with; {} where that cannot be read
    state: str  # "running", "stopped", "done"
    made: float  # Unix time
    changed: float
    seconds: float  # how long it was played
    played: int  # games
    total: int
    deleted: bool
    sound: bool = True  # is it as it was written?
