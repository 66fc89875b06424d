"""How Ctrl+C and SIGTERM end a process: work stops in order at its next report, or soon after if it does not report.

The last resort ends a process that does not react, and restores its terminal.

Python calls signal handlers between two bytecode steps. Compiled code that never returns, such as a rule that loops for
ever, keeps the main thread from calling any. Python still writes to its wakeup file: a thread reads that, and waits for
a handler, or for a step of the main thread. After either, it leaves the process alone, however long that then saves,
unless the main thread stays in an own file's Python code. C code there may keep every thread from running: then the
process of `watchdog` ends this one.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import sleep
from types import FrameType
from typing import Any, Self, TypeAlias

from nimtui.process import plugins, watchdog
from nimtui.progress import Cancelled, Progress

Prepare: TypeAlias = Callable[[Sequence[int]], dict[int, int]]
STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)]
PATIENCE = 0.3  # seconds that the main thread has to take a step
WORKED = 0.2  # seconds of processor time that it must have used by then: less may mean that it waits for a disk
ASLEEP = 0.36  # seconds: a signal interrupts Python's own waits, so a longer sleep is that of a rule
LOOK = 0.02
IN_A_ROW = 5  # looks that find the main thread in own code
SAID = b"nimtui: stopped in the middle of a calculation; earlier saves are intact\n"

SHOW_CURSOR, PLAIN = b"\x1b[?25h", b"\x1b[0m"
CLEAR_LINE = b"\r\x1b[K"
LEAVE_SCREEN = (  # Textual's modes: reports of mouse, focus, pastes and keys, the second screen
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l\x1b[?2004l\x1b[<u\x1b[?1049l"
)

_saving = 0
_heard = _first = 0  # handlers that ran; the signal of the first
_counting = threading.Lock()
_settings: tuple[int, Any] | None = None  # of the terminal, before the app
_full_screen = False
_listener = -1  # the pipe of the thread that listens to signals
_wakeup = -1  # the pipe of the process of `watchdog`
_watched = 0  # the process that it watches: this one, but not a fork of it
_at_end: list[Callable[[], object]] = []  # what `end` calls last


@contextmanager
def undisturbed() -> Iterator[None]:
    """Mark that something is being saved: the process is not ended within."""
    global _saving
    counted = False
    try:
        with _counting:
            _saving += 1
            counted = True
        _tell(watchdog.SAVING)
        yield
    finally:
        if counted:
            with _counting:
                _saving -= 1
            _tell(watchdog.SAVED)


def saving() -> bool:
    """Return whether something is being saved in this process."""
    return _saving > 0


def full_screen(shown: bool) -> None:
    """Record whether an app fills the terminal."""
    global _full_screen
    _full_screen = shown


def reads_keys(reading: bool) -> None:
    """Record whether the app reads keys from the terminal now."""
    _tell(watchdog.SHOWN if reading else watchdog.HIDDEN)


def compiles(compiling: bool) -> None:
    """Record that the compiler runs, or no more: it keeps the interpreter's lock for seconds, and always returns."""
    _tell(watchdog.SAVING if compiling else watchdog.SAVED)


def heard(number: int = signal.SIGINT) -> None:
    """Record that the handler of this signal ran. Each handler of STOPS calls this first."""
    global _heard, _first
    _heard += 1
    _first = _first or number


def forget() -> None:
    """Forget the signals that were heard: another command starts in this process."""
    global _first
    _first = 0


def status() -> int:
    """Return the exit status of a command that was stopped: 128 + the first signal, 130 if no handler ran."""
    return 128 + (_first or signal.SIGINT)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, as Python's own handler does."""
    heard(number)
    raise KeyboardInterrupt


def watch() -> None:
    """Watch the calling main thread until the process ends."""
    global _listener
    _remember_the_terminal()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    reading, writing = os.pipe()
    with suppress(AttributeError, OSError):  # Python 3.11 on Windows cannot: then a full pipe would wait
        os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    _listener = writing
    threading.Thread(target=_listen, args=(reading,), name="process.stopping", daemon=True).start()


def watch_own_code(guard: int = -1, terminal: str = "", prepare: Prepare | None = None) -> Collection[int]:
    """Watch this process from another one, because it runs Python code of own files. Needs `watch`.

    `guard` is the pipe of its guard, `terminal` that of the app; `prepare` makes signals that end this process with a
    status (`engine.last_exit`). A later call replaces an earlier one. Does nothing if the system cannot start a
    process. Returns the signals by which the other process may end this one.
    """
    global _wakeup, _watched
    if _listener < 0 or os.name != "posix" or not plugins.loaded():
        return ()
    leaving = prepare(STOPS) if prepare is not None else {}
    exits = ",".join(f"{stop}:{number}" for stop, number in leaving.items())
    words = [str(os.getpid()), str(guard), exits, terminal]
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(watchdog.__file__), *words],
            stdin=reading,
            stdout=_listener,
            stderr=subprocess.DEVNULL,
            pass_fds=[guard] if guard >= 0 else [],
            start_new_session=True,
            cwd="/",
        )
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    except (OSError, ValueError):  # no process, or not the main thread
        os.close(writing)
    else:
        if _watched:
            os.close(_wakeup)  # that ends the process before
        _wakeup, _watched = writing, os.getpid()
        _watchdogs.append(process)  # nobody waits for it: it ends with this process
    finally:
        os.close(reading)
    return leaving.values()


def _tell(what: int) -> None:
    if _watched == os.getpid():
        with suppress(OSError):
            os.write(_wakeup, bytes([what]))


def _listen(reading: int) -> None:
    ident = threading.main_thread().ident
    assert ident is not None
    clock = clock_of(ident)
    before, stop, inside = _heard, 0, Inside()
    while True:
        if select.select([reading], [], [], LOOK if stop else None)[0]:
            try:
                numbers = os.read(reading, 64)
            except OSError:  # own code closed it
                return
            if not numbers:
                return
            _tell(watchdog.ANSWER)
            if first := next((number for number in numbers if number in STOPS), 0):
                stop = stop or first
                if not _steps(clock, before):
                    end(128 + stop)
            before = _heard
        if stop and inside.stays() and not _full_screen:  # the app has its own way to end
            end(128 + stop)


class Inside:
    """Looks whether the main thread stays in the Python code of own files."""

    def __init__(self) -> None:
        self._thread = threading.main_thread().ident
        self._looks = self._inside = 0
        self._worked = 0.0  # processor time at the first look

    def stays(self) -> bool:
        """Look once more, LOOK seconds after the last time. Returns True from ASLEEP seconds on, PATIENCE of work."""
        self._looks += 1
        if self._looks == 1:
            self._worked = time.process_time()  # looks come late while Python code works
        self._inside = self._inside + 1 if _in_own_code(self._thread) and not saving() else 0
        late = self._looks * LOOK >= ASLEEP or time.process_time() - self._worked >= PATIENCE
        return late and self._inside >= IN_A_ROW


def _in_own_code(thread: int | None) -> bool:
    files = {str(one.path) for one in plugins.loaded()}
    frame = sys._current_frames().get(thread or 0)
    while frame is not None and frame.f_code.co_filename not in files:
        frame = frame.f_back
    return frame is not None


def clock_of(thread: int) -> Callable[[], float]:
    """Return a function that gives the processor seconds of a thread, or of all threads without such a clock.

    The function raises OSError once the thread has ended.
    """
    if hasattr(time, "pthread_getcpuclockid"):
        number = time.pthread_getcpuclockid(thread)
        return lambda: time.clock_gettime(number)
    return time.process_time


def _steps(clock: Callable[[], float], before: int) -> bool:
    """Wait for a handler or a step of the main thread. Returns False if neither comes while it works or sleeps.

    `before` is the count of handler calls at the previous signal.
    """
    stepped = threading.Event()
    if not _ask_for_a_step(stepped):
        return True  # steps cannot be detected here
    waited, worked = 0.0, clock()
    while _heard == before and not stepped.wait(LOOK):
        waited += LOOK  # no clock: a clock also counts the time in which the whole process was suspended
        if not saving() and (waited >= ASLEEP or (waited >= PATIENCE and clock() - worked >= WORKED)):
            return False
    return True


def _ask_for_a_step(stepped: threading.Event) -> bool:
    """Make the main thread set an event after its pending signal handlers. Returns False if that is impossible."""
    try:
        import ctypes

        kind = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

        def step(_: object) -> int:
            stepped.set()
            return 0

        call = kind(step)
        _calls.append(call)  # it must still exist when it is called
        del _calls[:-MOST_CALLS]
        return not ctypes.pythonapi.Py_AddPendingCall(call, None)
    except (ImportError, AttributeError):  # not CPython
        return False


_watchdogs: list[subprocess.Popen[bytes]] = []
MOST_CALLS = 64  # more than Python's limit of pending calls
_calls: list[object] = []


def end(status: int) -> None:
    """Restore the terminal, print one line, and end the process at once."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    put_right()
    with suppress(OSError):
        os.write(2, SAID)
    for last in _at_end:
        last()
    os._exit(status)


def at_end(last: Callable[[], object]) -> None:
    """Have `end` call this once its line, the last one, is written."""
    if last not in _at_end:
        _at_end.append(last)


def put_right() -> None:
    """Restore the terminal to its state before the app."""
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


STOPPED = (Cancelled, KeyboardInterrupt)
UNHEARD = 0.25  # seconds that work may take to report after a signal before it is interrupted


class Stoppable(Progress):
    """`with Stoppable("train", [signal.SIGINT]) as progress: work(progress)`.

    The first of these signals makes the next report raise Cancelled, so the work ends between two chunks with its
    results. A second signal interrupts at once. Work that does not report for UNHEARD seconds after the first signal,
    such as a rule that loops, is interrupted too. An ignored signal (SIGHUP by nohup) stays ignored, except Ctrl+C.
    Outside the main thread no signal is watched.
    """

    def __init__(self, what: str, signals: Sequence[int]) -> None:
        self.what = what
        self.stopped = False
        self.stopped_by = 0  # the first signal
        self.ended: BaseException | None = None  # what ended an orderly block
        self._signals = signals
        self._heard = False  # has the work been told to stop, or has it ended?
        self._insisted = False  # does the next signal come from `_insist`?
        self._hook: Callable[[sys.UnraisableHookArgs], object] | None = None  # sys.unraisablehook before this
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in self._signals:
                if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._stop)
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraisable
        return self

    def __exit__(self, kind: object, *more: object) -> None:
        self._heard = True
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._hook is not None:
            sys.unraisablehook = self._hook
        with suppress(OSError):  # the terminal may be gone
            self.close()

    @contextmanager
    def orderly(
        self, some: Callable[[], object] = lambda: True, ends: tuple[type[BaseException], ...] = STOPPED
    ) -> Iterator[None]:
        """Go on after the block if a stop, or another of these `ends`, ends it and `some` result is there.

        `ended` is then what ended it.
        """
        try:
            yield
        except ends as ended:
            if not some():
                raise
            self.ended = self.ended or ended

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.stopped:
            self._heard = True
            raise Cancelled(self.what)
        self.show(done, total, what)

    def show(self, done: float, total: float, what: str) -> None:
        """Show the progress; shows nothing unless a subclass does."""

    def close(self) -> None:
        """Remove what is shown."""

    def _stop(self, number: int, frame: FrameType | None) -> None:
        heard(number)
        ours, self._insisted = self._insisted, False
        if ours and self._heard:
            return
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped, self.stopped_by = True, number
        self._start_insisting()

    def _unraisable(self, fault: sys.UnraisableHookArgs) -> None:
        """Repeat an interrupt that Python could not raise: it is lost inside a callback of LLVM."""
        if issubclass(fault.exc_type, KeyboardInterrupt):
            self._start_insisting()
        elif self._hook is not None:
            self._hook(fault)

    def _start_insisting(self) -> None:
        threading.Thread(target=self._insist, name="insisting", daemon=True).start()

    def _insist(self) -> None:
        """Interrupt work that does not report, but never while something is being saved."""
        sleep(UNHEARD)
        while not self._heard and saving():
            sleep(UNHEARD / 10)
        if not self._heard:
            self._insisted = True
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)
