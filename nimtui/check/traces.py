"""Find what loading and running a file leaves behind in its process; games and learners share the program's process.

Traces are settings that every part of a process shares, and names that were replaced. Names that a file only adds do no
harm. Importing libraries leaves none of these traces.
"""

from __future__ import annotations

import atexit
import builtins
import gc
import math
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from nimtui.process.plugins import redirected

OURS = ("NIMTUI_", "NUMBA_", "PYTHON")  # beginnings of environment variables that decide what nimtui does
LIMITS = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_STACK")
TIMERS = ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")


def changed_settings(before: dict[str, object]) -> list[str]:
    """Return the settings that differ from those that `present_settings` returned before."""
    after = present_settings()
    return [name for name, value in before.items() if not _same(value, after.get(name))]


def present_settings() -> dict[str, object]:
    """Return the present settings by name. A setting that this system lacks is left out."""
    settings: dict[str, object] = {}
    for name, value in SETTINGS.items():
        with suppress(AttributeError, ImportError, OSError, ValueError):
            settings[name] = value()
    return settings


def _same(before: object, after: object) -> bool:
    """Return whether nothing was changed or removed. Additions to a path or to the environment are allowed."""
    if isinstance(before, dict) and isinstance(after, dict):
        new = [name for name in after if name not in before and name.startswith(OURS)]
        return not new and all(after.get(name) == value for name, value in before.items())
    if isinstance(before, list) and isinstance(after, list):
        return all(any(one is other for other in after) for one in before)
    return before == after


def wakeup_file() -> int:
    """Return the number of the file that signals are written to; -1 if there is none."""
    number = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(number, warn_on_full_buffer=False)
    return number


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _limits() -> tuple[object, ...]:
    import resource

    return tuple(resource.getrlimit(getattr(resource, name)) for name in LIMITS if hasattr(resource, name))


SETTINGS: dict[str, Callable[[], object]] = {
    "the recursion limit": sys.getrecursionlimit,
    "the switch interval": sys.getswitchinterval,
    "the limit of digits": lambda: sys.get_int_max_str_digits(),
    "the trace or profile function": lambda: tuple((one.gettrace(), one.getprofile()) for one in (sys, threading)),
    "the blocked signals": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ()),
    "a timer": lambda: tuple(signal.getitimer(getattr(signal, name))[0] > 0 for name in TIMERS),
    "the wakeup file of signals": wakeup_file,
    "the environment": lambda: dict(os.environ),
    "sys.path": lambda: list(sys.path),
    "sys.meta_path": lambda: list(sys.meta_path),
    "sys.path_hooks": lambda: list(sys.path_hooks),
    "sys.modules": lambda: [module for module in sys.modules.values() if module is not None],
    "the umask": _umask,
    "the limits of the process": _limits,
    "the priority of the process": lambda: os.getpriority(os.PRIO_PROCESS, 0),
    "NumPy's treatment of errors": lambda: (tuple(np.geterr().items()), np.geterrcall()),
    "the collection of garbage": lambda: (gc.isenabled(), gc.get_threshold(), len(gc.callbacks)),
}


STREAMS = ("stdin", "stdout", "stderr", "excepthook")
SHARED = (builtins, math, np, os, random, signal, sys, threading, time)  # and every module of this package
MOST_HEARD = 60  # bytes
LISTENING = 0.2  # seconds
ON_ALARM = frozenset({signal.SIGALRM, signal.SIGPROF}) if hasattr(signal, "SIGALRM") else frozenset()


class ProcessState(NamedTuple):
    """The state of the process before a file is loaded."""

    threads: frozenset[threading.Thread]
    handlers: dict[int, Any]
    folder: str
    files: dict[int, tuple[int, int] | None]
    streams: dict[str, object]
    words: dict[str, tuple[ModuleType, dict[str, object]]]
    settings: dict[str, object]


@contextmanager
def watched(tell: Callable[[str], object], doing: str) -> Iterator[None]:
    """Call `tell` with one line for each trace that the block leaves behind; `doing` says what it does."""
    if wakeup_file() < 0:  # have signals wake a file, as in nimtui's own process
        writing = os.pipe()[1]
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    before, at_exit = _now(), list[Callable[..., Any]]()
    register = atexit.register

    def noted(function: Callable[..., Any], *given: Any, **more: Any) -> Callable[..., Any]:
        at_exit.append(function)
        return register(function, *given, **more)

    atexit.register = noted  # type: ignore[assignment]
    try:
        yield
    finally:
        atexit.register = register
    for trace in _left(before, at_exit):
        tell(f"{doing} {trace}")


@contextmanager
def overheard(tell: Callable[[str], object], doing: str) -> Iterator[None]:
    """Call `tell` with one line if the block writes to stdout or stderr: there is the screen, or a document."""
    reading, writing = os.pipe()
    heard = bytearray()
    listener = threading.Thread(target=_listen, args=(reading, heard), daemon=True)
    listener.start()
    try:
        with redirected(writing):
            yield
    finally:
        listener.join(LISTENING)  # a process that the file started may still write
    if text := heard.decode(errors="replace").strip():
        tell(f"{doing} prints: {text}")


def _listen(reading: int, heard: bytearray) -> None:
    while more := os.read(reading, 1 << 16):
        heard += more[: max(0, MOST_HEARD - len(heard))]


def _now() -> ProcessState:
    modules = [*SHARED, *(module for name, module in list(sys.modules.items()) if name.startswith("nimtui."))]
    return ProcessState(
        frozenset(threading.enumerate()),
        {number: signal.getsignal(number) for number in signal.valid_signals() - ON_ALARM},
        _folder(),
        {number: _file(number) for number in (0, 1, 2)},
        {name: getattr(sys, name) for name in STREAMS},
        {module.__name__: (module, _words(module)) for module in modules},
        present_settings(),
    )


def _left(before: ProcessState, at_exit: list[Callable[..., Any]]) -> Iterator[str]:
    if os.name == "posix":
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
            yield "leaves a process behind"
    for thread in set(threading.enumerate()) - before.threads:
        target = getattr(thread, "_target", None)
        if not str(getattr(target, "__module__", "")).startswith("nimtui."):
            yield f"leaves a thread running: {thread.name}"
    for function in at_exit:
        if str(getattr(function, "__module__", "")).startswith("nimtui_"):
            yield f"registers {getattr(function, '__name__', 'a function')} to run when nimtui ends"
    for number, handler in before.handlers.items():
        if signal.getsignal(number) is not handler:
            yield f"handles the signal {signal.Signals(number).name}"
    if _folder() != before.folder:
        yield "changes the working folder"
    for number, file in before.files.items():
        if _file(number) != file:
            yield f"closes or replaces the file {number}"
    for name, stream in before.streams.items():
        if getattr(sys, name, None) is not stream or getattr(stream, "closed", False):
            yield f"closes or replaces sys.{name}"
    for name, (module, words) in before.words.items():
        for word, value in words.items():
            if module.__dict__.get(word) is not value:
                yield f"replaces {name}.{word}"
    for name in changed_settings(before.settings):
        yield f"changes {name}"


def _words(module: ModuleType) -> dict[str, object]:
    """Return the functions and classes of a module, and other callables."""
    return {word: value for word, value in vars(module).items() if callable(value) and word not in STREAMS}


def _folder() -> str:
    with suppress(OSError):
        return os.getcwd()  # noqa: PTH109 - as a text
    return ""


def _file(number: int) -> tuple[int, int] | None:
    """Return the identity of the file with this number, or None if it is closed."""
    with suppress(OSError):
        status = os.fstat(number)
        return status.st_dev, status.st_ino
    return None
