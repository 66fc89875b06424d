"""Collect what a check finds: for each rule of a contract, that it holds, or the first example that breaks it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import numpy as np

from nimtui.errors import InputError
from nimtui.process.plugins import fault_text, one_line

LONGEST = 400  # characters of an example
AGAIN = 0.25  # seconds after which an alarm repeats if code has swallowed the exception


class Broken(Exception):
    """A rule of the contract is broken, with its name and an example. The checked object cannot be examined further."""

    certain, late = True, False

    def __init__(self, name: str, example: str) -> None:
        super().__init__(f"{name}: {example}")
        self.name = name
        self.example = example


class Late(Broken):
    """A rule ran out of time: it may hold at another time or on a faster machine."""

    certain, late = False, True


class Overdue(BaseException):
    """The person's own code ran out of time; raised inside it, past any `except Exception`."""


class Ended(Exception):
    """Nothing more can be checked: an earlier finding says why."""


class Trial:
    """Collect findings; `tell` hears of each broken rule at once, in case the process dies later."""

    def __init__(self, tell: Callable[[dict[str, Any]], None], at: Callable[[str, str | None], None]) -> None:
        self.broken: dict[str, str] = {}
        self.tried: dict[str, None] = {}  # names of rules, in the order of their first check
        self._at = at
        self._tell = tell

    def at(self, doing: str, where: str | None = None) -> None:
        """Note the current step, and its place if that changes, in case the process dies here."""
        self._at(doing, where)

    def stage(self, name: str) -> None:
        """Announce the next stage; each stage has its own time limit."""
        self._tell({"stage": name})

    def tries(self, *names: str) -> None:
        """Announce that these rules are checked from now on."""
        for name in names:
            if name not in self.tried:
                self.tried[name] = None
                self._tell({"tries": name})

    def note(self, broken: Broken) -> None:
        """Note a broken rule."""
        self.fail(broken.name, broken.example, broken.certain, broken.late)

    def fail(self, name: str, example: str, certain: bool = True, late: bool = False) -> None:
        """Note a broken rule with its first example.

        `certain`: the finding holds at any time, on any machine. `late`: time ran out.
        """
        self.tries(name)
        if name not in self.broken:
            example = one_line(example, LONGEST)
            self.broken[name] = example
            self._tell({"broken": name, "example": example, "certain": certain, "late": late})

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note what is found broken inside the block, and continue after it."""
        try:
            yield
        except Broken as broken:
            self.note(broken)


_ends: list[float] = []  # the deadline of each open `at_most`, the outermost first
announce: Callable[[float], None] = lambda until: None  # noqa: E731 - called with the first deadline; 0: none


def _ring(*_: object) -> None:
    if _ends and monotonic() >= min(_ends):
        raise Overdue


def _arm() -> None:
    """Set the alarm to the first deadline, and repeat it until the overdue code has ended."""
    announce(min(_ends, default=0.0))
    seconds = max(min(_ends) - monotonic(), 0.001) if _ends else 0.0
    signal.signal(signal.SIGALRM, _ring)  # the checked code may have installed another handler
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN if _ends else 0.0)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise Overdue inside the block if it takes longer. Without effect if the system has no such alarm.

    Inside another `at_most`, the outer deadline still holds and raises Overdue here too.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    depth = len(_ends)
    try:
        _ends.append(monotonic() + seconds)
        _arm()
        yield
    finally:  # an alarm inside this block leaves at worst the timer on; the handler then raises nothing
        del _ends[depth:]
        _arm()


@contextmanager
def own_code(name: str, example: Callable[[str], str], passing: tuple[type[BaseException], ...] = ()) -> Iterator[None]:
    """Turn whatever a person's own code raises into Broken, except `passing`. `example` words the fault."""
    try:
        yield
    except BaseException as fault:
        if isinstance(fault, (Broken, Overdue, *passing)):
            raise
        raise Broken(name, example(fault_text(fault))) from None


@contextmanager
def compiling(where: str) -> Iterator[None]:
    """Turn compilation errors and exceptions of compiled code into Broken."""
    try:
        yield
    except InputError as fault:
        raise Broken("compiled", f"{where} cannot be compiled: {fault}") from None
    except Exception as fault:  # noqa: BLE001 - a person's own code may fail in any way
        raise Broken("compiled", f"{where}: the compiled code raises {fault_text(fault)}") from None


def is_whole(value: Any) -> bool:
    """Return whether this is a whole number, as rules answer them."""
    return isinstance(value, int | np.integer | np.bool_)
