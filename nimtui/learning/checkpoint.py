"""The file of a training run: saved regularly, and never over a file that another nimtui has written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from nimtui.learning.training import Training
from nimtui.store import StoreError, claims, guard, paths

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
        return monotonic() - self._saved > SAVE_SECONDS

    def lacks(self, training: Training) -> bool:
        """Does this run have games that the file lacks?"""
        return self.path is not None and training.games not in (0, self.games)

    def save(self, training: Training) -> None:
        """Save a run that does not change meanwhile. If that fails, `fault` says why."""
        if self.path is None:
            return
        try:
            paths.ensure(self.path.parent)
            training.save(self.path)
            self._read = self.path, claims.stamp(self.path)
            self.games, self.fault = training.games, ""
            guard.saved(self.path, training.games)
        except StoreError as fault:
            self.fault = str(fault)
        self._saved = monotonic()

    def move(self, path: Path | None, fault: str = "") -> None:
        """Save the run in another file from now on, which holds nothing of it yet; None: nowhere, for `fault`.

        Raises StoreError if another process works on that file.
        """
        claim = claims.claim(path) if self._working and path is not None else None
        self.close()
        self._claim = claim
        self.path, self.games, self.fault = path, None, fault
