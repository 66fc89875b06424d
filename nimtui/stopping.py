"""The last resort: ends a process that does not hear Ctrl+C or SIGTERM, and puts its terminal right.

Python calls signal handlers between two of its own steps. While the main thread is in compiled code that does not come
back, as in a rule that loops for ever, no handler is called. Python's wakeup file is written even then: a thread reads
it, and waits for a handler to be called, or for the main thread to take a step. If one does it is left alone, however
long it then saves.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
PATIENCE = 0.3  # seconds that the main thread has to take a step
WORKED = 0.2  # seconds of its processor that it must have used meanwhile: one that may wait for a disk has
ASLEEP = 0.44  # seconds: whatever Python waits for itself is interrupted by a signal, what sleeps on is a rule's
LOOK = 0.02
SAID = b"nimtui: stopped in the middle of a calculation; what was saved before is kept\n"

SHOW_CURSOR, PLAIN = b"\x1b[?25h", b"\x1b[0m"
CLEAR_LINE = b"\r\x1b[K"
LEAVE_SCREEN = (  # what Textual turns on: reports of mouse, focus, pastes and keys, the second screen
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l\x1b[?2004l\x1b[<u\x1b[?1049l"
)

_saving = 0
_heard = 0
_counting = threading.Lock()
_settings: tuple[int, Any] | None = None  # the terminal's, as they were
_full_screen = False


@contextmanager
def undisturbed() -> Iterator[None]:
    """Something is being saved: nobody who runs out of patience ends the process now."""
    global _saving
    counted = False
    try:
        with _counting:
            _saving += 1
            counted = True
        yield
    finally:
        if counted:
            with _counting:
                _saving -= 1


def saving() -> bool:
    """Is something being saved in this process?"""
    return _saving > 0


def full_screen(shown: bool) -> None:
    """Say whether an app fills the terminal."""
    global _full_screen
    _full_screen = shown


def heard() -> None:
    """Say that a handler has been called: each handler of STOPS does it first."""
    global _heard
    _heard += 1


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Do as Python does where nobody handles Ctrl+C."""
    heard()
    raise KeyboardInterrupt


def watch() -> None:
    """Watch over the main thread, which calls this, until the process ends."""
    _remember_the_terminal()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    reading, writing = os.pipe()
    with suppress(AttributeError, OSError):  # Python 3.11 on Windows cannot: then a full pipe would wait
        os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reading,), name="stopping", daemon=True).start()


def _listen(reading: int) -> None:
    ident = threading.main_thread().ident
    assert ident is not None
    clock = clock_of(ident)
    before = _heard
    while numbers := os.read(reading, 64):
        stop = next((number for number in numbers if number in STOPS), None)
        if stop is not None and not _steps(clock, before):
            end(128 + stop)
        before = _heard


def clock_of(thread: int) -> Callable[[], float]:
    """Return what tells the seconds of a processor that a living thread has used, or all threads where none can.

    OSError by that where the thread has ended.
    """
    if hasattr(time, "pthread_getcpuclockid"):
        number = time.pthread_getcpuclockid(thread)
        return lambda: time.clock_gettime(number)
    return time.process_time


def _steps(clock: Callable[[], float], before: int) -> bool:
    """Wait until a handler is called, or the main thread takes a step; False where it works or sleeps on without one.

    `before` is how often handlers had been called when the last signal was dealt with.
    """
    stepped = threading.Event()
    if not _ask_for_a_step(stepped):
        return True  # this cannot be known here
    waited, worked = 0.0, clock()
    while _heard == before and not stepped.wait(LOOK):
        waited += LOOK  # not by a clock: nothing has been waited for while the whole process was stopped
        if not saving() and (waited >= ASLEEP or (waited >= PATIENCE and clock() - worked >= WORKED)):
            return False
    return True


def _ask_for_a_step(stepped: threading.Event) -> bool:
    """Have an event set by the main thread, after the handlers of the signals that have come; False if it cannot be."""
    try:
        import ctypes

        kind = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

        def step(_: object) -> int:
            stepped.set()
            return 0

        call = kind(step)
        _calls.append(call)  # it must be there when it is called
        del _calls[:-MOST_CALLS]
        return not ctypes.pythonapi.Py_AddPendingCall(call, None)
    except (ImportError, AttributeError):  # not CPython
        return False


MOST_CALLS = 64  # more than can be pending
_calls: list[object] = []


def end(status: int) -> None:
    """Put the terminal right, say so in a line, and end the process at once."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    put_right()
    with suppress(OSError):
        os.write(2, SAID)
    if (guard := sys.modules.get("nimtui.store.guard")) is not None:
        guard.end()  # the last word is said: it has nothing to add
    os._exit(status)


def put_right() -> None:
    """Give the terminal back as it was found."""
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, (LEAVE_SCREEN if _full_screen else CLEAR_LINE) + PLAIN + SHOW_CURSOR)
    if _settings is not None:
        import termios

        with suppress(termios.error):
            termios.tcsetattr(_settings[0], termios.TCSANOW, _settings[1])


def _remember_the_terminal() -> None:
    global _settings
    with suppress(ImportError):
        import termios

        with suppress(termios.error, OSError):
            _settings = 0, termios.tcgetattr(0)
