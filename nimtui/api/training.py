"""`nimtui.train`: trains a learner by self-play.

`nimtui.load`: a learned table, as a mapping from positions to the scores of their moves.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy.typing as npt

from nimtui import games
from nimtui.agents import registry
from nimtui.agents.learned import OfTable
from nimtui.api.door import Report, Watch, Watcher, checked, reading
from nimtui.api.games import Game, GameLike, game, handed_in, own_files
from nimtui.errors import InputError
from nimtui.foreign.reading import check_folder, is_there
from nimtui.jobs.work import Work
from nimtui.learning import export, learner, report, run, saved_tables
from nimtui.learning import table as learned
from nimtui.learning.curve_points import FunctionPoint, Point
from nimtui.learning.report import now_of
from nimtui.learning.report import trained as report_of
from nimtui.learning.training import Training
from nimtui.process.plugins import RAISED, fault_text
from nimtui.progress import Cancelled
from nimtui.report.blocks import Report as Told
from nimtui.report.blocks import Sentence
from nimtui.report.document import document, read_back
from nimtui.report.values import Named

LearnerLike: TypeAlias = str | ModuleType | tuple[Any, ...]
"""A learner wherever one is taken: its name ('quality:margin=50'), a module of an own learner, or a NamedTuple of its
parameters, the LEARNER of such a module."""


class Run(Report):
    """A finished training: its report and its table. It plays wherever an agent is taken."""

    learner: str
    seed: int
    games: int
    """Games played; fewer than asked for if Ctrl+C stopped the training, or every position was right before."""
    seconds: float
    accuracy: float
    """The share of the best-scored moves that keep the outcome, averaged over positions not lost, 0 to 1; None, as all
    that is counted over all positions, for a learner with a function where these are too many."""
    unbeaten: float
    """How often the table does not lose to perfect play, 0 to 1."""
    proof: bool
    """Whether the table makes no mistake in the favoured seats, whatever its opponent plays."""
    perfect: bool
    """Whether the table plays every position right."""

    def __init__(self, trained: run.Run, stopped: bool) -> None:
        result = report_of(trained)
        if stopped:
            after = Sentence(f"stopped after {Named(trained.training.games, 'game', 'games')}")
            result = Told([*result.blocks, after])
        super().__init__(result)
        self.stopped = stopped
        """Whether Ctrl+C stopped the training."""
        training = trained.training
        self.game = game(training.game)
        self.table = Table(training.table)
        self.curve: list[Point | FunctionPoint] = list(training.curve_to(now_of(trained)))
        """Points of (games, accuracy, unbeaten), the last one for the table; with right_moves and
        points_against_perfect for a learner with a function."""
        self._training = training

    @property
    def weights(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of the weights of a learner with a function, by name; {} of a table.

        Those of tuples are [sides, entries of all tuples], those of a net [sides, values of inputs and one, hidden] and
        `out` [sides, hidden and one].
        """
        estimator = self._training.estimator
        return {} if estimator is None else {name: part.copy() for name, part in estimator.arrays().items()}

    @property
    def columns(self) -> dict[str, list[float | None]]:
        """The curve as columns: 'games', 'accuracy' and so on, each a list."""
        return {name: [getattr(point, name) for point in self.curve] for name in self.curve[-1]._fields}

    @checked
    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> None:
        """Save the run: `nimtui train --resume` continues it, `nimtui.load` reads its table.

        Raises InputError if the file exists (unless `force`) or cannot be written.
        """
        path = Path(file)
        if is_there(path) and not force:
            raise InputError(f"{path} already exists: force=True overwrites it")
        check_folder(path)
        self._training.save(path)

    def as_agent(self) -> str:
        """Return the name under which it plays in this process: 'quality-5000', after 5,000 games."""
        return self.table.as_agent()


@checked
def train(
    on: GameLike,
    learner: LearnerLike = "reward",
    games: int = 1_000_000,
    *,
    seed: int = 0,
    until_perfect: bool = False,
    progress: Watch = None,
) -> Run:
    """Train a learner by self-play, and return the run: `nimtui.train("tower:16", "proof", games=2_000).accuracy`.

    The same game, learner, games and seed give the same run. `until_perfect` ends it when the table plays every
    position right. `to_dict()` is the document of `nimtui train --json`. Raises InputError for an invalid game,
    learner or number, for a game without a table, and if your own learner fails. Ctrl+C returns the run so far.
    """
    chosen = game(on)
    trained = run.Run(Training(chosen.rules, _learner(learner), seed))
    trained.goal(games, until_perfect)
    watcher = Watcher("train", progress)
    with watcher, watcher.orderly(lambda: trained.training.ready), own_faults(trained.training):
        Work.here(trained, watcher)
        trained.training.measure_points(watcher)
    return Run(trained, watcher.stopped)


@contextmanager
def own_faults(training: Training) -> Iterator[None]:
    """Raise InputError if an own learner fails within. The last checkpoint stays."""
    module = learner.module_of(training.learner)
    try:
        yield
    except (Cancelled, InputError):
        raise
    except RAISED as fault:
        if module.__name__.startswith("nimtui."):
            raise
        raise InputError(f"the learner in {module.__file__} failed: {fault_text(fault)}") from fault


@reading("a learner")
def _learner(one: LearnerLike) -> Any:
    """Return the learner as training takes it. Raises InputError for anything else."""
    if isinstance(one, ModuleType):
        learner.add(one)
        handed_in.append(one)
        return str(one.NAME)
    if isinstance(one, str):
        return one
    if not hasattr(one, "_fields"):
        raise InputError(f"a learner is a name such as 'quality', not {type(one).__name__}")
    learner.add(learner.module_of(one))
    return one


class Table(Mapping[str, dict[str, float]]):
    """The scores of a learner: `table["1,4,5"]` is the score of each move there. It plays wherever an agent is taken.

    Its keys are the names of the positions that the learner met. Any other position of the game has the scores from
    before any game.
    """

    def __init__(self, table: learned.Table) -> None:
        self._table = table
        self.game = Game(table.game)
        self.learner = table.learner
        self.seed = table.seed
        self.games = table.games

    def best_moves(self, position: str | None = None) -> list[str]:
        """Return the moves of the highest score [default: at the start]. Raises InputError for an invalid position."""
        state = self.game.state(position)
        return [self.game.rules.move_name(move, state) for move in self._table.best_moves(state)]

    def visits(self, position: str | None = None) -> dict[str, int]:
        """Return how often the learner played each move. Raises InputError for an invalid position."""
        state = self.game.state(position)
        return {self.game.rules.move_name(move, state): count for move, count in self._table.visits_of(state).items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `nimtui table FILE --json`, with every position and its optimal moves."""
        return read_back(document(report.positions(self._table, list(export.positions(self._table)))))

    def as_agent(self) -> str:
        """Return the name under which it plays in this process: 'quality-5000', after 5,000 games."""
        word = self.learner.partition(":")[0]
        return registry.enter(self._table, f"{word}-{self.games}", self._playing)

    def _playing(self, game: games.Game, name: str) -> OfTable:
        if self._table.game != game:
            raise InputError(f"the table {name} is for {self._table.game.name}, not for {game.name}")
        return OfTable(self._table, name, name)

    def __getitem__(self, position: str) -> dict[str, float]:
        state = self.game.state(position)
        return {self.game.rules.move_name(move, state): score for move, score in self._table.scores(state).items()}

    def __contains__(self, position: object) -> bool:
        try:
            return isinstance(position, str) and any(self._table.visits_of(self.game.state(position)).values())
        except InputError:
            return False

    def __iter__(self) -> Iterator[str]:
        return (self.game.rules.position_name(row.state) for row in self._table.rows())

    def __len__(self) -> int:
        return len(self._table.numbers)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        counts = f"{Named(self.games, 'game', 'games')}, {Named(len(self), 'position', 'positions')}"
        return f"<table of {self.learner} on {self.game.name}: {counts}>"


@checked
def load(file: str | os.PathLike[str]) -> Table:
    """Return the table in a file of `nimtui train --save`, or of the name that you taught ('NAME', 'NAME@2').

    Raises InputError if there is no such table, or the file is damaged.
    """
    own_files()
    return Table(saved_tables.load(os.fspath(file)).table)
