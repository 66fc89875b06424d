"""Commands that outlive the terminal: each runs in a session of its own, at low priority, and reads nothing.

Threads beside a screen have a low priority, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from nimtui.process import logout

BACKGROUND = "NIMTUI_BACKGROUND"  # variable of a process in the background: the number of its run
NICE = 10  # lower priority than what a person waits for
GROUPS = Path("/proc/sys/kernel/sched_autogroup_enabled")  # 1: what one terminal runs shares its part of the time


def start(arguments: Sequence[str], run: int, output: Path) -> subprocess.Popen[bytes]:
    """Start `nimtui` with these arguments as this run; a file takes all that it prints. Raises OSError."""
    with output.open("wb") as file:
        return subprocess.Popen(
            [*logout.scope(), sys.executable, "-m", "nimtui", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, BACKGROUND: str(run)},
        )


def run_number() -> int | None:
    """Return the number of the run that this process does in the background; None in the foreground."""
    word = os.environ.get(BACKGROUND, "")
    return int(word) if word.isascii() and word.isdigit() else None


def give_way() -> None:
    """Lower the priority of a process in the background. Call it before threads and children start."""
    if run_number() is not None and hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICE)


def give_way_to_screen() -> None:
    """Lower the priority of this thread, and of those that it starts, below that of the app's other threads.

    Only where that costs nothing beside other programs: where Linux shares the time among terminals.
    """
    with suppress(OSError):
        if sys.platform == "linux" and GROUPS.read_text().strip() == "1":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
