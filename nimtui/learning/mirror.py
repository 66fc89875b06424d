"""A training of another program, shown here as if it were an own one, and steered from here.

The program is asked for what is shown. The whole table is read from a save: its last one, or one that it is asked for.
Without a socket, as on another machine, all comes from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from nimtui.games import base, parse_game
from nimtui.games.base import Move, State
from nimtui.learning.compiled import Episode, GameSteps, MoveStep
from nimtui.learning.curve_points import FunctionPoint, Point
from nimtui.learning.evaluate import Standing, visits_of
from nimtui.learning.reasons import Account
from nimtui.learning.run import FollowedGame, Run, Stop
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.learning.views import UNMET, History, Numbers, Verdicts, View, applied, moves_of
from nimtui.progress import SILENT, Progress, preparation
from nimtui.store import claims
from nimtui.store.errors import StoreError
from nimtui.store.run_files import EVERY, Remote, RunFile

if TYPE_CHECKING:
    from nimtui.learning.sample import SampledTruth

OFTEN = 0.2  # seconds between two questions of who follows games
PATIENCE, LOOK = 5.0, 0.05  # seconds to wait for a save, and between two looks for it
READ_EVERY, SPARING = 5.0, 20  # least seconds between two reads of the saved table, and the same in times of its cost


class Mirror(Run):
    """A training that another program works on. Its own work is to ask how that goes, until it ends."""

    def __init__(self, file: RunFile) -> None:
        """Show this run. Raises InputError if its learner or game is unknown here."""
        place = file.place if isinstance(file.place, Path) else None
        training = None
        if place is not None:
            with suppress(StoreError):  # not saved yet
                training = Training.load(place)
        super().__init__(training or Training(parse_game(file.game), file.name.partition(", ")[0]))
        self.writer.path = place  # read, never written
        self.remote: Remote = Remote(file)
        self.nodes: Sequence[int] = ()  # the positions that are looked at, that under the cursor first
        self.history = History()  # of the scores of the position under the cursor
        self._past = -1  # the games of the last scores in it that were sent
        self.awaits = False  # has it asked for steps, and not heard of them?
        self.led = True  # the speed is that of the other program, until a person changes it here
        self._stepping = self._elsewhere = False  # … are positions shown that the other program does not show?
        self._map: Verdicts | None = None
        self._number = 0  # of the last picture
        self._stamp: claims.Stamp | None = None  # of the save that was read
        self._base: View | None = None  # of that save
        self._read_at, self._cost = -READ_EVERY, 0.0
        self._wanted = 0  # games that the save must have that is waited for

    # What the screen asks for.

    @property
    def stepping(self) -> bool:
        return self.awaits or self._stepping

    @property
    def unsaved(self) -> bool:
        return False

    @property
    def fault(self) -> str:
        return self.remote.file.fault

    def look_at(self, nodes: Sequence[int]) -> None:
        """Ask for the scores of these positions from now on."""
        if self.nodes != nodes:
            if self.nodes[:1] != nodes[:1]:
                self.history, self._past = History(), -1
            self.nodes = nodes
            self.remote.now.set()

    def copy_table(self) -> Table:
        """Return a copy of the table that the other program saves now, or of its last save if it does not.

        Not for the event loop, as `account` and `numbers`.
        """
        self._wanted, until = self.training.games, monotonic() + PATIENCE
        self.save()
        while self._saved_games < self._wanted and self.remote.is_heard and monotonic() < until:
            sleep(LOOK)
        table = super().copy_table()
        table.games = self._saved_games
        return table

    @property
    def _saved_games(self) -> int:
        return 0 if self._base is None else self._base.games

    def account(self, state: State | None = None, move: Move | None = None) -> Account:
        """Ask the other program for its account; that of its last save if none comes."""
        board = None if state is None else state.board.tolist()
        answer = self.remote.picture(of="reasons", board=board, move=move) or {}
        with suppress(LookupError, TypeError, ValueError):
            return Account.read(answer["reasons"])
        with self._table:
            return Account.of(self.training, self._saved_games, state, move)

    def numbers(self) -> Numbers | None:
        """Ask the other program for the numbers of all positions; those of its last save if it does not send them."""
        answer = {} if self._elsewhere else self.remote.picture(of="numbers") or {}
        base, listed = self._base, self.training.listed
        if base is None or listed is None:
            return None
        with suppress(LookupError, TypeError, ValueError):
            best, plays = (np.array(each) for each in answer["numbers"])
            if len(best) == len(plays) == len(base.standing.verdicts):
                return Numbers(best, plays)
        return Numbers.of(base, listed, self._saved_games)

    def show(self, positions: SampledTruth | None) -> None:
        """Show these positions by the saved function; None: those that the other program shows."""
        super().show(positions)
        self._elsewhere = positions is not None
        self._stamp, self._base, self._number = None, None, 0

    def _ask(self, stop: Stop) -> None:
        if stop != Stop():
            self.awaits = True
            self.remote.request("change" if stop.at_change else "step", stop.after)

    def set_speed(self, speed: float | None) -> None:
        self.speed = speed
        self.remote.request("speed", speed)

    def train_to(self, games: int) -> None:
        self.remote.request("goal", games)

    def checkpoint(self) -> None:
        self.remote.request("save")

    save = checkpoint

    # The work.

    def work(self, progress: Progress = SILENT) -> None:
        """Follow the other program until its run ends."""
        with preparation():
            self.training.prepare(progress)
        remote = self.remote
        try:
            while remote.file.is_on:
                points, nodes = len(self.training.curve), list(self.nodes)
                about = {"since": self._number, "points": points, "nodes": nodes, "past": self._past}
                if self.following:
                    about["game"] = self.followed_game.after.games if self.followed_game is not None else -1
                picture = remote.picture(**about)
                live = picture is not None and self._take(picture, nodes)
                self.awaits = self.awaits and bool(remote.requests)
                if not live:
                    self._number = 0
                wanted = self._saved_games < min(self._wanted, self.writer.games or 0)
                if not live or wanted or monotonic() - self._read_at > max(READ_EVERY, SPARING * self._cost):
                    self._read_save(live)
                progress.report(self.training.games, self.last or 0, "games")
                remote.wait(OFTEN if self.following else EVERY)
            self._read_save(False)
        finally:
            remote.close()

    def _take(self, picture: dict[str, Any], nodes: Sequence[int]) -> bool:
        """Show what the picture tells of these positions; return whether it fits what is here."""
        training = self.training
        try:
            self.last, self.until_perfect = picture["last"], picture["perfect"]
            self._stepping = picture["stepping"]
            self.writer.games = picture["saved"]
            if self.led:
                self.speed = picture["speed"]
            if self._elsewhere:
                return False
            if "number" in picture:
                kind = FunctionPoint if training.estimator is not None else Point
                curve = [kind(*point) for point in picture["curve"]]
                training.curve = curve if picture["points"] == len(curve) else [*training.curve, *curve]
                self._map, self._number = applied(self._map, picture["map"]), picture["number"]
                self._show(picture, nodes)
        except (LookupError, TypeError, ValueError):  # of another version, or of another run that has its number
            return False
        return True

    def _show(self, picture: dict[str, Any], nodes: Sequence[int]) -> None:
        training, newest, listed = self.training, self.views.newest, self.training.listed
        assert listed is not None and self._map is not None
        if self._base is None:
            empty = training.listed_scores()
            self._base = View(0, 0, 0.0, *empty, training.listed_standing(empty[0]), listed)
        visits = self._base.visits.copy()
        if training.estimator is not None:  # the list and the map tell positions that no game of its own met
            met, first = self._map < UNMET, listed.graph.ptr[:-1]
            visits[np.repeat(~met, np.diff(listed.graph.ptr))] = 0
            visits[first[met & (visits_of(listed, visits) == 0)]] = 1
        moves, game = moves_of(listed, nodes), picture["game"]
        view = _seen(picture, self._map, moves, self._base._replace(visits=visits))
        if nodes[:1] == self.nodes[:1]:  # the cursor is where it was when it asked
            for self._past, past in picture["past"]:
                whole = np.zeros_like(view.scores)
                whole[moves[: len(past)]] = past
                self.history.add(self._past, whole)
        training.table.games, training.plies, training.seconds = view[:3]
        if game is not None:
            walked = moves_of(listed, game["nodes"])
            view = _seen(game["after"], self._map, walked, view)
            earlier = _seen(game["before"], applied(self._map, game["map"]), walked, view)
            self.followed_game = FollowedGame(_episode(game), self._steps(game), earlier, view)
        if newest is None or newest.games != view.games or not np.array_equal(newest.scores, view.scores):
            self.views.newest = view

    def _steps(self, game: dict[str, Any]) -> GameSteps | None:
        if game["steps"] is None:
            return None
        from nimtui.engine.function_play import Pace

        number, pace, size, moves, outcome = game["steps"]
        states = [base.copy(self.training.game.start)]
        for move, *_ in moves:
            states.append(base.copy(states[-1]))
            base.play(states[-1], move)
        steps = [MoveStep(state, *step) for state, step in zip(states, moves, strict=False)]
        return GameSteps(number, Pace(*pace), size, steps, outcome)

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
        if self._elsewhere:
            training.show(cast("SampledTruth", old.listed))
        training.prepare()
        scores, visits = training.listed_scores()
        about = training.listed_standing(scores)
        saved = View(training.games, training.plies, training.seconds, scores, visits, about, training.listed)
        if live and self.views.newest is not None:
            training.curve, training.plies = old.curve, old.plies
            training.table.games = max(training.games, old.games)
        else:
            self.views.newest = saved
            self.writer.games = training.games
        self._stamp, self._base, self.training = stamp, saved, training
        self._cost = monotonic() - started


def _seen(told: dict[str, Any], states: Verdicts, moves: npt.NDArray[np.int64], other: View) -> View:
    """Return the view that a picture tells of, with this map; what it does not tell is as in another view."""
    scores, visits = other.scores.copy(), other.visits.copy()
    scores[moves], visits[moves] = told["scores"], told["visits"]
    standing = Standing._make((*told["standing"], states % UNMET))
    return View(told["games"], told["plies"], told["seconds"], scores, visits, standing, other.truth)


def _episode(game: dict[str, Any]) -> Episode | None:
    if game["episode"] is None:
        return None
    number, *parts, outcome = game["episode"]
    return Episode._make((number, *map(np.array, parts), outcome))
