"""The state of a sweep or a tournament."""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """The state of long work; its value is the word shown for it."""

    NONE = ""
    GOING = "going"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    FINISHED = "finished"
