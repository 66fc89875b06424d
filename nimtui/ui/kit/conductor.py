"""The base of the conductors: each runs a mode's work on any screen, and belongs to the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nimtui.jobs import Job, Jobs


class Conductor:
    """Starts, pauses and ends work as jobs. Knows no widgets and runs in the event loop.

    It calls `changed` for news that no tick would show. `message` is one line for the person.
    """

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.changed: Callable[[], None] = lambda: None
        self.message = ""

    def release(self) -> None:
        """Release what is held open. Called when the app and all jobs have ended."""

    @property
    def lost_by_leaving(self) -> str:
        """Return what quitting now would lose, in a sentence; '' if the app need not ask."""
        return ""

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """Return the jobs that may end without a question: their work is saved, or nobody asked for it."""
        return []
