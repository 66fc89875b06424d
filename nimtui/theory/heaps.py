"""Solve Nim, towers and subtraction games by formula, normal and misère."""

from __future__ import annotations

from nimtui.games import notation
from nimtui.games.base import Move
from nimtui.games.game import Game
from nimtui.games.heaps import Heaps, rows_of
from nimtui.progress import SILENT, Progress
from nimtui.theory import nim
from nimtui.theory.explanation import Balance, Explanation, Kind, Phase, Row, with_digits
from nimtui.theory.verdict import Outcome, Verdict


def values_of(state: Heaps) -> list[int]:
    """Return each row's Grundy value: its matches, or their remainder modulo K + 1 if a move takes at most K."""
    return [matches % (int(state.limit) + 1) for matches in rows_of(state)]


def balancing(state: Heaps) -> list[tuple[Move, int, int, int]]:
    """Return every winning move: its code, its row, the row's value before and after."""
    modulus = int(state.limit) + 1
    values = values_of(state)
    total, big = nim.nim_sum(values), nim.large(values)
    moves = []
    for row, (matches, value) in enumerate(zip(rows_of(state), values, strict=True)):
        after = nim.wanted(total, big, value, bool(state.misere))
        # at most one of the K next lower numbers of matches has the wanted remainder
        take = (value - after) % modulus
        if 0 < take <= matches and after < modulus:
            moves.append((int(state.first[row]) + take - 1, row, value, after))
    return moves


def legal_moves(state: Heaps) -> list[Move]:
    """Return all legal moves, in ascending order."""
    moves: list[Move] = []
    for first, matches in zip(state.first, rows_of(state), strict=True):
        moves.extend(range(int(first), int(first) + min(matches, int(state.limit))))
    return moves


def why_unsolvable(game: Game, state: Heaps) -> str | None:
    return None


def is_instant(game: Game, state: Heaps) -> bool:
    return True


def solve(game: Game, state: Heaps, progress: Progress = SILENT) -> Verdict:
    values, misere = values_of(state), bool(state.misere)
    moves = legal_moves(state)
    grundy = None if misere else nim.nim_sum(values)
    if nim.lost(values, misere):
        return Verdict(Outcome.LOSS, grundy, tuple(moves))
    return Verdict(Outcome.WIN, grundy, tuple(move for move, *_ in balancing(state)))


def remoteness(game: Game, state: Heaps, verdict: Verdict, most: int, progress: Progress = SILENT) -> int | None:
    limit, misere = int(state.limit), bool(state.misere)
    position = nim.runs(rows_of(state))

    def lost(rows: nim.Runs) -> bool:
        return nim.lost([row % (limit + 1) for row in rows], misere)

    return nim.remoteness(position, nim.Rules(limit, misere, split=False), lost, most, progress)


def explain(game: Game, state: Heaps, verdict: Verdict) -> Explanation:
    limit, misere = int(state.limit), bool(state.misere)
    longest = int(state.start.max())
    values = values_of(state)
    rows, total, digits = with_digits(
        (
            Row(notation.row_letter(row).upper(), matches, (matches,) if matches else (), value)
            for row, (matches, value) in enumerate(zip(rows_of(state), values, strict=True))
        ),
        highest=min(limit, longest),
    )
    balances = []
    for move, row, before, after in balancing(state):
        values_after = [*values[:row], after, *values[row + 1 :]]
        ones = misere and not nim.large(values_after)
        balances.append(Balance(row, before, after, move, game.move_name(move, state), ones))
    return Explanation(
        Kind.REMAINDERS if limit < longest else Kind.MISERE_NIM if misere else Kind.BOUTON,
        verdict.outcome,
        over=not verdict.best_moves,
        misere=misere,
        limit=limit if limit < longest else None,
        rows=rows,
        nim_sum=total,
        digits=digits,
        phase=Phase.of(values) if misere else None,
        balancing=tuple(balances),
        best=tuple(game.move_name(move, state) for move in verdict.best_moves),
    )
