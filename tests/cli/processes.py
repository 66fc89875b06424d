"""Commands in processes of their own: for signals, limits of the system and own files."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nimtui.check import quarantine
from tests import forks
from tests.cli.conftest import Answer

PATIENCE = 120.0  # seconds; only a program that does not end, or a machine with much else to do, takes so long


def begin(home: Path, *words: str, program: str = "", **environment: str) -> subprocess.Popen[str]:
    """Start a command, or this program with the words as its arguments; they are split where only one is given."""
    start = ["-c", program] if program else ["-m", "nimtui"]
    inherited = {name: value for name, value in os.environ.items() if name != quarantine.UNCHECKED}
    return forks.Popen(
        [sys.executable, *start, *(words if len(words) != 1 else words[0].split())],
        env={**inherited, "NIMTUI_HOME": str(home), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def end(process: subprocess.Popen[str], signal: int | None = None) -> Answer:
    """Wait for the end of a process, after this signal, and return what it printed."""
    try:
        if signal is not None:
            process.send_signal(signal)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return Answer(process.returncode, out, err)


def run(home: Path, *words: str, **more: Any) -> Answer:
    """Run a command to its end."""
    return end(begin(home, *words, **more))


def until(true: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait until this is true; fail if the process ends before."""
    latest = time.monotonic() + PATIENCE
    while not true():
        assert process.poll() is None and time.monotonic() < latest
        time.sleep(0.02)
