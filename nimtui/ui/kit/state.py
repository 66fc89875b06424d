"""How far long work has come: a sweep, a tournament."""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """How far it has come, in a word."""

    NONE = ""
    GOING = "going"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    FINISHED = "finished"
