"""The base of agents that play by a learned table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from nimtui.agents.agent import Decision, Memoryless, Terse, Thinking, Thought, moves_of
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.learning import table_policy
from nimtui.learning.average import Average
from nimtui.learning.learner import module_of, parse_learner
from nimtui.learning.q import Q
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress, preparation

if TYPE_CHECKING:
    from nimtui.theory.truth import Truth

VALUED = (Average, Q)  # learners whose scores are expected results
UNKNOWN = "No move scores above 0, so the learner picks a random move."


class TableAgent(Memoryless, Terse, ABC):
    """Plays as its learner does after training: a random move among those with the best score.

    The reward learner plays a random move if no score is above 0.
    """

    name: str
    title: str

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults: list[str] = []  # one line per fault that did not stop the agent
        self._table: Table | None = None
        self._preparing = Lock()

    @property
    def table(self) -> Table | None:
        """Return the table, which may learn more; None before `prepare`."""
        return self._table

    @property
    def ready(self) -> bool:
        return self._table is not None

    @preparation()
    def prepare(self, progress: Progress = SILENT) -> None:
        with self._preparing:  # other threads wait for the same table
            if self._table is None:
                self._table = self._make(progress)

    @abstractmethod
    def _make(self, progress: Progress) -> Table:
        """Train or read the table."""

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves_of(state)
        self.prepare(progress)
        assert self._table is not None
        scores = self._table.scores(state)
        read = _reader(self._table)
        thoughts = tuple(Thought(move, read(score), score=score) for move, score in scores.items())
        progress.think(lambda: Thinking(thoughts))
        move = self.choose(state, stream, progress)
        unknown = table_policy.draws(parse_learner(self._table.learner), max(scores.values()))
        return Decision(move, thoughts, UNKNOWN if unknown else "", perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        self.prepare(progress)
        assert self._table is not None
        return self._table.move(state, stream)

    def policy(self, truth: Truth) -> Policy | None:
        self.prepare()
        assert self._table is not None
        return table_policy.policy(self._table, truth)


class OfTable(TableAgent):
    """Plays by a table that it has from the first moment, perhaps in no file."""

    def __init__(self, table: Table, name: str, title: str) -> None:
        super().__init__(table.game)
        self.name, self.title = name, title
        self.memoryless = table_policy.plays_best_scored(parse_learner(table.learner))
        self._table = table

    def _make(self, progress: Progress) -> Table:
        raise AssertionError("it has its table from the first moment")


def _reader(table: Table) -> Callable[[float], float | None]:
    """Return how a table's scores are read as results, expected or proven; None for a score that is none."""
    learner = parse_learner(table.learner)
    if isinstance(learner, VALUED):
        return float
    proven = getattr(module_of(learner), "SURE", None)  # the score of a proven win, and with − of a proven loss
    return lambda score: None if proven is None or abs(score) != proven else float(score > 0) - float(score < 0)
