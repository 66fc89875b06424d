"""The base of agents that play by a learned table, and the trained opponents: any learner by its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Lock
from time import perf_counter

from nimtui.agents.agent import Decision, Memoryless, Terse, Thinking, Thought, moves_of
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.learning import graph_table, opponents
from nimtui.learning.learner import has_function, learners, module_of, parse_learner
from nimtui.learning.learners.average import Average
from nimtui.learning.learners.q import Q
from nimtui.learning.opponents import Opponent, parse_opponent
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress, preparation
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
        largest = int(base.largest_payoff(state))
        thoughts = tuple(Thought(move, read(score), score=score, largest=largest) for move, score in scores.items())
        progress.think(lambda: Thinking(thoughts))
        move = self.choose(state, stream, progress)
        unknown = graph_table.draws(parse_learner(self._table.learner), max(scores.values()))
        return Decision(move, thoughts, UNKNOWN if unknown else "", perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        self.prepare(progress)
        assert self._table is not None
        return self._table.move(state, stream)

    def policy(self, truth: Truth) -> Policy | None:
        self.prepare()
        assert self._table is not None
        return graph_table.policy(self._table, truth)


class OfTable(TableAgent):
    """Plays by a table that it has from the first moment, perhaps in no file."""

    def __init__(self, table: Table, name: str, title: str) -> None:
        super().__init__(table.game)
        self.name, self.title = name, title
        self.memoryless = graph_table.plays_best_scored(parse_learner(table.learner))
        self._table = table

    def _make(self, progress: Progress) -> Table:
        raise AssertionError("it has its table from the first moment")


def _reader(table: Table) -> Callable[[float], float | None]:
    """Return how a table's scores are read as results, expected or proven; None for a score that is none."""
    learner = parse_learner(table.learner)
    if isinstance(learner, VALUED) or has_function(learner):
        return float
    proven = getattr(module_of(learner), "SURE", None)  # the score of a proven win, and with − of a proven loss
    return lambda score: None if proven is None or abs(score) != proven else float(score > 0) - float(score < 0)


def names() -> tuple[str, ...]:
    """Return the names of all learners, added ones included."""
    return tuple(learners())


def forms() -> tuple[tuple[str, str], ...]:
    """Return the forms of the names, with descriptions."""
    return tuple(
        (f"{word}[:games=1000000,seed=0,…]", f"the {word} learner after this many games of self-play")
        for word in learners()
    )


PRESETS = (("Self-taught by 5,000,000 games", "reward:games=5000000,seed=0"),)


class TrainedAgent(TableAgent):
    """A learner after its training, which runs when first needed. Long trainings are saved."""

    def __init__(self, game: Game, opponent: Opponent) -> None:
        """Raise InputError for a game without a table of this learner."""
        if (fault := opponent.why_not(game)) is not None:
            raise InputError(f"{opponent.name} cannot play: {fault}" + "; try mc" * (not game.pays))
        super().__init__(game)
        self.opponent = opponent
        self.name = opponent.name
        self.title = _title(opponent)
        self.memoryless = graph_table.plays_best_scored(opponent.learner)

    @property
    def ready(self) -> bool:
        """Return whether the table exists, or takes only a moment to train or read."""
        return super().ready or opponents.is_ready(self.game, self.opponent)

    def _make(self, progress: Progress) -> Table:
        return opponents.trained(self.game, self.opponent, progress, self.faults)


def _title(opponent: Opponent) -> str:
    learner, _, parameters = opponent.name.partition(":")
    if opponent.level:
        return f"{opponent.level.capitalize()} ({plural(opponent.games, 'game', 'games')})"
    others = [part for part in parameters.split(",") if not part.startswith(("games=", "seed=0"))]
    settings = ", ".join((f"{plural(opponent.games, 'game', 'games')}", *(part.replace("=", " ") for part in others)))
    return f"{learner.capitalize()} learner ({settings})"


def parse(word: str, text: str, game: Game) -> TrainedAgent:
    return TrainedAgent(game, parse_opponent(f"{word}:{text}" if text else word))
