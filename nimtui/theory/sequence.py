"""Compute the values of one heap of 0, 1, 2, … matches: outcomes, Grundy values, and the period of the sequence.

What a move may do is a rule of `nimtui.games.octal`: a set of takes such as {1, 3, 4}, an octal code, or Grundy's game.
A row of neighbours of which a move takes up to K is the octal code of K sevens.

A `Family` has other games: one game's name with one number that runs from 0 to N. The family of `mygame:21` is
`mygame:0`, `mygame:1`, …; `N` marks the number in a name that has several: `mygame:N,5`. A game without a number in its
name gives its positions 0, 1, 2, …, if their names are whole numbers.

A period is proven to last for ever, or only seen. A value of a game without splits depends on the K values before it,
where K is the largest take: once K values in a row repeat, all later ones do. For octal games with splits, such as
Kayles, a bound proves the period: Guy and Smith, "The G-values of various games" (1956). In misère play the same bound
holds for the elements of a misère quotient: T. Plambeck, "Taming the wild in impartial combinatorial games" (2005).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from collections.abc import Sequence as Numbers
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.engine import repeats
from nimtui.errors import InputError, whole_number
from nimtui.games import Game, notation, parse_game
from nimtui.games.adjacent import Adjacent
from nimtui.games.base import State
from nimtui.games.heaps import TAKE, Heaps
from nimtui.games.octal import CODES, GRUNDY, ONE, TWO, WHOLE, Octal, Rule, name_of, read_code, read_takes, rule_of
from nimtui.progress import SILENT, Progress
from nimtui.theory import octal
from nimtui.theory.quotient import quotients
from nimtui.theory.verdict import Verdict

MOST_INTERPRETED = 3_000  # values; more are compared by a kernel
FEW = 10  # a tenth of the values must repeat, else it may be chance


class Proof(StrEnum):
    """Why a period lasts for ever."""

    WINDOW = "window"  # as many values in a row repeat as the largest take
    GUY_SMITH = "guy-smith"
    PLAMBECK = "plambeck"  # Guy and Smith's bound for the elements of a misère quotient
    ANY = "any"  # a move may take any number of matches: once a row is lost, every longer one is won


@dataclass(frozen=True)
class Period:
    """`value(n + length) = value(n)` for all n from `preperiod` on: for ever with a proof, else as far as computed."""

    preperiod: int
    length: int
    proof: Proof | None
    checked_to: int | None = field(
        default=None, compare=False
    )  # the last number whose value was computed, where a proof needs more than the rules

    @property
    def proven(self) -> bool:
        return self.proof is not None

    def exceptions(self, values: Numbers[Any] | npt.NDArray[Any]) -> list[int]:
        """Return the numbers before the period whose values are not those that it would have there."""
        return [n for n in range(self.preperiod) if values[n] != values[self._like(n)]]

    def _like(self, number: int) -> int:
        """Return the first number of the period whose value a number before it would have."""
        return number + -(-(self.preperiod - number) // self.length) * self.length

    def extended(self, values: npt.NDArray[Any], to: int) -> npt.NDArray[Any]:
        """Return the values up to `to`, those that are missing by the period."""
        missing = np.arange(len(values), to + 1)
        return np.concatenate([values, values[self.preperiod + (missing - self.preperiod) % self.length]])


class _Starts:
    """For each length, from which number on values have this period."""

    def __init__(self, values: Numbers[Any] | npt.NDArray[Any]) -> None:
        self.values = np.asarray(values)
        self.size = len(self.values)
        many = np.zeros(self.size, np.int64)
        shared = repeats.shared
        if self.size > MOST_INTERPRETED:
            from nimtui.engine import heap_values

            shared = heap_values.shared
        shared(self.values, many)
        self.lengths = np.arange(1, self.size)
        self.starts = self.size - self.lengths - many[1:]

    def first(self, enough: npt.NDArray[np.bool_], proof: Proof | None) -> Period | None:
        """Return the period of the smallest length that repeats often enough, or None."""
        places = np.flatnonzero(enough)
        if not len(places):
            return None
        return Period(int(self.starts[places[0]]), int(self.lengths[places[0]]), proof, self.size - 1)

    def seen(self) -> Period | None:
        return self.first(self.size - self.starts >= np.maximum(3 * self.lengths, self.size / FEW), None)


def by_window(values: Numbers[Any] | npt.NDArray[Any], width: int, least: int = 0) -> Period | None:
    """Return the period if the last `width` values repeat earlier: each value follows from so many before it.

    The rules are the same for all values that follow from numbers from `least` on.
    """
    if not 0 < width < len(values):
        return None
    of = _Starts(values)
    earliest = of.size - of.lengths - width  # of the earlier window
    return of.first((of.starts <= earliest) & (earliest >= least), Proof.WINDOW)


def by_guy_smith(values: Numbers[Any] | npt.NDArray[Any], digits: int, proof: Proof = Proof.GUY_SMITH) -> Period | None:
    """Return the period of the values of an octal code with so many digits after the point.

    It is proven if it holds up to 2 · preperiod + 2 · length + digits − 1; else it is the one that was seen.
    """
    if len(values) < 2:
        return None
    of = _Starts(values)
    needed = 2 * np.maximum(of.starts, 1) + 2 * of.lengths + digits - 1
    return of.first(of.size - 1 >= needed, proof) or of.seen()


def seen(values: Numbers[Any] | npt.NDArray[Any]) -> Period | None:
    """Return the shortest period that the values show three times at least, and over a tenth of them. It is not proven.

    Of many values the last few repeat by chance.
    """
    return _Starts(values).seen() if len(values) > 1 else None


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


def of_game(game: Game) -> OneHeap | None:
    """Return the heap that a game is if it is one, else None."""
    state, heap = game.start, of_heaps(game)
    rows = state.heaps if isinstance(state, Octal) else state.first if isinstance(state, Heaps | Adjacent) else ()
    return None if heap is None or len(rows) > 1 else OneHeap(heap.rule, heap.misere, game.name, game.title)


def of_heaps(game: Game) -> OneHeap | None:
    """Return one heap of a game of heaps or rows, with the rules of the game; None for other games."""
    state = game.start
    if isinstance(state, Octal):
        rule: Rule | None = rule_of(state)
    elif isinstance(state, Heaps | Adjacent):
        rows, limit = state.start if isinstance(state, Heaps) else state.width, int(state.limit)
        upto = Rule((0, *(WHOLE | ONE,) * limit)) if isinstance(state, Heaps) else sevens(limit)
        rule = None if limit >= max(rows) else upto
    else:
        return None
    return _one_heap(rule, bool(state.misere))


def _one_heap(rule: Rule | None, misere: bool) -> OneHeap:
    name = "nim:N" + ":misere" * misere if rule is None else name_of(rule, "", misere)
    return OneHeap(rule, misere, name, f"One heap of {'Nim' if rule is None else rule.title}{GOALS[misere]}")


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
    return _one_heap(rule, bool(fields) and fields[0] != "normal")


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
        return seen(values)
    if rule.splits:
        return by_guy_smith(values, len(rule.digits) - 1)
    width = len(rule.digits) - 1
    return by_window(values, width, least=int(rule.takes is None))


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
    return Sequence(values, None, by_window(values, width, least=int(rule.takes is None)), computed=to)


def _misere_splits(rule: Rule, name: str, to: int, progress: Progress) -> Sequence:
    """Return the outcomes of misère play with splits: from the quotient of the heaps, or heap by heap."""
    if to > MOST_MISERE_SPLITS:
        quotient = quotients(rule, min(to, MOST_QUOTIENT), progress=progress)[-1]
        reached = quotient.to - (not quotient.closed)
        elements = np.array(quotient.heaps[: reached + 1]) if quotient.closed else np.zeros(0)
        period = None if rule.unequal else by_guy_smith(elements, len(rule.digits) - 1, Proof.PLAMBECK)
        if period is not None and not period.proven:
            period = None  # from outcomes alone nothing follows
        if period is not None:
            elements = period.extended(elements, to)
        if len(elements) <= to:
            most = max(reached, MOST_MISERE_SPLITS)
            why = "shows no period up to there" if quotient.closed else f"closes up to there ({quotient.bound})"
            raise InputError(f"{why_not_to(to, most, name)}: the misère quotient {why}")
        outcomes = _won(~np.isin(elements, list(quotient.lost_elements)))
        return Sequence(outcomes, None, period, computed=quotient.to)
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


MOST_FAMILY = 1_000  # each number is a game to solve
MARK = "N"


@dataclass(frozen=True)
class Family:
    """Games, or positions of one game, by their number."""

    name: str  # the game's name with N for the number; of positions, the game's name alone
    of: Game | None = None  # the game whose positions these are

    def at(self, number: int) -> tuple[Game, State]:
        """Return the game and its state of this number. Raises InputError if there is none."""
        if self.of is not None:
            return self.of, self.of.new(str(number))
        word, colon, rest = self.name.partition(":")
        game = parse_game(word + colon + rest.replace(MARK, str(number)))
        return game, game.new()


def family_of(text: str) -> Family:
    """Return the family that a game's name means. Raises InputError if no number, or no single one, may vary."""
    word, _, rest = text.strip().partition(":")
    if MARK in rest:
        return Family(f"{word}:{rest}")
    numbers = re.findall(r"\d+", rest)
    if len(numbers) == 1:
        return Family(f"{word}:{rest.replace(numbers[0], MARK)}")
    game = parse_game(text)  # names what is wrong with the whole text first
    if not numbers and game.position_name(game.start).isdecimal() and hasattr(game.module, "parse_position"):
        return Family(game.name, game)
    marked = re.sub(r"[0-9]+(?=[^0-9]*$)", MARK, rest)
    example = f"{word}:{marked}" if numbers else "nim:1,2,N"
    raise InputError(f"{text.strip()} has no single number that may vary: write N for it, as in {example}")


def family_values(of: Family, to: int, progress: Progress = SILENT) -> Sequence:
    """Return the exact values for n = 0 to `to`. Raises InputError if one is too large, or if no number is allowed."""
    if (fault := why_not_to(to, MOST_FAMILY, of.name)) is not None:
        raise InputError(fault)
    verdicts: list[Verdict | None] = []
    refusal: InputError | None = None
    for number in range(to + 1):
        progress.report(number, to + 1, "values")
        try:
            game, state = of.at(number)
        except InputError as wrong:
            refusal = wrong
            verdicts.append(None)
        else:
            verdicts.append(_verdict(of, number, game, state, progress))
    solved = [verdict for verdict in verdicts if verdict is not None]
    if not solved:
        raise refusal or InputError(f"{of.name} has no game for 0 to {to}")
    outcomes = tuple(None if verdict is None else verdict.outcome.worth for verdict in verdicts)
    grundy = None
    if all(verdict.grundy is not None for verdict in solved):
        grundy = tuple(None if verdict is None else verdict.grundy for verdict in verdicts)
    return Sequence(outcomes, grundy, _seen_after_gap(outcomes if grundy is None else grundy))


def _verdict(of: Family, number: int, game: Game, state: State, progress: Progress) -> Verdict:
    from nimtui import theory

    if game.pays:
        raise InputError(f"{of.name} ends with a number: a sequence has outcomes and Grundy values")
    try:
        return theory.solve(game, state, progress)
    except theory.Unsolvable as fault:
        most = f". Try --to {number - 1}" if number else ""
        raise InputError(f"{of.name} with {MARK} = {number}: {fault}{most}") from None


def _seen_after_gap(values: tuple[int | None, ...]) -> Period | None:
    """Return the period that the values show after the numbers without a game; None if numbers between have none."""
    first = next(number for number, value in enumerate(values) if value is not None)
    tail = [value for value in values[first:] if value is not None]
    period = seen(tail) if len(tail) == len(values) - first else None
    return None if period is None else Period(period.preperiod + first, period.length, None)
