"""Tournaments and sweeps of other programs, shown here as they go on: what is finished comes from where they save it,
the rest from the program itself.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError
from nimtui.jobs import sweep
from nimtui.jobs.live_games import LiveGame
from nimtui.jobs.sweep import Sweep
from nimtui.jobs.sweep import View as SweepView
from nimtui.jobs.tournament import StoppedTournament, View
from nimtui.progress import SILENT, Progress
from nimtui.store.remote import Remote
from nimtui.store.run_files import RunFile

if TYPE_CHECKING:
    from nimtui.store.database import Database

SPARING = 5  # times as long as a read took is waited until the next one


def follow(
    remote: Remote, read: Callable[[], object], show: Callable[[dict[str, Any]], object], progress: Progress
) -> None:
    """Read again and again what another program saves, and show what it tells besides, until its run ends."""
    done, due = -1, 0.0
    try:
        while remote.file.is_on:
            started = monotonic()
            if remote.file.done != done and started >= due:
                with suppress(InputError):  # the next read may succeed
                    read()
                done, due = remote.file.done, monotonic() + SPARING * (monotonic() - started)
            show(remote.picture() or {})
            progress.report(remote.file.done, remote.file.goal or 0, remote.file.unit)
            remote.wait()
        with suppress(InputError):
            read()
        show({})
    finally:
        remote.close()


class FollowedTournament(StoppedTournament):
    """A tournament of another program."""

    kind = ""

    def __init__(self, db: Database, file: RunFile) -> None:
        """Read it as it stands. Raises InputError if it is not saved, or its games are unknown here."""
        if file.number is None:
            raise InputError(f"the games of run {file.id} are not saved: only its own program can show them")
        super().__init__(db, file.number)
        self.remote, self._db = Remote(file), db

    def work(self, progress: Progress = SILENT) -> View:
        follow(self.remote, self._read_again, self._show, progress)
        return self.view

    def _read_again(self) -> None:
        assert self.number is not None
        now = StoppedTournament(self._db, self.number)
        with self._lock:
            self._ledgers, self.view = now._ledgers, now.view

    def _show(self, picture: dict[str, Any]) -> None:
        view, file = self.view, self.remote.file
        playing = tuple(LiveGame(at, number, tuple(moves)) for at, number, moves in picture.get("playing", ()))
        seconds = file.seconds_left
        if (playing, seconds) != (view.playing, view.left):
            self.view = replace(view, rate=file.rate or 0.0, left=seconds, playing=playing, fault=file.fault)


class FollowedSweep(Sweep):
    """A sweep of another program."""

    kind = ""

    def __init__(self, file: RunFile) -> None:
        """Read it as it stands. Raises InputError if it is not saved, or its game is unknown here."""
        if not isinstance(file.place, Path):
            raise InputError(f"the trainings of run {file.id} are not saved: only its own program can show them")
        self._path = file.place
        plan, view = sweep.look(self._path)
        super().__init__(plan)
        self.view, self.remote = view, Remote(file)

    @property
    def place(self) -> Path:
        return self._path

    def work(self, progress: Progress = SILENT) -> SweepView:
        follow(self.remote, self._read_again, lambda picture: None, progress)
        return self.view

    def _read_again(self) -> None:
        self.view = sweep.look(self._path)[1]
