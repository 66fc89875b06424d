"""A running tournament: in this thread, in processes or on a cluster, with every finished game saved at once.

`job = jobs.start("tournament", tournament.work)`; pause, resume and cancel through the job. `Reports` sends the
state of the whole tournament often enough, and keeps its clock.

`Deal` decides which games are played next, and how many at once. The results do not depend on it.
"""

from __future__ import annotations

import heapq
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nimtui.arena.play.batch import Batch, Played, batch
from nimtui.arena.play.pieces import Piece, end_programs, play, prepare
from nimtui.arena.play.plan import LOSES_GAME, START, Plan
from nimtui.arena.standings import standings as table
from nimtui.arena.standings.ledger import EqualFaults, Ledger, joined
from nimtui.arena.standings.standings import PairingScore, Standings
from nimtui.errors import InputError
from nimtui.jobs import live_games
from nimtui.jobs.clock import Clock
from nimtui.jobs.live_games import LiveGame, Window
from nimtui.jobs.processes import cores, executor, work_off
from nimtui.jobs.workers import Workers
from nimtui.progress import SILENT, Cancelled, Progress, Relay, Task, preparation
from nimtui.store import StoreError, saved_games, tournaments
from nimtui.store.tournaments import DONE, RUNNING, STOPPED, TournamentWriter

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.rows import Columns, GameRow

TARGET = 0.1  # seconds per piece: progress shows, and little is lost
GROWTH = 8  # a piece is at most so many times as large as the one before: the first games say little
MOST = 20_000  # games in a piece: so many are sent and stored in a moment
ROUNDS = 20  # a piece is at most this fraction of a pairing, so that all agents have played about equally often


class Deal:
    """The missing games of a plan, dealt out as evenly over the pairings as pieces allow."""

    def __init__(self, plan: Plan, ledgers: Sequence[Ledger], before: Sequence[tuple[int, float]] = ()) -> None:
        """Deal out the missing games. `before`: games of each pairing in earlier runs, and their seconds."""
        self._plan, self._ledgers = plan, ledgers
        self._gaps = [deque(ledger.missing()) for ledger in ledgers]
        self._spent = [seconds for _, seconds in before] or [0.0] * len(ledgers)
        self._timed = [games for games, _ in before] or [0] * len(ledgers)  # games with known seconds
        self._largest = [0] * len(ledgers)  # largest piece so far
        missing = [sum(last - first for first, last in gaps) for gaps in self._gaps]
        self._queue = [(plan.number - left, place) for place, left in enumerate(missing) if left]
        heapq.heapify(self._queue)  # by games dealt out, then by place

    def __iter__(self) -> Iterator[Piece]:
        return self

    def __next__(self) -> Piece:
        """Return the next piece, from the pairing with the fewest games."""
        while self._queue:
            dealt, place = self._queue[0]
            gaps = self._gaps[place]
            if not gaps or self._ledgers[place].decided:
                heapq.heappop(self._queue)
                continue
            first, last = gaps.popleft()
            end = min(last, first + self._size(place))
            if end < last:
                gaps.appendleft((end, last))
            self._largest[place] = max(self._largest[place], end - first)
            heapq.heapreplace(self._queue, (dealt + end - first, place))
            return Piece(self._plan, place, first, end)
        raise StopIteration

    def again(self, piece: Piece) -> None:
        """Take back a piece that was not played after all."""
        self._gaps[piece.pairing].appendleft((piece.first, piece.last))
        heapq.heappush(self._queue, (0, piece.pairing))

    def took(self, place: int, games: int, seconds: float) -> None:
        """Record how many seconds so many games of this pairing took."""
        self._spent[place] += seconds
        self._timed[place] += games

    def next_seconds(self) -> float | None:
        """Return the seconds of the next piece; None if no game of its pairing was timed, or no piece is left."""
        while self._queue and (not self._gaps[self._queue[0][1]] or self._ledgers[self._queue[0][1]].decided):
            heapq.heappop(self._queue)
        if not self._queue or not self._timed[place := self._queue[0][1]]:
            return None
        return self._size(place) * self._spent[place] / self._timed[place]

    def left(self) -> float | None:
        """Return the seconds one worker needs for the missing games; None if nothing was timed.

        Pairings not seen yet are taken to be like the others.
        """
        played = sum(self._timed)
        if not played:
            return None
        usual = [spent / timed for spent, timed in zip(self._spent, self._timed, strict=True) if timed]
        mean = sum(usual) / len(usual)
        return sum(
            (ledger.wanted - ledger.played) * (spent / timed if timed else mean)
            for ledger, spent, timed in zip(self._ledgers, self._spent, self._timed, strict=True)
        )

    def _size(self, place: int) -> int:
        """Return the number of games of the next piece of this pairing: first one, then as many as time allows."""
        if not self._timed[place]:
            return max(1, self._largest[place])
        each = self._spent[place] / self._timed[place]
        fitting = MOST if each <= 0 else int(min(MOST, TARGET / each))
        return max(1, min(fitting, GROWTH * self._largest[place], max(2, self._plan.number // ROUNDS)))


GAMES, PREPARING = "games", "preparing"
BEAT = 0.1  # least seconds between two views


class TooSlow(Cancelled):
    """A piece takes so long that other processes should have it."""


class Reports(Relay):
    """Reports the whole tournament some twenty times a second; its clock stops during a pause."""

    def __init__(self, progress: Progress, clock: Clock, far: Callable[[], tuple[int, int]]) -> None:
        """Report the games of `far`: (done, total)."""
        super().__init__(progress)
        self._clock, self._far = clock, far
        self._told = 0.0
        self.until: float | None = None  # when patience with the piece played here ends
        self.prepares = False  # is all that is reported a preparation?

    def report(self, done: float, total: float, what: str = "") -> None:
        """Report from within a piece. TooSlow when patience ends."""
        now = monotonic()
        if self.prepares:
            self._tell(done, total, f"{PREPARING}: {what}" if what else PREPARING)
        elif self.until is not None and now > self.until:
            raise TooSlow
        elif now - self._told >= BEAT / 2:
            self.tell()

    def tell(self) -> None:
        """Report the present state; waits as long as there is a pause."""
        self._tell(*self._far(), GAMES)

    def _tell(self, done: float, total: float, what: str) -> None:
        with self._clock.resting():
            self._progress.report(done, total, what)
        self._told = monotonic()


WORTH = 4.0  # seconds of play left that justify processes, which take a second or two to start
SURE = 0.5  # seconds of play before that is known: the first games of a pairing take longer than others
ASIDE = 0.2  # longest piece, in seconds, to play here while processes start
OFTEN = 4_000_000  # games up to which each view has its own copy of the results; then one per quarter more
PATIENCE = 1.0  # seconds after which a first piece goes to other processes instead

Results = tuple[npt.NDArray[np.int8], ...]


@dataclass(frozen=True)
class View:
    """A tournament at one moment. Never changes."""

    plan: Plan
    scores: tuple[PairingScore, ...]  # in the order of the pairings
    done: int  # games
    total: int  # games there will be: fewer than planned if a sequential test ended a pairing
    seconds: float  # of play so far, with earlier runs, without preparation and pauses
    rate: float  # recent games per second; 0 if unknown
    left: float | None  # seconds at the recent rate; None if unknown
    playing: tuple[LiveGame, ...]  # games in progress, as far as they are visible
    latest_fault: str  # the latest game lost by a fault, and what happened; '' without one
    fault: str  # why games cannot be saved now, in one line; '' if they can
    kinds: tuple[EqualFaults, ...] = field(default=(), compare=False)  # all of these games, equal faults together
    results: Results = field(default=(), compare=False)  # of each pairing by number, if pairings share openings

    @cached_property
    def standings(self) -> Standings:
        """Return the standings, computed at the first call."""
        return table.standings(self.plan, self.scores, self.results)

    @property
    def finished(self) -> bool:
        return self.done == self.total


class Tournament(Task):
    """A plan, its games so far, and their place in the database, if they are saved.

    The result is the same for any number of workers and stops.
    """

    kind = "tournament"
    view: View
    writer: TournamentWriter | None

    def __init__(
        self, plan: Plan, kept: TournamentWriter | None = None, workers: int | None = None, scheduler: str | None = None
    ) -> None:
        """Continue from the saved games, with so many processes [default: one per core] or those of a Dask scheduler.

        StoreError if the games cannot be read, or are not of this plan.
        """
        self.plan = plan
        self.writer = kept
        self.document: Mapping[str, Any] = {} if kept is None else kept.info.document  # as it is saved
        self.name = "" if kept is None else kept.info.name  # given by the user
        self.unkept = ""  # why its games are not saved, in a line; '' if they are, or need not be
        self.workers = workers or cores()
        self._scheduler = scheduler
        self._lock = threading.RLock()  # guards all below
        self._ledgers = [Ledger(plan, place) for place in range(len(plan.pairings))]
        self._scores = [ledger.score for ledger in self._ledgers]
        self._done, self._total = 0, plan.total
        self._latest_fault = ""
        self._kinds: tuple[EqualFaults, ...] = ()
        self._clock = Clock(0.0 if kept is None else kept.info.seconds)
        self._before = [(0, 0.0)] * len(plan.pairings)  # games of earlier runs, and their seconds
        self._deal: Deal | None = None  # while it runs
        self._window: Window | None = None  # shows what processes play
        self._own: LiveGame | None = None  # the game played in the thread of `work`
        self._shown = 0.0  # when the view was made
        self._copies: Results = ()  # of the results, after so many games:
        self._copied = 0
        self.number = None if kept is None else kept.id  # in the database; None if it is not saved
        if kept is not None:
            self._read(kept.columns, kept.rows)
        self.view = self._view()

    def _read(self, columns: Callable[[int], Columns], rows: Callable[[int], list[GameRow]]) -> None:
        """Count the saved games of each pairing. StoreError if they are not of this plan."""
        for place in range(len(self.plan.pairings)):
            games = columns(place)
            if len(games.number) and games.number[-1] >= self.plan.number:
                raise StoreError(f"tournament {self.number} is damaged: it holds games outside its plan")
            # Payoffs are read from the moves.
            self._enter(place, Batch.of([Played(*row) for row in rows(place)]) if self.plan.pays else batch(games))
            self._before[place] = len(games.number), float(sum(games.seconds))

    @property
    def about(self) -> tuple[str, str]:
        return self.name, ", ".join(self.plan.games)

    @property
    def place(self) -> int | None:
        return self.number

    def picture(self, question: dict[str, Any]) -> str:
        return json.dumps({"playing": self.view.playing})

    def results(self, pairing: int) -> npt.NDArray[np.int8]:
        """Return the results by number of the game: −1, 0, 1 for the pairing's first entrant, −2 if not played."""
        with self._lock:
            return self._ledgers[pairing].results()

    def work(self, progress: Progress = SILENT) -> View:
        """Play the missing games. Raises Cancelled when the progress does; finished games are then in `view` and saved.

        InputError if a scheduler cannot be used or an agent cannot play; ChildProcessError if processes die again and
        again; ConnectionError if a cluster is lost. May be called again.
        """
        try:
            if not self.view.finished:
                if self.writer is not None:
                    self.writer.ended(RUNNING, self._clock.seconds)
                self._play(Reports(progress, self._clock, self.refresh))
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
                self._window = Window(self.workers)
                first = partial(live_games.take, *self._window.shared)
                with executor(self.workers, first=first) as workers:
                    self._play_together(workers, reports, partial(self._play_aside, reports))
        else:
            with executor(None, self._scheduler) as workers:  # first, because the scheduler may not answer
                self._prepare(reports)
                self._play_together(workers, reports)
        reports.tell()

    @preparation()
    def _prepare(self, reports: Reports) -> None:
        reports.prepares = True
        reports.report(0, 0)
        prepare(self.plan, reports)
        reports.prepares = False
        with self._lock:
            self._deal = Deal(self.plan, self._ledgers, self._before)
            self._clock.begin()
            self._clock.go()

    def _play_alone(self, reports: Reports) -> bool:
        """Play here until other processes are worth starting; return True if no game is left."""
        assert self._deal is not None
        began = monotonic()
        for piece in self._deal:
            done, total = self.far()
            several = self.workers > 1 and (total - done) * PATIENCE > WORTH
            try:
                self._play_here(piece, reports, PATIENCE if several else None)
            except TooSlow:
                self._deal.again(piece)
                return False
            if self.workers > 1 and monotonic() - began >= SURE and (self._deal.left() or 0) > WORTH:
                return False
        return True

    def _play_aside(self, reports: Reports) -> bool:
        """Play the next piece here if it is short; return whether it was."""
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
            if waiting:  # the pace before they started says nothing of their own
                waiting = False
                self._clock.begin()
            self._keep(made)

        work_off(workers, play_piece, self._deal, keep, reports, what=GAMES, far=self.refresh, meanwhile=meanwhile)
        reports.tell()  # all games are done, while the processes take a moment to end

    def far(self) -> tuple[int, int]:
        """Return how many games are done, and how many there will be."""
        with self._lock:
            return self._done, self._total

    def stored(self) -> tuple[int, int]:
        """Return how many games are played, and will be: with void games, and without forfeited ones."""
        if self.plan.fault == LOSES_GAME:
            return self.far()
        return sum(ledger.played_out for ledger in self._ledgers), sum(ledger.kept for ledger in self._ledgers)

    def _keep(self, made: Sequence[tuple[Piece, Batch]]) -> None:
        """Save and count played pieces, wherever they were played. Never called by two threads at once."""
        for piece, games in made:
            began = monotonic()
            wanted = not self._ledgers[piece.pairing].decided
            if wanted and self.writer is not None:
                self.writer.seconds = self._clock.seconds
                self.writer.append(piece.pairing, games.rows())
            seconds = float(games.seconds.sum()) + monotonic() - began
            with self._lock:
                self._clock.did(len(games), seconds)
                if self._deal is not None:
                    self._deal.took(piece.pairing, len(games), seconds)
            if wanted:
                self._enter(piece.pairing, games)
        self.refresh()

    def _enter(self, place: int, games: Batch) -> None:
        """Count these games, which are saved already."""
        ledger = self._ledgers[place]
        with self._lock:
            before = ledger.score
            ledger.add(games)
            self._scores[place] = ledger.score
            self._done += ledger.score.played - before.played
            self._total += ledger.score.wanted - before.wanted
            if kinds := ledger.new_kinds():
                self._latest_fault, self._kinds = ledger.latest_fault, joined(self._kinds, kinds)
        if ledger.decided and self.writer is not None:
            self.writer.drop_from(place, ledger.kept)
            self.writer.set_total(self.stored()[1])

    def refresh(self) -> tuple[int, int]:
        """Make a new view if the last one is old enough, or all games are done; return how far it is, for reports."""
        with self._lock:
            if monotonic() - self._shown >= BEAT or self._done == self._total:
                self.view = self._view()
                self._shown = monotonic()
            return self.view.done, self.view.total

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
            self._latest_fault,
            self.fault,
            self._kinds,
            self._shared(done),
        )

    def _shared(self, done: int) -> Results:
        """Return the results by number of the game, if pairings share openings; of very many the latest copy."""
        if self.plan.openings.kind == START:
            return ()
        due = done <= OFTEN or done * 4 >= self._copied * 5 or done == self._total
        if not self._copies or (due and done != self._copied):
            self._copies, self._copied = tuple(ledger.results() for ledger in self._ledgers), done
        return self._copies

    def _end(self) -> None:
        """Clear the games in progress at the end, however it came."""
        end_programs()
        with self._lock:
            self._clock.rest()
            self._deal = self._window = self._own = None
            self.view = self._view()
        if self.writer is not None:
            self.writer.ended(DONE if self.view.finished else STOPPED, self.view.seconds)
            self.view = self._view()  # by now the rest is saved, or cannot be


class StoppedTournament(Tournament):
    """A saved tournament that is not running, read once: what a resumed one would show at first.

    Nothing of it is changed or claimed. `info` is its saved row.
    """

    def __init__(self, db: Database, number: int) -> None:
        """Read a tournament. StoreError if it does not exist or is damaged; InputError if it cannot be played."""
        self.info = tournaments.info(db, number)
        super().__init__(Plan.from_document(self.info.document))
        self.document = self.info.document
        self.number, self.name, self._clock = number, self.info.name, Clock(self.info.seconds)
        self._read(partial(saved_games.columns, db, number), partial(saved_games.rows, db, number))
        self.view = self._view()


def play_piece(piece: Piece) -> Batch:
    """Play a piece in a worker, and let its parent watch if it is on this machine."""
    slot = live_games.own
    if slot is None:
        return play(piece)
    try:
        return play(piece, watch=slot.show)
    finally:
        slot.clear()
