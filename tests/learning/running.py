"""Runs in threads, as the app has them, for the tests that steer and watch them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nimtui.games import parse_game
from nimtui.jobs import Jobs, JobState
from nimtui.jobs.job import Job
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Progress
from tests.learning.helpers import bits
from tests.patience import latest

TOWER = parse_game("tower:16")


def state_of(training: Training) -> tuple[object, ...]:
    """All that must be the same."""
    table = training.table
    arrays = bits(table.cells), bits(table.visits), bits(table.marks), bits(table.numbers)
    return *arrays, table.games, training.plies, int(training.counter[0]), training.curve


def played(games: int, learner: str = "quality", seed: int = 1, game: str = "tower:16") -> Training:
    """So many games at once."""
    training = Training(parse_game(game), learner, seed)
    training.run(games)
    return training


def of(learner: str = "quality", path: Path | None = None, game: str = "tower:16") -> Run:
    return Run(Training(parse_game(game), learner, 1), path)


def until(condition: Callable[[], Any]) -> None:
    end = latest()
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.002)


def start(jobs: Jobs, run: Run) -> Job[None]:
    known = threading.Event()  # by then the run knows how to hold

    def work(progress: Progress) -> None:
        known.wait()
        run.work(progress)

    job = jobs.start("run", work)
    run.job = job
    known.set()
    return job


def held(job: Job[None], run: Run) -> int:
    """Wait until it holds, and for how long it does; after how many games that is."""
    until(lambda: job.state is JobState.PAUSED)
    reported = -1
    while reported != run.training.games:  # the chunk at hand is played to its end
        reported = run.training.games
        time.sleep(0.1)
    return reported
