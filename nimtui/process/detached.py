"""Long work behind a screen, or without one: commands that outlive the terminal, and what spares the person before it.

A command in the background runs in a session of its own, at low priority, and reads nothing. At the end of a login,
logind may end all processes (`KillUserProcesses`): then a scope of its own in the user's manager helps, but only if
that lingers (`loginctl enable-linger`). Its end is told by a notice of the terminal: a bell, or a message of the
desktop by OSC 9 (iTerm2) or OSC 777 (rxvt-unicode). tmux hands a sequence on if it is wrapped (`allow-passthrough`); a
bell needs no wrapping. In the app, the threads of jobs have a low priority too, and freed memory goes back to the
system.
"""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from nimtui.signs import visible

BACKGROUND = "NIMTUI_BACKGROUND"  # variable of a process in the background: the number of its run
NICE = 10  # lower priority than what a person waits for
GROUPS = Path("/proc/sys/kernel/sched_autogroup_enabled")  # 1: what one terminal runs shares its part of the time


def start(arguments: Sequence[str], run: int, output: Path) -> subprocess.Popen[bytes]:
    """Start `nimtui` with these arguments as this run; a file takes all that it prints. Raises OSError."""
    with output.open("wb") as file:
        return subprocess.Popen(
            [*scope(), sys.executable, "-m", "nimtui", *arguments],
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


SYSTEMD = Path("/run/systemd/system")
LINGERING = Path("/var/lib/systemd/linger")
QUESTION = (
    *("busctl", "get-property", "org.freedesktop.login1", "/org/freedesktop/login1"),
    *("org.freedesktop.login1.Manager", "KillUserProcesses"),
)
SCOPE = ("systemd-run", "--user", "--scope", "--quiet", "--collect")
PATIENCE = 2.0  # seconds for an answer


@cache
def ends_processes() -> bool:
    """Return whether the system ends the processes of a login with it."""
    if not SYSTEMD.exists():
        return False
    with suppress(OSError, subprocess.SubprocessError):
        answer = subprocess.run(QUESTION, capture_output=True, text=True, timeout=PATIENCE, check=True)
        return answer.stdout.split() == ["b", "true"]
    return False


def scope() -> tuple[str, ...]:
    """Return the command that starts another one so that it outlives the login; nothing if none is needed, or helps."""
    with suppress(OSError, KeyError):
        if ends_processes() and (LINGERING / getpass.getuser()).exists() and shutil.which(SCOPE[0]):
            return SCOPE
    return ()


def prospect() -> str:
    """Return what becomes of a process in the background at the end of a login, in a sentence."""
    if not ends_processes():
        return "Runs in the background outlive the login."
    if scope():
        return "Runs in the background get a scope of their own, which outlives the login."
    return "The system may end runs in the background at logout: loginctl enable-linger keeps them."


LARGE = 1 << 20  # bytes: blocks from this size on go back to the system as soon as they are freed
_M_MMAP_THRESHOLD = -3  # of mallopt(3)


def return_large_blocks() -> None:
    """Return large arrays to the system when they are freed. Does nothing outside Linux with glibc.

    By default glibc raises its limit for such blocks to the largest block freed so far, up to 32 MB. Later arrays then
    lie among small blocks, in memory that it keeps, and zeroed arrays are written in full: thirty pairs of small
    search trees held 130 MB that nothing used.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library
            import ctypes

            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)


NOTICES = ("off", "bell", "osc9", "osc777")
LONGEST = 120  # characters of the message of a notice


def notice(kind: str, message: str) -> str:
    """Return what a terminal gets for a notice of this kind; nothing if it is off."""
    text = visible(message)[:LONGEST]
    written = {
        "bell": "\a",
        "osc9": f"\x1b]9;{text}\a",
        "osc777": f"\x1b]777;notify;nimtui;{text.replace(';', ',')}\a",
    }.get(kind, "")
    is_wrapped = written.startswith("\x1b") and os.environ.get("TMUX")
    return f"\x1bPtmux;{written.replace(chr(27), chr(27) * 2)}\x1b\\" if is_wrapped else written
