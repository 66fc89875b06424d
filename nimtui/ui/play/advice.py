"""Hints and explanations for a person: what theory says of a position, in words. May take long: see `is_instant`."""

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

PLAYOUTS = 1000  # after each move, where a hint has nothing better to go by


@dataclass(frozen=True, slots=True)
class Hint:
    """A good move, and why in one line."""

    move: Move
    text: str


def hint(game: Game, state: State, progress: Progress = SILENT) -> Hint:
    """The best move and why; where the position is too large to solve, the one that wins most random games."""
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
        most = "" if how else f" {_name(game, state, move)} leaves the most."
        return Hint(move, f"Every move loses against perfect play{how}.{most}")
    move = verdict.best_moves[0] if not verdict.scores else move
    return Hint(move, f"{_name(game, state, move)} {_effect(game, state, move, why)}")


def _name(game: Game, state: State, move: Move) -> str:
    """The move at the beginning of a sentence."""
    name = game.move_name(move, state)
    return f"Column {name}" if game.board_kind == "columns" else name


def _spare(score: int) -> str:
    """Of Pons's score: how many discs the winner has to spare."""
    return f", at best with {plural(score - 1, 'disc', 'discs')} to spare" if score > 1 else ""


def _effect(game: Game, state: State, move: Move, why: Explanation) -> str:
    """What a good move does: 'wins: it evens every binary column'."""
    if why.outcome is Outcome.DRAW:
        return "holds the draw: with best play nobody wins."
    if why.score is not None:
        spare = why.score - 1
        return f"wins with {plural(spare, 'disc', 'discs')} to spare." if spare else "wins with the last disc."
    balance = next((found for found in why.balancing if found.move == move), None)
    if why.limit is not None and len(why.rows) == 1 and balance is not None:
        left = why.rows[0].matches - len(game.touched(state, move))
        by = why.limit + 1
        return f"wins: it leaves {left}, and whoever faces a remainder of {left % by} by {by} loses."
    if balance is None:
        return "wins: worked out to the end."
    if balance.leaves_ones:
        return "wins: it leaves an odd number of ones; the last falls to the other side."
    return f"wins: it evens every binary column, nim-sum {why.nim_sum} to 0."


def _sampled(game: Game, state: State, progress: Progress) -> Hint:
    agent = parse_agent(f"mc:playouts={PLAYOUTS}", game)
    agent.prepare(progress)
    decision = agent.decide(state, Stream(0), progress)
    thought = next(thought for thought in decision.thoughts if thought.move == decision.move)
    share = 50 * ((thought.value or 0.0) + 1)
    name = _name(game, state, decision.move)
    seen = f"{share:.0f} % of {PLAYOUTS:,} random games"
    return Hint(decision.move, f"{name} looks best: {seen}. Too large to solve exactly.")


def explained(game: Game, state: State) -> Explanation | str:
    """The explanation of this position, or in one line why there is none."""
    try:
        return theory.explain(game, state)
    except theory.Unsolvable as fault:
        return str(fault)
