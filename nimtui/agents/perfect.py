"""Plays what theory says."""

from __future__ import annotations

from time import perf_counter

from nimtui import theory
from nimtui.agents.agent import Decision, Thought, moves_of
from nimtui.agents.exact import Exact, move_values
from nimtui.agents.options import Options
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress

NAMES = ("perfect",)
FORMS = (("perfect", "never gives away what it has; where it must lose, any move"),)
PRESETS = (("Perfect", "perfect"),)


class Perfect(Exact):
    """One of the moves that keep the outcome, each as likely as the others; where lost, that is any move."""

    name = "perfect"
    title = "Perfect"

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves = moves_of(state)
        self.prepare(progress)
        move = stream.choose(theory.solve(self.game, state, progress).best_moves)
        values = move_values(self.game, state, progress)
        thoughts = tuple(Thought(move, float(values[move])) for move in moves)
        return Decision(move, thoughts, seconds=perf_counter() - began)


def parse(word: str, text: str, game: Game) -> Perfect:
    Options(word, text)
    return Perfect(game)
