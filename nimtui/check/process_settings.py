"""The settings of a process that every part of it shares, and that an own file could change for all of them."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import numpy as np

OURS = ("NIMTUI_", "NUMBA_", "PYTHON")  # beginnings of environment variables that decide what nimtui does
LIMITS = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_STACK")


def changed(before: dict[str, object]) -> list[str]:
    """Return the settings that differ from those that `now` returned before."""
    after = now()
    return [name for name, value in before.items() if not _same(value, after.get(name))]


def now() -> dict[str, object]:
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


def _timers() -> tuple[bool, ...]:
    return tuple(
        signal.getitimer(timer)[0] > 0 for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
    )


SETTINGS: dict[str, Callable[[], object]] = {
    "the recursion limit": sys.getrecursionlimit,
    "the switch interval": sys.getswitchinterval,
    "the limit of digits": lambda: sys.get_int_max_str_digits(),
    "the trace or profile function": lambda: (
        sys.gettrace(),
        sys.getprofile(),
        threading.gettrace(),
        threading.getprofile(),
    ),
    "the blocked signals": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ()),
    "a timer": _timers,
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
