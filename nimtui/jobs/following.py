"""Tournaments and sweeps of other programs, shown here as they go on: what is finished comes from where they save it,
the rest from the program itself.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError
from nimtui.jobs import sweep
from nimtui.jobs.live_games import LiveGame
from nimtui.jobs.sweep import Sweep
from nimtui.jobs.tournament import StoppedTournament
from nimtui.progress import SILENT, Progress, Task
from nimtui.store.run_files import Remote, RunFile

if TYPE_CHECKING:
    from nimtui.store.database import Database

SPARING = 5  # times as long as a read took is waited until the next one


class Followed(Task):
    """Work of another program: what it saves is read again and again, and shown with what it tells besides."""

    remote: Remote

    def work(self, progress: Progress = SILENT) -> Any:
        """Follow the other program until its run ends."""
        remote, done, due = self.remote, -1, 0.0
        try:
            while remote.file.is_on:
                started = monotonic()
                if remote.file.done != done and started >= due:
                    with suppress(InputError):  # the next read may succeed
                        self._read_again()
                    done, due = remote.file.done, monotonic() + SPARING * (monotonic() - started)
                self._show(remote.picture() or {})
                progress.report(remote.file.done, remote.file.goal or 0, remote.file.unit)
                remote.wait()
            with suppress(InputError):
                self._read_again()
            self._show({})
        finally:
            remote.close()
        return self.view

    def _read_again(self) -> None:
        """Read what the program has saved. Raises InputError."""
        raise NotImplementedError

    def _show(self, picture: dict[str, Any]) -> None:
        """Show what the program tells."""


class FollowedTournament(Followed, StoppedTournament):
    """A tournament of another program."""

    def __init__(self, db: Database, file: RunFile) -> None:
        """Read it as it stands. Raises InputError if it is not saved, or its games are unknown here."""
        if file.number is None:
            raise InputError(f"the games of run {file.id} are not saved: only its own program can show them")
        super().__init__(db, file.number)
        self.remote, self._db = Remote(file), db

    def _read_again(self) -> None:
        assert self.number is not None
        now = StoppedTournament(self._db, self.number)
        with self._lock:
            self._ledgers, self.view = now._ledgers, now.view

    def _show(self, picture: dict[str, Any]) -> None:
        view, file = self.view, self.remote.file
        playing = tuple(LiveGame(at, number, tuple(moves)) for at, number, moves in picture.get("playing", ()))
        if (playing, file.seconds_left) != (view.playing, view.left):
            self.view = replace(view, rate=file.rate or 0.0, left=file.seconds_left, playing=playing, fault=file.fault)


class FollowedSweep(Followed, Sweep):
    """A sweep of another program."""

    def __init__(self, file: RunFile) -> None:
        """Read it as it stands. Raises InputError if it is not saved, or its game is unknown here."""
        if not isinstance(file.place, Path):
            raise InputError(f"the trainings of run {file.id} are not saved: only its own program can show them")
        plan, view = sweep.look(file.place)
        super().__init__(plan)
        self.view, self.remote = view, Remote(file)

    @property
    def place(self) -> Any:
        return self.remote.file.place

    def _read_again(self) -> None:
        self.view = sweep.look(self.place)[1]
