"""The rows that the database returns: plain tuples and columns, independent of the database."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

MOST_NUMBERS = 10_000_000  # a game's id is its pairing's id times this number, plus the game's number


def codes_of(moves: bytes) -> list[int]:
    """Return the move codes in saved bytes."""
    return [int.from_bytes(moves[at : at + 2], "little", signed=True) for at in range(0, len(moves) - 1, 2)]


def short_id(id: int, alone: bool = False) -> str:
    """Return a game's ID as people type it: '31:62' for 310000061, '31' if it is `alone` in its pairing."""
    pairing, number = divmod(id, MOST_NUMBERS)
    return str(pairing) if alone and pairing < MOST_NUMBERS else f"{pairing}:{number + 1}"


class GameRow(NamedTuple):
    """One game of a pairing. Player 0 is the pairing's first agent, player 1 its second."""

    number: int  # the number within its pairing, from 0
    opener: int  # the player who moved first, after the opening
    opening: int  # plies of the opening, played for both
    moves: bytes  # all move codes, two bytes each, low byte first
    result: int  # −1, 0, 1: lost, drawn, won for player 0
    own: tuple[int, int]  # the number of moves of each player
    chances: tuple[int, int]  # of these moves, those in positions that could be made worse
    mistakes: tuple[int, int]  # of these moves, those that made the outcome worse
    fault: str  # the illegal move or error of the loser that ended the game; otherwise ''
    seconds: float
    beliefs: bytes = b""  # what the players believed of their moves, packed; b'' if that was not saved, or not read


class GameInfo(NamedTuple):
    """A saved game, and the tournament it belongs to."""

    id: int
    tournament: int | None  # None for a single game
    kind: str  # "tournament", "match", "play"
    game: str
    first: str  # player 0's full name
    second: str
    row: GameRow
    ended: float  # Unix time, in whole seconds
    name: str  # the name that a person gave, usually ''
    pairing: int  # its pairing's number in the tournament
    deleted: bool
    wrong: tuple[str, ...] = ()  # the names of values that are invalid and shown as the nearest valid ones

    @property
    def short(self) -> str:
        """Return the ID as people type it: '31:62', or '31' for a single game."""
        return short_id(self.id, alone=self.tournament is None)

    @property
    def codes(self) -> list[int]:
        """Return the move codes."""
        return codes_of(self.row.moves)

    @property
    def seats(self) -> tuple[str, str]:
        """Return the agents that moved first and second after the opening."""
        return (self.second, self.first) if self.row.opener else (self.first, self.second)


class Columns(NamedTuple):
    """The games of a pairing as columns, in ascending order of their numbers, with their first moves alone."""

    number: array[int]
    opener: array[int]
    opening: array[int]
    result: array[int]
    own: tuple[array[int], array[int]]
    chances: tuple[array[int], array[int]]
    mistakes: tuple[array[int], array[int]]
    first: array[int]  # the bytes of the first move, two of each game; −1: no move was made
    seconds: array[float]
    faults: dict[int, str]  # by the game's number


class TournamentInfo(NamedTuple):
    """A saved tournament, as it is now."""

    id: int
    kind: str  # "tournament", "match"
    name: str  # the name that a person gave, usually ''
    document: dict[str, Any]  # the tournament's settings; {} if unreadable
    state: str  # "running", "stopped", "done"
    made: float  # Unix time
    changed: float
    seconds: float  # playing time
    played: int  # games
    total: int
    deleted: bool
    sound: bool = True  # False if the row is damaged
