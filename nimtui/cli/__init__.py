"""The command line: one file a command, and what they share.

`main` is what the command `nimtui` runs. Commands import what they need when they run, so that help, the version and
a wrong word answer at once.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command that the arguments of this process name, and exit with its status."""
    from nimtui.cli.app import run

    sys.exit(run(sys.argv[1:]))
