"""Fit the values of database rows: SQLite holds any value in any column, and any program may write there.

Nothing here raises. A value that cannot be shown is replaced by the nearest valid one. A game lists such values.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from nimtui.foreign import document
from nimtui.foreign.values import (
    LARGEST,
    LARGEST_COUNT,
    are_texts,
    fit_real,
    fit_text,
    fit_texts,
    fit_whole,
    is_text,
    is_whole,
)
from nimtui.store.rows import MOST_NUMBERS, GameRow

COUNTS = ("own_first", "own_second", "chances_first", "chances_second", "mistakes_first", "mistakes_second")
MOST_OPENING = 2**15 - 1  # plies
_TOKEN = re.compile(r"[0-9a-f]{1,64}", re.ASCII)


def game_row(values: Sequence[Any]) -> GameRow:
    """Return the game of a row (see `saved_games.ROW`)."""
    number, opener, opening, moves, result, own, own2, chances, chances2, mistakes, mistakes2, fault, seconds = values
    if (
        type(number) is int
        and (opener == 0 or opener == 1)
        and type(opening) is int
        and type(moves) is bytes
        and 0 <= opening <= MOST_OPENING
        and not len(moves) & 1
        and type(result) is int
        and all(type(count) is int and 0 <= count <= LARGEST_COUNT for count in values[5:11])
        and type(fault) is str
        and type(seconds) is float
        and 0 <= seconds < float("inf")
    ):
        return GameRow(
            number,
            int(opener),
            opening,
            moves,
            result,
            (own, own2),
            (chances, chances2),
            (mistakes, mistakes2),
            fault,
            seconds,
        )
    counts = [fit_whole(count, 0, LARGEST_COUNT) for count in values[5:11]]
    moves = moves[: len(moves) // 2 * 2] if isinstance(moves, bytes) else b""
    return GameRow(
        fit_whole(number, 0, MOST_NUMBERS - 1),
        fit_whole(opener, 0, 1),
        fit_whole(opening, 0, MOST_OPENING),
        moves,
        fit_whole(result, -1, 1),
        (counts[0], counts[1]),
        (counts[2], counts[3]),
        (counts[4], counts[5]),
        fit_text(fault),
        max(0.0, fit_real(seconds)),
    )


def misfits(row: GameRow, values: Sequence[Any]) -> tuple[str, ...]:
    """Return the names of the values in a row that `game_row` had to change."""
    names = ("number", "opener", "opening", "moves", "result", *COUNTS, "fault", "seconds")
    flat = (*row[:5], *row.own, *row.chances, *row.mistakes, row.packed_fault, row.seconds)
    return tuple(
        name
        for name, stored, fitted in zip(names, values, flat, strict=True)
        if type(stored) is not type(fitted) or stored != fitted
    )


def tournament_document(text: object) -> dict[str, Any]:
    """Return the settings of a tournament without invalid values, or {} if its document is unreadable."""
    try:
        settings = document.parse_object(fit_text(text))
    except document.WrongDocument:
        return {}
    for key in ("games", "agents"):
        if key in settings and not are_texts(settings[key]):
            settings[key] = fit_texts(settings[key])
    wanted = {"number": is_whole, "seed": is_whole, "pairs": is_text, "openings": is_text, "version": is_text}
    return {key: value for key, value in settings.items() if key not in wanted or wanted[key](value)}


def token(value: object) -> str:
    """Return a tournament's token, which names its lock file and never points outside the lock folder."""
    text = fit_text(value)
    return text if _TOKEN.fullmatch(text) else hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def count(value: object) -> int:
    """Return a stored or computed sum as a whole number, or 0 if it is none."""
    return fit_whole(value, -LARGEST, LARGEST)
