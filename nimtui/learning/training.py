"""A training run: compiled self-play in chunks, with a learning curve, that can stop and resume.

The same game, learner and seed give the same table, curve and generator state. It does not matter how the games are
divided into runs, chunks and files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nimtui.engine import rng
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.learning import evaluate, sample
from nimtui.learning import learner as learners
from nimtui.learning.curve_points import (
    CURVE_FROM,
    LARGE,
    Chunk,
    CurveGames,
    FunctionPoint,
    Point,
    Points,
    against_random,
    curve_points,
    games_of_measure,
    measure,
)
from nimtui.learning.evaluate import Standing, choices
from nimtui.learning.graph_table import on_graph, why_unlearnable, why_untrainable
from nimtui.learning.learner import MOST, Learner, Scores, check_games, has_function, module_of, parse_learner, spec
from nimtui.learning.sample import Sample, SampledTruth, truth_of
from nimtui.learning.table import Table, are_numbers, load_run
from nimtui.process.plugins import RAISED
from nimtui.progress import SILENT, Progress, preparation
from nimtui.store import StoreError
from nimtui.theory.truth import Truth, truth

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph
    from nimtui.learning.compiled import Compiled, EntryCounts, Episode, GameSteps, SelfPlay
    from nimtui.learning.estimator import Estimator

FIRST_CHUNK, FIRST_PLIES = 200, 200_000  # games and plies: limits of the first chunk
TRIAL = 3.0  # seconds of games that promise the speed of a run
PLANNED = 1.5  # steps fall over so many times the games that the trial promises
USUAL_OVER = 1_000_000  # games over which steps fall, in a run without a goal
MOST_LOOKS = 2  # points computed at a time, each with a copy of the table


class Training:
    """One run of a learner on a game. `run` does the work; everything else may be read at any time."""

    def __init__(self, game: Game, learner: Learner | str, seed: int = 0, measured: bool = True) -> None:
        """Raise InputError for an untrainable game, before anything is allocated.

        A function that is not `measured` learns the same, in any game without graph, exact values and curve.
        """
        self.game = game
        self.learner: Learner = parse_learner(learner) if isinstance(learner, str) else learner
        if (fault := why_unlearnable(game, self.learner)) is not None:
            raise InputError(fault)
        self.seed, self._measured = seed, measured
        self.table = Table.empty(game, spec(self.learner), seed)
        self.counter = rng.start(seed)
        self.plies = 0
        self.seconds = 0.0  # in the kernel, without compiling and building the graph
        self.processor = 0.0  # the same as processor time of the thread that plays
        self.curve: list[Point | FunctionPoint] = []
        self.episode: Episode | None = None  # the last game, if it was played alone
        self.truth: Truth | None = None
        self.counts: EntryCounts | None = None  # what its tuples looked up …
        self.counting = False  # … if it is set before `prepare`
        self.more: dict[str, Any] = {}  # other values saved in the file
        self.sample: Sample | None = None  # where the game has no graph: what the function is measured on
        self.sampled: SampledTruth | None = None  # the part of it that is shown …
        self._met = np.zeros(0, np.int32)  # … and how often its own games played each move there, [edges]
        self._saved_met = np.zeros((0, 2), np.int64)  # the same as a file has it: edge and count
        self._shown: SampledTruth | None = None  # other positions of such a game, shown instead
        self.points: tuple[int, Points | None] = 0, None  # the newest, and after how many games
        self.torn = False  # does the table hold part of an unfinished game, or scores that are not numbers?
        self._compiled: Compiled | SelfPlay | None = None
        self._before: tuple[int, int]  # games and plies that `_compiled` does not count
        self._points: Iterator[int]
        self._point: int  # the next game count at which the curve has a point
        self._chunk: Chunk
        self._watched_chunk = Chunk(1)
        self._looking: deque[tuple[int, Future[Point | FunctionPoint]]] = deque()
        self._looker: ThreadPoolExecutor | None = None
        self._curve_games = CurveGames()

    @property
    def games(self) -> int:
        """The games played so far."""
        return self.table.games

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def ready(self) -> bool:
        """Is the graph built and everything compiled?"""
        return self._compiled is not None

    @preparation()
    def prepare(self, progress: Progress = SILENT) -> None:
        """Build the graph, compile the kernels and take over the current table; `run` calls this too."""
        graph = None
        if self._measured and why_untrainable(self.game) is None:
            self.truth = self.truth or truth(self.game, progress)
            graph = self.truth.graph
            self.table = on_graph(self.table, graph)
        elif self._measured and self.sample is None and sample.why_none(self.game) is None:
            self.sample = sample.of(self.game, progress)
        if self._compiled is None:
            progress.report(0, 1, "compiling")
        self._compiled = self._player(graph, progress)
        self._compiled.play(0)
        games, plies = self._compiled.done
        self._before = self.games - games, self.plies - plies
        self._chunk = Chunk(1 if graph is None else max(1, min(FIRST_CHUNK, FIRST_PLIES // graph.longest)))
        self._points = curve_points(self.games, LARGE if graph is None else len(self.table.cells))
        self._point = next(self._points)
        if not self.games and not self.curve and not self._looking:
            self._mark()

    @property
    def marked(self) -> int:
        """The games of the newest point of the curve, which may still be worked out; −1 without a point."""
        return self._looking[-1][0] if self._looking else self.curve[-1].games if self.curve else -1

    @property
    def listed(self) -> Truth | None:
        """The positions that are shown, with their exact values: all of the game, some of the sample, or others."""
        return self._shown or self.own

    @property
    def own(self) -> Truth | None:
        """All positions of the game, or some of the sample."""
        if self.truth is not None or self.sample is None:
            return self.truth
        self.sampled = self.sampled or truth_of(self.sample)
        return self.sampled

    def show(self, positions: SampledTruth | None) -> None:
        """Show these positions of a game without a graph from now on; None: some of the sample again."""
        self._shown = positions

    def listed_scores(self) -> tuple[Scores, npt.NDArray[np.int32]]:
        """Return copies of the score of each listed move as it is now, and of how often it was played, [edges]; 0 where
        that is not counted.
        """
        if self.truth is not None or self.listed is None or self.estimator is None:
            return self.scores().copy(), self.table.visits.copy()
        scores = np.zeros(len(self.listed.graph.to))
        self.estimator.fill(self.listed.graph, scores)
        return scores, self._met.copy() if self._shown is None else np.zeros(len(scores), np.int32)

    def listed_standing(self, scores: Scores, listed: Truth | None = None) -> Standing:
        """Return the standing of these scores of the moves of listed positions [default: those that are shown]."""
        positions = listed or self.listed
        assert positions is not None
        return (evaluate.sampled_standing if self.truth is None else evaluate.standing)(positions, scores)

    @property
    def estimator(self) -> Estimator | None:
        """The function, if the learner has one."""
        return self.table.function

    def _player(self, graph: Graph | None, progress: Progress) -> Any:
        """Return what plays the games: on a table laid out along the graph, with a function, or a student's file."""
        if learners.is_student(self.learner):
            from nimtui.learning.students.games import StudentGames

            assert graph is not None
            return StudentGames(graph, self.learner, self.table, self.over, progress)
        from nimtui.learning.compiled import Compiled, SelfPlay

        if not has_function(self.learner):
            assert graph is not None
            return Compiled(graph, self.learner, self.table, self.counter, progress)
        from nimtui.learning.compiled import EntryCounts

        if self.counting and self.estimator is not None:
            self.counts = self.counts or EntryCounts.of(self.estimator, self.games, graph is not None)
        among = None
        if isinstance(listed := self.own, SampledTruth):
            if len(self._met) != len(listed.graph.to):
                self._met = np.zeros(len(listed.graph.to), np.int32)
                edges, counts = self._saved_met[self._saved_met[:, 0] < len(self._met)].T
                self._met[edges] = counts
            among = listed, self._met
        return SelfPlay(self.counter, self.table, graph, lambda: self.over, among, self.counts)

    def scores(self) -> Scores:
        """Return the score of each move, [cells], as it is now, after `prepare`; none where the game has no graph."""
        return self.table.cells if self._compiled is None else self._compiled.refresh()

    def run(self, games: int, progress: Progress = SILENT) -> None:
        """Play this many more games. If the progress cancels, the games played so far stay."""
        until = self.games + games
        check_games(self.learner, until)
        self.plan(games)
        self.prepare(progress)
        first = self.games
        try:
            while self.games < until:
                self.advance(until - self.games)
                progress.report(self.games - first, games, "games")
            self.finish_points(progress)
        finally:
            self.settle()
            self.drop_points()

    def plan(self, games: int) -> None:
        """Let the steps of a function fall over so many games, if none was played yet and nothing is planned."""
        if (has_function(self.learner) or learners.is_student(self.learner)) and not self.games:
            self.more.setdefault("over", games)

    def plan_time(self, seconds: float) -> None:
        """Plan for more games than a copy promises in its first games for so many seconds of processor time.

        Steps still large at the end find more right moves (docs/generalising.md); an average of weights smooths them.
        """
        if not has_function(self.learner) or self.games or "over" in self.more:
            return
        from nimtui.learning.compiled import SelfPlay

        assert isinstance(self._compiled, SelfPlay)
        self.plan(max(1, round(PLANNED * self._compiled.speed(min(TRIAL, seconds / 10)) * seconds)))

    def advance(self, games: int) -> int:
        """Play one chunk of at most this many games, after `prepare`; return how many."""
        assert self._compiled is not None
        first = self.games
        with self._counted(self._chunk):
            self._compiled.play(min(self._chunk.games, games, self._point - first))
        return self.games - first

    def watch(self, games: int, until_change: bool = False) -> tuple[int, bool]:
        """Play a chunk as `advance`, and set `episode` to its last game.

        With `until_change` the chunk ends after a game that changes a best-scored move where the choice matters (see
        `evaluate.choices`). Return the number of games, and whether the last one made such a change.
        """
        assert self._compiled is not None and (self.truth is not None or not until_change)
        nodes = np.zeros(0, np.int64) if self.truth is None or not until_change else choices(self.truth)
        first = self.games
        self._compiled.watch(0)  # compiled, or loaded, before the clock runs
        with self._counted(self._watched_chunk):
            last, changed = self._compiled.watch(min(self._watched_chunk.games, games, self._point - first), nodes)
        self.episode = self._compiled.episode(self.games, last)
        return self.games - first, changed

    def game_steps(self) -> GameSteps | None:
        """Return what the last game, which `watch` played, taught a function; None without one."""
        return getattr(self._compiled, "game_steps", lambda number: None)(self.games)

    def before_change(self) -> tuple[Scores, npt.NDArray[np.int32]]:
        """Return copies of scores and visits before the last game, which `watch` played until a change."""
        assert self._compiled is not None and self.episode is not None
        visits = self.table.visits.copy()
        np.subtract.at(visits, self.episode.edges, 1)
        return self._compiled.scores_before, visits

    def standing(self) -> Standing:
        """Return the standing of the current table, after `prepare`, where the game has a graph."""
        assert self.truth is not None
        return evaluate.standing(self.truth, self.scores())

    def curve_to(self, now: Standing | None) -> list[Point | FunctionPoint]:
        """Return the curve with a last point for the current games, which may be between the fixed points."""
        is_there = self.curve and self.curve[-1].games == self.games
        curve = self.curve if is_there else [*self.curve, self._now(now)]
        last, (measured, taken) = curve[-1], self.points
        if measured != self.games or taken is None or taken.perfect is None or not isinstance(last, FunctionPoint):
            return curve
        return [*curve[:-1], last._replace(points_against_perfect=taken.perfect.points)]

    def finish_points(self, progress: Progress = SILENT) -> None:
        """Wait for the games against perfect play of points of the curve."""
        self._curve_games.wait(progress)
        self._harvest(0)

    def drop_points(self) -> None:
        """Stop the games against perfect play; points of the curve that lack them stay without."""
        self._curve_games.drop()

    def measure_points(self, progress: Progress = SILENT) -> None:
        """Play the games that measure a function, where the game has no graph; in Connect Four that takes a minute."""
        number = games_of_measure(self.games)
        if number and self.estimator is not None and self.truth is None:
            self.points = self.games, measure(self.estimator, number, progress)

    def _now(self, now: Standing | None) -> Point | FunctionPoint:
        if now is None:
            assert self.estimator is not None
            return self._point_of(self.games, self.estimator)
        point = self._look(self.games, self.scores()) if has_function(self.learner) else None
        return point or Point(self.games, now.accuracy, now.unbeaten)

    @property
    def over(self) -> int:
        """The games over which the steps of a function fall, if its learner does not say: the first goal."""
        return int(self.more.get("over", USUAL_OVER))

    def settle(self) -> None:
        """Wait for the last points of the curve, which a thread computes if the table is large; take in a function."""
        self._harvest(0)
        self._stop_looking()
        if not self.torn:
            self.scores()

    def abandon(self) -> None:
        """Drop the points that are still being computed, and the games of others."""
        self.drop_points()
        self._stop_looking()

    def _stop_looking(self) -> None:
        self._looking.clear()
        if self._looker is not None:
            self._looker.shutdown(wait=False, cancel_futures=True)
            self._looker = None

    def _harvest(self, most: int) -> None:
        """Add the finished points to the curve; wait until at most `most` are unfinished."""
        while self._looking and (len(self._looking) > most or self._looking[0][1].done()):
            self.curve.append(self._looking[0][1].result())
            self._looking.popleft()
        for games, points in self._curve_games.finished(self.curve[-1].games if self.curve else -1):
            at = next(at for at, point in enumerate(self.curve) if point.games == games)
            self.curve[at] = self.curve[at]._replace(points_against_perfect=points)  # type: ignore[call-arg]

    def save(self, path: Path) -> None:
        """Save the run and its table in a file. Raises StoreError if that fails, or a weight has become no number."""
        if self.estimator is not None and not self.estimator.sound:
            raise StoreError(str(self._no_number()))
        if not self.torn:
            self._take_in()
        self.settle()
        self.table.save(path, self._state())

    def snapshot(self) -> Callable[[Path], None]:
        """Return what saves the run of a function as it is now, as `save` does, while it plays on, from any thread."""
        self._take_in()
        table, state, fault = self.table.copy(), deepcopy(self._state()), str(self._no_number())
        graph, looks = None if self.truth is None else self.truth.graph, [look for _, look in self._looking]

        def save(path: Path) -> None:
            assert table.function is not None
            if not table.function.sound:
                raise StoreError(fault)
            if graph is not None:
                table.function.fill(graph, table.cells)
            table.save(path, {**state, "curve": [*state["curve"], *(look.result() for look in looks)]})

        return save

    def _state(self) -> dict[str, Any]:
        """Return what a file says of the run beside its table."""
        return {
            "rng": int(self.counter[0]),
            "plies": self.plies,
            "seconds": self.seconds,
            "processor": self.processor,
            "curve": self.curve,
            "more": self.more,
            "met": np.stack((np.flatnonzero(self._met), self._met[self._met > 0]), axis=1).tolist(),
        }

    @classmethod
    def load(cls, path: Path) -> Training:
        """Return a saved run, ready to resume. Raises StoreError for any other file."""
        table, run = load_run(path)
        if run is None:
            raise StoreError(f"{path} holds a table, but not the run that made it")
        training = cls(table.game, table.learner, table.seed)
        training.table = table
        try:
            training.counter = np.array([run["rng"]], np.uint64)
            training.plies = int(run["plies"])
            training.seconds = float(run["seconds"])
            training.processor = float(run.get("processor", training.seconds))
            kind: Any = FunctionPoint if has_function(training.learner) else Point
            training.curve = [
                kind(int(games), *(None if share is None else float(share) for share in shares))
                for games, *shares in run["curve"]
            ]
            training.more = dict(run["more"])
            met = training._saved_met = np.array(run.get("met", []), np.int64).reshape(-1, 2)
            if (met < 0).any() or (met > MOST).any():
                raise ValueError("invalid counts of positions")
            if "over" in training.more and not 1 <= int(training.more["over"]) <= MOST:
                raise ValueError(f"invalid over: {training.more['over']}")
        except (LookupError, TypeError, ValueError, OverflowError) as fault:
            raise StoreError(f"{path} lacks parts of a run: {fault}") from None
        return training

    @contextmanager
    def _counted(self, chunk: Chunk) -> Iterator[None]:
        """Count the games played in this context, even after Ctrl+C, which takes effect after the kernel."""
        assert self._compiled is not None
        started, began, games = perf_counter(), thread_time(), self.games
        failure: BaseException | None = None
        try:
            yield
        except RAISED as fault:  # raised below, when the games are counted
            self.torn, failure = True, fault
        finally:
            seconds = perf_counter() - started
            self.seconds += seconds
            self.processor += thread_time() - began
            self.torn = self.torn or not self.sound(self.table.cells)
            self._take_in()
            chunk.took(self.games - games, seconds)
        if not self.sound(self.table.cells):
            raise self._no_number() from failure
        if failure is not None:
            raise failure

    def _take_in(self) -> None:
        """Count the games played, and add the point of the curve that is due.

        Calling it twice is safe: Ctrl+C may come between any two steps of Python, also here.
        """
        if self._compiled is None:
            return
        games, plies = self._compiled.done
        self.table.games, self.plies = self._before[0] + games, self._before[1] + plies
        if self.torn:
            return
        self._harvest(MOST_LOOKS)
        if self.games == self._point and self.marked != self.games:
            self._mark()
        if self.games >= self._point:
            self._point = next(self._points)

    def sound(self, scores: Scores) -> bool:
        """Are all scores numbers? A personal learner may write others; such a table is not saved, judged or shown.

        A function with steps that are too large has other values, too.
        """
        if self.estimator is not None and np.isnan(self.estimator.room.values).any():
            return False
        return module_of(self.learner).__name__.startswith("nimtui.") or are_numbers(scores)

    def _no_number(self) -> InputError:
        module = module_of(self.learner)
        if self.estimator is not None:
            return InputError(
                f"{self.table.learner}: after {self.games:,} games values are no numbers: take smaller steps"
            )
        score = self.table.cells[~np.isfinite(self.table.cells)][0]
        what = f"the learner {module.NAME} wrote {score} as a score within {self.games:,} games"
        return InputError(f"{what}, in {module.__file__}")

    def _mark(self) -> None:
        """Add a point to the curve: at once, or from a copy in a thread if that takes long."""
        if self.truth is None and self.sample is None:
            return
        if self.sample is None and len(self.table.cells) < LARGE:
            self.curve.append(self._look(self.games, self.scores()))
            return
        self._harvest(MOST_LOOKS - 1)
        self._looker = self._looker or ThreadPoolExecutor(1, "curve")
        if self.sample is None:
            look = self._looker.submit(self._look, self.games, self.scores().copy())
        else:
            assert self.estimator is not None
            copy = self.estimator.copy()
            look = self._looker.submit(self._point_of, self.games, copy)
            if self.games >= CURVE_FROM:
                self._curve_games.play(self.games, copy)
        self._looking.append((self.games, look))

    def _point_of(self, games: int, estimator: Estimator) -> FunctionPoint:
        """Return the point of a function that does not change meanwhile, on a game without a graph."""
        right = None if self.sample is None else estimator.right_moves(self.sample)
        return FunctionPoint(games, None, None, right, None, against_random(estimator).points)

    def _look(self, games: int, scores: Scores) -> Point | FunctionPoint:
        assert self.truth is not None
        point = Point(games, evaluate.accuracy_of(self.truth, scores), evaluate.unbeaten(self.truth, scores))
        if not has_function(self.learner):
            return point
        right = evaluate.right_moves(self.truth, scores, self.table.visits).everywhere
        chances = evaluate.chances(self.truth, scores, evaluate.FIRST, timely=True)
        random = evaluate.against_random(self.truth, scores, evaluate.FIRST)
        return FunctionPoint(*point, right, *(odds.win + odds.draw / 2 for odds in (chances, random)))
