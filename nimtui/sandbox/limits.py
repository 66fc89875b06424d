"""What a process that runs own code may use."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from nimtui.sandbox.wire import MOST_BYTES

MORE_PROCESSES = 1024  # than the whole machine runs when the process starts; the system counts threads, too
LARGEST_FILE = 1 << 32  # bytes


class Limits(NamedTuple):
    """Limits that the system keeps, except for `message`. 0: none, for `memory` half of the machine's."""

    memory: int = 0  # bytes
    addresses: int = 0  # bytes: memory, mapped files and shared memory together
    seconds: int = 0  # of processor time
    message: int = MOST_BYTES  # bytes that the process may send at once

    def apply(self) -> None:
        """Limit this process as far as the system can, and have the system end it first if memory runs out."""
        with suppress(ImportError, AttributeError, OSError, ValueError):  # not every system has all of this
            import resource

            half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
            wanted = {
                resource.RLIMIT_CORE: 0,
                resource.RLIMIT_FSIZE: LARGEST_FILE,
                resource.RLIMIT_DATA: self.memory or half,
                resource.RLIMIT_AS: self.addresses or resource.RLIM_INFINITY,
                resource.RLIMIT_CPU: self.seconds or resource.RLIM_INFINITY,
                resource.RLIMIT_NPROC: _running() + MORE_PROCESSES,
            }
            for what, most in wanted.items():
                hard = resource.getrlimit(what)[1]
                if most != resource.RLIM_INFINITY and (hard == resource.RLIM_INFINITY or hard > most):
                    with suppress(OSError, ValueError):  # macOS refuses some
                        resource.setrlimit(what, (most, hard))
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


def _running() -> int:
    """Return the number of threads on this machine, a large one if the system does not tell."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 1 << 20
