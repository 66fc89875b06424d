"""What is kept of a run: the same games however it is divided, saved, broken off or killed, and resumed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace as Plain
from typing import Any

import numpy as np
import pytest

from nimtui.games import parse_game
from nimtui.jobs import Jobs, JobState
from nimtui.learning import run as checkpoint
from nimtui.learning.run import Checkpoint, Run
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.progress import Cancelled, Progress
from nimtui.store import StoreError, claims, files
from tests import forks
from tests.learning.running import of, played, start, state_of, until

PATIENCE = 60.0


@pytest.mark.parametrize(
    "learner", ["reward:pick=uniform-move,loss=2", "quality", "average", "q", "proof:memory=played"]
)
def test_a_run_cut_into_many_files_is_the_same(tmp_path: Path, learner: str) -> None:
    game, path = parse_game("nim:3,5,2"), tmp_path / "run.npz"
    divided = Training(game, learner, 2)
    for games in (0, 1, 2, 50, 300, 247):
        divided.run(games)
        divided.save(path)
        seconds, divided = divided.seconds, Training.load(path)
        assert divided.seconds == seconds
    whole = played(600, learner, 2, game.name)
    assert state_of(divided) == state_of(whole) and divided.table.visits.sum() == divided.plies
    assert divided.table.learner == whole.table.learner and Table.load(path).games == 600


def test_a_checkpoint_holds_the_run_as_it_was_at_the_end_of_a_chunk(jobs: Jobs, tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.npz"
    run = of("q", path)
    run.goal(10**8)
    job = start(jobs, run)
    until(lambda: run.training.games > 1_000)
    assert not path.exists() and run.writer.games is None and claims.is_claimed(path)
    waits = of("q", tmp_path / "none.npz")
    waits.checkpoint()
    assert waits._wake.is_set(), "one that waits for its next game saves at once"
    run.checkpoint()
    until(lambda: run.writer.games is not None)
    kept = Run.load(path)
    assert kept.writer.games == kept.training.games == run.writer.games
    assert (kept.last, kept.until_perfect) == (10**8, False)
    assert state_of(kept.training) == state_of(played(kept.training.games, "q"))
    job.cancel()
    assert job.join(30) and not claims.is_claimed(path) and list(path.parent.iterdir()) == [path]
    assert run.writer.games == run.training.games == Training.load(path).games


def test_it_is_saved_by_itself_from_time_to_time(jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SAVE_SECONDS", 0.02)
    run, seen = of("quality", tmp_path / "run.npz"), set()
    job = start(jobs, run)
    until(lambda: seen.add(run.writer.games) or len(seen) == 3)
    job.cancel()
    assert job.join(30) and run.writer.fault == ""


def test_the_first_checkpoint_is_due_after_two_seconds_and_the_next_ten_later(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, writer, ended = [0.0], Checkpoint(Path("none")), Future[None]()
    monkeypatch.setattr(checkpoint, "monotonic", lambda: clock[0])
    writer.begin()
    for clock[0], is_due in ((2, False), (3, True), (3, False), (13, False), (14, True)):
        assert writer.due is is_due
        if clock[0] == 3 and is_due:
            writer._write(Path("none"), lambda path: None, 7)
    writer._writing = ended
    assert not writer.due, "it is being written"
    ended.set_result(None)
    assert writer.due and (writer.games, writer.fault) == (7, "")


def test_a_file_lacks_games_that_were_played_since_and_a_run_can_move_to_another_file(tmp_path: Path) -> None:
    first, second = tmp_path / "a.npz", tmp_path / "b.npz"
    for path, saved, games, lacks in (
        (None, None, 5, False), (first, None, 5, True), (first, None, 0, False), (first, 5, 5, False),
        (first, 4, 5, True),
    ):  # fmt: skip
        run = of("reward", path)
        run.writer.games, run.training.table.games = saved, games
        assert run.unsaved is lacks, (path, saved, games)
    writer = Checkpoint(first)
    writer.move(second)  # nobody works on it
    assert (writer.path, claims.is_claimed(second)) == (second, False)
    writer.games = 7
    with writer.claimed():
        assert claims.is_claimed(second)
        writer.move(first)
        assert (writer.path, writer.games, writer.fault) == (first, None, "")
        assert claims.is_claimed(first) and not claims.is_claimed(second)
        writer.move(None, "no room")
        assert (writer.path, writer.fault, claims.is_claimed(first)) == (None, "no room", False)
    writer.save(played(3))  # nowhere
    writer.move(second)
    assert not claims.is_claimed(second), "nobody works on it any more"
    assert not first.exists() and not second.exists()


def test_a_run_that_starts_over_keeps_its_goal_its_plan_and_what_is_known_of_its_game() -> None:
    run = of("linear", game="nim:2,3")
    run.goal(40, until_perfect=True)
    run.training.counting = True
    run.work()
    old, run.followed_game, run.writer.games, run._perfect_at = run.training, Any, 40, 9
    old.more["perfect"] = 3
    run.reset()
    run._obey()
    new = run.training
    assert new is not old and new.games == 0 and new.ready and new.counts is not None
    assert (new.game, new.learner, new.seed, new.counting, new.truth) == (old.game, old.learner, 1, True, old.truth)
    assert new.more == {name: old.more[name] for name in ("goal", "over")} and new.more["over"] == 40
    assert run.followed_game is run.writer.games is None and run._perfect_at == 0
    run._obey()
    assert run.training is new and not run.stepping
    for ask, stepping in ((lambda: run.stop_after(0), True), (run.keep_going, False), (run.stop_at_change, True)):
        ask()
        assert run.stepping is stepping
    told, run.job = list[tuple[object, ...]](), Plain(paused=False)
    for run.last in (None, 9):
        run._report(Plain(report=lambda *words: told.append(words)))
    assert told == [(0, 0, "games"), (0, 9, "games")]


def test_a_goal_comes_back_from_its_file_and_a_strange_one_is_none(tmp_path: Path) -> None:
    path, training, found = tmp_path / "run.npz", played(3, "reward", 5), []
    run = Run(training, path)
    assert run.about == ("reward, seed 5", "nim:1,3,5,7") and Run(played(0, seed=0)).about[0] == "quality"
    training.processor = 8.0
    run.goal(4, until_perfect=True, minutes=2)
    for goal in (dict(training.more["goal"]), {"games": "x", "processor": "y"}, {}, [7], None):
        training.more["goal"] = goal
        training.save(path)
        read = Run.load(path)
        found.append((read.last, read.until_perfect, read.until))
    assert found == [(7, True, 128.0), *[(None, False, None)] * 4]


@pytest.mark.slow
def test_a_run_that_cannot_be_saved_says_so(jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.npz"
    played(300).save(path)
    before = path.read_bytes()

    def full(path: Path, fill: object) -> None:
        raise StoreError(f"{path} cannot be written: no space left on device")

    run = of(path=path)
    with monkeypatch.context() as patch:
        patch.setattr(files, "replace", full)
        job = start(jobs, run)
        until(lambda: run.training.games > 0)  # else it saves first after two seconds
        run.checkpoint()
        until(lambda: run.writer.fault)
        games = run.training.games
        until(lambda: run.training.games > games)
        assert job.state is JobState.RUNNING
        assert run.writer.fault == f"{path} cannot be written: no space left on device"
        assert run.writer.games is None and path.read_bytes() == before
        job.cancel()
        assert job.join(30) and job.state is JobState.CANCELLED
        assert path.read_bytes() == before
    run.goal(100)  # there is room again
    assert start(jobs, run).join(30)
    assert run.writer.fault == "" and run.writer.games == run.training.games
    assert state_of(Training.load(path)) == state_of(played(run.training.games))


def test_a_run_that_was_written_by_another_since_it_was_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    first = of("reward", path)
    first.goal(100)
    first.work()
    one, other = Run.load(path), Run.load(path)
    one.goal(50)
    one.work()
    other.goal(10)
    with pytest.raises(StoreError, match=r"run\.npz was written by another nimtui after this one read it: open it"):
        other.work()
    assert Run.load(path).training.games == 150


@pytest.mark.slow
def test_a_function_plays_on_while_it_is_saved_even_if_a_point_of_its_curve_takes_long(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, point_of, free = tmp_path / "run.npz", Training._point_of, threading.Event()

    def slow(training: Training, games: int, *given: Any) -> Any:
        assert games < 1_000 or free.wait(60)
        return point_of(training, games, *given)

    monkeypatch.setattr(Training, "_point_of", slow)
    run = of("ntuple:tuples=4,length=3,over=5000", path, "connect4")
    job = start(jobs, run)
    until(lambda: run.training.games >= 1_000)
    run.checkpoint()
    games = run.training.games
    until(lambda: run.training.games > games + 500)  # beyond the checkpoint, which waits for the point at 1,000 games
    free.set()
    until(lambda: run.writer.games is not None and run.writer.games >= 1_000)
    job.cancel()
    assert job.join(30) and run.writer.fault == ""
    saved, whole = Training.load(path), played(run.training.games, run.training.learner, game="connect4")
    assert saved.games == run.training.games and [point.games for point in saved.curve][:2] == [0, 1_000]
    assert state_of(saved) == state_of(whole) and saved.estimator is not None and whole.estimator is not None
    assert np.array_equal(saved.estimator.function.weights, whole.estimator.function.weights)


def test_what_a_save_aside_raises_is_raised_by_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training, path = played(30, "ntuple", game="nim:3,4"), tmp_path / "run.npz"

    def full(table: Table, *given: Any) -> None:
        raise MemoryError("no room")

    writer = Checkpoint(path)
    with monkeypatch.context() as patched:
        patched.setattr(Table, "save", full)
        writer.save_aside(training)
        with pytest.raises(MemoryError, match="no room"), writer.claimed():
            writer.save_aside(training)
    with writer.claimed():  # the claim was released
        writer.save_aside(training)
    assert writer.games == 30 == Training.load(path).games
    assert np.array_equal(Table.load(path).cells, training.scores())


@pytest.mark.slow
def test_a_save_while_it_plays_keeps_a_whole_table(tmp_path: Path) -> None:
    run, done = of("reward", tmp_path / "run.npz", "tower:36"), threading.Event()
    run.training.prepare()

    class UntilDone(Progress):
        def report(self, played: float, total: float, what: str = "") -> None:
            if done.is_set():
                raise Cancelled

    def work() -> None:
        with pytest.raises(Cancelled):
            run.work(UntilDone())

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for _ in range(2):
            run.save()
            assert run.writer.fault == ""
            loaded = Training.load(tmp_path / "run.npz")
            assert loaded.games == run.writer.games
            assert loaded.plies == int(loaded.table.visits.sum())  # games, plies and visits of one moment
    finally:
        done.set()
        worker.join()


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


@pytest.mark.slow
def test_killed_or_interrupted_at_any_moment_its_file_is_sound_and_goes_on_as_the_unbroken_run(tmp_path: Path) -> None:
    path, games = tmp_path / "run.npz", 0
    for delay, number in ((0.0, signal.SIGKILL), (0.055, signal.SIGKILL), (0.1, signal.SIGINT)):
        process = forks.Popen([sys.executable, "-c", CHILD, str(path)], stderr=subprocess.PIPE)
        end = time.monotonic() + PATIENCE
        while not path.exists() or Training.load(path).games <= games:  # sound whenever it is looked at
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.005)
        time.sleep(delay)
        process.send_signal(number)
        said = process.communicate(timeout=30)[1].decode()
        kept = Training.load(path)
        assert kept.games > games and kept.table.visits.sum() == kept.plies
        games = kept.games
        if number is signal.SIGKILL:
            assert process.returncode == -signal.SIGKILL
        else:  # Ctrl+C keeps all games that were played
            assert "KeyboardInterrupt" in said and process.returncode != 0
    assert state_of(kept) == state_of(played(games, seed=9))
    run = Run.load(path)
    run.goal(10_000)
    run.work()
    whole = played(games + 10_000, seed=9)
    assert state_of(run.training) == state_of(whole) == state_of(Training.load(path))
    left = [file for file in tmp_path.iterdir() if file != path]
    assert all(file.name.startswith(".run.npz") and file.suffix == ".tmp" for file in left)
