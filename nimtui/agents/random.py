"""Plays any legal move."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from nimtui.agents.agent import AlwaysReady, Decision, Thought, moves_of
from nimtui.agents.options import Options
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress

NAMES = ("random",)
FORMS = (("random", "any legal move, each as likely as the others"),)
PRESETS = (("Random", "random"),)


@dataclass(frozen=True)
class Random(AlwaysReady):
    """Every legal move is as likely as the others."""

    name = "random"
    title = "Random"

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves = moves_of(state)
        thoughts = tuple(Thought(move) for move in moves)
        return Decision(stream.choose(moves), thoughts, seconds=perf_counter() - began)


def parse(word: str, text: str, game: Game) -> Random:
    Options(word, text)
    return Random()
