"""What makes a position lost for the player who faces it, as facts, and the same in plain words.

A claim is made from the facts that it states. The loser is the player to move, who faces the position. `fact` says what
is true of the position, `plan` how the winner answers every move. So one claim explains both a winning move (the
opponent is the loser) and a lost position (you are).

How a connect game ends if both play perfectly: the last moves, as facts from which sentences are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from nimtui.games import Game, base
from nimtui.games.base import Move, State

ORDINALS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True)
class Player:
    """A player as sentences call them: 'you', 'the opponent', 'Hard'."""

    name: str

    def does(self, plural: str, singular: str) -> str:
        """Return the name with its verb: 'you take', 'Hard takes'."""
        return f"{self.name} {plural if self.name == 'you' else singular}"

    @property
    def owned(self) -> str:
        """Return the word before what belongs to the player: 'your' or 'their'."""
        return "your" if self.name == "you" else "their"


YOU, OPPONENT = Player("you"), Player("the opponent")


class Claim(Protocol):
    """A reason why the player who faces a position loses it."""

    def fact(self, loser: Player, winner: Player) -> str:
        """Return what is true of the position, without a full stop."""

    def plan(self, loser: Player, winner: Player) -> str:
        """Return how the winner answers, in whole sentences; '' if `fact` says it."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Every group of a size has a partner: the values have the nim-sum 0."""

    sizes: tuple[int, ...]  # the powers of 2 that occur in the values, the largest first
    unit: str  # what has a value: 'row' or 'run'
    modulus: int | None = None  # a row counts as its remainder by this number; None: as its matches
    counts: tuple[tuple[int, int], ...] = ()  # a run of this length counts as this value, where they differ
    misere: bool = False

    def fact(self, loser: Player, winner: Player) -> str:
        if not self.sizes:
            return f"each {self.unit} counts as 0"
        return f"every group of {listed(self.sizes)} has a partner in another {self.unit}"

    def plan(self, loser: Player, winner: Player) -> str:
        ones = ""
        if self.misere and self.modulus is not None:
            ones = f", or leave remainder 1 in an odd number of {self.unit}s and 0 elsewhere"
        elif self.misere:
            ones = ", or leave an odd number of single matches"
        return f"{self._counted}Whatever {loser.does('do', 'does')}, {winner.name} can restore that{ones}."

    @property
    def _counted(self) -> str:
        if self.modulus is not None:
            return f"Here each {self.unit} counts as its remainder by {self.modulus}. "
        if not self.counts:
            return ""
        (length, value), *others = self.counts
        more = [f"of {length} counts as {value}", *(f"of {length} as {value}" for length, value in others)]
        return f"Here a {self.unit} {listed(more)}. "


@dataclass(frozen=True, slots=True)
class Multiples:
    """Each row is a multiple of a number, at most one less may be taken, and the last match wins."""

    number: int

    def fact(self, loser: Player, winner: Player) -> str:
        return f"each row is a multiple of {self.number}"

    def plan(self, loser: Player, winner: Player) -> str:
        return _together(loser, winner, " from a row", self.number)


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The rows or runs are equal in pairs, and the last match wins."""

    sizes: tuple[int, ...]  # one of each pair, the largest first
    unit: str

    def fact(self, loser: Player, winner: Player) -> str:
        if len(self.sizes) == 1:
            return f"two equal {self.unit}s are left"
        return f"the {self.unit}s are equal in pairs"

    def plan(self, loser: Player, winner: Player) -> str:
        other = "the other" if len(self.sizes) == 1 else "its partner"
        return f"Whatever {loser.does('take', 'takes')} from one, {winner.does('take', 'takes')} the same from {other}."


@dataclass(frozen=True, slots=True)
class Singles:
    """Misère: an odd number of rows or runs has the value 1, and no value is higher."""

    number: int
    unit: str
    modulus: int | None = None  # as in Paired; None: each row or run is a single match

    def fact(self, loser: Player, winner: Player) -> str:
        if self.modulus is not None:
            odd = f"an odd number of {self.unit}s ({self.number})"
            return f"divided by {self.modulus}, {odd} has remainder 1, the others 0"
        if self.number == 1:
            return "one match is left"
        return f"{self.number} single matches are left, an odd number"

    def plan(self, loser: Player, winner: Player) -> str:
        if self.modulus is not None:
            return f"Whatever {loser.does('do', 'does')}, {winner.name} can restore that."
        return f"So {loser.does('take', 'takes')} the last match and {'lose' if loser.name == 'you' else 'loses'}."


@dataclass(frozen=True, slots=True)
class Series:
    """One row, at most `step` − 1 per move: the lost numbers of matches are first, first + step, …"""

    first: int
    step: int
    matches: int  # the matches in this position, a number of the series
    misere: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the first three numbers of the series."""
        return self.first, self.first + self.step, self.first + 2 * self.step

    def fact(self, loser: Player, winner: Player) -> str:
        if self.matches == self.first:
            return "one match is left"
        return f"{self.matches} are left"

    def plan(self, loser: Player, winner: Player) -> str:
        if self.matches == self.first:
            return f"So {loser.does('take', 'takes')} the last match and {'lose' if loser.name == 'you' else 'loses'}."
        series = f"{', '.join(map(str, self.numbers))} and so on"
        face = "face" if loser.name == "you" else "faces"
        return f"{_together(loser, winner, '', self.step)} So {loser.name} always {face} one of {series}."


@dataclass(frozen=True, slots=True)
class Threats:
    """A connect game: where the player who keeps the win completes a line, and when."""

    columns: tuple[str, ...]  # where a disc completes a line at once if nobody blocks it
    above: bool  # after the only one of `columns` is blocked, the cell above the block completes a line
    forbidden: tuple[str, ...]  # a disc of the player to move here lets the other complete a line right above
    all_forbidden: bool  # no other column is open
    disc: int  # the winner's number of discs, on the board and to come, when the line is completed at the latest

    def fact(self, loser: Player, winner: Player) -> str:
        if len(self.columns) > 1:
            return f"columns {listed(self.columns)} each complete a line for {winner.name}"
        if self.columns:
            return f"{loser.name} must block column {self.columns[0]}"
        if self.all_forbidden:
            return f"wherever {loser.does('drop', 'drops')}, {winner.does('complete', 'completes')} a line right above"
        if self.forbidden:
            own = "yours" if loser.name == "you" else loser.name
            columns = f"column{'s' * (len(self.forbidden) > 1)} {listed(self.forbidden, 'or')}"
            return f"a disc of {own} in {columns} lets {winner.name} complete a line right above"
        disc = f"{winner.owned} {ordinal(self.disc)} disc"
        return f"{winner.does('win', 'wins')} with {disc} at the latest, whatever {loser.does('do', 'does')}"

    def plan(self, loser: Player, winner: Player) -> str:
        if len(self.columns) > 1:
            return f"{capitalized(loser.name)} can block only one."
        if self.above:
            return f"Then {winner.does('complete', 'completes')} a line right above it."
        if self.all_forbidden or not (self.columns or self.forbidden):
            return ""
        return f"{capitalized(winner.does('win', 'wins'))} with {winner.owned} {ordinal(self.disc)} disc at the latest."


@dataclass(frozen=True, slots=True)
class Solved:
    """No simple rule: all positions that can follow were examined."""

    moves: int | None  # the winner's moves to the end, at the latest; None if unknown

    def fact(self, loser: Player, winner: Player) -> str:
        within = " after one more move" if self.moves == 1 else f" within {self.moves} more moves" if self.moves else ""
        return f"{winner.does('win', 'wins')}{within}, whatever {loser.does('do', 'does')}"

    def plan(self, loser: Player, winner: Player) -> str:
        return ""


def listed(items: Sequence[object], word: str = "and") -> str:
    """Join items: '4', '4 and 2', '4, 2 and 1'."""
    names = [str(item) for item in items]
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def ordinal(number: int) -> str:
    """Return '1st', '2nd', '11th'."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else ORDINALS.get(number % 10, 'th')}"


def _together(loser: Player, winner: Player, where: str, number: int) -> str:
    takes = f"{winner.does('take', 'takes')} as many as make {number} together"
    return f"Whatever {loser.does('take', 'takes')}{where}, {takes}."


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


class Last(Enum):
    """How the last disc came to win."""

    AT_ONCE = "at once"  # the first move completes a line
    DOUBLE = "double threat"  # two columns or more complete a line: only one can be blocked
    ABOVE = "above the block"  # the one threat is blocked, and the cell above the block completes a line
    ZUGZWANG = "zugzwang"  # no threat yet, but whichever disc is dropped, the cell above it completes a line
    FULL = "full board"  # nobody wins


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game with best play by both."""

    last: Last
    line: tuple[str, ...]  # the names of all moves
    columns: tuple[str, ...] = ()  # where a disc completes a line, or in zugzwang the open columns
    row: int = 0  # of the disc that completes the line, from 1 at the bottom; 0 on a full board


def ending_of(game: Game, state: State, line: Sequence[Move]) -> Ending:
    """Return how a line of best play to the end of the game ends.

    The loser holds out as long as possible, so whatever the loser plays last, a line is completed next.
    """
    at = base.copy(state)
    for move in line[:-2]:
        base.play(at, move)
    end = base.copy(at)
    for move in line[-2:]:
        base.play(end, move)
    if base.outcome(end) == base.DRAW:
        return Ending(Last.FULL, tuple(game.line_names(line, state)))
    threats = completing(at, passed=True) if len(line) > 1 else []
    if len(threats) == 1:  # the loser may as well block it
        line = [*line[:-2], threats[0], threats[0]]
    before = base.copy(at)
    if len(line) > 1:
        base.play(before, line[-2])
    [(top, _)] = game.touched(before, line[-1])
    names, row = tuple(game.line_names(line, state)), len(game.cells(before) or []) - top
    if len(line) == 1:
        return Ending(Last.AT_ONCE, names, names[-1:], row)
    if threats:
        kind = Last.ABOVE if len(threats) == 1 else Last.DOUBLE
        return Ending(kind, names, tuple(game.move_name(move, at) for move in threats), row)
    return Ending(Last.ZUGZWANG, names, tuple(game.move_name(move, at) for move in base.legal_moves(at)), row)


def completing(state: State, passed: bool = False) -> list[Move]:
    """Return the columns where the player to move completes a line; `passed`: where the other would, if it moved."""
    at = base.copy(state)
    if passed:
        at.board[0] ^= at.board[1]
    columns = []
    for move in base.legal_moves(at):
        base.play(at, move)
        if base.outcome(at) == base.WON:
            columns.append(move)
        base.undo(at, move)
    return columns
