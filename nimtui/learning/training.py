"""A learner's run: compiled self-play in chunks, with its learning curve, that can stop and go on.

Same game, learner and seed: same table, curve and generator state, however the games are divided
into runs, chunks and files.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from nimtui.engine import rng
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.learning.learner import Learner, SelfPlay, check_games, parse_learner, spec
from nimtui.learning.table import Table, load_run
from nimtui.learning.truth import on_graph, why_untrainable
from nimtui.progress import SILENT, Progress
from nimtui.store import StoreError
from nimtui.theory.truth import Truth, truth

CHUNK_SECONDS = 0.03  # a chunk of games should take about this long
FIRST_CHUNK = 200  # games
FINE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # where in a decade the curve has its points
COARSE = (10, 20, 50)  # where a look at the whole table takes as long as many games
LARGE = 200_000  # cells


class Point(NamedTuple):
    """One point of a learning curve."""

    games: int
    accuracy: float


class Training:
    """One run of a learner on a game. `run` does the work; all else may be read at any time."""

    def __init__(self, game: Game, learner: Learner | str, seed: int = 0) -> None:
        """InputError, before anything is allocated, for a game that cannot be trained on."""
        if (fault := why_untrainable(game)) is not None:
            raise InputError(fault)
        self.game = game
        self.learner = parse_learner(learner) if isinstance(learner, str) else learner
        self.seed = seed
        self.table = Table.empty(game, spec(self.learner), seed)
        self.counter = rng.start(seed)
        self.plies = 0
        self.seconds = 0.0  # in the kernel; compiling and building the graph are not counted
        self.curve: list[Point] = []
        self._truth: Truth | None = None
        self._chunk = FIRST_CHUNK

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self.table.games

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def ready(self) -> bool:
        """Is the graph built and everything compiled?"""
        return self._truth is not None

    def prepare(self, progress: Progress = SILENT) -> None:
        """Build the graph and compile what is needed; `run` does it where nobody has."""
        if self._truth is not None:
            return
        known = truth(self.game, progress)
        self.table = on_graph(self.table, known.graph)
        progress.report(0, 1, "compiling")
        self._self_play(known)(0)
        self._truth = known
        if not self.curve:
            self._mark()

    def run(self, games: int, progress: Progress = SILENT) -> None:
        """So many games further. What has been played when the progress cancels is kept."""
        until = self.games + games
        check_games(self.learner, until)
        self.prepare(progress)
        assert self._truth is not None
        self.table = on_graph(self.table, self._truth.graph)  # it may have learned meanwhile
        play = self._self_play(self._truth)
        first, points = self.games, curve_points(self.games, len(self.table.cells))
        point = next(points)
        while self.games < until:
            self._play(play, min(self._chunk, until - self.games, point - self.games))
            if self.games == point:
                self._mark()
                point = next(points)
            progress.report(self.games - first, games, "games")

    def accuracy(self) -> float:
        """How much of perfect play the table holds now, 0 to 1 (see `evaluate.accuracy`)."""
        from nimtui.engine import evaluate

        self.prepare()
        assert self._truth is not None
        known = self._truth
        return evaluate.accuracy(known.graph, known.values, known.keeps, self.table.cells)

    def save(self, path: Path) -> None:
        """Keep the run in a file, which is the table's too. StoreError where that fails."""
        run = {
            "rng": int(self.counter[0]),
            "plies": self.plies,
            "seconds": self.seconds,
            "curve": self.curve,
        }
        self.table.save(path, run)

    @classmethod
    def load(cls, path: Path) -> Training:
        """A run as it was saved, to go on with. StoreError for any other file."""
        table, run = load_run(path)
        if run is None:
            raise StoreError(f"{path} holds a table, but not the run that made it")
        training = cls(table.game, table.learner, table.seed)
        training.table = table
        try:
            training.counter = np.array([run["rng"]], np.uint64)
            training.plies = int(run["plies"])
            training.seconds = float(run["seconds"])
            training.curve = [Point(int(games), float(share)) for games, share in run["curve"]]
        except (LookupError, TypeError, ValueError, OverflowError) as fault:
            raise StoreError(f"{path} lacks parts of a run: {fault}") from None
        return training

    def _self_play(self, known: Truth) -> SelfPlay:
        return self.learner.compiled(known.graph, self.table.cells, self.counter)

    def _play(self, play: SelfPlay, games: int) -> None:
        begun = perf_counter()
        self.plies += play(games)
        taken = perf_counter() - begun
        self.seconds += taken
        self.table.games += games
        if games == self._chunk or taken > CHUNK_SECONDS:
            wanted = games * CHUNK_SECONDS / max(taken, 1e-6)
            self._chunk = math.ceil(min(wanted, 4 * games))

    def _mark(self) -> None:
        self.curve.append(Point(self.games, self.accuracy()))


def curve_points(after: int, cells: int) -> Iterator[int]:
    """The game counts above this one at which the curve of a table of so many cells has a point."""
    decade = 1
    while True:
        for step in FINE if cells < LARGE else COARSE:
            games, rest = divmod(step * decade, 10)
            if not rest and games > after:
                yield games
        decade *= 10
