"""The rows that the database returns: plain tuples and columns, independent of the database.

The ID of a game is typed as '3:30': game 30 of pairing 3. Pairings are numbered through the whole database, games
within their pairing from 1. '3' is the only game of pairing 3. Older versions wrote one long number, 30000029, which
can still be typed.

The fault that ended a game is one line of text: what happened, then the particulars as JSON if there are any.
"""

from __future__ import annotations

import json
import re
from array import array
from contextlib import suppress
from typing import Any, NamedTuple

from nimtui.errors import invalid, whole_number
from nimtui.foreign.values import LARGEST

MARK = ' {"kind":'  # no JSON text holds it: its quotes would be escaped
OTHER = "other"  # the kind of a fault that an older nimtui saved


class Fault(NamedTuple):
    """How an agent lost a game, apart from the board."""

    text: str  # one sentence without its full stop, which names the agent
    kind: str = OTHER  # of `sandbox.program.FaultKind`
    position: str = ""  # in which it happened
    told: str = ""  # the line that a program was sent
    answer: str = ""  # what it wrote
    errors: tuple[str, ...] = ()  # its last lines on stderr

    def packed(self) -> str:
        """Return the line to store."""
        particulars = {key: value for key, value in self._asdict().items() if value and key != "text"}
        return f"{self.text} {json.dumps(particulars)}"

    @property
    def particulars(self) -> list[str]:
        """Return what a program was told and wrote, a line each; none for another agent."""
        if not self.told:
            return []
        lines = [f"{self.kind} at {self.position}", f"told: {self.told}", f"answered: {self.answer or 'nothing'}"]
        return lines + [f"stderr: {line}" for line in self.errors]

    def document(self) -> dict[str, Any]:
        """Return the fault as values of a document; null for what there is not."""
        return {key: list(value) if key == "errors" else value or None for key, value in self._asdict().items()}


def unpacked(line: str) -> Fault:
    """Return the fault of a stored line; of its text alone if that is all it has."""
    text, mark, rest = line.rpartition(MARK)
    if mark:
        with suppress(ValueError, TypeError, AttributeError):
            values = json.loads(mark.strip() + rest)
            kind, position, question, answer = (str(values.get(key, "")) for key in Fault._fields[1:5])
            return Fault(text, kind, position, question, answer, tuple(map(str, values.get("errors", ()))))
    return Fault(line)


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
    packed_fault: str  # the illegal move or error of the loser that ended the game, see `Fault`; otherwise ''
    seconds: float
    beliefs: bytes = b""  # what the players believed of their moves, packed; b'' if that was not saved, or not read

    @property
    def fault(self) -> str:
        """Return what ended the game, without its particulars."""
        return unpacked(self.packed_fault).text


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
    faults: dict[int, str]  # packed, by the game's number


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


MOST_PAIRINGS = LARGEST // MOST_NUMBERS - 1
_FORM = re.compile(r"\s*\d[\d,_]*\s*(:.*)?", re.DOTALL | re.ASCII)


class GameId(NamedTuple):
    """A game as it is typed."""

    pairing: int
    number: int | None = None  # within the pairing, from 0; None: its only game

    def __str__(self) -> str:
        return str(self.pairing) if self.number is None else f"{self.pairing}:{self.number + 1}"


def parse_game_id(text: str) -> GameId:
    """Read the ID of a game: '3:30', '3' or the long 30000029. Raises InputError for any other text."""
    if not _FORM.fullmatch(text):
        raise invalid("game", text, "expected an ID such as 31:62")
    first, colon, second = text.partition(":")
    if colon:
        number = whole_number(second, "the part after the colon of a game's ID", 1, MOST_NUMBERS)
        return GameId(whole_number(first, "the part before the colon of a game's ID", 1, MOST_PAIRINGS), number - 1)
    whole = whole_number(first, "the ID of a game", 1, LARGEST)
    return GameId(*divmod(whole, MOST_NUMBERS)) if whole >= MOST_NUMBERS else GameId(whole)
