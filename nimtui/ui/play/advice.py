"""Give hints and explanations of a position, from theory, in words. May take long: see `theory.is_instant`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.games.notation import plural
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome, Verdict, connect
from nimtui.theory.answers import Answer, answer, move_values
from nimtui.theory.explanation import Explanation
from nimtui.theory.merit import best_explained, merit

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
        found = answer(game, state, progress, quick=True)
        why = theory.explain(game, state)
    except theory.Unsolvable:
        return _sampled(game, state, progress)
    plies = _plies(game, state, found, progress)
    if found.outcome is Outcome.LOSS:
        return _lost(game, state, found.verdict, plies)
    move = min(plies, key=lambda at: plies[at]) if plies else best_explained(found.verdict)
    return Hint(move, f"{_name(game, state, move)} {merit(game, state, move, why, plies.get(move))}")


def _plies(game: Game, state: State, found: Answer, progress: Progress) -> dict[Move, int]:
    """Return the plies to the end after each best move, in a won or lost position; {} if they are unknown."""
    if found.remoteness is None:
        return {}
    values = move_values(game, state, progress, quick=True)
    return {each.move: each.remoteness for each in values if each.optimal and each.remoteness is not None}


def _lost(game: Game, state: State, verdict: Verdict, plies: dict[Move, int]) -> Hint:
    """Return the move that delays the end of a lost position, if that can be told."""
    said = f"Every move loses against perfect play{_spare(-(verdict.score or 0))}"
    taken = {move: len(game.touched(state, move)) for move in verdict.best_moves}
    if plies:
        move = min(plies, key=lambda at: (-plies[at], taken[at], at))
        if len(set(plies.values())) == 1:
            return Hint(move, f"{said}, in {plural(plies[move], 'ply', 'plies')}.")
        return Hint(move, f"{said}. {_name(game, state, move)} holds out longest: {plies[move]} plies.")
    move = min(taken, key=lambda at: (taken[at], at))
    matches = game.board_kind in ("rows", "runs") and len(set(taken.values())) > 1
    most = f" {_name(game, state, move)} leaves the most matches." if matches else ""
    return Hint(move, f"{said}.{most}")


def _name(game: Game, state: State, move: Move) -> str:
    """Return the move as the start of a sentence."""
    name = game.move_name(move, state)
    return f"Column {name}" if game.board_kind == "columns" else name


def _spare(score: int) -> str:
    """Return how many discs the opponent has to spare, from Pons's score."""
    return f", and the opponent has {plural(score - 1, 'disc', 'discs')} to spare" if score > 1 else ""


def _sampled(game: Game, state: State, progress: Progress) -> Hint:
    agent = parse_agent(f"mc:playouts={PLAYOUTS}", game)
    agent.prepare(progress)
    decision = agent.decide(state, Stream(0), progress)
    thought = next(thought for thought in decision.thoughts if thought.move == decision.move)
    share = 50 * ((thought.value or 0.0) + 1)
    name = _name(game, state, decision.move)
    # a draw counts as half
    seen = f"it won {share:.0f} % of" if theory.never_drawn(state) else f"it scored {share:.0f} % in"
    return Hint(decision.move, f"{name} looks best: {seen} {PLAYOUTS:,} random games. Not solved exactly.")


def explained(game: Game, state: State, progress: Progress = SILENT) -> Explanation | str:
    """Return the explanation of this position, or in one line why there is none."""
    try:
        why = theory.explain(game, state, progress)
        plies = theory.remoteness(game, state, progress, quick=True)
        end = connect.ending(game, state, progress) if isinstance(state, Connect) else None
        return replace(why, remoteness=plies, ending=end)
    except theory.Unsolvable as fault:
        return str(fault)
