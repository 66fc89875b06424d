"""The one way to the exact value of a position, for all commands and screens.

`answer` raises Unsolvable if the value is out of reach; `known_answer` returns None. Both use a formula or a solver if
the game has one, and otherwise the values of all positions, within some seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from nimtui import theory
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress, Relay
from nimtui.theory import connect
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
            if drawn or plies is None or move == moves[-1] or theory.remoteness(game, at, progress) == plies - 1:
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
    after = base.copy(state)
    base.play(after, move)
    return theory.solve(game, after, progress).outcome.reply


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
