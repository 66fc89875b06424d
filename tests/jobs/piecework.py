"""Long work for the tests of Work: pieces that are saved in a log, one at each word that is said to it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Queue
from time import sleep

from nimtui.jobs import Jobs
from nimtui.jobs.work import Work
from nimtui.jobs.workers import Workers
from nimtui.progress import SILENT, Progress, Task, preparation
from nimtui.store import files
from nimtui.store.sweeps import Log

PIECES = 6
SAVED_AS = "pieces"


class Threads(Workers, ThreadPoolExecutor):
    """Threads in the place of processes."""

    @property
    def size(self) -> int:
        return self._max_workers


class Pieces(Task):
    """A task of some pieces. `says` holds what to do next: 'piece', 'prepare' or 'fail'; without it, all is done."""

    def __init__(self, log: Log | None, total: int = PIECES, says: Queue[str] | None = None, pace: float = 0.0) -> None:
        self.writer, self.total, self.says, self.pace = log, total, says, pace
        self.pieces = [] if log is None else [int(entry["piece"]) for entry in log.entries]
        self.waits = False  # for a word

    @property
    def place(self) -> Path | None:
        return None if self.writer is None else self.writer.path

    @property
    def done(self) -> int:
        return len(self.pieces)

    @property
    def finished(self) -> bool:
        return self.done == self.total

    def work(self, progress: Progress = SILENT) -> None:
        while not self.finished:
            progress.report(self.done, self.total, SAVED_AS)
            word = self._word()
            if word == "prepare":
                with preparation():
                    progress.report(1, 1, "preparing")
                    self._word()
            elif word == "fail":
                raise ZeroDivisionError("as it was told")
            else:
                self._do()

    def _word(self) -> str:
        if self.says is None:
            sleep(self.pace)
            return "piece"
        self.waits = True
        word = self.says.get()
        self.waits = False
        return word

    def _do(self) -> None:
        piece = self.done
        if self.writer is not None and not self.fault:
            self.writer.append([{"piece": piece}])
        self.pieces.append(piece)


class PieceWork(Work[Pieces]):
    """Runs one task of pieces after another."""

    kind = "piecework"

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.says: Queue[str] | None = None

    def read(self, place: Path) -> Pieces:
        return Pieces(Log(place), says=self.says)

    def resume(self, place: Path) -> None:
        self.open(place, partial(self.read, place), "Reading")

    def export(self, path: Path) -> None:
        pieces = [] if self.task is None else self.task.pieces
        self.write(path, lambda progress: files.create(path, lambda file: file.write(repr(pieces).encode())))
