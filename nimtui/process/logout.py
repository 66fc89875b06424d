"""What the system does with processes at the end of a login: logind may end them all (`KillUserProcesses`).

Then a scope of its own in the user's manager helps, but only if that lingers (`loginctl enable-linger`).
"""

from __future__ import annotations

import getpass
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path

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
