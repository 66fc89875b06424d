"""Looks one move ahead in the exact values of all positions."""

from __future__ import annotations

from time import perf_counter

from nimtui.agents.agent import Decision, Thought, best_of, moves_of
from nimtui.agents.exact import Exact, move_values
from nimtui.agents.options import Options
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress

NAMES = ("value",)
FORMS = (("value", "the best of what each move is worth, won, drawn or lost, by the exact values"),)
PRESETS = (("Exact values", "value"),)


class Value(Exact):
    """A move of the highest exact value, each such move as likely as the others (original 002: the first)."""

    name = "value"
    title = "Exact values"

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves = moves_of(state)
        self.prepare(progress)
        values = move_values(self.game, state, progress)
        thoughts = tuple(Thought(move, float(values[move])) for move in moves)
        return Decision(best_of(thoughts, stream), thoughts, seconds=perf_counter() - began)


def parse(word: str, text: str, game: Game) -> Value:
    Options(word, text)
    return Value(game)
