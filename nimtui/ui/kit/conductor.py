"""The base of the conductors: each runs a mode's work on any screen, and belongs to the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nimtui.jobs import Job, Jobs


class Conductor:
    """Starts, holds and ends work as jobs. Knows no widget; all of it happens in the event loop.

    `changed` is called when something happened that no tick would show; `message` is what there is to say, in a line.
    """

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.changed: Callable[[], None] = lambda: None
        self.message = ""

    @property
    def lost_by_leaving(self) -> str:
        """What quitting now would lose, in a sentence; '' for nothing, or for too little to ask."""
        return ""

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """The jobs that may be ended without a question: their work is saved, or no person asked for it."""
        return []
