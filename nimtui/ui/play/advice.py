"""Give hints and explanations of a position, from theory, in words. May take long: see `theory.is_instant`."""

from __future__ import annotations

from dataclasses import dataclass

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome
from nimtui.theory.explanation import Explanation

PLAYOUTS = 1000  # per move, for a hint in a position that is too large to solve


@dataclass(frozen=True, slots=True)
class Hint:
    """Holds a good move, and the reason in one line."""

    move: Move
    text: str


def hint(game: Game, state: State, progress: Progress = SILENT) -> Hint:
    """Return the best move and why; if the position is too large to solve, the move that wins most random games."""
    try:
        verdict = theory.solve(game, state, progress)
        why = theory.explain(game, state)
    except theory.Unsolvable:
        return _sampled(game, state, progress)
    if verdict.scores:
        move = max(verdict.best_moves, key=lambda at: (verdict.scores or {}).get(at, 0))
    else:
        move = min(verdict.best_moves, key=lambda at: (len(game.touched(state, at)), at))
    if verdict.outcome is Outcome.LOSS:
        how = _spare(-(verdict.score or 0)) if verdict.score else ""
        most = "" if how else f" {_name(game, state, move)} leaves the most to play."
        return Hint(move, f"Every move loses against perfect play{how}.{most}")
    move = verdict.best_moves[0] if not verdict.scores else move
    return Hint(move, f"{_name(game, state, move)} {_effect(game, state, move, why)}")


def _name(game: Game, state: State, move: Move) -> str:
    """Return the move as the start of a sentence."""
    name = game.move_name(move, state)
    return f"Column {name}" if game.board_kind == "columns" else name


def _spare(score: int) -> str:
    """Return how many discs the opponent has to spare, from Pons's score."""
    return f", and the opponent has {plural(score - 1, 'disc', 'discs')} to spare" if score > 1 else ""


def _effect(game: Game, state: State, move: Move, why: Explanation) -> str:
    """Return what a good move does: 'wins: nim-sum 3 becomes 0'."""
    if why.outcome is Outcome.DRAW:
        return "holds the draw. No move wins."
    if why.score is not None:
        spare = why.score - 1
        return f"wins with {plural(spare, 'disc', 'discs')} to spare." if spare else "wins with the last disc."
    balance = next((found for found in why.balancing if found.move == move), None)
    if why.limit is not None and len(why.rows) == 1 and balance is not None:
        left = why.rows[0].matches - len(game.touched(state, move))
        by = why.limit + 1
        return f"wins: it leaves {left}. Divided by {by} the remainder is {left % by}, a lost position."
    if balance is None:
        return "wins: solved to the end of the game."
    if balance.leaves_ones:
        return "wins: it leaves an odd number of ones, so the opponent takes the last match."
    return f"wins: nim-sum {why.nim_sum} becomes 0, so every binary column is even."


def _sampled(game: Game, state: State, progress: Progress) -> Hint:
    agent = parse_agent(f"mc:playouts={PLAYOUTS}", game)
    agent.prepare(progress)
    decision = agent.decide(state, Stream(0), progress)
    thought = next(thought for thought in decision.thoughts if thought.move == decision.move)
    share = 50 * ((thought.value or 0.0) + 1)
    name = _name(game, state, decision.move)
    seen = f"it won {share:.0f} % of {PLAYOUTS:,} random games"
    return Hint(decision.move, f"{name} looks best: {seen}. Not solved exactly.")


def explained(game: Game, state: State) -> Explanation | str:
    """Return the explanation of this position, or in one line why there is none."""
    try:
        return theory.explain(game, state)
    except theory.Unsolvable as fault:
        return str(fault)
