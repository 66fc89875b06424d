"""The command line: the commands, those of one subject in a file, and the parts they share.

`main` is the entry point of `nimtui`. Each command imports what it needs only when it runs, so that help, the version
and errors appear at once.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

__all__ = ["main"]


def main() -> None:
    """Run the command that the arguments of this process name, and exit with its status."""
    from nimtui.process import detached, plugins, stopping

    detached.give_way()
    stopping.watch()
    try:
        from nimtui.cli.app import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while the commands were loaded
        os.write(2, b"nimtui: stopped\n")
        status = stopping.status()
    if (
        status == stopping.status() or "numba" in sys.modules or plugins.loaded()
    ):  # a thread of an own file may never end
        leave(status)
    sys.exit(status)


def leave(status: int) -> None:
    """End the process at once: the interpreter's own clean-up takes up to a second, or for ever."""
    if "nimtui.store.guard" in sys.modules:
        from nimtui.store import guard

        guard.end()
    if "nimtui.check.verdict" in sys.modules:
        from nimtui.check import verdict

        verdict.end()
    if "nimtui.sandbox.client" in sys.modules:
        from nimtui.sandbox import client

        client.end()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or without a reader
            stream.flush()
    os._exit(status)
