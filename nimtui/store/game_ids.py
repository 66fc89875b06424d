"""The IDs of games as people read and type them.

'3:30' is game 30 of pairing 3. Pairings are numbered through the whole database, games within their pairing from 1.
'3' is the only game of pairing 3. Older versions wrote one long number, 30000029: it is still read.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nimtui.errors import invalid, whole_number
from nimtui.foreign.values import LARGEST
from nimtui.store.rows import MOST_NUMBERS

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
