"""The base of agents that play by exact values: the value of each move under perfect play."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from nimtui import theory
from nimtui.agents.agent import Decision, Loading, Memoryless, Terse, Thinking, Thought, moves_of
from nimtui.engine import policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.theory.answers import outcome_of

if TYPE_CHECKING:
    from nimtui.theory.truth import Truth


class Exact(Loading, Memoryless, Terse):
    """Plays by theory: a random move among those that keep the outcome; in a lost position that is any move.

    Ready as soon as theory answers at once.
    """

    def __init__(self, game: Game) -> None:
        """Raise InputError if the game is too large to solve from its first position."""
        if (fault := theory.why_unsolvable(game, game.first)) is not None:
            raise InputError(f"{self.name} cannot play {game.name}: {fault}")
        self.game = game
        self._loaded = theory.is_instant(game, game.first)

    name: str

    def _load(self, progress: Progress) -> None:
        """Solve all that follows the first position. The theory caches the result."""
        theory.solve(self.game, self.game.first, progress)

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves = moves_of(state)
        move = self.choose(state, stream, progress)
        verdict = theory.solve(self.game, state, progress)
        worths = (outcome_of(self.game, state, each, verdict, progress).worth for each in moves)
        thoughts = tuple(Thought(each, float(worth)) for each, worth in zip(moves, worths, strict=True))
        progress.think(lambda: Thinking(thoughts, move))
        return Decision(move, thoughts, seconds=perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        self.prepare(progress)
        return stream.choose(theory.solve(self.game, state, progress).best_moves)

    def policy(self, truth: Truth) -> policy.Policy | None:
        return policy.among(truth.graph, truth.keeps)
