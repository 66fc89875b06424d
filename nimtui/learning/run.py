"""A training run that a person controls, watches and saves. The app and the command line run it as a job.

`Run.work` does the work. Any thread may call everything else; it takes effect at the end of a chunk of games, some
30 ms. The job itself pauses and cancels. Its file is saved regularly, and never over a file that another nimtui has
written.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.errors import InputError
from nimtui.learning import evaluate
from nimtui.learning.compiled import Episode, GameSteps
from nimtui.learning.curve_points import LARGE, look_counts
from nimtui.learning.evaluate import looks
from nimtui.learning.goal import reached
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import check_games, most_games
from nimtui.learning.reasons import Account
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.learning.views import NO_STANDING, Live, View, Views
from nimtui.process.detached import give_way_to_screen
from nimtui.progress import SILENT, Progress, Task, preparation
from nimtui.store import StoreError, claims, guard, paths

if TYPE_CHECKING:
    from nimtui.games.base import Move, State
    from nimtui.learning.sample import SampledTruth

SAVE_SECONDS = 10.0  # between two checkpoints
FIRST_SAVE_SECONDS = 2.0  # from the start to the first


class Checkpoint:
    """The file of a run, and what it holds. Without a path nothing is saved."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.games: int | None = None  # games in the file
        self.fault = ""  # why the last save failed, in one line
        self._read: tuple[Path, claims.Stamp | None] | None = None  # the file of a resumed run, as it was read
        self._saved = 0.0
        self._claim: claims.Claim | None = None
        self._working = False  # does a run work on the file, so that it must be claimed?
        self._thread = ThreadPoolExecutor(1, "checkpoint")  # its thread starts with the first save aside
        self._writing: Future[None] | None = None

    def load(self) -> Training:
        """Return the run in the file. Raises StoreError if it holds no run."""
        assert self.path is not None
        read = claims.stamp(self.path)  # taken before reading, so that a write meanwhile is noticed
        training = Training.load(self.path)
        self._read, self.games = (self.path, read), training.games
        return training

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Claim the file, so that no other process writes it.

        Raises StoreError if another process works on it, or has written it since it was read.
        """
        self._claim, self._working = None if self.path is None else claims.claim(self.path), True
        try:
            if self._read is not None and self._read[0] == self.path and claims.stamp(self.path) != self._read[1]:
                raise StoreError(f"{self.path} was written by another nimtui after this one read it: open it again")
            yield
        finally:
            self._working = False
            try:
                self.finish()
            finally:
                self.close()

    def close(self) -> None:
        """Release the file, so that other processes may write it."""
        if self._claim is not None:
            self._claim.release()
            self._claim = None

    def begin(self) -> None:
        """Start the clock of checkpoints: the first one is due sooner than the next ones."""
        self._saved = monotonic() - max(0.0, SAVE_SECONDS - FIRST_SAVE_SECONDS)

    @property
    def due(self) -> bool:
        """Is the next checkpoint due?"""
        is_writing = self._writing is not None and not self._writing.done()
        return monotonic() - self._saved > SAVE_SECONDS and not is_writing

    def lacks(self, training: Training) -> bool:
        """Does this run have games that the file lacks?"""
        return self.path is not None and training.games not in (0, self.games)

    def save(self, training: Training) -> None:
        """Save a run that does not change meanwhile. If that fails, `fault` says why."""
        self.finish()
        if self.path is not None:
            self._write(self.path, training.save, training.games)

    def save_aside(self, training: Training) -> None:
        """Save a run as `save` does. A function is saved from a copy in a thread, which the run does not wait for."""
        if self.path is None or training.estimator is None:
            self.save(training)
            return
        self.finish()
        self._writing = self._thread.submit(self._write, self.path, training.snapshot(), training.games)

    def finish(self) -> None:
        """Wait until the save aside is done. Raises what it raised, but a StoreError, which is in `fault`."""
        writing, self._writing = self._writing, None
        if writing is not None:
            with suppress(CancelledError):  # a point of the curve that it waited for, of a run that was reset
                writing.result()

    def _write(self, path: Path, write: Callable[[Path], None], games: int) -> None:
        try:
            paths.ensure(path.parent)
            write(path)
            self._read = path, claims.stamp(path)
            self.games, self.fault = games, ""
            guard.saved(path, games)
        except StoreError as fault:
            self.fault = str(fault)
        self._saved = monotonic()

    def move(self, path: Path | None, fault: str = "") -> None:
        """Save the run in another file from now on, which holds nothing of it yet; None: nowhere, for `fault`.

        Raises StoreError if another process works on that file.
        """
        self.finish()
        claim = claims.claim(path) if self._working and path is not None else None
        self.close()
        self._claim = claim
        self.path, self.games, self.fault = path, None, fault


SINGLY = 20.0  # games per second: up to this speed each game is played alone and can be followed
SLICE = 0.05  # seconds between two reports while waiting for the next game


class FollowedGame(NamedTuple):
    """One game that was played alone, and the run just before and just after it."""

    episode: Episode | None  # None where positions are too many to be listed
    steps: GameSteps | None  # what it taught a function
    before: View
    after: View


class Stop(NamedTuple):
    """Where a run pauses: after this many more games, after the first that changes a greedy move, or nowhere."""

    after: int | None = None
    at_change: bool = False


class Run(Task):
    """One run. `reset` replaces `training`.

    A lock protects the table: playing games, saving and copying the table take it.
    """

    kind = "training"
    writer: Checkpoint

    def __init__(self, training: Training, path: Path | None = None) -> None:
        """`path` is the file of the run; None: the run is not saved."""
        self.training = training
        self.writer = Checkpoint(path)
        self.views = Views(self)
        self.gives_way = False  # does its thread come after that of a screen?
        self.led = False  # does another program set the speed?
        self._live = Live(self)
        self.speed: float | None = None  # games per second; None: no limit
        self.following = False  # are games that are played alone shown move by move?
        self.followed_game: FollowedGame | None = None  # the last such game
        self.last: int | None = None  # the goal, in games; None: no limit
        self.until_perfect = False
        self.until: float | None = None  # the goal in seconds of processor time; None: no limit
        self._perfect_at = 0  # the games at the next check for perfection
        self._request: Stop | None = None  # the request that is not obeyed yet
        self._stop = Stop()  # the one that is obeyed: after so many games in all
        self._reset = self._save = False
        self._table = threading.RLock()
        self._request_lock = threading.Lock()
        self._wake = threading.Event()

    def show(self, positions: SampledTruth | None) -> None:
        """Show these positions of a game without a graph; None: some of the sample again. The next view has them."""
        with self._table:
            self.training.show(positions)
            self.views.newest = None

    @property
    def about(self) -> tuple[str, str]:
        seed = f", seed {self.training.seed}" if self.training.seed else ""
        return f"{self.training.table.learner}{seed}", self.training.game.name

    @property
    def done(self) -> int:
        """Return how many games are played."""
        return self.training.games

    @property
    def stepping(self) -> bool:
        """Return whether it will pause by itself: after some games, or when a greedy move changes."""
        stop = self._request or self._stop
        return stop.at_change or stop.after is not None

    # Requests.

    def goal(self, games: int | None = None, until_perfect: bool = False, minutes: float | None = None) -> None:
        """End after this many more games, or when every position is played right, or after so many minutes of processor
        time; without a goal run until cancelled.

        Raises InputError if scores could overflow before, or nobody can tell whether every position is played right.
        """
        if until_perfect and why_untrainable(self.training.game) is not None:
            raise InputError(
                f"{self.training.game.name} has too many positions to tell whether every one is played right"
            )
        last = None
        if games is not None:
            last = self.training.games + games
            check_games(self.training.learner, last)
            self.training.plan(games)
        self.last, self.until_perfect = last, until_perfect
        self.until = None if minutes is None else self.training.processor + 60 * minutes
        self.training.more["goal"] = {"games": last, "perfect": until_perfect, "processor": self.until}

    def train_to(self, games: int) -> None:
        """End after so many games in all. Raises InputError as `goal` does."""
        self.goal(games - self.training.games)

    @classmethod
    def load(cls, path: Path) -> Run:
        """Return a saved run with its goal. Raises StoreError if the file holds no run."""
        file = Checkpoint(path)
        run = cls(file.load())
        run.writer = file
        saved = run.training.more.get("goal")
        goal: dict[str, Any] = saved if isinstance(saved, dict) else {}
        last = goal.get("games")
        run.last = last if isinstance(last, int) else None
        run.until_perfect = bool(goal.get("perfect"))
        until = goal.get("processor")
        run.until = float(until) if isinstance(until, int | float) else None
        return run

    def stop_after(self, games: int) -> None:
        """Pause after this many more games; games of the current chunk do not count."""
        self._ask(Stop(after=games))

    def stop_at_change(self) -> None:
        """Pause after the game that changes a greedy move: the best-scored moves of a position with a choice change.

        A position has a choice if some of its moves keep the exact value and others do not. While games are followed,
        `followed_game` is then this game.
        """
        self._ask(Stop(at_change=True))

    def keep_going(self) -> None:
        """Cancel a requested pause."""
        self._ask(Stop())

    def _ask(self, stop: Stop) -> None:
        with self._request_lock:
            self._request = stop

    def set_speed(self, speed: float | None) -> None:
        """Play this many games per second from now on; None: no limit."""
        self.speed = speed
        self._wake.set()

    def checkpoint(self) -> None:
        """Save the run at the end of this chunk."""
        self._save = True
        self._wake.set()

    def reset(self) -> None:
        """Start over with an empty table: same game, learner and seed."""
        self.keep_going()
        self._reset = True
        self._wake.set()

    # Other programs.

    def picture(self, question: dict[str, Any]) -> str:
        return self._live.picture(question)

    def steer(self, what: str, amount: float | None) -> None:
        self._live.steer(what, amount)

    # The work.

    def work(self, progress: Progress = SILENT) -> None:
        """Train until the goal. However it ends, the games played are saved, in the file too.

        Exception: if the learner raises, the last game is only partly learned, so the last checkpoint stays.
        Raises InputError if the table cannot count more games. Raises StoreError if another process works on the file,
        or has written it since it was read.
        """
        if self.gives_way:
            give_way_to_screen()
        with self.writer.claimed():
            self._work(progress)

    def _work(self, progress: Progress) -> None:
        with self._table, preparation():
            self.training.prepare(progress)
            if self.until is not None:
                self.training.plan_time(self.until - self.training.processor)
            games, cells = self.training.games, len(self.training.table.cells)
            self._perfect_at = next(look_counts(games - 1, cells)) if games else 0  # however the run was divided
            self._live.remember()
        self.writer.begin()
        self.views.look_now()
        try:
            self._obey()
            while not self._done():
                self._chunk(progress)
                self._report(progress)
                self._obey()
            self.views.look_now()
            self.training.finish_points(progress)
        finally:  # the most important comes first: closing the app waits only for a limited time
            self.views.close()
            if self.writer.games != self.training.games and not self.training.torn:
                self.save()
            self.training.settle()
            self.training.drop_points()
            if len(self.training.table.cells) < LARGE:
                self.views.look_now()

    @property
    def unsaved(self) -> bool:
        """Does the run have games that its file lacks?"""
        return self.writer.lacks(self.training)

    def save(self) -> None:
        """Save the run now, from any thread. If that fails, `file` says why and the run continues in memory."""
        with self._table:
            self.writer.save(self.training)

    def copy_table(self) -> Table:
        """Return a copy of the table as it is now."""
        with self._table:
            self.training.scores()
            return self.training.table.copy()

    def account(self, state: State | None = None, move: Move | None = None) -> Account:
        """Return why the function values this move so, as it is now; without a move what it has learned as a whole."""
        with self._table:
            return Account.of(self.training, self.training.games, state, move)

    def copy(self) -> tuple[Training, View]:
        """Return the training and a copy of its table, without a standing."""
        with self._table:
            training = self.training
            arrays = training.listed_scores()
            about = NO_STANDING, training.listed
            return training, View(training.games, training.plies, training.seconds, *arrays, *about)

    @property
    def finished(self) -> bool:
        """Return whether it has reached its goal: so many games, or every position played right."""
        return reached(self.training, self.last, self.until_perfect)

    def _done(self) -> bool:
        games = self.training.games
        if self.until is not None and self.training.processor >= self.until:
            self.last = games  # what is reached is a number of games
            self.training.more["goal"]["games"] = games
        if self.last is not None and games >= self.last:
            return True
        if not self.until_perfect or games < self._perfect_at:
            return False
        assert self.training.truth is not None
        if looks(self.training.truth, self.training.scores())[1]:
            self.training.more.setdefault("perfect", games)
            return True
        self._perfect_at = next(look_counts(games, len(self.training.table.cells)))
        return False

    def _obey(self) -> None:
        """Obey the requests made meanwhile."""
        self._wake.clear()
        if self._reset:
            self._reset = False
            with self._table:
                old = self.training
                fresh = Training(old.game, old.learner, old.seed)
                fresh.counting = old.counting
                fresh.more = {name: old.more[name] for name in ("goal", "over") if name in old.more}
                fresh.truth, fresh.sample, fresh.sampled = old.truth, old.sample, old.sampled
                fresh.prepare()
                old.abandon()
                self.writer.finish()
                self.training, self._perfect_at, self.writer.games = fresh, 0, None
                self._live.remember()
                self.followed_game = None
            self.views.look_now()
        if self._save or self.writer.due:
            self._save = False
            if self.unsaved:
                with self._table:
                    self.writer.save_aside(self.training)

    def _chunk(self, progress: Progress) -> None:
        """Play some games, no more than requested; then pause, or wait for the speed."""
        started, speed = monotonic(), self.speed
        with self._table:
            played, stop = self._play(speed)
            self._live.remember()
        if stop:
            self._stop = Stop()  # but keep a request made meanwhile
            self.views.look_now()
            if self.job is not None:
                self.job.pause()
        elif speed is not None:
            self._wait(started + played / speed, progress)

    def _play(self, speed: float | None) -> tuple[int, bool]:
        """Play some games; return how many, and whether to pause."""
        training = self.training
        with self._request_lock:
            request, self._request = self._request, None
        if request is not None:
            after = None if request.after is None else training.games + request.after
            self._stop = Stop(after, request.at_change)
        bound = most_games(training.learner)
        ends = [self.last, self._stop.after, self._perfect_at if self.until_perfect else None, bound]
        most = min(end for end in ends if end is not None) - training.games
        if training.games >= bound:
            raise InputError(f"the table of {training.table.learner} cannot count more than {bound:,} games")
        played, changed = 0, False
        if most <= 0:  # a new goal was set meanwhile: check it first
            pass
        elif self._stop.at_change:
            played, changed = training.watch(most, until_change=True)
            if changed and self.following:
                self._follow_change()
        elif self._stop.after is not None or (speed is not None and speed <= SINGLY):
            count = 1 if speed is not None and speed <= SINGLY else most
            played = self._play_followed() if count == 1 and self.following else training.watch(count)[0]
        else:
            played = training.advance(most if speed is None else min(most, ceil(speed * SLICE)))
        return played, changed or training.games == self._stop.after

    def _play_followed(self) -> int:
        """Play one game with a view before and after it, so that everything shown is of the same moment."""
        newest = self.views.newest
        before = newest if newest is not None and newest.games == self.training.games else self.views.look_now()
        played, _ = self.training.watch(1)
        episode, steps = self.training.episode, self.training.game_steps()
        if before is not None and (episode or steps) is not None and (after := self.views.look_now()) is not None:
            self.followed_game = FollowedGame(episode, steps, before, after)
        return played

    def _follow_change(self) -> None:
        """Set `followed_game` to the game that changed a best move."""
        training, after = self.training, self.views.look_now()
        if after is None or training.episode is None or training.truth is None:
            return
        scores, visits = training.before_change()
        standing = evaluate.standing(training.truth, scores)
        plies = after.plies - len(training.episode.edges)
        before = View(after.games - 1, plies, after.seconds, scores, visits, standing)
        self.followed_game = FollowedGame(training.episode, training.game_steps(), before, after)

    def _wait(self, until: float, progress: Progress) -> None:
        """Wait until this time or the next request; make views meanwhile."""
        self.views.look()
        while not self._wake.is_set() and (remaining := until - monotonic()) > 0:
            self._wake.wait(min(remaining, SLICE))
            self._report(progress)

    def _report(self, progress: Progress) -> None:
        self.views.look()
        if self.unsaved and len(self.training.table.cells) < LARGE and self.held():
            self.save()  # a run paused for an hour loses nothing
        progress.report(self.training.games, self.last or 0, "games")
