"""Say in one sentence what a best move achieves: 'wins: nim-sum 3 becomes 0, so every binary column is even.'"""

from __future__ import annotations

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.theory.connect import disc_of
from nimtui.theory.explanation import Explanation, Kind
from nimtui.theory.verdict import Outcome, Verdict


def best_explained(verdict: Verdict) -> Move:
    """Return the best move to explain: the one with the highest score, else the first."""
    scores = verdict.scores or {}
    return max(verdict.best_moves, key=lambda move: scores.get(move, 0))


def merit(game: Game, state: State, move: Move, why: Explanation, plies: int | None = None) -> str:
    """Return the rest of a sentence that starts with the move's name.

    `move` keeps the outcome of this won or drawn position, `why` explains the position, and the game ends after `plies`
    under best play, this move included; None if that is unknown.
    """
    after = base.copy(state)
    base.play(after, move)
    if why.outcome is Outcome.DRAW:
        return "holds the draw. No move wins."
    if base.outcome(after) == base.WON:
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
    if why.limit is not None and len(why.rows) == 1 and why.kind is Kind.REMAINDERS:
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
