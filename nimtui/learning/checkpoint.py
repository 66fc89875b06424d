"""The file of a training run: saved now and then, and never over what another nimtui has written."""

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
    """Where a run is kept, and how much of it. One without a path keeps nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.games: int | None = None  # how many games the file holds
        self.fault = ""  # why it could not be saved, in a line
        self._read: tuple[Path, claims.Stamp | None] | None = None  # the file a run goes on with, as it was read
        self._saved = 0.0

    def load(self) -> Training:
        """Return what the file holds. StoreError where it holds no run."""
        assert self.path is not None
        read = claims.stamp(self.path)  # before: whoever writes it meanwhile is noticed
        training = Training.load(self.path)
        self._read, self.games = (self.path, read), training.games
        return training

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep others from the file.

        StoreError where somebody else is at work on it, or has written it since it was read.
        """
        claim = None if self.path is None else claims.claim(self.path)
        try:
            if self._read is not None and self._read[0] == self.path and claims.stamp(self.path) != self._read[1]:
                raise StoreError(f"{self.path} was written by another nimtui after it was read: open it again")
            yield
        finally:
            if claim is not None:
                claim.release()

    def begin(self) -> None:
        """Training begins now: the first checkpoint is due sooner than those after it."""
        self._saved = monotonic() - max(0.0, SAVE_SECONDS - FIRST_SAVE_SECONDS)

    @property
    def due(self) -> bool:
        """Is it time for the next checkpoint?"""
        return monotonic() - self._saved > SAVE_SECONDS

    def lacks(self, training: Training) -> bool:
        """Has this run games that the file does not hold?"""
        return self.path is not None and training.games not in (0, self.games)

    def save(self, training: Training) -> None:
        """Save a run that nobody changes meanwhile. Where that fails, `fault` says why."""
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
        """Keep the run in another file from now on, which holds nothing of it yet; or nowhere, and why."""
        self.path, self.games, self.fault = path, None, fault
