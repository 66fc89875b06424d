"""Commands in processes of their own: for signals, limits of the system and own files."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.check import quarantine
from nimtui.jobs import runs_report
from nimtui.store import arrays, run_files
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


ONE_BY_ONE = """
import io, json, sys
from nimtui.cli.app import run
for name, words in json.loads(sys.argv[1]).items():
    sys.stdin = io.StringIO("a1\\nb1\\na2\\nb2\\nundo\\nquit\\n")
    status = run(words)
    for stream in (sys.stdout, sys.stderr):
        print(f"\\0{name} {status}", file=stream, flush=True)
"""


def one_by_one(home: Path, commands: dict[str, str], program: str = ONE_BY_ONE) -> dict[str, Answer]:
    """Run commands in one process; return what each answered."""
    done = run(home, json.dumps({name: words.split() for name, words in commands.items()}), "", program=program)
    out, err = (re.split("\0(\\w+) (\\d+)\n", text) for text in (done.out, done.err))
    assert out[1::3] == list(commands), (out[-1][-500:], err[-1][-2000:])
    answers = zip(out[1::3], out[2::3], out[0::3], err[0::3], strict=False)
    return {name: Answer(int(status), written, told) for name, status, written, told in answers}


def until(true: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait until this is true; fail if the process ends before."""
    latest = time.monotonic() + PATIENCE
    while not true():
        assert process.poll() is None and time.monotonic() < latest
        time.sleep(0.02)


def saved(home: Path) -> int:
    """How many games are in the database, as another process sees it."""
    path = home / "nimtui.sqlite"
    if not path.exists():
        return 0
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        try:
            ((games,),) = connection.execute("SELECT count(*) FROM games").fetchall()
        except sqlite3.OperationalError:  # not made yet
            return 0
    connection.close()
    return int(games)


def listed(home: Path) -> list[dict[str, Any]]:
    """The runs in this home, none of them of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NIMTUI_HOME", str(home))
        return [runs_report.keys(run) for run in run_files.every()]


def same(first: Path, second: Path) -> bool:
    """Whether two saved runs are equal to the bit, but for the time that they took."""
    (ours, mine), (theirs, others) = (arrays.load(path) for path in (first, second))
    equal = mine.keys() == others.keys() and all(np.array_equal(mine[name], others[name]) for name in mine)
    return equal and all(ours["run"][key] == theirs["run"][key] for key in ("curve", "rng", "plies"))


def left(home: Path) -> set[str]:
    """What stands beside the lists and the outputs of runs."""
    return {path.name for path in (home / "running").iterdir() if path.suffix not in (".json", ".txt")} - {"last"}
