"""The program of a small process that ends nimtui if Python code of an own file keeps the interpreter's lock (the GIL).

While C code such as `sum(range(10**12))` or a regular expression holds that lock, no handler and no thread of nimtui
runs. Signals still write their number to Python's wakeup file. This process reads it, passes the number on, and waits
for an answer. In the app it also looks for keys that stay unread, and takes them: Ctrl+C and Ctrl+Q are keys there.
Without an answer in time it ends nimtui with the status of the signal or key, by a signal of `engine.last_exit` that
saves the traceback. The guard then restores the terminal.

`stopping.watch_own_code` starts it: `python -I -S watchdog.py PARENT GUARD EXITS TERMINAL`. It imports nothing of
nimtui.
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

ANSWER, SAVING, SAVED, SHOWN, HIDDEN = range(240, 245)  # from nimtui, beside the numbers of signals
# SAVING and SAVED also stand around each compilation.
QUESTION = 0  # to nimtui, beside the numbers of signals
LOOK = 0.02  # seconds
PATIENCE = 15  # looks without an answer,
WORKED = 0.2  # seconds of processor time that nimtui must have used by then: less may mean a busy machine
ASLEEP = 100  # looks without an answer, whatever it used
REST = 5  # looks between an answer and the next question, once nimtui was told to stop
UNREAD = 5  # looks at an unread key before nimtui is asked
DYING = 1.0  # seconds until SIGKILL
IDLE = 10.0  # seconds between two looks whether nimtui still exists
LEAVE = re.compile(rb"[\x03\x11]|\x1b\[(99|113);5[0-9:]*u")  # Ctrl+C and Ctrl+Q, also as sequences of newer terminals
SAID = b"how nimtui was stopped: Python code of an own file did not return\n"


class Watchdog:
    """What this process knows of nimtui."""

    def __init__(self, parent: int, guard: int, exits: dict[int, int], terminal: str, stops: Iterable[int]) -> None:
        """Watch `parent`. `exits` has, for the signal N, the one that ends it with the status 128 + N."""
        self._parent, self._guard, self._exits, self._stops = parent, guard, exits, frozenset(stops)
        self._keys = os.open(terminal, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK) if terminal else -1
        self._asked = self._unread = 0  # looks since then; 0: not asked, nothing unread
        self._worked = 0.0  # processor time of nimtui when it was asked
        self._saving = 0
        self._rest = 0  # looks until the next question
        self._shown = self._left = False  # _left: the app is over, and only tidies up
        self._stop = 0  # the first signal that told nimtui to stop, or SIGINT for a key; 0: none

    def run(self) -> None:
        """Watch until nimtui ends."""
        while os.getppid() == self._parent:
            watched = [0, self._keys] if self._shown and not self._unread else [0]
            ready = select.select(watched, [], [], LOOK if self._stop or self._asked or self._unread else IDLE)[0]
            if 0 in ready:
                numbers = os.read(0, 64)
                if not numbers:
                    return
                self._hear(numbers)
            else:
                self._look(self._keys in ready)

    def _hear(self, numbers: bytes) -> None:
        for one in numbers:
            if one == ANSWER:
                self._asked, self._rest = 0, REST
            elif one in (SAVING, SAVED):
                self._saving += 1 if one == SAVING else -1
                if self._asked:  # now it can answer
                    self._asked, self._worked = 1, self._used() or 0.0
            elif one in (SHOWN, HIDDEN):
                self._shown, self._unread = one == SHOWN and self._keys >= 0, 0
                self._left = one == HIDDEN
            else:
                if one in self._stops:
                    self._stop = self._stop or one
                self._ask(one)

    def _ask(self, question: int) -> None:
        with suppress(OSError):
            os.write(1, bytes([question]))
        if not self._asked:
            self._asked, self._worked = 1, self._used() or 0.0

    def _look(self, key: bool) -> None:
        """Count a look; end nimtui if it was told to stop and does not answer."""
        if key or self._unread:
            waits = self._shown and bool(select.select([self._keys], [], [], 0)[0])
            self._unread = self._unread + 1 if waits else 0
            if self._unread == UNREAD and not self._asked:
                self._ask(QUESTION)
        if not self._asked:
            self._rest -= 1
            if self._stop and self._rest <= 0:  # it was told to stop, and may still run into own code
                self._ask(QUESTION)
            return
        self._asked += 1
        used = self._used()
        works = used is not None and used - self._worked >= WORKED
        late = self._asked > (PATIENCE if works and not self._left else ASLEEP)
        if late and self._suspended():
            self._asked, self._unread = 0, 0  # the keys are another program's
        elif late and not self._saving:
            if self._unread:
                self._take()
            if self._stop:
                self._end()

    def _take(self) -> None:
        """Read the waiting keys in nimtui's place."""
        self._unread = 0
        with suppress(OSError):
            if LEAVE.search(os.read(self._keys, 4096)):
                self._stop = self._stop or signal.SIGINT

    def _used(self) -> float | None:
        """Return the processor seconds of nimtui; None if this system does not tell."""
        try:
            return time.clock_gettime((~self._parent << 3) | 2)  # CPUCLOCK_SCHED of a process, on Linux
        except OSError:
            return None

    def _suspended(self) -> bool:
        try:
            state = Path(f"/proc/{self._parent}/stat").read_bytes().rpartition(b")")[2].split()[0]
        except (OSError, IndexError):
            return False
        return state in (b"T", b"t")

    def _end(self) -> None:
        with suppress(OSError):
            os.write(self._guard, SAID)
        for number in (self._exits.get(self._stop, signal.SIGABRT), signal.SIGABRT, signal.SIGKILL):
            until = time.monotonic() + DYING
            if os.getppid() == self._parent:
                os.kill(self._parent, number)
            while os.getppid() == self._parent and time.monotonic() < until:
                time.sleep(LOOK)


if __name__ == "__main__":
    stops = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")]
    exits = {int(stop): int(number) for stop, number in re.findall(r"(\d+):(\d+)", sys.argv[3])}
    Watchdog(int(sys.argv[1]), int(sys.argv[2]), exits, sys.argv[4], stops).run()
