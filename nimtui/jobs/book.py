"""The making of a book of openings as long work, in a file that the same command continues."""

from __future__ import annotations

from pathlib import Path

from nimtui.engine.connect import Solver
from nimtui.progress import SILENT, Progress, Task
from nimtui.store import files
from nimtui.theory.book import UNKNOWN, Book, deepened, fill


class Making(Task):
    """A book that is being made, and its file."""

    kind = "book"

    def __init__(self, book: Book, plies: int, solver: Solver, file: Path) -> None:
        """Continue this book up to so many plies."""
        self.book, self._is_done = book, False
        self._plies, self._solver, self._file = plies, solver, file

    @property
    def place(self) -> Path:
        return self._file

    @property
    def about(self) -> tuple[str, str]:
        return f"{self._plies} plies", self.book.game.name

    @property
    def done(self) -> int:
        """Return how many positions of the last ply have a score."""
        return int((self.book.scores[-1] != UNKNOWN).sum())

    @property
    def finished(self) -> bool:
        return self._is_done

    def work(self, progress: Progress = SILENT) -> None:
        """Find every unknown score; what is found is saved however that ends."""
        while True:
            fill(self.book, self._solver, progress, self._save)
            if self.book.plies >= self._plies:
                self._is_done = True
                return
            self.book = deepened(self.book)

    def _save(self, book: Book) -> None:
        files.replace(self._file, lambda out: out.write(book.bytes()))
