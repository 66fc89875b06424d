"""Hands saved work over to processes in the background when the app ends, and ends the app when its work is taken."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from nimtui.jobs import recording
from nimtui.process import detached
from nimtui.store import run_files
from nimtui.store.run_files import RunFile

LONG = 60.0  # seconds left from which on leaving asks
HANG_UP = 128 + getattr(signal, "SIGHUP", 1)


class Continuing:
    """The part of the app that knows which of its runs outlive it."""

    _heirs: tuple[int, ...] = ()  # the numbers of these runs

    def be_taken_over(self) -> None:
        """From now on, end as after a hang-up when another nimtui takes a run: nobody may read this terminal."""
        if hasattr(signal, "SIGHUP"):
            recording.hand_over = lambda: os.kill(os.getpid(), signal.SIGHUP)

    def long_runs(self) -> list[RunFile]:
        """Return the runs that could continue without the app, and take longer than LONG."""
        files = [one.file for one in recording.going if one.can_continue and one.file is not None]
        return [file for file in files if file.rate and (file.seconds_left is None or file.seconds_left > LONG)]

    def choose_heirs(self) -> None:
        """Let the runs that are going continue when the app has ended. Call it before they are stopped."""
        self._heirs = self._heirs or tuple(
            one.file.id for one in recording.going if one.can_continue and one.file is not None
        )

    def continue_elsewhere(self) -> None:
        """Start a process for each chosen run. It waits until this one has released the run's file."""
        heirs, self._heirs = self._heirs, ()
        for id in heirs:
            with suppress(OSError):  # no room for a process: the run stays stopped and saved
                detached.start(["runs", "take", str(id)], id, run_files.output(id))
