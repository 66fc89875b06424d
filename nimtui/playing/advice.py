"""Hints and explanations of a position, from theory, in words: at once, or as a job if that takes long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.arena.review.review_text import start
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.games.rule_text import named
from nimtui.jobs.conductor import Conductor
from nimtui.playing.sentences import inside
from nimtui.playing.session import Session
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Score, Share
from nimtui.theory import connect, plain
from nimtui.theory.answers import move_values
from nimtui.theory.claims import OPPONENT, YOU, Player
from nimtui.theory.explanation import Depth, Explanation

WHY = "why"  # the errand
PLAYOUTS = 1000  # per move, for a hint in a position that is too large to solve


@dataclass(frozen=True, slots=True)
class Hint:
    """Holds a good move, and the reason in one line."""

    move: Move
    text: str


def hint(game: Game, state: State, progress: Progress = SILENT) -> Hint:
    """Return the best move and why; if the position is too large to solve, the move that wins most random games.

    The best move wins soonest or holds out longest, if the remoteness is quickly known.
    """
    try:
        why = plain.explained(game, state, progress)
        return Hint(why.move, " ".join(why.sentences()))
    except theory.Unsolvable:
        pass
    agent = parse_agent(f"mcts:simulations={PLAYOUTS}" if game.pays else f"mc:playouts={PLAYOUTS}", game)
    agent.prepare(progress)
    decision = agent.decide(state, Stream(0), progress)
    thought = next(thought for thought in decision.thoughts if thought.move == decision.move)
    share = Share(((thought.value or 0.0) + 1) / 2).text
    name = start(named(game, state, decision.move))
    if game.pays:
        worth = Score((thought.value or 0.0) * int(base.largest_payoff(state)))
        return Hint(decision.move, f"{name} looks best: {worth} on average in a tree search. Not solved exactly.")
    # a draw counts as half
    seen = f"it won {share} of" if theory.never_drawn(state) else f"it scored {share} in"
    return Hint(decision.move, f"{name} looks best: {seen} {PLAYOUTS:,} random games. Not solved exactly.")


def explained(
    game: Game, state: State, progress: Progress = SILENT, mover: Player = YOU, other: Player = OPPONENT
) -> Explanation | str:
    """Return the explanation of this position, or in one line why there is none.

    `mover` and `other` name the player to move and the other one.
    """
    try:
        why = theory.explain(game, state, progress)
        plies = theory.remoteness(game, state, progress, quick=True)
        end = connect.ending(game, state, progress) if isinstance(state, Connect) else None
        words = () if why.over else tuple(plain.explained(game, state, progress).sentences(mover, other))
        values = () if why.over else tuple(move_values(game, state, progress, quick=True))
        return replace(why, remoteness=plies, ending=end, plain=words, values=values)
    except theory.Unsolvable as fault:
        return str(fault)


class Explaining:
    """Holds the explanation of one position, at once or by an errand."""

    def __init__(self, conductor: Conductor) -> None:
        self._conductor = conductor
        self.on = False
        self.depth = Depth.PLAIN  # stays from move to move
        self.explanation: Explanation | str | None = None  # None until it is ready; a text says why there is none

    def scores(self, session: Session) -> Mapping[Move, int]:
        """Return the exact scores of a connect game's columns on the board, as far as they are solved."""
        if isinstance(self.explanation, Explanation):
            moves = base.legal_moves(session.state)
            return dict(zip(moves, (score for _, score in self.explanation.scores), strict=False))
        return self._conductor.thoughts(WHY) or {}

    def explain(self, session: Session) -> None:
        """Drop the explanation, and explain the position on the board if explaining is on."""
        self._conductor.drop(WHY)
        self.explanation = None
        if not self.on:
            return
        game, state = session.game, base.copy(session.state)
        mover, other = _players(session)

        def explain(progress: Progress) -> Explanation | str:
            return explained(game, state, progress, mover, other)

        if session.over or (theory.is_instant(game, state) and not isinstance(state, Connect)):  # its line takes longer
            self.explanation = explain(SILENT)
        elif (reason := theory.why_unsolvable(game, state)) is not None:
            self.explanation = reason
        else:
            wrong = "cannot explain this position"
            self._conductor.errand(WHY, explain, self._explained, lambda why: self._explained(f"{wrong}: {why}"))

    @property
    def explains(self) -> bool:
        """Return whether an unfinished position is explained now."""
        return isinstance(self.explanation, Explanation) and not self.explanation.over

    def next(self, session: Session, close: bool = False) -> None:
        """Explain, go deeper, or after the last depth stop explaining; `close`: stop at once."""
        deeper = self.depth.deeper if self.explains and not close else None
        if deeper is None:
            self.on, self.depth = not self.on, Depth.PLAIN
            self.explain(session)
        else:
            self.depth = deeper

    def _explained(self, why: Explanation | str) -> None:
        self.explanation = why


def _players(session: Session) -> tuple[Player, Player]:
    """Return how sentences call the player to move and the other one: a person who may move is 'you'."""
    if session.person_may_move:
        return YOU, OPPONENT
    turn = session.record.turn
    mover, other = (Player(inside(session.called(seat))) for seat in (turn, 1 - turn))
    return mover, other
