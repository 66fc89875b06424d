"""Solve games on heaps that may split: by the heaps' Grundy values, in misère play by the misère quotient.

Where the quotient of the heaps does not close, misère play is solved as any other game, from all its positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial

import numpy as np
import numpy.typing as npt

from nimtui.games.base import Move
from nimtui.games.game import Game
from nimtui.games.octal import Octal, Rule, heaps_of, letter, rule_of
from nimtui.progress import SILENT, Progress
from nimtui.theory import exact, nim
from nimtui.theory.explanation import Balance, Explanation, Kind, Row, with_digits
from nimtui.theory.quotient import Quotient, quotient_of
from nimtui.theory.verdict import Outcome, Verdict

MOST_MISERE = 40  # the largest heap for which a quotient is computed where somebody waits


@cache
def grundy_values(rule: Rule, to: int) -> tuple[int, ...]:
    """Return the Grundy value of every heap from 0 to this one: the least number that no move leaves."""
    values = [0]
    for heap in range(1, to + 1):
        values.append(nim.mex({values[small] ^ values[rest] for _, small, rest in rule.options(heap)}))
    return tuple(values)


def values_of(state: Octal) -> tuple[int, ...]:
    """Return the Grundy value of every heap up to the largest of the game."""
    return grundy_values(rule_of(state), len(state.board) - 1)


def closed(state: Octal) -> Quotient | None:
    """Return the misère quotient of the game's heaps, or None in normal play or if it does not close."""
    if not state.misere or len(state.board) - 1 > MOST_MISERE:
        return None
    quotient = quotient_of(rule_of(state), len(state.board) - 1)
    return quotient if quotient.closed else None


def has_rule(state: Octal) -> bool:
    """Return whether Grundy values or a quotient decide."""
    return not state.misere or closed(state) is not None


@lru_cache(maxsize=8)
def _changes(rule: Rule, to: int) -> npt.NDArray[np.int64]:
    """Return for each move code of a game with heaps up to `to` by what it changes the nim-sum."""
    values = grundy_values(rule, to)
    return np.array(
        [
            values[heap] ^ values[small] ^ values[rest]
            for heap in range(to, 0, -1)
            for _, small, rest in rule.options(heap)
        ]
    )


def legal_moves(state: Octal) -> npt.NDArray[np.int64]:
    """Return all legal moves, in ascending order."""
    return np.flatnonzero(state.board[state.heap_of] > 0)


def why_unsolvable(game: Game, state: Octal) -> str | None:
    return None if has_rule(state) else exact.why_unsolvable(game, state)


def is_instant(game: Game, state: Octal) -> bool:
    return has_rule(state) or exact.is_instant(game, state)


def solve(game: Game, state: Octal, progress: Progress = SILENT) -> Verdict:
    if not has_rule(state):
        return exact.solve(game, state, progress)
    moves, wins = winning(state)
    if state.misere and not len(moves):
        return Verdict(Outcome.WIN, None, ())
    best = tuple(moves[wins].tolist())
    grundy = None if state.misere else nim.nim_sum(values_of(state)[heap] for heap in heaps_of(state))
    return Verdict(Outcome.WIN if best else Outcome.LOSS, grundy, best or tuple(moves.tolist()))


def winning(state: Octal) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return all legal moves, and which of them leave a lost position. Only where `has_rule`."""
    moves = legal_moves(state)
    if state.misere:
        return moves, np.array([_lost(state, _after(state, move)) for move in moves.tolist()], np.bool_)
    largest, odd = len(state.board) - 1, np.flatnonzero(state.board[1:] & 1) + 1
    grundy = np.bitwise_xor.reduce(np.array(values_of(state))[odd])
    return moves, _changes(rule_of(state), largest)[moves] == grundy


def _after(state: Octal, move: Move) -> nim.Runs:
    """Return the heaps after a legal move."""
    heaps = heaps_of(state)
    heaps.remove(int(state.heap_of[move]))
    return nim.runs((*heaps, int(state.left_of[move]), int(state.rest_of[move])))


def _lost(state: Octal, heaps: Sequence[int]) -> bool:
    """Return whether the player to move loses a position with these heaps."""
    if (quotient := closed(state)) is not None:
        return quotient.lost(heaps)
    values = values_of(state)
    return nim.nim_sum(values[heap] for heap in heaps) == 0


def remoteness(game: Game, state: Octal, verdict: Verdict, most: int, progress: Progress = SILENT) -> int | None:
    if not has_rule(state):
        return exact.remoteness(game, state, verdict, most, progress)
    rule = rule_of(state)
    rules = nim.Rules(0, bool(state.misere), rule.splits, rule)
    position = tuple(sorted(heaps_of(state)))
    return nim.remoteness(position, rules, lambda heaps: _lost(state, heaps), most, progress)


def explain(game: Game, state: Octal, verdict: Verdict) -> Explanation:
    heaps, values, quotient = heaps_of(state), values_of(state), closed(state)
    rows = [
        Row(letter(at).upper(), heap, (heap,), None if state.misere else values[heap]) for at, heap in enumerate(heaps)
    ]
    best = tuple(game.move_name(move, state) for move in verdict.best_moves)
    why = partial(
        Explanation, outcome=verdict.outcome, over=not best, limit=max(1, len(state.digits) - 1), best=best, heaps=True
    )
    if quotient is not None:
        elements, element = tuple(quotient.element([heap]) for heap in heaps), quotient.element(heaps)
        of_sum = partial(why, elements=elements, element=element, portion=quotient.p_portion)
        return of_sum(Kind.QUOTIENT, misere=True, rows=tuple(rows))
    if state.misere:
        return why(Kind.EXACT, misere=True, rows=tuple(rows))
    filled, total, digits = with_digits(rows, highest=max(values))
    balances = []
    if verdict.outcome is Outcome.WIN:
        for move in verdict.best_moves:
            row = heaps.index(int(state.heap_of[move]))
            after = values[int(state.left_of[move])] ^ values[int(state.rest_of[move])]
            balances.append(Balance(row, values[heaps[row]], after, move, game.move_name(move, state)))
    return why(Kind.GRUNDY, rows=filled, nim_sum=total, digits=digits, balancing=tuple(balances))
