"""What a check has found so far: whether each rule of a contract holds, or the first example that it does not."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import numpy as np

from nimtui.errors import InputError
from nimtui.plugins import fault_text, one_line

LONGEST = 400  # characters of an example
AGAIN = 0.25  # seconds after which an alarm that somebody swallowed rings again


class Broken(Exception):
    """A rule of the contract is broken here: its name, and the example. What is examined cannot be examined further."""

    certain = True

    def __init__(self, name: str, example: str) -> None:
        super().__init__(f"{name}: {example}")
        self.name = name
        self.example = example


class Late(Broken):
    """The rule may hold, but its time was up first: on another day, or a faster machine, it may be found to hold."""

    certain = False


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

    def note(self, broken: Broken) -> None:
        """A rule is broken, as this says."""
        self.fail(broken.name, broken.example, broken.certain)

    def fail(self, name: str, example: str, certain: bool = True) -> None:
        """A rule is broken. The first example of each rule is kept. `certain`: it is so at any time, on any machine."""
        self.tries(name)
        if name not in self.broken:
            example = one_line(example, LONGEST)
            self.broken[name] = example
            self._tell({"broken": name, "example": example, "certain": certain})

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Keep what is found broken within, and go on after it."""
        try:
            yield
        except Broken as found:
            self.note(found)


_ends: list[float] = []  # when the time is up of each `at_most` that is entered, the outermost first


def _ring(*_: object) -> None:
    if _ends and monotonic() >= min(_ends):
        raise Overdue


def _arm() -> None:
    """Let the alarm ring when the first time is up, and again until everything it ends is left."""
    left = max(min(_ends) - monotonic(), 0.001) if _ends else 0.0
    signal.signal(signal.SIGALRM, _ring)  # who is examined may have put another there
    signal.setitimer(signal.ITIMER_REAL, left, AGAIN if _ends else 0.0)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise Overdue in what is done within, if it takes longer. Without effect where the system has no such alarm.

    Within another one, the time of the outer runs on: it is raised there too when that is up.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    depth = len(_ends)
    try:
        _ends.append(monotonic() + seconds)
        _arm()
        yield
    finally:  # an alarm that rings in here leaves at worst the timer on, and the handler then raises nothing
        del _ends[depth:]
        _arm()


@contextmanager
def compiling(where: str) -> Iterator[None]:
    """Turn what compiled code raises, or what cannot be compiled, into Broken."""
    try:
        yield
    except InputError as fault:
        raise Broken("compiled", f"{where}: it cannot be compiled: {fault}") from None
    except Exception as fault:  # noqa: BLE001 - a person's own code may fail in any way
        raise Broken("compiled", f"{where}: compiled, it raises {fault_text(fault)}") from None


def is_whole(value: Any) -> bool:
    """Is this a whole number, as rules answer them?"""
    return isinstance(value, int | np.integer | np.bool_)
