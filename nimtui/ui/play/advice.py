"""Give hints and explanations of a position, from theory, in words. May take long: see `theory.is_instant`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.arena.review_text import start
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.games.doing import named
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Share
from nimtui.theory import connect, plain
from nimtui.theory.claims import OPPONENT, YOU, Player
from nimtui.theory.explanation import Explanation

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
        found = plain.explained(game, state, progress)
    except theory.Unsolvable:
        return _sampled(game, state, progress)
    return Hint(found.move, " ".join(found.sentences()))


def _sampled(game: Game, state: State, progress: Progress) -> Hint:
    agent = parse_agent(f"mc:playouts={PLAYOUTS}", game)
    agent.prepare(progress)
    decision = agent.decide(state, Stream(0), progress)
    thought = next(thought for thought in decision.thoughts if thought.move == decision.move)
    share = Share(((thought.value or 0.0) + 1) / 2).text
    name = start(named(game, state, decision.move))
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
        said = () if why.over else tuple(plain.explained(game, state, progress).sentences(mover, other))
        return replace(why, remoteness=plies, ending=end, plain=said)
    except theory.Unsolvable as fault:
        return str(fault)
