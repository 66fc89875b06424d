"""How the tests are run: many of them in several processes, a few in one."""

from __future__ import annotations

import os
import signal

import pytest

MOST_PROCESSES = 8  # each has libraries to load and kernels to read


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """A process a core for the suite and for folders; this one alone for files that are named, and for words (-k)."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None  # as it says
    folders = any((config.invocation_params.dir / argument).is_dir() for argument in config.args)
    if not folders or config.option.keyword or config.option.markexpr or config.option.lf:
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_PROCESSES) if cores > 1 else 0


def pytest_configure() -> None:
    """Whoever is started here heeds Ctrl+C and a terminal that is gone, even where this run was told not to."""
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)  # what is not ignored is as usual in other programs
