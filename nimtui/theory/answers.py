"""The one way to the exact value of a position, for all commands and screens.

`answer` raises Unsolvable if the value is out of reach; `known_answer` returns None. Both use a formula or a solver if
the game has one, and otherwise the values of all positions, within some seconds. `values_of` has the exact values of
many positions of one game: connect boards in compiled loops, others one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui import theory
from nimtui.errors import InputError, naming
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress, Relay
from nimtui.theory import connect
from nimtui.theory.book import UNKNOWN, book_of
from nimtui.theory.verdict import MoveValue as MoveValue
from nimtui.theory.verdict import Outcome, Patience, Unsolvable, Verdict, end_of_game

SOON = 20.0  # seconds that an answer may take beside other work
LONGEST_LINE = 1_000  # plies of a drawn game, whose length no move shortens
BRIEFLY = 2.0  # seconds that all positions of a saved game may take where a person waits for its moves


class TooSlow(InputError):
    """The position can be solved, but not in the time that it may take."""


class Until(Relay):
    """Forwards progress reports, and raises TooSlow after some seconds."""

    def __init__(self, whole: Progress, seconds: float) -> None:
        super().__init__(whole)
        self._end = monotonic() + seconds

    def report(self, done: float, total: float, what: str = "") -> None:
        if monotonic() > self._end:
            raise TooSlow("too large to be solved in a few seconds")
        super().report(done, total, what)


@dataclass(frozen=True, slots=True)
class Answer:
    """The exact value of a position."""

    verdict: Verdict
    remoteness: int | None  # plies to the end under best play; None in a draw, or if unknown

    @property
    def outcome(self) -> Outcome:
        return self.verdict.outcome

    @property
    def best_moves(self) -> tuple[Move, ...]:
        return self.verdict.best_moves


def answer(
    game: Game,
    state: State,
    progress: Progress = SILENT,
    seconds: float = 0,
    quick: bool = False,
    patience: Patience | None = None,
    scores: bool = True,
) -> Answer:
    """Return the exact value of a position, within so many seconds [0: no limit].

    Raises Unsolvable if the position is too large, TooSlow if the time is up.

    `quick` leaves the remoteness out if theory knows the outcome at once, but not the remoteness. With `patience` also
    positions that take some minutes are solved. Connect boards are solved faster without the `scores` of their moves.
    """
    limited = Until(progress, seconds) if seconds else progress
    verdict = theory.solve(game, state, limited, patience, scores)
    return Answer(verdict, theory.remoteness(game, state, limited, quick, verdict))


def is_solvable(game: Game, state: State) -> bool:
    """Return whether this position can be solved, as far as that is known without the engine."""
    return theory.why_unsolvable(game, state) is None


def known_answer(game: Game, state: State, progress: Progress = SILENT, seconds: float = SOON) -> Answer | None:
    """Return the exact value of a position, or None if it takes longer or the position is too large."""
    try:
        return answer(game, state, progress, seconds)
    except (Unsolvable, TooSlow):
        return None


def move_values(
    game: Game, state: State, progress: Progress = SILENT, seconds: float = 0, quick: bool = False
) -> list[MoveValue]:
    """Return the exact outcome of every move, in the order of the moves. Raises Unsolvable and TooSlow."""
    limited = Until(progress, seconds) if seconds else progress
    verdict = theory.solve(game, state, limited)
    after = base.copy(state)
    values = []
    for move in base.legal_moves(state):
        if verdict.payoff is not None:
            worth = payoff_of(game, state, move, verdict, limited)
            values.append(MoveValue(move, Outcome.of(worth), move in verdict.best_moves, payoff=worth))
            continue
        outcome = outcome_of(game, state, move, verdict, limited)
        if verdict.scores is not None and isinstance(state, Connect):
            plies = connect.plies(state, verdict.scores[move])
        else:
            base.play(after, move)
            plies = _plies(game, after, outcome.reply, limited, quick)
            base.undo(after, move)
        values.append(MoveValue(move, outcome, move in verdict.best_moves, plies))
    return values


def timely_moves(
    game: Game, state: State, won: bool, lost: bool, progress: Progress = SILENT
) -> tuple[Move, ...] | list[Move]:
    """Return the moves that keep the outcome: with `won` those that win soonest, with `lost` those that lose latest.

    Where the plies to the end are unknown, all moves that keep the outcome remain.
    """
    verdict = theory.solve(game, state, progress, scores=False)
    timed = (won and verdict.outcome is Outcome.WIN) or (lost and verdict.outcome is Outcome.LOSS)
    if not timed or len(verdict.best_moves) == 1 or verdict.payoff is not None:
        return verdict.best_moves
    if isinstance(state, Connect):
        return connect.best_scored(state, verdict, progress)
    values = [value for value in move_values(game, state, progress) if value.optimal]
    plies = [value.remoteness for value in values if value.remoteness is not None]
    if len(plies) < len(values):
        return verdict.best_moves
    best = min(plies) if verdict.outcome is Outcome.WIN else max(plies)
    return [value.move for value in values if value.remoteness == best]


def best_line(game: Game, state: State, solved: Answer, progress: Progress = SILENT) -> list[Move] | None:
    """Return best play of both to the end: the winner hurries, the loser holds out, and of equal moves the first.

    None if the plies to the end are unknown, or a drawn game lasts longer than LONGEST_LINE. `solved` is the answer at
    the position.
    """
    at, line, plies = base.copy(state), list[Move](), solved.remoteness
    moves, drawn = solved.best_moves, solved.outcome is Outcome.DRAW
    if plies is None and not drawn:
        return None
    while moves:
        if len(line) == LONGEST_LINE:
            return None
        for move in moves:
            base.play(at, move)
            if plies is None or move == moves[-1] or theory.remoteness(game, at, progress) == plies - 1:
                break
            base.undo(at, move)
        line.append(move)
        plies = None if plies is None else plies - 1
        moves = theory.solve(game, at, progress).best_moves
    return line


def known_moves(
    game: Game, state: State, progress: Progress = SILENT, seconds: float = SOON
) -> dict[Move, MoveValue] | None:
    """Return the exact outcome of every move, or None if it takes longer or the position is too large."""
    try:
        return {value.move: value for value in move_values(game, state, progress, seconds)}
    except (Unsolvable, TooSlow):
        return None


def outcome_of(game: Game, state: State, move: Move, verdict: Verdict, progress: Progress = SILENT) -> Outcome:
    """Return the outcome of a move for the player who makes it; `verdict` is that of the position before."""
    if verdict.payoff is not None:
        return Outcome.of(payoff_of(game, state, move, verdict, progress))
    if verdict.scores is not None:
        return Outcome.of(verdict.scores[move])
    if move in verdict.best_moves:
        return verdict.outcome
    if theory.never_drawn(state):  # a move that does not win loses
        return Outcome.LOSS
    return theory.solve(game, game.after(state, move), progress).outcome.reply


def payoff_of(game: Game, state: State, move: Move, verdict: Verdict, progress: Progress = SILENT) -> int:
    """Return what a move is worth to the player who makes it, in a game with payoffs; `verdict`: of the position."""
    if verdict.scores is not None:
        return verdict.scores[move]
    if move in verdict.best_moves:
        return verdict.payoff or 0
    return -(theory.solve(game, game.after(state, move), progress).payoff or 0)


def _plies(game: Game, after: State, outcome: Outcome, progress: Progress, quick: bool) -> int | None:
    """Return the plies to the end from before the move that led here; `outcome` is that of the player to move."""
    if outcome is Outcome.DRAW:
        return None
    if end_of_game(after) is not None:
        return 1
    plies = theory.remoteness(game, after, progress, quick)
    return None if plies is None else plies + 1


Numbers = npt.NDArray[np.int64]

NONE = -1  # no plies, no Grundy value


class Values(NamedTuple):
    """Arrays with a number for each position."""

    worth: Numbers  # 1 if the player to move wins, −1 for a loss, 0 for a draw
    remoteness: Numbers  # plies to the end; NONE in a draw, or if unknown
    grundy: Numbers  # NONE if it has no value
    score: Numbers | None = None  # of connect games


def values_of(game: Game, positions: Sequence[str], progress: Progress = SILENT) -> Values:
    """Return the exact values of positions. Raises InputError, which names the place, if one is invalid or too large.

    Positions of connect boards are read and solved compiled, some microseconds each near the end of the game.
    """
    if isinstance(game.start, Connect):
        return _connect_values(game, game.start, positions, progress)
    rows = []
    for place, position in enumerate(positions):
        with naming(f"position {place + 1:,}"):
            solved = answer(game, game.new(position), progress, patience=Patience())
        plies, grundy = solved.remoteness, solved.verdict.grundy
        rows.append((solved.outcome.worth, NONE if plies is None else plies, NONE if grundy is None else grundy))
        progress.report(place + 1, len(positions), "positions")
    return Values(*np.array(rows, np.int64).reshape(-1, 3).T)


def _connect_values(game: Game, start: Connect, positions: Sequence[str], progress: Progress) -> Values:
    from nimtui.engine.connect.solver import GOING, WON, WRONG, ending, read

    with connect.lent_solver(start) as solver:
        board, size = solver.board, len(positions)
        mine, discs, results = np.zeros((3, size), np.int64)
        text = "".join(position if position.isascii() else "?" for position in positions)
        ends = np.cumsum([len(position) if position.isascii() else 1 for position in positions], dtype=np.int64)
        read(board, np.frombuffer(text.encode(), np.uint8), ends, mine, discs, results)
        for place in np.flatnonzero((results == WRONG) | (len(start.top) > 9)).tolist():
            with naming(f"position {place + 1:,}"):
                state = game.new(positions[place])
            mine[place], discs[place], _ = state.board
            results[place] = ending(int(mine[place] ^ discs[place]), int(discs[place]), board)
        empty = np.bitwise_count(board.full ^ discs).astype(np.int64)
        score = np.where(results == WON, -((empty + 2) // 2), 0)
        going = results == GOING
        if (book := book_of(start)) is not None:
            for ply in range(book.plies + 1):
                here = np.flatnonzero(going & (np.bitwise_count(discs) == ply))
                if not len(here):
                    continue
                score[here] = book.scores_at(ply, mine[here], discs[here])
                going[here] = score[here] == UNKNOWN
        for place in np.flatnonzero(going & (empty > connect.most_empty(start, patient=True))).tolist():
            with naming(f"position {place + 1:,}"):
                raise Unsolvable(str(theory.why_unsolvable(game, game.new(positions[place]), patient=True)))
        score[going] = solver.score_many(mine[going], discs[going], progress)
    plies = np.where(score > 0, 2 * ((empty + 1) // 2 - score) + 1, 2 * (empty // 2 + score + 1))
    remoteness = np.where(results != GOING, 0, np.where(score == 0, NONE, plies))
    return Values(np.sign(score), remoteness, np.full(size, NONE), score)
