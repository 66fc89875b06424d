"""Compute the values of a family of games: one game's name with one number that runs from 0 to N.

The family of `mygame:21` is `mygame:0`, `mygame:1`, …; `N` marks the number in a name that has several: `mygame:N,5`.
A game without a number in its name gives its positions 0, 1, 2, …, if their names are whole numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nimtui.errors import InputError
from nimtui.games import Game, parse_game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.theory import periods
from nimtui.theory.sequence import Sequence, why_not_to
from nimtui.theory.verdict import Verdict

MOST = 1_000  # each number is a game to solve
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
        game = _numbered(self.name, number)
        return game, game.new()


def family(text: str) -> Family:
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


def _numbered(text: str, number: int) -> Game:
    word, colon, rest = text.strip().partition(":")
    return parse_game(word + colon + rest.replace(MARK, str(number)))


def values(of: Family, to: int, progress: Progress = SILENT) -> Sequence:
    """Return the exact values for n = 0 to `to`. Raises InputError if one is too large, or if no number is allowed."""
    if (fault := why_not_to(to, MOST, of.name)) is not None:
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
    return Sequence(outcomes, grundy, _seen(outcomes if grundy is None else grundy))


def _verdict(of: Family, number: int, game: Game, state: State, progress: Progress) -> Verdict:
    from nimtui import theory

    if game.pays:
        raise InputError(f"{of.name} ends with a number: a sequence has outcomes and Grundy values")
    try:
        return theory.solve(game, state, progress)
    except theory.Unsolvable as fault:
        most = f". Try --to {number - 1}" if number else ""
        raise InputError(f"{of.name} with {MARK} = {number}: {fault}{most}") from None


def _seen(values: tuple[int | None, ...]) -> periods.Period | None:
    """Return the period that the values show after the numbers without a game; None if numbers between have none."""
    first = next(number for number, value in enumerate(values) if value is not None)
    tail = [value for value in values[first:] if value is not None]
    period = periods.seen(tail) if len(tail) == len(values) - first else None
    return None if period is None else periods.Period(period.preperiod + first, period.length, None)
