"""Compute the values of one heap of 0, 1, 2, … matches: outcomes, Grundy values, and the period of the sequence.

What a move may do is a rule of `nimtui.games.octal`: a set of takes such as {1, 3, 4}, an octal code, or Grundy's game.
A row of neighbours of which a move takes up to K is the octal code of K sevens. `families` has other games.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, whole_number
from nimtui.games import Game, notation, parse_game
from nimtui.games.adjacent import Adjacent
from nimtui.games.heaps import TAKE, Heaps
from nimtui.games.octal import CODES, GRUNDY, ONE, TWO, WHOLE, Octal, Rule, name_of, read_code, read_takes, rule_of
from nimtui.progress import SILENT, Progress
from nimtui.theory import octal, periods
from nimtui.theory.periods import Period, Proof
from nimtui.theory.quotient import quotients

MOST = 1 << 23  # matches
MOST_UNLIMITED = 2_000  # if a move may take any number of matches
MOST_TAKE = 2_000  # of a set
MOST_MISERE_SPLITS = 24  # without a quotient: a split heap needs the outcomes of all sums of heaps
MOST_QUOTIENT = 200  # heaps of a quotient whose elements show a period
INTERPRETED = 1_000  # matches; more are computed by a kernel


@dataclass(frozen=True)
class Rare:
    """The sparse space of a sequence: the few heaps whose values share an even number of digits with the mask."""

    mask: int
    values: tuple[int, ...]
    heaps: int
    last: int | None


Values = tuple[int | None, ...]


@dataclass(frozen=True)
class Sequence:
    """The values for n = 0 to N, for the player to move."""

    values: Values  # 1 won, 0 drawn, −1 lost; None: a family has no game of this number
    grundy: Values | None  # None if not all are known, as in misère play
    period: Period | None  # of the Grundy values; of the outcomes if those are unknown
    rare: Rare | None = None
    computed: int | None = None  # the last heap whose value was computed; later ones follow from the proven period


class OneHeap:
    """What `sequence` computes: one heap of any size under a rule, in normal or misère play."""

    def __init__(self, rule: Rule | None, misere: bool, name: str, title: str) -> None:
        """`rule` is None if a move may take any number of matches."""
        self.rule, self.misere, self.name, self.title = rule, misere, name, title

    def turned(self) -> OneHeap:
        """Return the same heap in misère play, or in normal play if it is in misère."""
        title = self.title.rpartition(" · ")[0] + GOALS[not self.misere]
        name = self.name.removesuffix(":misere") + ("" if self.misere else ":misere")
        return OneHeap(self.rule, not self.misere, name, title)

    @property
    def quotient_name(self) -> str:
        """The name of the game without its size and goal: a quotient is of misère play."""
        return "" if self.rule is None else name_of(self.rule, "", misere=False)

    @property
    def splits(self) -> bool:
        return self.rule is not None and self.rule.splits

    def values(self, to: int, progress: Progress = SILENT) -> Sequence:
        """Return the values of 0 to `to` matches. Raises InputError if they are out of reach."""
        most = MOST_UNLIMITED if self.rule is None else MOST
        if (fault := why_not_to(to, most, self.name)) is not None:
            raise InputError(fault)
        if self.rule is None:
            return _unlimited(self.misere, to)
        if not self.misere:
            return _normal(self.rule, to, progress)
        return _misere_splits(self.rule, self.name, to, progress) if self.splits else _misere(self.rule, to, progress)


def why_not_to(to: int, most: int, name: str) -> str | None:
    """Return in one line why the largest number is out of range, or None."""
    return None if 0 <= to <= most else f"the largest number must be from 0 to {most:,} for {name}, not {to:,}"


def sevens(limit: int) -> Rule:
    """Return the rule by which a move takes up to so many neighbours, and may split their row."""
    return Rule((0, *(WHOLE | ONE | TWO,) * limit))


def takes_up_to(limit: int) -> Rule:
    """Return the rule by which a move takes up to so many matches."""
    return Rule((0, *(WHOLE | ONE,) * limit))


def of_game(game: Game) -> OneHeap | None:
    """Return the heap that a game is if it is one, else None."""
    state = game.start
    if isinstance(state, Octal):
        if len(state.heaps) > 1:
            return None
        return OneHeap(rule_of(state), bool(state.misere), game.name, game.title)
    if not isinstance(state, Heaps | Adjacent) or len(state.first) > 1:
        return None
    row, limit = int(state.start[0] if isinstance(state, Heaps) else state.width[0]), int(state.limit)
    rule = None if limit >= row else takes_up_to(limit) if isinstance(state, Heaps) else sevens(limit)
    return OneHeap(rule, bool(state.misere), game.name, game.title)


def of_heaps(game: Game) -> OneHeap | None:
    """Return one heap of a game of heaps or rows, with the rules of the game; None for other games."""
    state = game.start
    if isinstance(state, Octal):
        rule: Rule | None = rule_of(state)
    elif isinstance(state, Heaps | Adjacent):
        rows, limit = state.start if isinstance(state, Heaps) else state.width, int(state.limit)
        rule = None if limit >= max(rows) else takes_up_to(limit) if isinstance(state, Heaps) else sevens(limit)
    else:
        return None
    misere = bool(state.misere)
    if rule is None:
        return OneHeap(None, misere, "nim:N" + ":misere" * misere, f"One heap of Nim{GOALS[misere]}")
    return OneHeap(rule, misere, name_of(rule, "", misere), f"One heap of {rule.title}{GOALS[misere]}")


def of_name(text: str) -> OneHeap | None:
    """Return the heap of a name without a size, such as octal:0.77, kayles:misere or nim:take=1,3; None for others.

    Raises InputError if the code or the set is invalid.
    """
    word, *fields = (part.strip().lower() for part in text.split(":"))
    rule = {"kayles": sevens(2), "grundy": GRUNDY, **{name: read_code(code) for name, code in CODES.items()}}.get(word)
    if word == "octal" and fields:
        rule = read_code(fields.pop(0))
    elif word in ("nim", "subtraction"):
        takes = [field for field in fields if field.startswith(TAKE)]
        rule = read_takes(takes[0][len(TAKE) :]) if len(takes) == 1 else None
        fields = [field for field in fields if field not in takes]
    fields = [field for field in fields if field != "n"]
    if rule is None or len(fields) > 1 or not set(fields) <= set(notation.OPTIONS):
        return None
    misere = bool(fields) and fields[0] != "normal"
    return OneHeap(rule, misere, name_of(rule, "", misere), f"One heap of {rule.title}{GOALS[misere]}")


GOALS = " · the last move wins", " · the last move loses"


def sequence(game: Game, to: int, progress: Progress = SILENT) -> Sequence:
    """Return the values of one heap or row of 0 to `to` matches. Raises InputError if the game has none."""
    if (heap := of_game(game)) is None:
        raise InputError(f"{game.name} is not one row: name a game such as subtraction:21,3, nim:21 or kayles:21")
    return heap.values(to, progress)


def of_set(takes: Collection[int], misere: bool, to: int, progress: Progress = SILENT) -> Sequence:
    """Return the values of one row of 0 to `to` matches from which a move takes one of these numbers.

    Raises InputError if a number is out of range.
    """
    if not takes or not all(1 <= take <= MOST_TAKE for take in takes):
        raise InputError(f"--set needs whole numbers from 1 to {MOST_TAKE:,}, as in 1,3,4")
    rule = Rule(tuple((WHOLE | ONE) * (take in takes) for take in range(max(takes) + 1)))
    return OneHeap(rule, misere, "a subtraction set", "").values(to, progress)


def _unlimited(misere: bool, to: int) -> Sequence:
    """Return the values where a move may take any number of matches, and leave any heaps that the rest splits into."""
    numbers = np.arange(to + 1)
    if not misere:
        return Sequence(_won(numbers > 0), tuple(numbers.tolist()), None)
    outcomes = _won(numbers != 1)
    return Sequence(outcomes, None, Period(2, 1, Proof.ANY) if to > 1 else None)


def _won(won: npt.NDArray[np.bool_]) -> Values:
    return tuple(np.where(won, 1, -1).tolist())


def _digits(rule: Rule) -> npt.NDArray[np.int64]:
    return np.array(rule.digits, np.int64)


def _proven(rule: Rule, values: npt.NDArray[Any]) -> Period | None:
    """Return the period of the Grundy values; Grundy's game has no proof."""
    if rule.unequal:
        return periods.seen(values)
    if rule.splits:
        return periods.by_guy_smith(values, len(rule.digits) - 1)
    width = len(rule.digits) - 1
    return periods.by_window(values, width, least=int(rule.takes is None))


def _normal(rule: Rule, to: int, progress: Progress) -> Sequence:
    mask = 0
    if to <= INTERPRETED:
        values = np.array(octal.grundy_values(rule, to))
    else:
        from nimtui.engine import heap_values

        def enough(values: npt.NDArray[Any]) -> bool:
            period = _proven(rule, values)
            return period is not None and period.proven

        values, mask = heap_values.grundy_values(_digits(rule), rule.unequal, to, enough, progress)
    period, computed = _proven(rule, values), len(values) - 1
    rare = None
    if mask:
        odd = np.zeros_like(values)
        for bit in range(mask.bit_length()):
            odd ^= values >> bit & mask >> bit & 1
        places = np.flatnonzero(odd[1:] == 0) + 1
        rare = Rare(mask, tuple(np.unique(values[places]).tolist()), len(places), int(places.max(initial=0)) or None)
    if period is not None and period.proven:
        values = period.extended(values, to)
    return Sequence(_won(values > 0), tuple(values.tolist()), period, rare, computed)


def _misere(rule: Rule, to: int, progress: Progress) -> Sequence:
    """Return the outcomes of misère play without splits."""
    if to <= INTERPRETED:
        lost: list[bool] = []
        for heap in range(to + 1):
            after = [lost[rest] for _, _, rest in rule.options(heap)]
            lost.append(bool(after) and not any(after))  # without a move: the opponent moved last and lost
        values = _won(~np.array(lost))
    else:
        from nimtui.engine import heap_values

        values = _won(heap_values.lost_values(_digits(rule), to, progress) == 0)
    width = len(rule.digits) - 1
    return Sequence(values, None, periods.by_window(values, width, least=int(rule.takes is None)), computed=to)


def _misere_splits(rule: Rule, name: str, to: int, progress: Progress) -> Sequence:
    """Return the outcomes of misère play with splits: from the quotient of the heaps, or heap by heap."""
    if to > MOST_MISERE_SPLITS:
        quotient = quotients(rule, min(to, MOST_QUOTIENT), progress=progress)[-1]
        reached = quotient.to - (not quotient.closed)
        elements = np.array(quotient.heaps[: reached + 1]) if quotient.closed else np.zeros(0)
        period = None
        if quotient.closed and not rule.unequal:
            period = periods.by_guy_smith(elements, len(rule.digits) - 1, Proof.PLAMBECK)
        if period is not None and period.proven:
            elements = period.extended(elements, to)
        if len(elements) <= to:
            most = max(reached, MOST_MISERE_SPLITS)
            why = "shows no period up to there" if quotient.closed else f"closes up to there ({quotient.bound})"
            raise InputError(f"{why_not_to(to, most, name)}: the misère quotient {why}")
        outcomes = _won(~np.isin(elements, list(quotient.lost_elements)))
        proven = period if period is not None and period.proven else None  # from outcomes alone nothing follows
        return Sequence(outcomes, None, proven, computed=quotient.to)
    return Sequence(_by_sums(rule, to), None, None, computed=to)


def _by_sums(rule: Rule, to: int) -> tuple[int, ...]:
    @cache
    def wins(heaps: tuple[int, ...]) -> bool:
        moved = False
        for at, heap in enumerate(heaps):
            rest = heaps[:at] + heaps[at + 1 :]
            for _, *pieces in rule.options(heap):
                moved = True
                if not wins(tuple(sorted((*rest, *(piece for piece in pieces if piece))))):
                    return True
        return not moved

    return tuple(1 if wins((matches,) if matches else ()) else -1 for matches in range(to + 1))


def row_of(text: str) -> OneHeap | None:
    """Return the heap or row that a name means, with or without a size, or with N for it; None if it is no single one.

    Raises InputError if its code or set is invalid.
    """
    if (heap := of_name(text)) is not None:
        return heap
    for size in ("255", "63"):
        try:
            game = parse_game(text.replace("N", size))
        except InputError:
            continue
        return of_game(game)
    return None


def parse_set(text: str) -> list[int]:
    """Return the numbers of --set, ascending. Raises InputError if one is no whole number in range."""
    return sorted({whole_number(part, "a number of --set", 1, MOST_TAKE) for part in text.split(",")})
