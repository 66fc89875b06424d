"""What lists offer of a game: what it is called, its rule in one line, its sizes, and the games of short lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Offer(NamedTuple):
    """Games that differ only in their size and goal."""

    word: str  # with which their names begin
    label: str
    rule: str  # in one line
    sizes: Mapping[str, str]  # the label of a size -> the game's name in normal play; the first is the usual one
    presets: tuple[str, ...] = ()  # the names of the games that short lists offer
    usual: str = ""  # the game that is chosen with the family, if it is not the first size
    rank: int = 9  # the place in lists; families of one rank stand in the order of their files


def of_rows(word: str, *sizes: str) -> dict[str, str]:
    """Return games of rows: '345' is 'rows 3, 4, 5'."""
    return {f"rows {', '.join(rows)}": f"{word}:{','.join(rows)}" for rows in sizes}


def of_boards(word: str, *sizes: tuple[int, int]) -> dict[str, str]:
    """Return games on boards of so many columns and rows: '4 × 5'."""
    return {f"{columns} × {rows}": f"{word}:{columns}x{rows}" for columns, rows in sizes}
