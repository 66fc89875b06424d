"""How long work that reports its progress will still take, in plain words."""

from __future__ import annotations

from nimtui.engine import activity
from nimtui.jobs.job import Snapshot

TRUSTED = 1.5  # seconds of work before a guess is worth showing


class Remaining:
    """Watches the snapshots of one job; each new kind of work restarts the timing."""

    def __init__(self) -> None:
        self._work: tuple[str, float] | None = None  # what is done, of how much
        self._since = (0.0, 0.0)  # when this work was first seen, and how much of it was done then

    def seen(self, snapshot: Snapshot, now: float) -> float | None:
        """Return the seconds left at the pace so far (`now` in seconds); None while that is only a guess."""
        if self._work != (snapshot.what, snapshot.total):
            self._work, self._since = (snapshot.what, snapshot.total), (now, snapshot.done)
        began, done = self._since
        worked, took = snapshot.done - done, now - began
        if snapshot.total <= 0 or worked <= 0 or took < TRUSTED:
            return None
        return max(0.0, snapshot.total - snapshot.done) * took / worked


def compiling_text() -> str:
    """Return 'compiling the engine, once: 1 of 3 kernels, 4 s'; '' if nothing waits for the compiler."""
    if activity.compiling() is None:
        return ""
    from nimtui.games.notation import plural  # with NumPy, which the start screen does without

    orders = activity.orders()
    if orders is None:  # compiled in this process, in the order of need: how many are to come is unknown
        return "compiling the engine, once"
    done = f"{orders.done} of {plural(orders.total, 'kernel', 'kernels')}"
    return f"compiling the engine, once: {done}, {round(orders.seconds)} s"


def remaining_text(seconds: float | None) -> str:
    """Return 'about 2 min left'; '' if unknown or shorter than 2 s."""
    return f"{duration_text(seconds)} left" if seconds is not None and seconds >= 2 else ""


def duration_text(seconds: float) -> str:
    """Return a duration in plain words: 'a few seconds', 'about 2 min'."""
    if seconds < 10:
        return "a few seconds"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {round(seconds / 3600)} h"
