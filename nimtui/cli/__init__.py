"""The command line: one file a command, and what they share.

`main` is what the command `nimtui` runs. Commands import what they need when they run, so that help, the version and
a wrong word answer at once.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

__all__ = ["main"]


def main() -> None:
    """Run the command that the arguments of this process name, and exit with its status."""
    from nimtui import stopping

    stopping.watch()
    try:
        from nimtui.cli.app import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while the commands were loaded
        os.write(2, b"nimtui: stopped\n")
        status = 130
    if "numba" in sys.modules:
        leave(status)
    sys.exit(status)


def leave(status: int) -> None:
    """End at once: with the engine loaded, the interpreter's own way to tidy up takes a second, and helps nobody."""
    if "nimtui.store.guard" in sys.modules:
        from nimtui.store import guard

        guard.end()
    if "nimtui.quarantine" in sys.modules:
        from nimtui import quarantine

        quarantine.end()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or nobody reads it
            stream.flush()
    os._exit(status)
