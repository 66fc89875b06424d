"""The random agent: plays any legal move."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from nimtui.agents.agent import AlwaysReady, Decision, Memoryless, Terse, Thought, moves_of
from nimtui.agents.registry import Options
from nimtui.engine import policy
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

NAMES = ("random",)
FORMS = (("random", "any legal move, all equally likely"),)
PRESETS = (("Random", "random"),)


@dataclass(frozen=True)
class Random(AlwaysReady, Memoryless, Terse):
    """Plays a legal move, all equally likely."""

    name = "random"
    title = "Random"

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves = moves_of(state)
        thoughts = tuple(Thought(move) for move in moves)
        return Decision(stream.choose(moves), thoughts, seconds=perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        return stream.choose(moves_of(state))

    def policy(self, truth: Truth) -> policy.Policy:
        return policy.among(truth.graph, np.ones(len(truth.graph.to), np.bool_))


def parse(word: str, text: str, game: Game) -> Random:
    Options(word, text)
    return Random()
