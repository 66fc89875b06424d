"""Shows that runs outlive whoever works on them: `python -m tests.runs_show kills|ends [--seconds S] [--times N]`.

kills: so many random kills of run, watcher and taker; the table equals that of an uninterrupted run.
ends: so many runs are started, cut, taken and ended, as many as fit in these seconds; nothing is left.
Each prints what it saw, and ends with an error if that is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nimtui.learning.training import Training
from nimtui.store import run_files
from tests.cli.processes import begin, end, left, listed, run, same
from tests.cli.test_stopping import waited

PATIENCE = 600.0


def until(true: Callable[[], Any], what: str) -> None:
    latest = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > latest:
            raise SystemExit(f"never: {what}")
        time.sleep(0.1)


def whole(home: Path, file: Path) -> bool:
    """Is a training equal to the bit to an uninterrupted one of as many games?"""
    other, games = home / "whole.npz", Training.load(file).games
    assert run(home, f"train tower:16 --seed 7 --games {games} --save {other} --json").status == 0
    print(f"  after {games:,} games: equal to the bit: {same(file, other)}")
    return same(file, other)


def show_kills(home: Path, times: int) -> None:
    draw, file = random.Random(42), home / "a.npz"
    words = f"train tower:16 --games 2000000000 --seed 7 --save {file} --json"
    processes = {"run": begin(home, words)}
    waited(home, state="going")
    counts = dict.fromkeys(("run", "watcher", "taker"), 0)
    for _ in range(times):
        if "run" not in processes:
            processes["run"] = begin(home, "runs take --json")
        processes["watcher"] = begin(home, "runs watch 1 --json")
        if draw.random() < 0.3:
            processes["taker"] = begin(home, "runs take 1 --json")
        time.sleep(draw.uniform(0.1, 6.0))
        victim = draw.choice(sorted(processes))
        counts[victim] += 1
        with contextlib.suppress(ProcessLookupError):  # the taker that was told that another one had the run
            os.killpg(processes[victim].pid, signal.SIGKILL)
        end(processes.pop(victim))
        for name in list(processes):
            if name != "run" or processes[name].poll() is not None:
                processes[name].kill()
                end(processes.pop(name))
    for process in processes.values():
        process.kill()
        end(process)
    assert len(listed(home)) == 1
    taker = begin(home, "runs take --json")
    waited(home, state="going", pid=taker.pid)
    end(taker, signal.SIGTERM)
    print(f"killed: {counts}; runs in the list: {len(listed(home))}; left beside: {sorted(left(home))}")
    assert whole(home, file) and not left(home)


def show_ends(home: Path, times: int, seconds: float) -> None:
    draw = random.Random(300)
    os.environ["XDG_RUNTIME_DIR"] = folder = tempfile.mkdtemp()
    ends = dict.fromkeys(("finished", "stopped", "killed", "taken"), 0)
    latest = time.monotonic() + seconds
    for at in range(times):
        if latest < time.monotonic():
            break
        file, how = home / f"{at}.npz", draw.choice(sorted(ends))
        games = 2000 if how == "finished" else 2_000_000_000
        run(home, f"train nim:3,4,5 --games {games} --save {file} --background")
        ends[how] += 1
        first = run_files.every()[0]
        if how == "stopped":
            run(home, f"runs stop {first.id}")
        elif how == "killed":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(first.pid, signal.SIGKILL)
        elif how == "taken":
            taker = begin(home, f"runs take {first.id} --json")
            until(lambda: run_files.every()[0].pid == taker.pid or taker.poll() is not None, "a taker")  # noqa: B023
            end(taker, signal.SIGTERM)
        else:
            until(lambda: run_files.every()[0].state == "finished", "the end")
    run(home, "train nim:3,4,5 --games 20000000 --json")  # the next start clears what the killed left
    places, runs = list((Path(folder) / "nimtui").glob("*")), run_files.every()
    print(f"ended: {ends}; processes left: {processes_of(home)}; sockets: {places}; files: {left(home)}")
    assert not {"going", "paused"} & {one.state for one in runs} and len({one.id for one in runs}) == len(runs)
    assert not places and not left(home) and not processes_of(home)


def processes_of(home: Path) -> set[int]:
    """The processes of nimtui in the background of this home, by their numbers."""
    numbers, own = set(), f"NIMTUI_HOME={home}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if own in words and any(word.startswith(b"NIMTUI_BACKGROUND=") for word in words):
                numbers.add(int(path.parent.name))
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("show", choices=("kills", "ends"))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--times", type=int, default=100)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["NIMTUI_HOME"] = home
        if chosen.show == "kills":
            show_kills(Path(home), chosen.times)
        else:
            show_ends(Path(home), chosen.times, chosen.seconds)


if __name__ == "__main__":
    main()
