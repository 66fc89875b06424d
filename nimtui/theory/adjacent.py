"""Solve games in which only neighbours are taken together.

Normal play uses the Grundy values of runs. Misère uses misère Nim on the runs where that holds. With a largest move no
simple rule exists, so misère play is solved position by position. There a position is the multiset of its run lengths,
simplified by two rules that hold beside any other game:
- Two single matches cancel: the player who wins without them answers one with the other.
- If two may be taken, a run of three equals a run of two and a single match: both have the same options.

Results stay cached for the next question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from nimtui.games import notation
from nimtui.games.adjacent import Adjacent
from nimtui.games.base import Move
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory import nim
from nimtui.theory.explanation import Balance, Explanation, Kind, Phase, Row, with_digits
from nimtui.theory.nim import grundy_values, splits
from nimtui.theory.verdict import Outcome, Verdict

INSTANT_POSITIONS = 200  # so few positions take only some milliseconds


class Run(NamedTuple):
    """A maximal run of neighbouring matches."""

    row: int
    begin: int  # the place of its first match, from 0
    length: int


class Split(NamedTuple):
    """A move, and the two pieces it leaves of its run."""

    move: Move
    run: Run
    left: int
    right: int


def runs_of(state: Adjacent) -> list[Run]:
    """Return all runs, row by row from the left."""
    runs = []
    for row in range(len(state.first)):
        pattern, place = int(state.board[row]), 0
        while pattern:
            gap = (pattern & -pattern).bit_length() - 1
            pattern >>= gap
            length = (~pattern & (pattern + 1)).bit_length() - 1
            runs.append(Run(row, place + gap, length))
            pattern >>= length
            place += gap + length
    return runs


def has_rule(state: Adjacent, runs: list[Run]) -> bool:
    """Return whether a formula decides. In misère none does while a run is longer than the largest move."""
    return not state.misere or all(run.length <= state.limit for run in runs)


def values_for(state: Adjacent, runs: list[Run]) -> tuple[int, ...]:
    """Return the value of a run by its length. The limit is ignored once no run exceeds it."""
    longest = max((run.length for run in runs), default=0)
    return grundy_values(notation.MOST if longest <= state.limit else int(state.limit))


def splits_of(state: Adjacent, runs: list[Run]) -> list[Split]:
    """Return every legal move, in ascending order."""
    first, offset, limit = state.first.tolist(), state.offset.tolist(), int(state.limit)
    moves = []
    for run in runs:
        row, begin, length = run
        for end in range(length):
            code = first[row] + offset[begin + end]
            for take in range(1, min(limit, end + 1) + 1):
                moves.append(Split(code + take - 1, run, end + 1 - take, length - 1 - end))
    return moves


def why_unsolvable(game: Game, state: Adjacent) -> str | None:
    runs = runs_of(state)
    if has_rule(state, runs):
        return None
    many = _how_many(state, runs)
    if many <= MOST_POSITIONS:
        return None
    return (
        f"too many positions to solve exactly: over {MOST_POSITIONS:,} "
        f"(misère with at most {int(state.limit)} taken at once has no simple rule)"
    )


def is_instant(game: Game, state: Adjacent) -> bool:
    runs = runs_of(state)
    return has_rule(state, runs) or _how_many(state, runs) <= INSTANT_POSITIONS


def solve(game: Game, state: Adjacent, progress: Progress = SILENT) -> Verdict:
    runs = runs_of(state)
    values = values_for(state, runs)
    grundy = None if state.misere else nim.nim_sum(values[run.length] for run in runs)
    if not runs:
        return Verdict(Outcome.WIN if state.misere else Outcome.LOSS, grundy, ())
    best = winning(state, runs, progress)
    if not best:
        return Verdict(Outcome.LOSS, grundy, tuple(split.move for split in splits_of(state, runs)))
    return Verdict(Outcome.WIN, grundy, tuple(split.move for split in best))


def winning(state: Adjacent, runs: list[Run], progress: Progress = SILENT) -> list[Split]:
    """Return the moves that leave a lost position, in ascending order; none in a lost position."""
    if has_rule(state, runs):
        return _winning_by_rule(state, runs)
    lengths = [run.length for run in runs]
    if lost(lengths, int(state.limit), progress):
        return []
    good: dict[tuple[int, int, int], bool] = {}
    best = []
    for split in splits_of(state, runs):
        pieces = (split.run.length, min(split.left, split.right), max(split.left, split.right))
        if pieces not in good:
            rest = lengths.copy()
            rest.remove(split.run.length)
            good[pieces] = lost((*rest, split.left, split.right), int(state.limit), progress)
        if good[pieces]:
            best.append(split)
    return best


def _winning_by_rule(state: Adjacent, runs: list[Run]) -> list[Split]:
    values, misere_play = values_for(state, runs), bool(state.misere)
    counts = [values[run.length] for run in runs]
    total, big = nim.nim_sum(counts), nim.large(counts)
    if nim.lost(counts, misere_play):
        return []
    best = []
    for run, count in zip(runs, counts, strict=True):
        rest, big_rest = total ^ count, big - (count > 1)
        # misère with no other run above 1: pieces of 0 and 1 must leave an odd number of ones, larger ones even columns
        reverses = misere_play and not big_rest
        for split in splits_of(state, [run]):
            left, right = values[split.left], values[split.right]
            if left ^ right ^ rest == (reverses and left < 2 and right < 2):
                best.append(split)
    return best


def remoteness(game: Game, state: Adjacent, verdict: Verdict, most: int, progress: Progress = SILENT) -> int | None:
    limit, misere_play = int(state.limit), bool(state.misere)
    position = nim.runs(run.length for run in runs_of(state))
    values = grundy_values(limit)

    def lost_runs(runs: nim.Runs) -> bool:
        if not misere_play:
            return nim.nim_sum(values[run] for run in runs) == 0
        if not runs or runs[-1] <= limit:
            return nim.lost(runs, misere=True)
        return lost(runs, limit, progress)

    return nim.remoteness(position, nim.Rules(limit, misere_play, split=True), lost_runs, most, progress)


def explain(game: Game, state: Adjacent, verdict: Verdict) -> Explanation:
    runs = runs_of(state)
    by_rule = has_rule(state, runs)
    values = values_for(state, runs)
    counts = [values[run.length] for run in runs]
    rows = []
    for row in range(len(state.first)):
        lengths = tuple(run.length for run in runs if run.row == row)
        count = nim.nim_sum(values[length] for length in lengths) if by_rule else None
        rows.append(Row(notation.row_letter(row).upper(), sum(lengths), lengths, count))
    kind = Kind.GRUNDY if not state.misere else Kind.MISERE_NIM if by_rule else Kind.EXACT
    best = tuple(game.move_name(move, state) for move in verdict.best_moves)
    limit = int(state.limit) if state.limit < max(state.width) else None
    over = not runs
    if not by_rule:
        return Explanation(kind, verdict.outcome, over, True, limit, tuple(rows), best=best)
    at_start = grundy_values(int(state.limit)) if limit else range(notation.MOST)
    filled, total, digits = with_digits(rows, highest=max(at_start[width] for width in state.width.tolist()))
    return Explanation(
        kind,
        verdict.outcome,
        over=over,
        misere=bool(state.misere),
        limit=limit,
        rows=filled,
        nim_sum=total,
        digits=digits,
        phase=Phase.of(counts) if state.misere else None,
        balancing=tuple(_balances(game, state, runs)),
        best=best,
    )


def _balances(game: Game, state: Adjacent, runs: list[Run]) -> list[Balance]:
    values = values_for(state, runs)
    big = nim.large(values[run.length] for run in runs)
    rows = [nim.nim_sum(values[run.length] for run in runs if run.row == row) for row in range(len(state.first))]
    balances = []
    for split in _winning_by_rule(state, runs):
        pieces = (values[split.left], values[split.right])
        whole = values[split.run.length]
        before = rows[split.run.row]
        after = before ^ whole ^ pieces[0] ^ pieces[1]
        large = big - (whole > 1) + nim.large(pieces)
        name = game.move_name(split.move, state)
        ones = bool(state.misere) and not large
        balances.append(Balance(split.run.row, before, after, split.move, name, ones))
    return balances


def _how_many(state: Adjacent, runs: list[Run]) -> int:
    return how_many(tuple(sorted(run.length for run in runs)), int(state.limit))


Runs: TypeAlias = tuple[int, ...]  # ascending lengths, simplified

MOST_POSITIONS = 400_000  # of `how_many`: a few seconds of work at worst
CHUNK = 500  # positions between two reports


def simplified(lengths: Iterable[int], limit: int) -> Runs:
    """Return the simplified multiset of these runs."""
    if limit == 1:
        return (1,) * (sum(lengths) % 2)
    runs: list[int] = []
    ones = 0
    for length in lengths:
        if length == 3:
            runs.append(2)
            ones += 1
        elif length == 1:
            ones += 1
        elif length:
            runs.append(length)
    runs.sort()
    return (*(1,) * (ones % 2), *runs)


@lru_cache(maxsize=256)
def how_many(lengths: Runs, limit: int) -> int:
    """Return an upper bound on the multisets that can be reached from these runs.

    Pieces of a run are separated, so a piece needs one match more than its length. The rest of all runs is therefore a
    partition of at most (sum of length + 1) into parts of 3 (a run of two), 5, 6, 7, …, with or without a single match.
    """
    if limit == 1 or not lengths:
        return 2
    return 2 * nim.partitions((3, *range(5, max(lengths) + 2)), sum(length + 1 for length in lengths))


def options(runs: Runs, limit: int) -> Iterator[Runs]:
    """Yield every position that one move can leave."""
    for at, length in enumerate(runs):
        if at and runs[at - 1] == length:
            continue
        rest = runs[:at] + runs[at + 1 :]
        for pieces in splits(length, limit):
            yield simplified((*rest, *pieces), limit)


@cache
def _table(limit: int) -> dict[Runs, bool]:
    return {(): False}  # empty board: the opponent took the last match, so the player to move wins


def lost(lengths: Iterable[int], limit: int, progress: Progress = SILENT) -> bool:
    """Return whether the player to move loses. The search is depth-first, on an explicit stack."""
    table = _table(limit)
    root = simplified(lengths, limit)
    if root in table:
        return table[root]
    total = how_many(root, limit)
    stack = [(root, options(root, limit))]
    steps = 0
    while stack:
        runs, untried = stack[-1]
        for option in untried:
            answer = table.get(option)
            if answer is None:
                stack.append((option, options(option, limit)))
                break
            if answer:
                table[runs] = False
                stack.pop()
                break
        else:
            table[runs] = True
            stack.pop()
            if stack:  # the position before can move here, so it is won
                table[stack.pop()[0]] = False
        steps += 1
        if steps % CHUNK == 0:
            progress.report(min(len(table), total), total, "positions")
    return table[root]
