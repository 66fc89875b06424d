"""What the agents share that play by a learned table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from nimtui.agents.agent import Decision, Memoryless, Terse, Thought, moves_of
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.learning import table_policy
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress

if TYPE_CHECKING:
    from nimtui.theory.truth import Truth

UNKNOWN = "No move here has a score above 0, so the table knows no good one: it plays at random."


class TableAgent(Memoryless, Terse, ABC):
    """Plays as its learner does after training: one of the best-scored moves, such moves being equally likely.

    The reward learner plays at random where no score is above 0.
    """

    name: str
    title: str

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults: list[str] = []  # a line for each thing that went wrong without stopping it
        self._table: Table | None = None
        self._preparing = Lock()

    @property
    def table(self) -> Table | None:
        """The table it plays by, which may learn more; None until it is prepared."""
        return self._table

    @property
    def ready(self) -> bool:
        return self._table is not None

    def prepare(self, progress: Progress = SILENT) -> None:
        with self._preparing:  # whoever asks meanwhile waits for the same table
            if self._table is None:
                self._table = self._make(progress)

    @abstractmethod
    def _make(self, progress: Progress) -> Table:
        """Train the table, or read it."""

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves_of(state)
        self.prepare(progress)
        assert self._table is not None
        scores = self._table.scores(state)
        move = self.choose(state, stream, progress)
        thoughts = tuple(Thought(move, score=score) for move, score in scores.items())
        unknown = self._table.learner.startswith("reward") and max(scores.values()) <= 0
        return Decision(move, thoughts, UNKNOWN if unknown else "", perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        self.prepare(progress)
        assert self._table is not None
        return self._table.move(state, stream)

    def policy(self, known: Truth) -> Policy | None:
        self.prepare()
        assert self._table is not None
        return table_policy.policy(self._table, known)
