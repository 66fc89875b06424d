"""A running sweep: in processes, with every finished training saved at once, for any number of watchers.

`job = jobs.start("sweep", sweep.work)`; pause, resume and cancel through the job.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nimtui.check.quarantine import add_own_files
from nimtui.errors import InputError, reading
from nimtui.jobs.processes import executor, work_off
from nimtui.jobs.workers import Workers
from nimtui.learning import sweep
from nimtui.learning.sweep import Cell, Needed, Piece, Plan
from nimtui.progress import SILENT, Cancelled, Progress, Task
from nimtui.store import StoreError, sweeps
from nimtui.store.sweeps import Entry, Log
from nimtui.version import __version__

WHAT = "trainings"


def train(piece: Piece) -> Needed:
    """Train one piece, in any process. Personal and installed games and learners are read where that process runs."""
    add_own_files(("game", "learner"))
    return sweep.train(piece)


@dataclass(frozen=True)
class View:
    """A sweep at one moment. Never changes."""

    cells: tuple[Cell, ...]
    done: int  # trainings
    total: int

    @property
    def finished(self) -> bool:
        return self.done == self.total


class Sweep(Task):
    """A plan, its results so far, and the file where they are saved, if there is one."""

    kind = "sweep"
    view: View
    writer: Log | None

    def __init__(self, plan: Plan, log: Log | None = None, open: Callable[[], Workers] = executor) -> None:
        """Continue from what the log holds. StoreError if it is not of this plan."""
        self.plan = plan
        self.writer = log
        self._open = open
        self._found: dict[Piece, Needed] = {}
        self._places = {setting.learner: number for number, setting in enumerate(plan.settings)}
        self._lock = threading.Lock()  # for the threads that make views
        if log is not None:
            self._found = _found(log.path, log.entries, plan)
        self.view = View(sweep.cells(plan, self._found), len(self._found), len(plan.pieces))

    @property
    def about(self) -> tuple[str, str]:
        return self.plan.learner, self.plan.game.name

    def work(self, progress: Progress = SILENT) -> View:
        """Do the missing trainings. Raises Cancelled when the progress does; finished trainings are then in `view` and
        in the file.

        ChildProcessError if a training fails, in one line that names it.
        """
        pieces = [piece for piece in self.plan.pieces if piece not in self._found]
        progress.report(len(self._found), len(self.plan.pieces), WHAT)
        if pieces:
            sweep.prepare(self.plan, progress)
            try:
                with self._open() as workers:
                    self.workers = workers.size
                    work_off(workers, train, pieces, self._keep, progress, what=WHAT, before=len(self._found))
            except (InputError, OSError, Cancelled, MemoryError):
                raise
            except Exception as fault:
                raise ChildProcessError(f"a training failed: {type(fault).__name__}: {fault}") from fault
        return self.view

    def _keep(self, made: Sequence[tuple[Piece, Needed]]) -> None:
        if self.writer is not None:
            self.writer.append([{"learner": one.learner, "seed": one.seed, **needed._asdict()} for one, needed in made])
        with self._lock:
            self._found.update(made)
            cells = list(self.view.cells)
            for number in {self._places[piece.learner] for piece, _ in made}:
                cells[number] = sweep.cell(self.plan, number, self._found)
            self.view = View(tuple(cells), len(self._found), len(self.plan.pieces))


def resumed(path: Path, open: Callable[[], Workers] = executor) -> Sweep:
    """Return the sweep in a file, which it holds until `close`. StoreError if there is none."""
    log = Log(path)
    try:
        return Sweep(plan_of(log), log, open)
    except InputError:
        log.close()
        raise


def begin(plan: Plan, path: Path) -> Log:
    """Open the file of this plan: a new one, or an existing one of the same plan. StoreError for any other file."""
    if not path.exists():
        return Log.create(path, {**plan.document(), "version": __version__})
    log = Log(path)
    try:
        if plan_of(log) != plan:
            raise StoreError(f"{path} holds another sweep: choose another file")
    except InputError:
        log.close()
        raise
    return log


def plan_of(log: Log) -> Plan:
    """Return the plan of a file. StoreError if there is none, or its game is unknown here."""
    return _plan(log.path, log.header)


def look(path: Path) -> tuple[Plan, View]:
    """Return the sweep in a file in its present state, even while another process writes it. StoreError if there is
    none.
    """
    header, entries = sweeps.read(path)
    plan = _plan(path, header)
    needed = _found(path, entries, plan)
    return plan, View(sweep.cells(plan, needed), len(needed), len(plan.pieces))


def _plan(path: Path, header: Entry) -> Plan:
    try:
        return Plan.from_document(header)
    except InputError as fault:
        raise StoreError(f"cannot resume {path}: {fault}") from None


def _figures(entry: Entry) -> dict[str, Any]:
    """Return the fields of a training; a file of an older version lacks those that have a default."""
    return {name: entry[name] for name in Needed._fields if name in entry or name not in Needed._field_defaults}


def _found(path: Path, entries: Sequence[Entry], plan: Plan) -> dict[Piece, Needed]:
    pieces = {(piece.learner, piece.seed): piece for piece in plan.pieces}
    needed = {}
    for entry in entries:
        try:
            with reading(str(entry), "a training"):
                piece = pieces[entry["learner"], entry["seed"]]
                needed[piece] = Needed(**_figures(entry))
        except InputError:
            raise StoreError(f"{path} is damaged: it holds a training outside its sweep") from None
    return needed
