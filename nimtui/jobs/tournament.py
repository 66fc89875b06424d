"""A tournament at work: in this thread, in processes or on a cluster; every finished game kept at once.

`job = jobs.start("tournament", tournament.work)`; pausing, resuming and cancelling are the job's own.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from time import monotonic
from typing import cast

import numpy as np
import numpy.typing as npt

from nimtui.arena import standings as table
from nimtui.arena.batch import Batch
from nimtui.arena.ledger import LATEST, Ledger
from nimtui.arena.plan import Plan
from nimtui.arena.play import Piece, play, prepare
from nimtui.arena.tally import PairingScore, Standings
from nimtui.errors import InputError
from nimtui.jobs import live_games, reporting
from nimtui.jobs.clock import Clock
from nimtui.jobs.live_games import LiveGame, Window
from nimtui.jobs.processes import cores, executor, work_off
from nimtui.jobs.reporting import Reports, TooSlow
from nimtui.jobs.scheduling import Deal
from nimtui.jobs.workers import Workers
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.store import StoreError
from nimtui.store.rows import Columns, GameRow
from nimtui.store.tournament_writer import DONE, RUNNING, STOPPED, TournamentWriter

WORTH = 4.0  # seconds of play left, for which processes are started: that takes a second or two
SURE = 0.5  # seconds of play, after which that can be told: the first games of a pairing take longer than others
ASIDE = 0.2  # seconds that a piece may take which is played here while they start
PATIENCE = 1.0  # seconds of a first piece, after which it is rather given to them


@dataclass(frozen=True)
class View:
    """What is known at one moment. Never changes."""

    plan: Plan
    scores: tuple[PairingScore, ...]  # in the order of the pairings
    done: int  # games
    total: int  # there will be: fewer than planned where a sequential test ended a pairing
    seconds: float  # of play so far, earlier runs included, preparation and pauses left out
    rate: float  # games a second lately; 0 where that is not known
    left: float | None  # seconds, as quick as lately; None where that is not known
    playing: tuple[LiveGame, ...]  # games going on, as far as they can be seen
    faults: tuple[str, ...]  # the latest games lost by a fault, a line each, the newest last
    fault: str  # why games cannot be kept now, in one line; '' where they can

    @cached_property
    def standings(self) -> Standings:
        """The table, worked out when it is first asked for."""
        return table.standings(self.plan, self.scores)

    @property
    def finished(self) -> bool:
        return self.done == self.total


class Tournament:
    """A plan, what has been played of it, and where that is kept, if it is.

    `view` may be read from any thread at any time; two views that differ are two objects. The result is the same for
    any number of workers, and however often it was stopped.
    """

    def __init__(
        self, plan: Plan, kept: TournamentWriter | None = None, workers: int | None = None, scheduler: str | None = None
    ) -> None:
        """Go on from what is kept; with so many processes, all cores if nothing is said, or a Dask scheduler's.

        StoreError where that cannot be read, or is not of this plan.
        """
        self.plan = plan
        self.kept = kept
        self._workers = workers or cores()
        self._scheduler = scheduler
        self._lock = threading.RLock()  # guards all below
        self._ledgers = [Ledger(plan, place) for place in range(len(plan.pairings))]
        self._scores = [ledger.score for ledger in self._ledgers]
        self._done, self._total = 0, plan.total
        self._faults: list[str] = []
        self._clock = Clock(0.0 if kept is None else kept.info.seconds)
        self._before = [(0, 0.0)] * len(plan.pairings)  # games of earlier runs, and the seconds they took
        self._deal: Deal | None = None  # while it is at work
        self._window: Window | None = None  # on what processes play
        self._own: LiveGame | None = None  # what is played in the thread of `work`
        self._shown = 0.0  # when the view was made
        if kept is not None:
            for place in range(len(plan.pairings)):
                games = kept.columns(place)
                if len(games.number) and games.number[-1] >= plan.number:
                    raise StoreError(f"tournament {kept.id} holds games that are not of its plan")
                self._enter(place, batch(games))
                self._before[place] = len(games.number), float(sum(games.seconds))
        self.view = self._view()

    @property
    def number(self) -> int | None:
        """Its number in the database; None where it is not kept."""
        return None if self.kept is None else self.kept.id

    def results(self, pairing: int) -> npt.NDArray[np.int8]:
        """By the number of the game: −1, 0, 1 for the pairing's first entrant, −2 where it is not played."""
        with self._lock:
            return self._ledgers[pairing].results()

    def work(self, progress: Progress = SILENT) -> View:
        """Play what is missing. Raises Cancelled when the progress does; what is finished is then in `view` and kept.

        InputError where a scheduler cannot be used or an agent cannot play, ChildProcessError where processes die
        again and again, ConnectionError where a cluster is lost. May be called again.
        """
        try:
            if not self.view.finished:
                if self.kept is not None:
                    self.kept.ended(RUNNING, self._clock.seconds)
                self._play(Reports(progress, self._clock, self.far, self.refresh))
        except (InputError, OSError, Cancelled, MemoryError):
            raise
        except Exception as fault:
            raise ChildProcessError(f"a game failed: {type(fault).__name__}: {fault}") from fault
        finally:
            self._end()
        return self.view

    def _play(self, reports: Reports) -> None:
        if self._scheduler is None:
            self._prepare(reports)
            if not self._play_alone(reports):
                self._window = Window(self._workers)
                first = partial(live_games.take, *self._window.start())
                with executor(self._workers, first=first) as workers:
                    self._play_together(workers, reports, partial(self._play_aside, reports))
        else:
            with executor(None, self._scheduler) as workers:  # at first: it may be that nobody answers
                self._prepare(reports)
                self._play_together(workers, reports)
        reports.tell()

    def _prepare(self, reports: Reports) -> None:
        preparing = reports.preparing()
        preparing.report(0, 0)
        prepare(self.plan, preparing)
        with self._lock:
            self._deal = Deal(self.plan, self._ledgers, self._before)
            self._clock.begin()
            self._clock.go()

    def _play_alone(self, reports: Reports) -> bool:
        """Play here until it is seen that other processes are worth while; True where nothing is left then."""
        assert self._deal is not None
        began = monotonic()
        for piece in self._deal:
            done, total = self.far()
            several = self._workers > 1 and (total - done) * PATIENCE > WORTH
            try:
                self._play_here(piece, reports, PATIENCE if several else None)
            except TooSlow:
                self._deal.again(piece)
                return False
            if self._workers > 1 and monotonic() - began >= SURE and (self._deal.left() or 0) > WORTH:
                return False
        return True

    def _play_aside(self, reports: Reports) -> bool:
        """Play a short piece here, if the next one is."""
        assert self._deal is not None
        seconds = self._deal.next_seconds()
        if seconds is None or seconds > ASIDE:
            return False
        self._play_here(next(self._deal), reports)
        return True

    def _play_here(self, piece: Piece, reports: Reports, patience: float | None = None) -> None:
        def watch(pairing: int, number: int, moves: list[int]) -> None:
            self._own = LiveGame(pairing, number, tuple(moves))

        reports.until = None if patience is None else monotonic() + patience
        try:
            self._keep([(piece, play(piece, reports, watch))])
        finally:
            self._own = reports.until = None

    def _play_together(self, workers: Workers, reports: Reports, meanwhile: Callable[[], bool] | None = None) -> None:
        assert self._deal is not None
        waiting = True

        def keep(made: Sequence[tuple[Piece, Batch]]) -> None:
            nonlocal waiting
            if waiting:  # while they started nothing was to be learned of how quick they are
                waiting = False
                self._clock.begin()
            self._keep(made)

        work_off(
            workers, play_piece, self._deal, keep, reports, what=reporting.GAMES, far=self.far, meanwhile=meanwhile
        )

    def far(self) -> tuple[int, int]:
        """Games that are done, and that there will be."""
        with self._lock:
            return self._done, self._total

    def _keep(self, made: Sequence[tuple[Piece, Batch]]) -> None:
        """Some pieces have been played, by whomever. Never called by two threads at once."""
        for piece, games in made:
            began = monotonic()
            wanted = not self._ledgers[piece.pairing].decided
            if wanted and self.kept is not None:
                self.kept.seconds = self._clock.seconds
                self.kept.append(piece.pairing, cast("list[GameRow]", games.rows()))  # the same fields
            seconds = float(games.seconds.sum()) + monotonic() - began
            with self._lock:
                self._clock.did(len(games), seconds)
                if self._deal is not None:
                    self._deal.took(piece.pairing, len(games), seconds)
            if wanted:
                self._enter(piece.pairing, games)
        self.refresh()

    def _enter(self, place: int, games: Batch) -> None:
        """Let these games count; they are kept already."""
        ledger = self._ledgers[place]
        with self._lock:
            before = ledger.score
            ledger.add(games)
            self._scores[place] = ledger.score
            self._done += ledger.score.played - before.played
            self._total += ledger.score.wanted - before.wanted
            self._faults = [*self._faults, *ledger.news()][-LATEST:]
        if ledger.decided and self.kept is not None:
            self.kept.drop_from(place, ledger.wanted)
            self.kept.set_total(self.far()[1])

    def refresh(self) -> None:
        """Make a new view, if the last one is old enough."""
        with self._lock:
            if monotonic() - self._shown >= reporting.BEAT:
                self.view = self._view()
                self._shown = monotonic()

    def _view(self) -> View:
        done, total = self.far()
        own, window = self._own, self._window
        games = [] if own is None else [own]
        games += [] if window is None else window.playing()
        speed, left = self._clock.speed, None if self._deal is None else self._deal.left()
        return View(
            self.plan,
            tuple(self._scores),
            done,
            total,
            self._clock.seconds,
            self._clock.rate,
            left / speed if left is not None and speed > 0 else None,
            tuple(game for game in games if not self._ledgers[game.pairing].there(game.number)),
            tuple(self._faults),
            "" if self.kept is None else self.kept.fault,
        )

    def _end(self) -> None:
        """Nothing is going on any longer, however that came."""
        with self._lock:
            self._clock.rest()
            self._deal = self._window = self._own = None
            self.view = self._view()
        if self.kept is not None:
            self.kept.ended(DONE if self.view.finished else STOPPED, self.view.seconds)
            self.view = self._view()  # the rest has been kept by now, or has not


def play_piece(piece: Piece) -> Batch:
    """Play a piece in a worker, and let its parent look on where it is one of this machine."""
    slot = live_games.own()
    if slot is None:
        return play(piece)
    try:
        return play(piece, watch=slot.show)
    finally:
        slot.clear()


def batch(kept: Columns) -> Batch:
    """Games as the database has them, without their moves."""

    def pairs(two: tuple[array[int], array[int]]) -> npt.NDArray[np.int32]:
        return np.stack([np.array(column, np.int32) for column in two], axis=1)

    number = np.array(kept.number, np.int64)
    return Batch(
        number,
        np.array(kept.opener, np.int8),
        np.array(kept.opening, np.int16),
        np.zeros(len(number) + 1, np.int64),
        np.zeros(0, np.int16),
        np.array(kept.result, np.int8),
        pairs(kept.own),
        pairs(kept.chances),
        pairs(kept.mistakes),
        np.array(kept.seconds, np.float64),
        {int(np.searchsorted(number, game)): fault for game, fault in kept.faults.items()},
    )
