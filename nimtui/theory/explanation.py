"""Explain as data and in sentences why a position is won or lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.report.values import Score, Typed
from nimtui.theory import nim
from nimtui.theory.claims import Ending, Last
from nimtui.theory.verdict import MoveValue, Outcome


class Kind(Enum):
    """Names the theory behind an exact answer."""

    BOUTON = "Bouton's rule"  # the rows' nim-sum, normal play
    MISERE_NIM = "misère Nim"  # as Bouton, reversed once no row or run exceeds 1
    REMAINDERS = "remainders"  # at most K may be taken: a row counts as its remainder by K + 1
    GRUNDY = "Grundy values"  # each run of neighbours has a value; their nim-sum decides
    QUOTIENT = "misère quotient"  # the heaps' sum is an element of a finite monoid, whose P-portion is lost
    EXACT = "exact search"  # no simple rule: every position was solved
    PAYOFF = "exact payoff"  # games with payoffs: every position was solved
    SCORE = "exact score"  # connect games: who wins, and how soon


class Depth(Enum):
    """Says how deep a panel explains: in plain words, with the reason in binary, or with the terms."""

    PLAIN = "plain words"
    REASON = "the reason"
    TERMS = "the terms"

    @property
    def deeper(self) -> Depth | None:
        """Return the next depth, or None at the last."""
        return {Depth.PLAIN: Depth.REASON, Depth.REASON: Depth.TERMS}.get(self)


class Phase(Enum):
    """Says how near misère Nim is to the point where its rule reverses. Values are those of rows or runs."""

    OPEN = "open"  # two or more values above 1: play as in normal Nim
    SWITCH = "switch"  # one value above 1: the number of ones left now decides
    ENDGAME = "endgame"  # no value above 1: an odd number of ones loses

    @staticmethod
    def of(values: Iterable[int]) -> Phase:
        return (Phase.ENDGAME, Phase.SWITCH, Phase.OPEN)[min(nim.large(values), 2)]


@dataclass(frozen=True, slots=True)
class Row:
    """Holds one row of the board and its value."""

    label: str
    matches: int
    runs: tuple[int, ...]  # lengths of its runs of neighbours, from the left; a heap is one run
    grundy: int | None  # the row's value in the nim-sum; None where no such value decides
    digits: tuple[int, ...] = ()  # `grundy` in binary, with as many digits as the nim-sum


@dataclass(frozen=True, slots=True)
class Balance:
    """Holds a move that leaves a lost position, and the row's value before and after it."""

    row: int
    before: int
    after: int
    move: Move
    name: str
    leaves_ones: bool = False  # misère: it leaves an odd number of ones and no value above 1


@dataclass(frozen=True, slots=True)
class Explanation:
    """Holds all facts that explain one position; `theory.report.reason` and `sentences` tell them."""

    kind: Kind
    outcome: Outcome  # for the player to move
    over: bool
    misere: bool = False
    limit: int | None = None  # the largest number of matches per move, where it matters
    rows: tuple[Row, ...] = ()
    nim_sum: int | None = None
    digits: tuple[int, ...] = ()  # of the nim-sum
    phase: Phase | None = None  # misère Nim only
    balancing: tuple[Balance, ...] = ()
    best: tuple[str, ...] = ()  # names of all moves that keep the outcome; in a lost position every legal move
    payoff: int | None = None  # games with payoffs: see Verdict
    worth: str = ""  # games with payoffs: the payoff in words, `worth`
    score: int | None = None  # connect games: see Verdict
    scores: tuple[tuple[str, int], ...] = ()  # connect games: the score of every legal move, by name
    remoteness: int | None = None  # plies to the end under best play; None in a draw, or if unknown
    ending: Ending | None = None  # connect games: how the game ends with best play; None if unknown
    values: tuple[MoveValue, ...] = ()  # of every move; () if not requested
    heaps: bool = False  # heaps that may split, instead of rows
    elements: tuple[str, ...] = ()  # misère quotient: the element of each heap
    element: str = ""  # of their sum
    portion: tuple[str, ...] = ()  # the elements that the player to move loses
    plain: tuple[str, ...] = ()  # the move and the reason in plain words, see `theory.plain`; () if not requested

    @property
    def terms(self) -> tuple[str, ...]:
        """Return the names of the terms that the reason uses, as the glossary has them."""
        ruled = self.kind not in (Kind.SCORE, Kind.PAYOFF)
        draw = self.outcome is Outcome.DRAW
        summed = self.nim_sum is not None and len(self.rows) > 1
        grundy = self.kind is Kind.GRUNDY and self.limit is not None
        last = None if self.ending is None else self.ending.last
        uses = {
            "P-position": ruled and self.p_position is True,
            "N-position": ruled and self.p_position is False,
            "group": summed,
            "nim-sum": summed,
            "Grundy value": grundy or (self.kind is Kind.EXACT and self.nim_sum is not None),
            "misère": self.misere,
            "misère quotient": self.kind is Kind.QUOTIENT,
            "draw": ruled and draw,
            "perfect play": draw or not ruled,
            "ply": not ruled and self.remoteness is not None,
            "threat": last is Last.DOUBLE,
            "zugzwang": last is Last.ZUGZWANG,
        }
        return tuple(name for name, applies in uses.items() if applies and not self.over)

    @property
    def unit(self) -> str:
        """Return what has a value here: 'row', 'run', or 'value' where a row counts as its remainder."""
        if self.kind is Kind.REMAINDERS:
            return "value"
        if self.heaps:
            return "heap"
        return "row" if all(len(row.runs) < 2 for row in self.rows) else "run"

    def meaning(self, term: str) -> str:
        """Return what a term means in this game, or '' if it means the same in all games."""
        counts = {
            Kind.GRUNDY: f"Grundy values of the {'heaps' if self.heaps else 'runs'}",
            Kind.REMAINDERS: "remainders of the rows",
        }
        values = "lengths of the runs" if self.unit == "run" else "row sizes"
        values = values if self.limit is None else counts.get(self.kind, values)
        if term == "group":
            return f"A power of 2 in one of the {values}: a 7 has a group of 4, one of 2 and one of 1."
        if term != "nim-sum":
            return ""
        loses = "0 means: the player to move loses"
        if self.misere:
            loses = f"While a {self.unit} exceeds 1, {loses}"
        return f"The {values} added in binary without carrying. {loses}."

    @property
    def p_position(self) -> bool | None:
        """Return True for a P-position (the player to move loses), False for an N-position, None for a draw."""
        return None if self.outcome is Outcome.DRAW else self.outcome is Outcome.LOSS


def binary(value: int, width: int) -> tuple[int, ...]:
    """Return the binary digits of a value, the highest first."""
    return tuple(value >> bit & 1 for bit in range(width - 1, -1, -1))


def with_digits(rows: Iterable[Row], highest: int) -> tuple[tuple[Row, ...], int, tuple[int, ...]]:
    """Return the rows with as many binary digits as `highest` needs, their nim-sum, and its digits."""
    rows = list(rows)
    values = [row.grundy or 0 for row in rows]
    total = nim.nim_sum(values)
    width = max(1, *(value.bit_length() for value in (highest, *values)))
    filled = tuple(
        Row(row.label, row.matches, row.runs, value, binary(value, width))
        for row, value in zip(rows, values, strict=True)
    )
    return filled, total, binary(total, width)


def sentences(explanation: Explanation) -> list[str]:
    """Return who wins, why, by which moves, and when the game ends."""
    if explanation.payoff is not None:
        return _payoff(explanation, explanation.payoff)
    lines = [_verdict(explanation), *_reasons(explanation)]
    if explanation.over or not explanation.remoteness or explanation.kind is Kind.SCORE:
        return lines
    return [*lines, f"{_ends_in(explanation, explanation.remoteness)}."]


def worth(game: Game, state: State, payoff: int) -> str:
    """Return what a position is worth to the player to move: 'Worth +6 to the player to move'; or what the game pays.

    Where the players have names, of both of them: 'MIN to move: MAX gets 3'.
    """
    over = base.outcome(state) != base.GOING_ON
    if game.players is None:
        paid = f"The game is over: it pays {Score(-payoff)} to the player who moved last"
        return paid if over else f"Worth {Score(payoff)} to the player to move"
    side = int(base.side(state))
    start = "The game is over" if over else f"{game.players[side]} to move"
    return f"{start}: {game.players[0]} gets {Typed(-payoff if side else payoff)}"


def _payoff(explanation: Explanation, payoff: int) -> list[str]:
    """Return what the position is worth to the player to move, and by which moves."""
    if explanation.over:
        return [f"{explanation.worth}."]
    best = several(explanation.best)
    return [f"{explanation.worth}.", "Solved position by position.", f"Best: {best}."]


def _verdict(explanation: Explanation) -> str:
    if explanation.over:
        return _ending(explanation)
    if explanation.outcome is Outcome.DRAW:
        return "Drawn position with best play."
    if explanation.kind is Kind.SCORE:
        return f"{_ends_in(explanation, explanation.remoteness or 0)}."
    if explanation.p_position:
        return "P-position: player to move loses."
    return "N-position: player to move wins."


def _ends_in(explanation: Explanation, plies: int) -> str:
    """Return in how many plies the player to move wins or loses; of a connect game with the score."""
    text = plural(plies, "ply", "plies")
    text = f"Wins in {text}" if explanation.outcome is Outcome.WIN else f"Loses in {text} at best"
    return text if explanation.score is None else f"{text}: score {Score(explanation.score)}"


def _ending(explanation: Explanation) -> str:
    """Return who won, and what the last move was. A board set up as finished has no last move."""
    if explanation.outcome is Outcome.DRAW:
        return "The game is over: a draw."
    ending = "won" if explanation.outcome is Outcome.LOSS else "lost"
    matches = "took the last match" if explanation.rows and not explanation.heaps else "made the last move"
    did = "dropped the last disc" if explanation.kind is Kind.SCORE else matches
    return f"The game is over: the player who {did} {ending}."


def _reasons(explanation: Explanation) -> list[str]:
    if explanation.over:
        return []
    if explanation.kind is Kind.SCORE:
        return [] if explanation.ending is None else ending_lines(explanation.ending, explanation.outcome)
    if explanation.kind is Kind.QUOTIENT:
        return _quotient_reasons(explanation)
    if explanation.kind is Kind.EXACT:
        effect = {Outcome.WIN: "Wins", Outcome.DRAW: "Holds the draw"}.get(explanation.outcome)
        lines = ["No simple rule: solved position by position." if explanation.rows else "Solved position by position."]
        if explanation.nim_sum is not None:
            lines.append(f"Grundy value: {explanation.nim_sum}.")
        return [*lines, f"{effect}: {several(explanation.best)}."] if effect else [*lines, "Every move loses."]
    if explanation.kind is Kind.REMAINDERS and len(explanation.rows) == 1:
        return _single_row_reasons(explanation)
    return [*_rule(explanation), *_balance_reasons(explanation)]


def _quotient_reasons(explanation: Explanation) -> list[str]:
    """Explain a misère position by the element of its heaps."""
    product = " · ".join(explanation.elements)
    equals = f"{product} = {explanation.element}" if len(explanation.elements) > 1 else explanation.element
    lost = ", ".join(explanation.portion)
    lines = [f"The misère quotient has the element {equals}.", f"Lost elements: {lost}."]
    if explanation.outcome is Outcome.WIN:
        verb = "leaves" if len(explanation.best) == 1 else "leave"
        return [*lines, f"{several(explanation.best)} {verb} a lost element."]
    return [*lines, "No move leaves a lost element."]


def ending_lines(ending: Ending, outcome: Outcome) -> list[str]:
    """Return how a connect game ends with best play, in sentences; `outcome` is that of the player to move."""
    winner, loser = ("the player to move", "the opponent")[:: 1 if outcome is Outcome.WIN else -1]
    columns, above = " and ".join(several(ending.columns).rsplit(" or ", 1)), f"row {ending.row}"
    endings = {
        Last.AT_ONCE: f"Column {columns} completes a line.",
        Last.DOUBLE: f"In the end {winner} threatens to complete a line in columns {columns}: only one can be blocked.",
        Last.ABOVE: f"In the end {loser} must block row {ending.row - 1} of column {columns}, and {winner} completes"
        f" a line right above it, in {above}.",
        Last.ZUGZWANG: f"In the end it is zugzwang: only column {columns} is open, so {loser} must fill row"
        f" {ending.row - 1}, and {winner} completes a line right above it, in {above}."
        if len(ending.columns) == 1
        else f"In the end it is zugzwang: whichever of the columns {columns} {loser} plays, {winner} completes a line"
        " right above.",
        Last.FULL: "Best play fills the board, and nobody completes a line.",
    }
    if len(ending.line) == 1:
        return [endings[ending.last]]
    return [f"Best play: {' '.join(ending.line)}.", endings[ending.last]]


def _rule(explanation: Explanation) -> Iterator[str]:
    what = explanation.unit
    if explanation.kind is Kind.REMAINDERS and explanation.limit is not None:
        yield f"A row counts as its remainder modulo {explanation.limit + 1}."
    elif explanation.kind is Kind.GRUNDY:
        part = "heap" if explanation.heaps else "run"
        yield f"Each {part} counts as its {'Grundy value' if explanation.limit else 'length'}."
    rules = {
        Phase.OPEN: f"two {what}s or more exceed 1, so play as in normal Nim",
        Phase.SWITCH: f"only one {what} exceeds 1, so the rule changes now",
        Phase.ENDGAME: f"no {what} exceeds 1, so an odd number of ones loses",
    }
    if explanation.phase is not None:
        yield f"Misère: {rules[explanation.phase]}."


def _balance_reasons(explanation: Explanation) -> list[str]:
    if explanation.outcome is Outcome.LOSS:
        if explanation.phase is Phase.ENDGAME:
            return ["The player to move will have to take the last match."]
        if explanation.misere:
            return ["Any move makes a column odd; the reply evens it or leaves an odd number of ones."]
        return ["Every binary column is even. Any move makes one odd, and the reply evens it."]
    lines = []
    for ones, effect in ((False, "every binary column even"), (True, "an odd number of ones")):
        moves = [balance.name for balance in explanation.balancing if balance.leaves_ones is ones]
        if moves:
            verb = ("leave" if len(moves) > 1 else "leaves") if ones else "make" + "s" * (len(moves) == 1)
            lines.append(f"{several(moves)} {verb} {effect}.")
    return lines


def _single_row_reasons(explanation: Explanation) -> list[str]:
    """Explain the subtraction game by the remainder of the matches modulo K + 1."""
    assert explanation.limit is not None
    matches, by = explanation.rows[0].matches, explanation.limit + 1
    bad = 1 if explanation.misere else 0
    lines = [f"{matches} = {matches // by} × {by} + {matches % by}. A player who faces remainder {bad} loses."]
    if explanation.outcome is Outcome.WIN:
        [balance] = explanation.balancing
        rest = matches - (balance.before - balance.after) % by
        return [*lines, f"{several(explanation.best)} leaves {rest}."]
    return lines


def several(names: Sequence[str], most: int = 6) -> str:
    """Join names: 'b2', 'b2 or c2', 'b2, c2 or e6'; of more than `most` names, name the first ones."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
