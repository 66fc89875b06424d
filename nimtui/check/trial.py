"""What a check has found so far: whether each rule of a contract holds, or the first example that it does not."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

LONGEST = 200  # characters of what a person's own code said


class Broken(Exception):
    """A rule of the contract is broken here: its name, and the example. What is examined cannot be examined further."""

    def __init__(self, name: str, example: str) -> None:
        super().__init__(f"{name}: {example}")
        self.name = name
        self.example = example


class Overdue(BaseException):
    """The person's own code has had its time: raised inside it, past any `except Exception`."""


class Ended(Exception):
    """Nothing more can be tried: what was found already says why."""


class Trial:
    """Collects what is found; `tell` hears each rule that breaks at once, so that it is known whatever comes after."""

    def __init__(self, tell: Callable[[dict[str, Any]], None], at: Callable[[str, str | None], None]) -> None:
        self.broken: dict[str, str] = {}
        self.tried: dict[str, None] = {}  # the names of rules, in the order in which they were first tried
        self._at = at
        self._tell = tell

    def at(self, doing: str, where: str | None = None) -> None:
        """Note what is being tried, and where if that is another place, in case the process does not live to say it."""
        self._at(doing, where)

    def stage(self, name: str) -> None:
        """Say what begins now; each stage has a time of its own."""
        self._tell({"stage": name})

    def tries(self, *names: str) -> None:
        """These rules are tried from now on."""
        for name in names:
            if name not in self.tried:
                self.tried[name] = None
                self._tell({"tries": name})

    def fail(self, name: str, example: str) -> None:
        """A rule is broken. The first example of each rule is kept."""
        self.tries(name)
        if name not in self.broken:
            self.broken[name] = example
            self._tell({"broken": name, "example": example})

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Keep what is found broken within, and go on after it."""
        try:
            yield
        except Broken as found:
            self.fail(found.name, found.example)


def said(fault: BaseException) -> str:
    """What a fault is called and says, in one line: 'IndexError: index 9 is out of bounds …'."""
    try:
        text = " ".join(str(fault).split())
    except Exception:  # noqa: BLE001 - a person's own class may fail here too
        text = ""
    line = f"{type(fault).__name__}: {text}" if text else type(fault).__name__
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise Overdue in what is done within, if it takes longer. Without effect where the system has no such alarm."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise Overdue

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)  # again and again: the first may be swallowed
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def whole(value: Any) -> bool:
    """Is this a whole number, as rules answer them?"""
    return isinstance(value, int | np.integer | np.bool_)
