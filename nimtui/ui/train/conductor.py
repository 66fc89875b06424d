"""Keeps one training going, or two side by side: begins, paces, steps, keeps and copies them. Knows no widgets.

Belongs to the app, so a training goes on whichever screen is shown. Everything here happens in the event loop; what
takes long is a job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Progress
from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.train import runs as train_runs
from nimtui.ui.train.lane import PACES, USUAL_PACE, Lane, Pace
from nimtui.ui.train.setup import Goal, TrainSetup, parse_goal, told

if TYPE_CHECKING:
    from nimtui.learning.compiled import Episode
    from nimtui.learning.run import Run, Shown

MESSAGE_SECONDS = 6.0
FURTHER = 1_000_000  # games at least that a run goes on beyond its goal; else as many again as it has


class TrainConductor(Conductor):
    """One training after another. `changed` is called when something happened that no tick would show."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.setup: TrainSetup | None = None
        self.game: Game | None = None
        self.lanes: list[Lane] = []
        self.pace: Pace = USUAL_PACE
        self.following = False  # are games shown move by move?
        self._watched: float | None = None
        self._told = (0.0, "")  # since when the message is said
        self._saving = False
        self._asked: list[int] = []  # how many games there were when saving was asked for
        self._other: asyncio.Task[None] | None = None  # begins the second of two when the first is ready
        self._keeping: LatestJob[None] = LatestJob()
        self._loading: LatestJob[list[Lane]] = LatestJob()
        self._copying: LatestJob[Path] = LatestJob()
        self._before: list[npt.NDArray[np.bool_] | None] = []  # the best moves when a change of them was asked for

    # Beginning.

    def start(self, setup: TrainSetup) -> None:
        """Begin this training; one that is going on stops, and is kept. InputError where it cannot be."""
        from nimtui.learning.run import Run
        from nimtui.learning.training import Training

        setup = setup.validate()
        game, goal = parse_game(setup.game), parse_goal(setup.goal)
        runs: list[Run] = []
        for text in setup.learners:
            run = Run(Training(game, text, setup.seed))
            self._put(run, partial(train_runs.new_path, text, [other.file.path for other in runs]))
            run.goal(goal.games, goal.perfect)
            runs.append(run)
        self._begin([Lane(run) for run in runs], setup)

    def _put(self, run: Run, find: Callable[[], Path]) -> None:
        """Give it a file; without one it goes on in memory, and that is said."""
        try:
            run.file.move(find())
        except InputError as fault:
            run.file.move(None, str(fault))
            self.message = f"It is not kept: {fault}"

    def resume(self, path: Path, held: bool = True) -> None:
        """Open the run in this file as it was kept, and hold it there, or go on to its goal at once."""

        def load(progress: Progress) -> list[Lane]:
            from nimtui.learning.run import Run

            run = Run.load(path)
            if held:
                run.stop_after(0)
            return [Lane(run)]

        if any(lane.run.file.path == path and not lane.ended for lane in self.lanes):
            self.message = "It is this one that is going on"
            self.changed()
            return
        self.message = f"Reading {path.name}"
        self._loading.start(self.jobs, "reading a run", load, partial(self._loaded, held))
        self.changed()

    def _loaded(self, held: bool, job: Job[list[Lane]]) -> None:
        if job.result is None:
            self.message = f"It cannot be gone on with: {job.error_text or 'stopped'}"
            self.changed()
            return
        [lane] = job.result
        table = lane.training.table
        goal = told(Goal(lane.run.last, lane.run.until_perfect))
        setup = TrainSetup(train_runs.usual_name(lane.training.game.name), table.learner, "", table.seed, goal)
        self._begin(job.result, setup)
        self.message = f"As it was kept, after {table.games:,} games"
        if not train_runs.finished(lane.training, lane.run.last, lane.run.until_perfect):
            self.message += ": space goes on" if held else ": it goes on"

    def _begin(self, lanes: list[Lane], setup: TrainSetup) -> None:
        self.leave()
        self.lanes, self.setup, self.game = lanes, setup, lanes[0].training.game
        self._before = [None for _ in lanes]
        for lane in lanes:
            lane.run.views.every, lane.run.following = self._watched, self.following
        self._apply_pace()
        self._start(lanes[0])
        if len(lanes) > 1:
            self._other = asyncio.get_running_loop().create_task(self._start_others(lanes))
        self.changed()

    async def _start_others(self, lanes: list[Lane]) -> None:
        """The others begin when the first has worked the game out, whatever screen is shown."""
        if lanes[0].job is not None:
            async for _ in lanes[0].job.watch():
                if lanes[0].training.ready:
                    break
        for lane in lanes[1:]:
            if lane in self.lanes and lane.job is None:
                self._start(lane)

    def _start(self, lane: Lane) -> None:
        lane.start(self.jobs).add_done_callback(lambda job: self._ended(lane))

    def _ended(self, lane: Lane) -> None:
        """A run has come to its goal, or failed, or was stopped."""
        if lane in self.lanes and lane.job is not None:
            if lane.job.state is JobState.FAILED:
                self.message = f"{lane.learner} failed: {lane.job.error_text}"
            lane.pull()
            self.changed()

    def leave(self) -> None:
        """Let what is going on stop at its next chunk, saved."""
        self._loading.cancel()
        for lane in self.lanes:
            if lane.job is not None:
                lane.job.cancel()

    # Watching.

    @property
    def going(self) -> bool:
        """Does any of the runs go on now?"""
        return any(lane.going for lane in self.lanes) or self._loading.running or self._waiting

    @property
    def _waiting(self) -> bool:
        """Is there a second one that waits until the first has worked the game out?"""
        return any(lane.job is None for lane in self.lanes) and not any(lane.paused for lane in self.lanes)

    @property
    def paused(self) -> bool:
        return bool(self.lanes) and any(lane.paused for lane in self.lanes) and not self.going

    @property
    def ended(self) -> bool:
        return bool(self.lanes) and all(lane.job is not None and lane.ended for lane in self.lanes)

    @property
    def ready(self) -> bool:
        """Is the game worked out, and everything compiled?"""
        return bool(self.lanes) and self.lanes[0].training.ready

    def watch(self, seconds: float | None) -> None:
        """Make views so often from now on; None: nobody looks."""
        self._watched = seconds
        for lane in self.lanes:
            lane.run.views.every = seconds
            if seconds is None:
                lane.keep()  # nobody looks after it any more
        self._apply_pace()

    def follow(self, following: bool) -> None:
        """Shall games that are played alone be shown move by move?"""
        self.following = following
        for lane in self.lanes:
            lane.run.following = following

    def shown(self, at: int = 0) -> Shown | None:
        """The game played last where games are followed, and the table before and after it."""
        return self.lanes[at].run.shown if at < len(self.lanes) else None

    def tick(self) -> bool:
        """Look at what runs; is there a new view?"""
        self._apply_pace()
        self._saved()
        self._forget_message()
        new = [lane.pull() for lane in self.lanes]
        return any(new)

    def episode(self, at: int = 0) -> Episode | None:
        """The game played last, where games are followed one at a time."""
        return self.lanes[at].run.episode if at < len(self.lanes) else None

    @property
    def lost_by_leaving(self) -> str:
        """What leaving now would lose, or ''."""
        for lane in self.lanes:
            if not lane.ended and lane.games and lane.fault:
                return f"The training of {lane.learner} is not kept in a file."
        return ""

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """The jobs that are kept in files: nothing is lost when they are stopped."""
        return [lane.job for lane in self.lanes if lane.job is not None]

    # Controls.

    def pause_or_go_on(self) -> None:
        """Space: hold all, or let all go on; beyond their goal where all have come to it."""
        self.message = ""
        if any(lane.going for lane in self.lanes):
            for lane in self.lanes:
                if lane.job is not None and not lane.ended:
                    lane.job.pause()
        else:
            for lane in self.lanes:
                if lane.ended:
                    lane.run.keep_going()  # it may have been asked to hold where it was kept
            self._go_on()
        self.changed()

    def _go_on(self) -> None:
        still = [lane for lane in self.lanes if not lane.ended]
        for lane in still:
            if lane.job is not None:
                lane.job.resume()
        if not still:
            self._go_further()

    @property
    def further(self) -> int | None:
        """To how many games what has come to its goal would go on; None where nothing has, or can."""
        from nimtui.learning.learner import most_games

        if not self.ended:
            return None
        games = max(lane.training.games for lane in self.lanes)
        last = min(games + max(FURTHER, games), *(most_games(lane.training.learner) for lane in self.lanes))
        return last if last > games else None

    def _go_further(self) -> None:
        """Beyond the goal, in new files: the finished tables stay as they are kept."""
        last = self.further
        if last is None:
            self.message = "Its table can count no further"
            return
        for lane in self.lanes:
            run = lane.run
            run.goal(last - lane.training.games)
            taken = [other.run.file.path for other in self.lanes if other is not lane]
            self._put(run, partial(train_runs.further_path, run.file.path, lane.learner, taken))
            if run.file.path is not None:
                self.message = f"Beyond its goal, to {last:,} games, in a new file: the finished table stays"
            self._start(lane)

    def step(self, games: int) -> None:
        """So many games further, then hold."""
        self.message = ""
        for lane in self.lanes:
            lane.run.stop_after(games)
        self._go_on()
        self.changed()

    def to_change(self) -> None:
        """On until a greedy move changes, then hold."""
        self.message = "On to the next change of a best move"
        self._before = [None if lane.view is None else self.best(lane) for lane in self.lanes]
        for lane in self.lanes:
            lane.run.stop_at_change()
        self._go_on()
        self.changed()

    def found_change(self) -> list[int] | None:
        """Once, after `to_change` has come to its end: the positions that have other best moves now.

        None while it goes on, and where nothing has changed.
        """
        if not self._before or self._before[0] is None or self.going:
            return None
        for at, lane in enumerate(self.lanes):
            before = self._before[at]
            if before is None or lane.view is None:
                continue
            edges = np.flatnonzero(before != self.best(lane))
            if len(edges):
                self._before = [None for _ in self.lanes]
                ptr = lane.training.table.ptr
                found: list[int] = np.unique(np.searchsorted(ptr, edges, side="right") - 1).tolist()
                return found
        return None

    def best(self, lane: Lane) -> npt.NDArray[np.bool_]:
        """Which edges are of the best score of their position, [edges], in the newest view."""
        assert lane.view is not None
        scores, ptr = lane.view.scores, lane.training.table.ptr
        most = np.maximum.reduceat(scores, ptr[:-1])
        best: npt.NDArray[np.bool_] = scores == np.repeat(most, np.diff(ptr))
        return best

    def change_pace(self, by: int) -> None:
        """Faster (1) or slower (−1)."""
        at = PACES.index(self.pace) + by
        self.pace = PACES[max(0, min(len(PACES) - 1, at))]
        self.message = self.pace.said[0].upper() + self.pace.said[1:]
        self._apply_pace()
        self.changed()

    def _apply_pace(self) -> None:
        most = max((lane.games for lane in self.lanes), default=0)
        speed = self.pace.of(most, self._watched is not None)
        for lane in self.lanes:
            if speed != lane.run.speed:
                lane.run.set_speed(speed)

    def checkpoint(self) -> None:
        """Save all at their next chunk's end."""
        self.message, self._saving = "Saving", True
        for lane in self.lanes:
            if lane.going:
                lane.run.checkpoint()
        self._asked = [lane.games for lane in self.lanes]
        still = [lane.run for lane in self.lanes if not lane.going]

        def save(progress: Progress) -> None:
            for run in still:
                run.save()

        if still:
            self._keeping.start(self.jobs, "saving", save, lambda job: None)
        self.changed()

    def _saved(self) -> None:
        """Say that what was asked to be saved is."""
        games = [lane.run.file.games for lane in self.lanes]
        if self._saving and not self._keeping.running:
            if any(lane.run.file.fault for lane in self.lanes):
                self.message, self._saving = "", False  # the fault is said instead
            elif all(saved is not None and saved >= asked for saved, asked in zip(games, self._asked, strict=True)):
                told = " and ".join(f"{saved:,}" for saved in games)
                self.message, self._saving = f"Saved at {told} games", False

    def _forget_message(self) -> None:
        """What happened is said for some seconds."""
        if self.message != self._told[1]:
            self._told = (monotonic(), self.message)
        elif self.message and monotonic() - self._told[0] > MESSAGE_SECONDS:
            self.message = ""

    def reset(self) -> None:
        """Begin all anew with the same settings."""
        if self.ended and self.setup is not None:
            self.start(self.setup)  # what has come to its end stays in its file
        else:
            for lane in self.lanes:
                lane.thaw()
                lane.history.clear()
                lane.run.reset()
            self._go_on()
        self.message = "A new table, with the same settings"
        self.changed()

    def copy(self, at: int, done: Callable[[Path], object]) -> None:
        """Keep the table as it is now in a file of its own, for playing against it."""
        table = self.lanes[at].training.table.copy()

        def save(progress: Progress) -> Path:
            path = train_runs.copy_path(table.learner, table.games)
            table.save(path)
            return path

        def saved(job: Job[Path]) -> None:
            if job.result is not None:
                done(job.result)
            else:
                self.message = f"The table cannot be played: {job.error_text or 'stopped'}"
                self.changed()

        self._copying.start(self.jobs, "copying the table", save, saved)
