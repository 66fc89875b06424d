"""Explain a position in plain words: the move to play, what it leaves, and what happens then.

Every sentence is made from facts (`Plain`), which the solver and the formulas give: why a lost position is lost for the
player who faces it (a `Claim`), and the threats of a connect game, where a disc completes a line and where none may be
dropped. `merit` says in one what a best move achieves: 'wins: nim-sum 3 becomes 0, so every binary column is even.'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from nimtui.games import Game, base
from nimtui.games.adjacent import Adjacent
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.games.heaps import Heaps, rows_of
from nimtui.games.notation import plural
from nimtui.games.octal import Octal, heaps_of
from nimtui.games.rule_text import MATCHES, doing
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Score
from nimtui.theory import adjacent, connect, heaps, nim, octal
from nimtui.theory.answers import Answer, answer, move_values
from nimtui.theory.claims import (
    OPPONENT,
    YOU,
    Claim,
    Mirrored,
    Multiples,
    Paired,
    Player,
    Series,
    Singles,
    Solved,
    Threats,
    capitalized,
    completing,
)
from nimtui.theory.connect import disc_of
from nimtui.theory.explanation import Explanation, Kind
from nimtui.theory.verdict import Outcome, Verdict, end_of_game


def best_explained(verdict: Verdict) -> Move:
    """Return the best move to explain: the one with the highest score, else the first."""
    scores = verdict.scores or {}
    return max(verdict.best_moves, key=lambda move: scores.get(move, 0))


def merit(game: Game, state: State, move: Move, why: Explanation, plies: int | None = None) -> str:
    """Return the rest of a sentence that starts with the move's name.

    `move` keeps the outcome of this won or drawn position, `why` explains the position, and the game ends after `plies`
    under best play, this move included; None if that is unknown.
    """
    if why.payoff is not None:
        return f"is worth {Score(why.payoff)}."
    if why.outcome is Outcome.DRAW:
        return "holds the draw. No move wins."
    if base.outcome(game.after(state, move)) == base.WON:
        return "wins at once."
    wins = "wins" if plies is None else f"wins in {plies}"
    score = dict(why.scores).get(game.move_name(move, state))
    if score is not None and isinstance(state, Connect):
        return f"{wins} with {disc_of(state, score)}."
    return f"{wins}: {_reason(game, state, move, why)}"


def _reason(game: Game, state: State, move: Move, why: Explanation) -> str:
    """Return which rule makes the position after the move lost for the opponent."""
    balance = next((balance for balance in why.balancing if balance.move == move), None)
    if balance is None:
        return "solved to the end of the game."
    if len(why.rows) == 1 and why.kind is Kind.REMAINDERS:
        assert why.limit is not None  # by which the remainders are
        rest = why.rows[0].matches - len(game.touched(state, move))
        by = why.limit + 1
        return f"it leaves {rest}. Divided by {by} the remainder is {rest % by}, a lost position."
    if balance.leaves_ones and why.kind is Kind.REMAINDERS:
        return "it leaves an odd number of remainders of 1, and the others are 0."
    if balance.leaves_ones:
        return "it leaves an odd number of ones, so the opponent takes the last match."
    unit = "run" if game.board_kind == "runs" else why.unit
    so = f", and {unit}s above 1 are left: as in normal Nim" if why.misere else ""
    return f"nim-sum {why.nim_sum} becomes 0, so every binary column is even{so}."


IN_A_ROW = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True, slots=True)
class Plain:
    """What a position of an unfinished game is worth, and why."""

    outcome: Outcome  # for the player to move
    move: Move  # wins soonest, holds the draw, or delays the loss longest, as far as that is known
    deed: str  # the move in words: 'Take 1 from A'
    claim: Claim | None  # of the position that the winner leaves; None in a draw, or if the move ends the game
    line: int = 0  # connect games: the length of a line, if the move completes one
    last: bool = False  # the move takes the last match
    blocks: bool = False  # connect games: the opponent would complete a line there
    plies: int | None = None  # to the end with best play, from this position; None in a draw, or if unknown
    distinct: bool = False  # lost positions: do other moves lose sooner, or leave fewer matches?
    forced: bool = False  # is some move worse than this one?
    payoff: int | None = None  # games with payoffs: what the move is worth
    next_best: tuple[str, int] | None = None  # games with payoffs: the best of the other moves and its worth

    def sentences(self, mover: Player = YOU, other: Player = OPPONENT) -> list[str]:
        """Return the sentences, with the names of the player to move and of the other one."""
        if self.payoff is not None:
            return self._paid(self.payoff)
        if self.outcome is Outcome.LOSS:
            return self._lost(mover, other)
        deed = self.deed
        if self.blocks:
            deed += f" to block a line of {'yours' if other.name == 'you' else other.name}"
        if self.outcome is Outcome.DRAW:
            if self.forced:
                return [f"{deed} {'and' if self.blocks else 'to'} hold the draw.", "No move wins."]
            return [f"{deed}: every move holds the draw, and none wins."]
        if self.line:
            return [f"{self.deed}: that completes {IN_A_ROW.get(self.line, str(self.line))} in a row."]
        if self.claim is None:
            what = "that is the last match" if self.last else "that ends the game"
            return [f"{self.deed}: {what}, and {mover.does('win', 'wins')}."]
        texts = [f"{deed}: then {self.claim.fact(other, mover)}.", self.claim.plan(other, mover)]
        return [text for text in texts if text]

    def _paid(self, payoff: int) -> list[str]:
        if self.next_best is None:
            return [f"{self.deed}: every move is worth {Score(payoff)}."]
        name, worth = self.next_best
        other = f"The best other move, {name}, is worth {Score(worth)}."
        return [f"{self.deed}: that is worth {Score(payoff)}.", other]

    def _lost(self, mover: Player, other: Player) -> list[str]:
        texts = ["Every move loses."]
        if self.claim is not None:
            texts += [f"{capitalized(self.claim.fact(mover, other))}.", self.claim.plan(mover, other)]
        if self.distinct:
            longest = (
                "leave the most matches"
                if self.plies is None
                else f"hold out longest: {plural(self.plies, 'ply', 'plies')}"
            )
            texts.append(f"{self.deed} to {longest}.")
        return [text for text in texts if text]


def explained(game: Game, state: State, progress: Progress = SILENT, solution: Answer | None = None) -> Plain:
    """Return the explanation of an unfinished position. Raises Unsolvable if it is too large to solve."""
    solution = solution or answer(game, state, progress, quick=True)
    if solution.verdict.payoff is not None:
        return _of_payoffs(game, state, progress)
    plies = _plies(game, state, solution, progress)
    move, distinct = _choose(game, state, solution, plies)
    at, length = base.copy(state), plies.get(move)
    deed = capitalized(doing(game, state, move))
    outcome = solution.outcome
    if outcome is Outcome.LOSS:
        return Plain(outcome, move, deed, _claim(game, at, length), plies=length, distinct=distinct)
    blocks = isinstance(state, Connect) and completing(state, passed=True) == [move]
    base.play(at, move)
    if end_of_game(at) is not None:
        line = int(state.k) if isinstance(state, Connect) and base.outcome(at) == base.WON else 0
        last = game.board_kind in MATCHES
        return Plain(outcome, move, deed, None, line, last=last, blocks=blocks and not line, plies=1)
    claim = None
    if outcome is Outcome.WIN:
        claim = _claim(game, at, None if length is None else length - 1)
    forced = len(solution.best_moves) < int(base.count(state))
    return Plain(outcome, move, deed, claim, blocks=blocks, plies=length, forced=forced)


def _of_payoffs(game: Game, state: State, progress: Progress) -> Plain:
    values = move_values(game, state, progress)
    best = next(value for value in values if value.optimal)
    others = [(value.payoff or 0, -value.move) for value in values if not value.optimal]
    second = None
    if others:
        worth, move = max(others)
        second = game.move_name(-move, state), worth
    deed = capitalized(doing(game, state, best.move))
    return Plain(best.outcome, best.move, deed, None, payoff=best.payoff, next_best=second)


def text(game: Game, state: State, progress: Progress, solution: Answer) -> str:
    """Return the sentences for the player to move, '' if the game is over; `solution` is the answer at the position."""
    if not solution.best_moves:
        return ""
    return " ".join(explained(game, state, progress, solution).sentences())


def _claim(game: Game, state: State, plies: int | None) -> Claim:
    """Return why this position is lost for its player to move, who loses in `plies` plies."""
    claim: Claim | None = None
    if isinstance(state, Heaps):
        claim = of_heaps(state)
    elif isinstance(state, Adjacent):
        claim = of_runs(state)
    elif isinstance(state, Octal):
        claim = of_octal(state)
    elif isinstance(state, Connect) and plies is not None:
        claim = threats_of(game, state, plies)
    return claim or Solved(None if plies is None else plies // 2)


def _plies(game: Game, state: State, solution: Answer, progress: Progress) -> dict[Move, int]:
    """Return the plies to the end after each best move, in a won or lost position; {} if they are unknown."""
    scores = solution.verdict.scores
    if scores is not None and isinstance(state, Connect):
        distances = {move: connect.plies(state, scores[move]) for move in solution.best_moves}
        return {move: plies for move, plies in distances.items() if plies is not None}
    if solution.remoteness is None:
        return {}
    values = move_values(game, state, progress, quick=True)
    return {each.move: each.remoteness for each in values if each.optimal and each.remoteness is not None}


def _choose(game: Game, state: State, solution: Answer, plies: dict[Move, int]) -> tuple[Move, bool]:
    """Return the move that wins soonest or delays the loss longest, and whether it delays it longer than others."""
    if solution.outcome is not Outcome.LOSS:
        return (min(plies, key=lambda at: plies[at]) if plies else best_explained(solution.verdict)), False
    sizes = {move: len(game.touched(state, move)) for move in solution.best_moves}
    if plies:
        return min(plies, key=lambda at: (-plies[at], sizes[at], at)), len(set(plies.values())) > 1
    distinct = game.board_kind in MATCHES and len(set(sizes.values())) > 1
    return min(sizes, key=lambda at: (sizes[at], at)), distinct


def above(state: Connect) -> list[Move]:
    """Return the columns where a disc of the player to move lets the other complete a line right above it."""
    at = base.copy(state)
    columns = []
    for move in base.legal_moves(at):
        base.play(at, move)
        if base.outcome(at) == base.GOING_ON and move in completing(at):
            columns.append(move)
        base.undo(at, move)
    return columns


def threats_of(game: Game, state: Connect, plies: int) -> Threats:
    """Return the threats against the player to move, who loses in `plies` plies."""
    columns, forbidden = completing(state, passed=True), above(state)
    names = tuple(game.move_name(move, state) for move in columns)
    others = int(state.board[1] ^ state.board[0]).bit_count()
    return Threats(
        names,
        len(columns) == 1 and columns[0] in forbidden,
        tuple(game.move_name(move, state) for move in forbidden),
        not columns and len(forbidden) == int(base.count(state)),
        others + plies // 2,
    )


def of_heaps(state: Heaps) -> Claim:
    """Return the claim of a lost position of a heap game with matches left."""
    rows, misere = [row for row in rows_of(state) if row], bool(state.misere)
    step = int(state.limit) + 1
    if len(state.start) == 1:
        return Series(int(misere), step, rows[0], misere)
    values = [row for row in heaps.values_of(state) if row]
    modulus = step if max(rows) >= step else None
    if misere and not nim.large(values):
        return Singles(len(values), "row", modulus)
    if not values:
        return Multiples(step)
    if not misere and (pairs := _pairs(rows)):
        return Mirrored(pairs, "row")
    return Paired(powers(values), "row", modulus, misere=misere)


def of_runs(state: Adjacent) -> Claim | None:
    """Return the claim of a lost position of neighbours with matches left; None where no formula decides."""
    runs, misere = adjacent.runs_of(state), bool(state.misere)
    if not adjacent.has_rule(state, runs):
        return None
    table = adjacent.values_for(state, runs)
    lengths = [run.length for run in runs]
    values = [table[length] for length in lengths]
    if misere and not nim.large(values):
        return Singles(len(values), "run")
    if not misere and (pairs := _pairs(lengths)):
        return Mirrored(pairs, "run")
    counts = tuple((length, table[length]) for length in sorted(set(lengths)) if table[length] != length)
    return Paired(powers(values), "run", counts=counts, misere=misere)


def of_octal(state: Octal) -> Claim | None:
    """Return the claim of a lost position of heaps that may split; None in misère play."""
    if state.misere:
        return None
    sizes, table = heaps_of(state), octal.values_of(state)
    if pairs := _pairs(sizes):
        return Mirrored(pairs, "heap")
    counts = tuple((size, table[size]) for size in sorted(set(sizes)) if table[size] != size)
    return Paired(powers(table[size] for size in sizes), "heap", counts=counts)


def powers(values: Iterable[int]) -> tuple[int, ...]:
    """Return the powers of 2 that occur in the binary digits of the values, the largest first."""
    present = 0
    for value in values:
        present |= value
    return tuple(1 << bit for bit in range(present.bit_length() - 1, -1, -1) if present >> bit & 1)


def _pairs(sizes: list[int]) -> tuple[int, ...]:
    """Return one size of each pair of equal ones, the largest first; () if one has no partner."""
    frequencies = Counter(sizes)
    if any(number % 2 for number in frequencies.values()):
        return ()
    return tuple(sorted((size for size, number in frequencies.items() for _ in range(number // 2)), reverse=True))
