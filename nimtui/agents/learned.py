"""What the agents share that play by a learned table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Lock
from time import perf_counter

from nimtui.agents.agent import Decision, Thought, moves_of
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.learning import parse_learner
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress

UNKNOWN = "No move here has a score above 0, so the table knows no good one: it plays at random."


class TableAgent(ABC):
    """Plays a move of the best score if that is above 0, such moves being equally likely; else as its learner does.

    The reward learner then draws a random row and a random count (original 000, which of several best moves always
    takes the first).
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
        most = max(scores.values())
        if most > 0:
            move = stream.choose([move for move, score in scores.items() if score == most])
        else:
            move = parse_learner(self._table.learner).choose(state, scores, stream)
        thoughts = tuple(Thought(move, score=score) for move, score in scores.items())
        return Decision(move, thoughts, "" if most > 0 else UNKNOWN, perf_counter() - began)
