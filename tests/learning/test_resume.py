"""Runs that are broken off, in whatever way, and go on as if they never had been."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nimtui.games import parse_game
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Progress
from tests import forks
from tests.learning.running import state_of

HALF = 100_000


class SaveAt(Progress):
    """Saves a run once, after so many games, without its being stopped."""

    def __init__(self, training: Training, games: int, path: Path) -> None:
        self.training, self.games, self.path = training, games, path

    def report(self, done: float, total: float, what: str = "") -> None:
        if what == "games" and self.training.games == self.games and not self.path.exists():
            self.training.save(self.path)


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["quality", "average"])
def test_all_games_are_twice_half_of_them(tmp_path: Path, learner: str) -> None:
    path, game = tmp_path / "run.npz", parse_game("nim:7,5,3")
    whole = Training(game, learner, 5)
    whole.run(2 * HALF, SaveAt(whole, HALF, path))  # a point of the curve, so a chunk ends there
    resumed = Training.load(path)
    assert resumed.games == HALF
    resumed.run(HALF)
    assert state_of(resumed) == state_of(whole)
    assert resumed.games == 2 * HALF and resumed.table.visits.sum() == resumed.plies
    assert [point.games for point in resumed.curve][-1] == 2 * HALF


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["q", "proof:memory=played"])
def test_a_run_cut_into_many_files_is_the_same(tmp_path: Path, learner: str) -> None:
    game, path = parse_game("nim:7,5,3"), tmp_path / "run.npz"
    divided = Training(game, learner, 2)
    for games in (0, 1, 2, 50, 300, 247):
        divided.run(games)
        divided.save(path)
        divided = Training.load(path)
    whole = Training(game, learner, 2)
    whole.run(600)
    assert state_of(divided) == state_of(whole)


CHILD = """
import signal
import sys
from pathlib import Path
from nimtui.games import parse_game
from nimtui.learning import run
from nimtui.learning.training import Training
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored in the background
run.SAVE_SECONDS = 0.01
path = Path(sys.argv[1])
one = run.Run.load(path) if path.exists() else run.Run(Training(parse_game("tower:16"), "quality", 9), path)
one.work()
"""


def child(path: Path) -> subprocess.Popen[bytes]:
    return forks.Popen([sys.executable, "-c", CHILD, str(path)])


@pytest.mark.slow
def test_killed_at_any_moment_its_file_is_sound_and_goes_on_as_the_unbroken_run(tmp_path: Path) -> None:
    path, games = tmp_path / "run.npz", 0
    for delay in (0.0, 0.055):
        process = child(path)
        end = time.monotonic() + 60
        while not path.exists() or Training.load(path).games <= games:  # sound whenever it is looked at
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.005)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
        kept = Training.load(path)
        assert kept.games > games
        games = kept.games
    run = Run.load(path)
    run.goal(10_000)
    run.work()
    whole = Training(parse_game("tower:16"), "quality", 9)
    whole.run(games + 10_000)
    assert state_of(run.training) == state_of(whole) == state_of(Training.load(path))
    left = [file for file in tmp_path.iterdir() if file != path]
    assert all(file.name.startswith(".run.npz") and file.suffix == ".tmp" for file in left)


@pytest.mark.slow
def test_ctrl_c_keeps_all_games_that_were_played_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    process = forks.Popen([sys.executable, "-c", CHILD, str(path)], stderr=subprocess.PIPE, env=os.environ.copy())
    end = time.monotonic() + 60
    while not path.exists():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1].decode()
    assert "KeyboardInterrupt" in said and process.returncode != 0
    kept = Training.load(path)
    whole = Training(parse_game("tower:16"), "quality", 9)
    whole.run(kept.games)
    assert kept.table.visits.sum() == kept.plies
    assert state_of(kept) == state_of(whole)
