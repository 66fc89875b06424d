"""Compute the values of one row of 0, 1, 2, … matches: outcomes, Grundy values, and the period of the sequence.

A row from which up to K matches are taken is a subtraction game: a value depends on the K values before it, so the
sequence is periodic once a window of K values repeats. A row from which up to K neighbours are taken is an octal game,
K = 2 is Kayles. Source of its proof of a period: Guy and Smith, "The G-values of various games" (1956).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.adjacent import Adjacent
from nimtui.games.heaps import Heaps
from nimtui.theory.grundy import mex, splits

MOST, MOST_MISERE_SPLITS = 2_000, 24  # matches; in misère play a split row needs the outcomes of all sums of rows


@dataclass(frozen=True)
class Period:
    """`value(n + length) = value(n)` for all n from `preperiod` on: for ever if `proven`, else as far as computed."""

    preperiod: int
    length: int
    proven: bool


@dataclass(frozen=True)
class Sequence:
    """The values of rows of 0 to N matches, for the player to move."""

    values: tuple[int, ...]  # 1 won, −1 lost
    grundy: tuple[int, ...] | None  # None in misère play
    period: Period | None  # of the Grundy values; of the outcomes in misère play


def why_not(game: Game, to: int) -> str | None:
    """Return in one line why the game has no such sequence, or None if it has one."""
    state = game.start
    if not isinstance(state, Heaps | Adjacent) or len(state.first) != 1:
        return f"{game.name} is not one row: name a game such as subtraction:21,3, nim:21 or kayles:21"
    most = MOST_MISERE_SPLITS if isinstance(state, Adjacent) and state.misere else MOST
    return None if 0 <= to <= most else f"--to must be from 0 to {most:,} for {game.name}, not {to:,}"


def sequence(game: Game, to: int) -> Sequence:
    """Return the values of one row of 0 to `to` matches. Raises InputError if the game has none."""
    if (fault := why_not(game, to)) is not None:
        raise InputError(fault)
    state = game.start
    assert isinstance(state, Heaps | Adjacent)
    limit = _limit(state)
    if isinstance(state, Adjacent):
        if state.misere:
            outcomes = _misere_splits(to, limit)
            return Sequence(outcomes, None, _period(outcomes, None))
        grundy = _split_values(to, limit)
        return Sequence(_values(grundy), grundy, _period(grundy, limit))
    if state.misere:
        outcomes = _misere(to, limit)
        return Sequence(outcomes, None, _window_period(outcomes, limit))
    grundy = _row_values(to, limit)
    return Sequence(_values(grundy), grundy, _window_period(grundy, limit))


def _limit(state: Heaps | Adjacent) -> int:
    """Return the most matches of one move; MOST without a limit, when a move may take the whole row."""
    row = int(state.start[0]) if isinstance(state, Heaps) else int(state.width[0])
    return MOST if state.limit >= row else state.limit


def _values(grundy: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if value else -1 for value in grundy)


def _row_values(to: int, limit: int) -> tuple[int, ...]:
    found: list[int] = []
    for matches in range(to + 1):
        found.append(mex(found[matches - min(limit, matches) : matches]))
    return tuple(found)


def _misere(to: int, limit: int) -> tuple[int, ...]:
    found = [1]  # the opponent took the last match and lost
    for matches in range(1, to + 1):
        found.append(1 if -1 in found[matches - min(limit, matches) : matches] else -1)
    return tuple(found)


def _split_values(to: int, limit: int) -> tuple[int, ...]:
    found: list[int] = []
    for matches in range(to + 1):
        found.append(mex({found[left] ^ found[right] for left, right in splits(matches, limit)}))
    return tuple(found)


def _misere_splits(to: int, limit: int) -> tuple[int, ...]:
    @cache
    def wins(rows: tuple[int, ...]) -> bool:
        if not rows:
            return True
        for at, row in enumerate(rows):
            rest = rows[:at] + rows[at + 1 :]
            for pieces in splits(row, limit):
                if not wins(tuple(sorted((*rest, *(piece for piece in pieces if piece))))):
                    return True
        return False

    return tuple(1 if wins((matches,) if matches else ()) else -1 for matches in range(to + 1))


def _start(values: tuple[int, ...], length: int) -> int:
    """Return the least n from which on value(n + length) = value(n), as far as computed."""
    start = len(values) - length
    while start and values[start - 1] == values[start - 1 + length]:
        start -= 1
    return start


def _window_period(values: tuple[int, ...], limit: int) -> Period | None:
    """Return the period as soon as a window of `limit` values repeats: each value follows from the window before it."""
    seen: dict[tuple[int, ...], int] = {}
    for end in range(limit, len(values) + 1):
        window = values[end - limit : end]
        if window in seen:
            return Period(_start(values, end - seen[window]), end - seen[window], True)
        seen[window] = end
    return None


def _period(values: tuple[int, ...], limit: int | None) -> Period | None:
    """Return the shortest period that holds for two periods at least; `limit`: proven by Guy and Smith, None: never."""
    last = len(values) - 1
    for length in range(1, len(values) // 3 + 1):
        start = _start(values, length)
        if last - start + 1 >= 3 * length:
            proven = limit is not None and last >= 2 * start + 2 * length + limit - 1
            return Period(start, length, proven)
    return None
