"""Jobs that are done as soon as they start, in the calling thread: conductors without an app, a loop or waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from nimtui.jobs import Job, Jobs
from nimtui.progress import Progress

T = TypeVar("T")


class AtOnce(Jobs):
    """Does the work of a job before it returns the job."""

    def start(self, name: str, work: Callable[[Progress], T], release: Callable[[], object] = lambda: None) -> Job[T]:
        job = Job(name, work, release=release)
        job.run()
        return job


def look_up_at_once(patch: pytest.MonkeyPatch) -> None:
    """Let look-ups, which have jobs of their own, be done at once, too."""
    patch.setattr("nimtui.jobs.conductor.Jobs", AtOnce)


class Changes:
    """Counts the calls of a conductor's `changed`."""

    def __init__(self, conductor: Any) -> None:
        self.number = 0
        conductor.changed = self._count

    def _count(self) -> None:
        self.number += 1
