"""Runs one training, or two side by side: starts, paces, steps, saves and copies them. Knows no widgets.

Belongs to the app, so a training continues whichever screen is shown. Everything here happens in the event loop; long
work is a job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from nimtui.errors import InputError, whole_number
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.jobs import Job, Jobs
from nimtui.jobs.conductor import Conductor
from nimtui.jobs.work import State
from nimtui.learning import sample
from nimtui.learning.evaluate import changed
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import distinct_names, most_games
from nimtui.learning.mirror import Mirror
from nimtui.learning.run import FollowedGame, Run
from nimtui.learning.training import Training
from nimtui.playing.setup import parse_game, usual_name
from nimtui.progress import Progress
from nimtui.report.values import Count
from nimtui.store.run_files import RunFile
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.train import setup as train_runs
from nimtui.ui.train.lane import PACES, USUAL_PACE, ForeignLane, Lane, Meetings, Pace
from nimtui.ui.train.setup import Goal, TrainSetup, parse_goal

MESSAGE_SECONDS = 6.0
LOOK = 0.1  # seconds between two looks whether the first of two has solved the game
FURTHER = 1_000_000  # games past the goal: at least this many, or as many as the run has


def further_goal(trainings: Sequence[Training]) -> int | None:
    """Return the next goal, in games, for trainings that reached theirs; None if a table cannot count more games."""
    games = max(training.games for training in trainings)
    last = min(games + max(FURTHER, games), *(most_games(training.learner) for training in trainings))
    return last if last > games else None


class TrainWork(Conductor):
    """Runs one training after another. Calls `changed` for events that no tick would show."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.setup: TrainSetup | None = None
        self.game: Game | None = None
        self.lanes: list[Lane] = []
        self.pace: Pace = USUAL_PACE
        self._hurried = False  # does this training run at full speed, whatever the pace?
        self.following = False  # are games shown move by move?
        self.whole = True  # can all positions be listed, so that games can be followed from one to the next?
        self._watched: float | None = None
        self._dated = (0.0, "")  # the message, and since when it is shown
        self._to_save: list[int] = []  # games of each lane when the person asked to save; [] once they are saved
        self._other: asyncio.Task[None] | None = None  # starts the second of two when the first is ready
        self._before: list[FollowedGame | None] | None = None  # the followed games when `to_change` started
        self.meetings = Meetings(self)

    # Starting.

    def start(self, setup: TrainSetup) -> None:
        """Start this training; a running one stops and is saved. Raises InputError if the set-up is invalid."""
        setup = setup.validate()
        game, goal = parse_game(setup.game), parse_goal(setup.goal)
        runs: list[Run] = []
        for text in setup.learners:
            run = Run(Training(game, text, setup.seed))
            self._put(run, partial(train_runs.new_path, text, [other.place for other in runs]))
            run.goal(goal.games, goal.perfect)
            runs.append(run)
        self._begin([Lane(self.jobs, run) for run in runs], setup)

    def watch_run(self, file: RunFile) -> None:
        """Show the training of another nimtui. It is read aside; then this one stops and is saved."""

        def show(run: Mirror) -> None:
            table = run.training.table
            setup = TrainSetup(usual_name(table.game.name), table.learner, "", table.seed, "")
            self._begin([ForeignLane(self.jobs, run)], setup)
            self.say(f"Run {file.id} of another nimtui. Press {key_of('train.take', 'T')} to take it over")

        self.errand("reading a run", lambda _: Mirror(file), show, "Cannot be shown")
        self.changed()

    @property
    def foreign(self) -> RunFile | None:
        return next((lane.foreign for lane in self.lanes), None)

    def continue_run(self, run: RunFile) -> None:
        if isinstance(run.place, Path):
            self.resume(run.place, held=False)

    def _put(self, run: Run, find: Callable[[], Path]) -> None:
        """Give the run a file. If that fails, it continues in memory and a message says so."""
        try:
            run.writer.move(find())
        except InputError as fault:
            run.writer.move(None, str(fault))
            self.message = f"Not saved: {fault}"

    def resume(self, path: Path, held: bool = True) -> None:
        """Open the run in this file and pause it (`held`), or continue to its goal at once."""
        if any(lane.place == path and not lane.ended and lane.foreign is None for lane in self.lanes):
            self.message = "This training is already open"
        else:
            self.message = f"Reading {path.name}"
            self.errand("reading a run", lambda _: Run.load(path), partial(self._loaded, held), "Cannot resume")
        self.changed()

    def _loaded(self, held: bool, run: Run) -> None:
        game = run.training.game
        if (fault := why_untrainable(game)) is not None and sample.why_none(game) is not None:
            self.message = f"Cannot be shown here: {fault}"
            return
        if held:
            run.stop_after(0)
        table = run.training.table
        goal = Goal(run.last, run.until_perfect).text
        setup = TrainSetup(usual_name(run.training.game.name), table.learner, "", table.seed, goal)
        self._begin([Lane(self.jobs, run)], setup)
        self.message = f"Restored after {plural(table.games, 'game', 'games')}"
        if not run.finished:
            self.message += f". Press {key_of('train.go-on', 'space')} to continue" if held else ". Continuing"

    def _begin(self, lanes: list[Lane], setup: TrainSetup) -> None:
        self.leave()
        self.meetings.forget()
        self.lanes, self.setup, self.game = lanes, setup, lanes[0].training.game
        self.whole = why_untrainable(self.game) is None
        self._before, self._hurried, self._to_save = None, False, []
        for lane, title in zip(lanes, distinct_names([lane.learner for lane in lanes]), strict=True):
            lane.title = title
            lane.run.views.every, lane.run.following = self._watched, self.following
            lane.training.counting = lane.run.gives_way = True
        self._apply_pace()
        self._start(lanes[0])
        if len(lanes) > 1:
            self._other = asyncio.get_running_loop().create_task(self._start_others(lanes))
        self.changed()

    async def _start_others(self, lanes: list[Lane]) -> None:
        """Start the others when the first has solved the game, whichever screen is shown."""
        while lanes[0].on and not lanes[0].training.ready:
            await asyncio.sleep(LOOK)
        for lane in lanes[1:]:
            if lane in self.lanes and lane.job is None:
                self._start(lane)

    def _start(self, lane: Lane) -> None:
        lane.go()
        assert lane.job is not None
        lane.job.add_done_callback(lambda job: self._ended(lane))

    def _ended(self, lane: Lane) -> None:
        """Handle a run that reached its goal, failed or was stopped."""
        if lane in self.lanes:
            if lane.state is State.FAILED:
                self.message = f"{lane.title} failed: {lane.fault}"
            lane.pull()
            self.changed()

    def leave(self) -> None:
        """Stop the running training at its next chunk, saved."""
        self.drop("reading a run")
        for lane in self.lanes:
            if lane.job is not None:
                lane.job.cancel()  # that of another program is only followed no longer

    # Watching.

    @property
    def idle(self) -> bool:
        return not self.lanes and not self.going

    @property
    def going(self) -> bool:
        """Does any of the runs run now, or the second one as soon as the first has solved the game?"""
        waiting = any(lane.job is None for lane in self.lanes) and not any(lane.paused for lane in self.lanes)
        return waiting or any(lane.running for lane in self.lanes) or self.on_errand("reading a run")

    @property
    def paused(self) -> bool:
        return bool(self.lanes) and any(lane.paused for lane in self.lanes) and not self.going

    @property
    def ended(self) -> bool:
        return bool(self.lanes) and all(lane.job is not None and lane.ended for lane in self.lanes)

    def watch(self, seconds: float | None) -> None:
        """Make a view every so many seconds; None: no screen shows the training."""
        self._watched = seconds
        for lane in self.lanes:
            lane.run.views.every = seconds
            if seconds is None:
                lane.keep()  # no tick will save it later
        self._apply_pace()

    def follow(self, following: bool) -> None:
        """Show games that are played one at a time move by move, or not."""
        self.following = following
        for lane in self.lanes:
            lane.run.following = self.following

    def tick(self) -> bool:
        """Poll the runs; return True if there is a new view."""
        self._apply_pace()
        self._saved()
        self._forget_message()
        new = [lane.pull() for lane in self.lanes]
        return any(new)

    @property
    def lost_by_leaving(self) -> str:
        """A sentence on what quitting now would lose, or ''."""
        lost = [lane.title for lane in self.lanes if not lane.ended and lane.training.games and lane.fault]
        return f"The training of {lost[0]} is not saved in a file." if lost else ""

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """The jobs that are saved in files: stopping them loses nothing."""
        return [lane.job for lane in self.lanes if lane.job is not None]

    # Controls.

    def pause_or_go_on(self) -> None:
        """Pause all runs, or continue all; past the goal if all have reached it (the space key)."""
        self.message = ""
        if self.foreign is not None and self.ended:
            self.take()  # it was stopped elsewhere, and continues here
        elif any(lane.running for lane in self.lanes):
            for lane in self.lanes:
                lane.pause()
        else:
            self.follow(self.pace.singly)
            for lane in self.lanes:
                if lane.ended:
                    lane.run.keep_going()  # it may have been opened paused
            self._go_on(saved=True)
        self.changed()

    def _go_on(self, saved: bool) -> None:
        """Continue all runs. Past the goal only a person who wants to train further (`saved`) gets a new file."""
        still = [lane for lane in self.lanes if not lane.ended]
        if still and saved:
            self._save_further()
        for lane in still:
            lane.unpause()
        if not still:
            self._go_further(saved)

    def _go_further(self, saved: bool) -> None:
        """Train past the goal: in new files if `saved`, else in memory. The finished tables stay as they are."""
        last = further_goal([lane.training for lane in self.lanes])
        if last is None:
            self.message = "The table cannot count more games"
            return
        for lane in self.lanes:
            lane.run.goal(last - lane.training.games)
            lane.finished = lane.finished if lane.beyond else lane.run.place
            lane.beyond = True
            lane.run.writer.move(None)
        if saved:
            self._save_further()
        elif not self.message:
            self.message = (
                f"Past the goal: not saved. Press {key_of('train.go-further', 'space')} to continue in a new file"
            )
        for lane in self.lanes:
            self._start(lane)

    def _save_further(self) -> None:
        """Give the runs that train past their goal their own files."""
        for lane in self.lanes:
            if lane.beyond:
                lane.beyond, taken = False, [other.run.place for other in self.lanes if other is not lane]
                self._put(lane.run, partial(train_runs.further_path, lane.finished, lane.learner, taken))
                if lane.run.place is not None:
                    last = Count(lane.run.last or 0).text
                    old = "; the old one stays" if lane.finished is not None else ""
                    self.message = f"Training past the goal to {last} games (new file{old})"

    def step(self, games: int) -> None:
        """Play this many games, then pause; a single one move by move."""
        self.message = ""
        self.follow(games == 1)
        for lane in self.lanes:
            lane.run.stop_after(games)
        self._go_on(saved=False)
        self.changed()

    def to_change(self) -> None:
        """Run until a best move changes where it matters, then pause and show that game."""
        self.message = "Running until a best move changes where it matters"
        self._before = [lane.run.followed_game for lane in self.lanes]
        self.follow(True)
        for lane in self.lanes:
            lane.run.stop_at_change()
        self._go_on(saved=False)
        self.changed()

    def found_change(self, first: int) -> list[int] | None:
        """Return once, after `to_change` has ended, the positions whose best moves changed, of lane `first` if any.

        Return None while it runs, and if nothing has changed.
        """
        before = self._before
        if before is None or self.going:
            return None
        self._before = None
        lanes = sorted(zip(self.lanes, before, strict=True), key=lambda pair: pair[0] is not self.lanes[first])
        for lane, old in lanes:
            game, truth = lane.run.followed_game, lane.training.truth
            if game is not None and game is not old and truth is not None:
                return changed(truth, game.before.scores, game.after.scores)
        self.message = f"No best move has changed where it matters, up to game {self.lanes[first].training.games:,}"
        return None

    def against_search(self, at: int) -> None:
        """Show the positions that lane `at` meets against a search; or again what was shown before."""
        if self.meetings.searched is not None:
            self.meetings.leave_search(self.lanes)
            self.message = "The map shows what it showed before"
        else:
            self.meetings.play_search(self.lanes, at)
        self.changed()

    def change_pace(self, by: int) -> None:
        """Train faster (1) or slower (−1)."""
        self._hurried = False
        self._lead()
        self.pace = PACES[max(0, min(len(PACES) - 1, PACES.index(self.pace) + by))]
        self.follow(self.pace.singly)
        self.message = self.pace.words[0].upper() + self.pace.words[1:]
        self._apply_pace()
        self.changed()

    def hurry(self) -> None:
        """Run this training at full speed. The next one has the pace that was chosen."""
        self._hurried, self.message = True, "Full speed"
        self._lead()
        self._apply_pace()
        self.changed()

    def _lead(self) -> None:
        """From now on the pace is the one chosen here, not by another program."""
        for lane in self.lanes:
            lane.run.led = False

    def _apply_pace(self) -> None:
        most = max((lane.training.games for lane in self.lanes), default=0)
        speed = None if self._hurried else self.pace.of(most, self._watched is not None)
        for lane in self.lanes:
            if lane.run.led:
                self.pace = next((pace for pace in PACES if pace.speed == lane.run.speed), USUAL_PACE)
            elif speed != lane.run.speed:
                lane.run.set_speed(speed)

    def change_goal(self, text: str) -> None:
        """Train all runs to this number of games. Raises InputError if they have played as many, or cannot."""
        games = whole_number(text, "the number of games", 1, train_runs.MOST_GAMES)
        if games <= max(lane.training.games for lane in self.lanes):
            raise InputError("the training has played as many games already")
        for lane in self.lanes:
            lane.run.train_to(games)
        self.say(f"Training to {Count(games)} games")

    def checkpoint(self) -> None:
        """Save all runs at the end of their next chunk."""
        self._save_further()
        self.message = "Saving"
        for lane in self.lanes:
            if lane.running:
                lane.run.checkpoint()
        self._to_save = [lane.training.games for lane in self.lanes]
        still = [lane.run for lane in self.lanes if not lane.running]

        def save(progress: Progress) -> None:
            for run in still:
                run.save()

        if still:
            self.errand("saving", save)
        self.changed()

    def _saved(self) -> None:
        """Show a message when the save that the person asked for is done."""
        games = [lane.run.writer.games for lane in self.lanes]
        if self._to_save and not self.on_errand("saving"):
            if any(lane.run.fault for lane in self.lanes):
                self.message, self._to_save = "", []  # the fault is shown instead
            elif all(saved is not None and saved >= now for saved, now in zip(games, self._to_save, strict=True)):
                self.message, self._to_save = f"Saved at {' and '.join(Count(each).text for each in games)} games", []

    def _forget_message(self) -> None:
        """Clear the message after some seconds."""
        since, message = self._dated
        if self.message != message:
            self._dated = monotonic(), self.message
        elif monotonic() - since > MESSAGE_SECONDS:
            self.message = ""

    def reset(self) -> None:
        """Start over with the same settings; a run of another nimtui stays as it is."""
        if self.foreign is not None:
            self.say("Take the run over first")
            return
        self.meetings.forget()
        if self.setup is not None and (self.ended or any(lane.beyond for lane in self.lanes)):
            self.start(self.setup)  # the finished run stays in its file
        else:
            for lane in self.lanes:
                lane.thaw()
                lane.history.clear()
                lane.run.reset()
            self._go_on(saved=True)
        self.say("Started over with a new table and the same settings")

    def copy(self, at: int, done: Callable[[Path], object]) -> None:
        """Save the current table in its own file, to play against it."""
        run, title = self.lanes[at].run, self.lanes[at].title

        def save(progress: Progress) -> Path:
            table = run.copy_table()
            path = train_runs.copy_path(title, table.games)
            table.save(path)
            return path

        self.errand("copying the table", save, done, "Cannot play against the table")
