"""A training of another program, shown here as if it were an own one, and steered from here.

The program is asked for what is shown. The rest, such as the list of all positions, comes from its last save. Without a
socket, as on another machine, all comes from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from nimtui.learning.curve_points import FunctionPoint, Point
from nimtui.learning.live import Verdicts, applied, standing
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.learning.views import View
from nimtui.progress import SILENT, Progress, preparation
from nimtui.store import claims
from nimtui.store.errors import StoreError
from nimtui.store.remote import Remote
from nimtui.store.run_files import RunFile

READ_EVERY, SPARING = 5.0, 20  # least seconds between two reads of the saved table, and the same in times of its cost


class Mirror(Run):
    """A training that another program works on. Its own work is to ask how that goes, until it ends."""

    kind = ""  # another program's: it is listed there

    def __init__(self, file: RunFile) -> None:
        """Show this run. Raises InputError if its learner or game is unknown here."""
        from nimtui.games import parse_game

        place = file.place if isinstance(file.place, Path) else None
        training = None
        if place is not None:
            with suppress(StoreError):  # not saved yet
                training = Training.load(place)
        super().__init__(training or Training(parse_game(file.game), file.name))
        self.writer.path = place  # read, never written
        self.remote: Remote = Remote(file)
        self.edges: Sequence[int] = ()  # first and end of the moves that are looked at
        self.led = True  # the speed is that of the other program, until a person changes it here
        self._step = False  # was a step asked for, which the next `unpause` starts?
        self._map: Verdicts | None = None
        self._number = 0  # of the last picture
        self._stamp: claims.Stamp | None = None  # of the save that was read
        self._base: View | None = None  # of that save
        self._read_at, self._cost = -READ_EVERY, 0.0

    # What the screen asks for.

    @property
    def stepping(self) -> bool:
        return False

    @property
    def unsaved(self) -> bool:
        return False

    @property
    def finished(self) -> bool:
        return self.remote.file.state == "finished"

    @property
    def fault(self) -> str:
        return self.remote.file.fault

    def look_at(self, first: int, end: int) -> None:
        """Ask for the scores of these moves from now on."""
        if self.edges != (first, end):
            self.edges = first, end
            self.remote.hurry()

    def stop_after(self, games: int) -> None:
        self._step = True
        self.remote.request("step", games)

    def stepping_on(self) -> bool:
        """Return once whether a step was asked for, with which it continues by itself."""
        self._step, step = False, self._step
        return step

    def keep_going(self) -> None:
        """Do nothing: `Lane.unpause` asks for all that is needed."""

    def set_speed(self, speed: float | None) -> None:
        self.speed = speed
        self.remote.request("speed", speed)

    def train_to(self, games: int) -> None:
        self.remote.request("goal", games)

    def checkpoint(self) -> None:
        self.remote.request("save")

    def save(self) -> None:
        self.remote.request("save")

    def reset(self) -> None:
        """Do nothing: only its own program starts it over."""

    # The work.

    def work(self, progress: Progress = SILENT) -> None:
        """Follow the other program until its run ends."""
        with preparation():
            self.training.prepare(progress)
        remote = self.remote
        try:
            while remote.file.is_on:
                points = len(self.training.curve)
                picture = remote.picture(since=self._number, points=points, edges=list(self.edges))
                live = picture is not None and self._take(picture)
                if not live:
                    self._number = 0
                if not live or monotonic() - self._read_at > max(READ_EVERY, SPARING * self._cost):
                    self._read_save(live)
                progress.report(self.training.games, self.last or 0, "games")
                remote.wait()
            self._read_save(False)
        finally:
            remote.close()

    def _take(self, picture: dict[str, Any]) -> bool:
        """Show what the picture tells; return whether it fits what is here."""
        training = self.training
        try:
            self.last, self.until_perfect = picture["last"], picture["perfect"]
            self.writer.games = picture["saved"]
            if self.led:
                self.speed = picture["speed"]
            if "number" in picture:
                kind = FunctionPoint if training.estimator is not None else Point
                curve = [kind(*point) for point in picture["curve"]]
                training.curve = curve if picture["points"] == len(curve) else [*training.curve, *curve]
                self._map, self._number = applied(self._map, picture["map"]), picture["number"]
                self._show(picture)
        except (KeyError, TypeError, ValueError):  # of another version, or of another run that has its number
            return False
        return True

    def _show(self, picture: dict[str, Any]) -> None:
        training, newest = self.training, self.views.newest
        if self._base is None:
            empty = training.listed_scores()
            self._base = View(0, 0, 0.0, *empty, training.listed_standing(empty[0]))
        scores, visits = self._base.scores, self._base.visits
        if len(picture["scores"]) and len(self.edges) == 2:
            first, end = self.edges
            if end - first != len(picture["scores"]):
                return  # the cursor has moved meanwhile: the next picture has its moves
            scores, visits = scores.copy(), visits.copy()
            scores[first:end], visits[first:end] = picture["scores"], picture["visits"]
        games, plies, seconds = picture["games"], picture["plies"], picture["seconds"]
        assert self._map is not None
        if newest is not None and newest.games == games and np.array_equal(newest.scores, scores):
            return
        training.table.games, training.plies, training.seconds = games, plies, seconds
        listed = None if training.truth is not None else training.listed
        about = standing(picture["standing"], self._map)
        self.views.newest = View(games, plies, seconds, scores, visits, about, listed)

    def _read_save(self, live: bool) -> None:
        """Read the saved table if it is a new one; show it, unless the program itself tells more."""
        path, started = self.writer.path, monotonic()
        self._read_at = started
        if path is None or (stamp := claims.stamp(path)) is None or stamp == self._stamp:
            return
        old = self.training
        try:
            training = Training.load(path)
        except StoreError:
            return  # the next save may be whole
        training.truth, training.sample, training.sampled = old.truth, old.sample, old.sampled
        training.prepare()
        scores, visits = training.listed_scores()
        listed = None if training.truth is not None else training.listed
        about = training.listed_standing(scores)
        base = View(training.games, training.plies, training.seconds, scores, visits, about, listed)
        if live and self.views.newest is not None:
            training.curve, training.plies = old.curve, old.plies
            training.table.games = max(training.games, old.games)
        else:
            self.views.newest = base
            self.writer.games = training.games
        self._stamp, self._base, self.training = stamp, base, training
        self._cost = monotonic() - started
