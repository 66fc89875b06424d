"""Long work between two prompts: occasional lines tell how far it is, and Ctrl+C leads back to the prompt."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from nimtui.cli import output
from nimtui.cli.bar import Bar
from nimtui.jobs.job import Job, Snapshot
from nimtui.progress import Cancelled, Progress

T = TypeVar("T")
PATIENCE, EVERY = 0.8, 5.0  # seconds before the first line of progress, and between two


class Stopped(Exception):
    """A person stopped the work by Ctrl+C."""


def work(name: str, function: Callable[[Progress], T], told: Callable[[Snapshot], str] | None = None) -> T:
    """Return what the function returns; `told` puts into words how far it is. Raises Stopped after Ctrl+C.

    Another signal ends the program. What own games and agents print meanwhile is discarded.
    """
    bar, stdout = Bar(name, shown=False), sys.stdout
    job = Job(name, function, bar)

    def speak() -> None:
        wait = PATIENCE
        while not job.join(wait):
            output.paragraph(f"{name}: {counted(job.snapshot)}." if told is None else told(job.snapshot), to=stdout)
            wait = EVERY

    stdout.flush()
    speaking = Thread(target=speak, daemon=True)
    try:
        with bar, output.others_silent():
            speaking.start()
            job.run()
            speaking.join()
            return job.value()
    except (Cancelled, KeyboardInterrupt):
        if bar.stopped_by not in (0, signal.SIGINT):
            raise
        if sys.stdin is not None and sys.stdin.isatty():
            output.say("")  # ends the line of the ^C that the terminal shows
        raise Stopped from None


def counted(snapshot: Snapshot) -> str:
    """Return a report in words: '412,000 of 1,000,000 games'."""
    if snapshot.done or snapshot.total:
        return f"{snapshot.far} {snapshot.what}".rstrip()
    return snapshot.what or "at work"
