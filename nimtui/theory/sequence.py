"""Compute the values of one row of 0, 1, 2, … matches: outcomes, Grundy values, and the period of the sequence.

In a subtraction game a move takes a number of matches that is in a set: 1 to K, or any set such as {1, 3, 4}. In an
octal game a move takes up to K neighbours, and may split the row: K = 2 is Kayles. `families` has other games.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.adjacent import Adjacent
from nimtui.games.heaps import Heaps
from nimtui.theory import periods
from nimtui.theory.nim import mex, splits
from nimtui.theory.periods import Period, Proof

MOST, MOST_MISERE_SPLITS = 2_000, 24  # matches; in misère play a split row needs the outcomes of all sums of rows


@dataclass(frozen=True)
class Sequence:
    """The values for n = 0 to N, for the player to move."""

    values: tuple[int | None, ...]  # 1 won, 0 drawn, −1 lost; None: a family has no game of this number
    grundy: tuple[int | None, ...] | None  # None if not all are known, as in misère play
    period: Period | None  # of the Grundy values; of the outcomes if those are unknown


def why_not(game: Game, to: int) -> str | None:
    """Return in one line why the game has no such sequence, or None if it has one."""
    state = game.start
    if not is_one_row(game):
        return f"{game.name} is not one row: name a game such as subtraction:21,3, nim:21 or kayles:21"
    most = MOST_MISERE_SPLITS if isinstance(state, Adjacent) and state.misere else MOST
    return why_not_to(to, most, game.name)


def why_not_to(to: int, most: int, name: str) -> str | None:
    """Return in one line why the largest number is out of range, or None."""
    return None if 0 <= to <= most else f"--to must be from 0 to {most:,} for {name}, not {to:,}"


def is_one_row(game: Game) -> bool:
    """Return whether this is one row of matches, whose values have formulas and proofs."""
    return isinstance(game.start, Heaps | Adjacent) and len(game.start.first) == 1


def sequence(game: Game, to: int) -> Sequence:
    """Return the values of one row of 0 to `to` matches. Raises InputError if the game has none."""
    if (fault := why_not(game, to)) is not None:
        raise InputError(fault)
    state = game.start
    assert isinstance(state, Heaps | Adjacent)
    limit = _limit(state)
    if isinstance(state, Heaps):
        return _subtraction(range(1, limit + 1), state.misere, to)
    if state.misere:
        outcomes = _misere_splits(to, limit)
        return Sequence(outcomes, None, periods.seen(outcomes))
    grundy = _split_values(to, limit)
    return Sequence(_values(grundy), grundy, periods.by_guy_smith(grundy, limit))


def of_set(takes: Collection[int], misere: bool, to: int) -> Sequence:
    """Return the values of one row of 0 to `to` matches from which a move takes one of these numbers.

    Raises InputError if a number is out of range.
    """
    if not takes or not all(1 <= take <= MOST for take in takes):
        raise InputError(f"--set needs whole numbers from 1 to {MOST:,}, as in 1,3,4")
    if (fault := why_not_to(to, MOST, "a subtraction set")) is not None:
        raise InputError(fault)
    return _subtraction(takes, misere, to)


def _limit(state: Heaps | Adjacent) -> int:
    """Return the most matches of one move; MOST without a limit, when a move may take the whole row."""
    row = int(state.start[0]) if isinstance(state, Heaps) else int(state.width[0])
    return MOST if state.limit >= row else state.limit


def _subtraction(takes: Collection[int], misere: bool, to: int) -> Sequence:
    if misere:
        outcomes = _misere(to, takes)
        if takes == range(1, MOST + 1) and to > 1:  # no limit: take all but one
            return Sequence(outcomes, None, Period(2, 1, Proof.ANY))
        return Sequence(outcomes, None, periods.by_window(outcomes, max(takes)))
    grundy = _row_values(to, takes)
    return Sequence(_values(grundy), grundy, periods.by_window(grundy, max(takes)))


def _values(grundy: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if value else -1 for value in grundy)


def _row_values(to: int, takes: Collection[int]) -> tuple[int, ...]:
    grundy: list[int] = []
    for matches in range(to + 1):
        grundy.append(mex(grundy[matches - take] for take in takes if take <= matches))
    return tuple(grundy)


def _misere(to: int, takes: Collection[int]) -> tuple[int, ...]:
    outcomes: list[int] = []
    for matches in range(to + 1):
        after = [outcomes[matches - take] for take in takes if take <= matches]
        outcomes.append(1 if not after or -1 in after else -1)  # without a move: the opponent moved last and lost
    return tuple(outcomes)


def _split_values(to: int, limit: int) -> tuple[int, ...]:
    grundy: list[int] = []
    for matches in range(to + 1):
        grundy.append(mex({grundy[left] ^ grundy[right] for left, right in splits(matches, limit)}))
    return tuple(grundy)


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
