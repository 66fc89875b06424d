"""`nimtui train`: what it says, runs that are kept, stopped, killed and gone on with, and what cannot be."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nimtui.learning.learner import learners
from nimtui.learning.learners.average import ABOUT
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.store import StoreError, files
from tests import forks
from tests.cli.conftest import Nimtui
from tests.learning.running import until

KEYS = {
    "game", "learner", "games", "seconds", "games_per_second", "plies", "accuracy", "curve", "positions", "saved",
}  # fmt: skip


OFTEN = (
    "import sys, nimtui.learning.run as kept; kept.SAVE_SECONDS = 0.05; from nimtui.cli import main; sys.exit(main())"
)


def process(*words: str, home: Path, often: bool = False, **more: Any) -> subprocess.Popen[str]:
    """`often`: its run is saved twenty times a second."""
    environment = {**os.environ, "NIMTUI_HOME": str(home)}
    return forks.Popen(
        [sys.executable, *(("-c", OFTEN) if often else ("-m", "nimtui")), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment,
        **more,
    )


def test_training_says_what_it_learned(nimtui: Nimtui) -> None:
    keys = nimtui("train tower:16 --games 100000 --json").document
    assert set(keys) >= KEYS
    assert (keys["game"], keys["learner"], keys["games"]) == ("nim:1,3,5,7", "reward", 100_000)
    assert keys["positions"] == 383  # source: the tower of 16
    assert 0.849 <= keys["accuracy"] <= 0.985  # the range of ten seeds, by an independent re-run of the tower of 16
    games = [point["games"] for point in keys["curve"]]
    assert games == sorted(set(games)) and games[0] == 0 and games[-1] == 100_000
    assert keys["curve"][0]["accuracy"] == pytest.approx(0.188, abs=5e-4)
    assert keys["plies"] > 100_000 and keys["games_per_second"] > 0 and keys["saved"] is None


def test_training_says_what_it_reached(nimtui: Nimtui) -> None:
    keys = nimtui("train tower:16 --games 1000 --json").document
    assert keys["right"] + keys["wrong"] + keys["undecided"] == 336  # of 383 positions 47 are lost
    assert (keys["perfect"], keys["proof"], keys["games_to_perfect"]) == (False, False, None)
    assert keys["curve"][-1] == {name: keys[name] for name in ("games", "accuracy", "unbeaten")}
    assert 0 < keys["unbeaten"] < 1 and 0 < keys["reachable"] < 1
    text = nimtui("train tower:16 --games 1000").out
    assert f"no ({keys['wrong']} of 336 wrong, {keys['undecided']} undecided)" in text.splitlines()[-1]
    assert "\nno mistake against any opponent, moving second: no\nevery position right: no (" in text
    assert "\naccuracy: over the 336 positions not lost\n" in text
    assert re.search(r"\n1,000 +\d+\.\d % +█+ +\d+\.\d %\n", text) and max(map(len, text.splitlines())) <= 80


@pytest.mark.slow
def test_until_it_is_perfect(nimtui: Nimtui) -> None:
    keys = nimtui("train nim:2,3 --learner proof --until-perfect --seed 3 --json").document
    assert keys["perfect"] and keys["proof"] and keys["accuracy"] == keys["unbeaten"] == 1
    assert keys["games_to_perfect"] == keys["games"] < 1_000
    text = nimtui("train nim:2,3 --learner proof --until-perfect --seed 3").out
    assert (
        f"no mistake against any opponent, moving first: yes\nevery position right: yes, after {keys['games']:,} games"
        in text
    )


def test_until_perfect_ends_after_the_most_games_too(nimtui: Nimtui) -> None:
    answer = nimtui("train tower:16 --until-perfect --games 500 --json")
    assert answer.status == 0
    assert (answer.document["games"], answer.document["perfect"]) == (500, False)
    assert answer.document["games_to_perfect"] is None


@pytest.mark.parametrize("word", sorted(learners()))
def test_every_learner_is_named_in_help(nimtui: Nimtui, word: str) -> None:
    module = learners()[word]
    said = " ".join(nimtui("train --help").out.split())
    parameters = ", ".join(module.PARAMETERS)
    assert f" {word} {module.ABOUT} ({parameters})" in said


# Runs that last.


def test_a_resumed_run_is_the_same_run(nimtui: Nimtui, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    nimtui(f"train nim:7,5,3 --games 3000 --seed 4 --save {whole} --json")
    nimtui(f"train nim:7,5,3 --games 1000 --seed 4 --save {parts} --json")
    keys = nimtui(f"train --resume {parts} --games 2000 --json").document
    assert (keys["games"], keys["saved"]) == (3000, str(parts))
    assert nimtui(f"table {whole} --json").document == nimtui(f"table {parts} --json").document


def test_a_run_goes_on_to_where_it_was_to_go(nimtui: Nimtui, tmp_path: Path) -> None:
    file, other = tmp_path / "run.npz", tmp_path / "other.npz"
    run = Run(Training(Training.load(_saved(nimtui, file)).game, "reward"), file)
    run.goal(3000)
    run.training.run(1000)
    run.save()
    assert nimtui(f"train --resume {file} --save {other} --json").document["games"] == 3000
    assert nimtui(f"train --resume {other} --games 10 --json").document["games"] == 3010
    assert Training.load(file).games == 1000


def test_perfect_already_needs_no_more_games(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    first = nimtui(f"train nim:2,3 -l proof --until-perfect --save {file} --json").document
    again = nimtui(f"train --resume {file} --until-perfect --json").document
    assert again["games"] == first["games"] and again["perfect"]
    assert again["games_to_perfect"] == first["games"] == again["curve"][-1]["games"]


def test_resuming_something_else_is_refused(nimtui: Nimtui, tmp_path: Path) -> None:
    file = _saved(nimtui, tmp_path / "run.npz")
    before = file.read_bytes()
    for words in ("nim:1,3", "nim:7,5,3 --seed 1", "nim:7,5,3 --learner reward:win=2"):
        answer = nimtui(f"train {words} --resume {file} --games 10 --json")
        assert (answer.status, answer.out) == (2, "")
        assert answer.err.startswith("nimtui: the run in") and answer.err.count("\n") == 1
    assert file.read_bytes() == before


def test_checkpoints_are_kept_while_it_runs(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("nimtui.learning.run.SAVE_SECONDS", 0.0)
    saved: list[int] = []
    save = Training.save

    def watched(training: Training, path: Path) -> None:
        saved.append(training.games)
        save(training, path)

    monkeypatch.setattr(Training, "save", watched)
    nimtui(f"train nim:7,5,3 --games 5000 --save {tmp_path / 'run.npz'}")
    assert len(saved) > 2 and saved == sorted(set(saved)) and saved[-1] == 5000


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_is_stopped_saves_and_prints(tmp_path: Path, stop: signal.Signals) -> None:
    file = tmp_path / "run.npz"
    running = process("train", "tower:16", "-n", "2,000,000,000", "--save", str(file), home=tmp_path, often=True)
    try:
        until(lambda: file.exists() or running.poll() is not None, 60)
        running.send_signal(stop)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, err) == (128 + stop, "nimtui: stopped\n")
    assert f"{Training.load(file).games:,} games in" in out and f"saved to {file}" in out


@pytest.mark.slow
def test_kill_9_leaves_a_file_that_goes_on(nimtui: Nimtui, tmp_path: Path) -> None:
    file, whole = tmp_path / "run.npz", tmp_path / "whole.npz"
    running = process("train", "tower:16", "-n", "2000000000", "--save", str(file), home=tmp_path, often=True)
    seen: set[int] = set()
    while len(seen) < 5 and running.poll() is None:  # several checkpoints, one over the other
        if file.exists():
            seen.add(file.stat().st_mtime_ns)
        time.sleep(0.01)
    running.kill()
    running.communicate(timeout=30)
    assert running.returncode == -signal.SIGKILL
    games = Training.load(file).games
    assert games > 0
    assert nimtui(f"train --resume {file} --games 1000 --json").document["games"] == games + 1000
    nimtui(f"train tower:16 --games {games + 1000} --save {whole} --json")
    assert nimtui(f"table {whole} --json").document == nimtui(f"table {file} --json").document
    ours, theirs = Training.load(file), Training.load(whole)
    assert (ours.curve, ours.counter, ours.plies) == (theirs.curve, theirs.counter, theirs.plies)


# Faults in saving.


@pytest.mark.slow
def test_a_full_disk_is_told_in_a_line_and_the_run_goes_on(tmp_path: Path) -> None:
    """The system lets no file grow beyond 2 kB."""
    file = tmp_path / "run.npz"
    limit = 2048
    running = process(
        *("train", "tower:16", "-n", "5000", "--save", str(file), "--json"),
        home=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    out, err = running.communicate(timeout=30)
    assert running.returncode == 1
    saved = "0 of 5,000 games are saved; --save FILE saves to another file"
    assert err == f"nimtui: {file} cannot be written: file too large: {saved}\n"
    assert '"games": 5000' in out and '"saved": null' in out
    assert not [path for path in tmp_path.iterdir() if "npz" in path.name]


def test_a_fault_in_a_checkpoint_is_told_once_and_forgotten_when_it_can_be_saved(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("nimtui.learning.run.SAVE_SECONDS", 0.0)
    file, replace, asked = tmp_path / "run.npz", files.replace, [0]

    def failing(path: Path, fill: Any) -> None:
        asked[0] += 1
        if asked[0] <= 2:
            raise StoreError(f"{path} cannot be written: no space left on device")
        replace(path, fill)

    monkeypatch.setattr(files, "replace", failing)
    answer = nimtui(f"train nim:7,5,3 -n 5000 --save {file} --json")
    assert answer.status == 0 and answer.document["saved"] == str(file)
    assert (
        answer.err == f"nimtui: {file} cannot be written: no space left on device; the training continues in memory\n"
    )
    assert Training.load(file).games == 5000 and asked[0] > 2


def test_a_folder_that_cannot_be_written_is_named_before_the_training(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    answer = nimtui("train", "nim:1,2", "--games", "10", "--save", str(tmp_path / "run.npz"))
    assert answer.status == 2
    assert answer.err == f"nimtui: the folder {tmp_path} is read-only\n"
    assert not list(tmp_path.glob("*.npz"))


# What is wrong.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("train nim:2,3 -l reward:win=0", "win must be from 1 to 1,000, not 0"),
        ("train nim:2,3 -l quality:margin=2000001", "margin must be from 1 to 2,000,000"),
        ("train nim:2,3 -l quality:low=200", "low"),
        ("train nim:2,3 -l q:alpha=1.5", "alpha must be from 0 to 1"),
        ("train nim:2,3 -l q:epsilon=nan", "epsilon must be from 0 to 1"),
        ("train nim:2,3 -l average:alpha=0.5", "unknown parameter of average 'alpha'"),
        ("train nim:2,3 -l proof:memory=all", "successors"),
        ("train nim:2,3 -l reward:win=1,win=2", "twice"),
        ("train nim:2,3 --seed -1", "the seed must be from 0"),
        ("train nim:2,3 --seed 9223372036854775808", "the seed must be from 0"),
        ("train nim:2,3 --seed 1.5", "the seed must be a whole number"),
        ("train nim:2,3 -n 0", "the number of games must be from 1"),
        ("train nim:2,3 -n 1000000000000", "could exceed 2,147,483,647"),
        ("train connect4", "connect:7x6x4"),
        ("train tower:100", "tower:100"),
        ("train nim:255,255,255,255", "too large for a table"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_done(nimtui: Nimtui, words: str, says: str) -> None:
    answer = nimtui(words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("nimtui: ") and answer.err.count("\n") == 1
    assert says in answer.err or says == "tower:100"  # which is told by its canonical name


def test_no_file_is_replaced_unless_that_is_said(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text("years of work")
    answer = nimtui(f"train nim:2,3 -n 10 --save {file}")
    assert (answer.status, answer.out) == (2, "") and answer.err.count("\n") == 1
    assert answer.err.endswith("already exists: --force overwrites it\n")
    assert file.read_text() == "years of work"
    assert nimtui(f"train nim:2,3 -n 10 --save {file} --force --json").document["saved"] == str(file)
    assert nimtui(f"train --resume {file} -n 10 --save {file} --json").document["games"] == 20


# Learners of a person's own.


@pytest.mark.slow
def test_own_learners_train_and_faulty_ones_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "learners"
    folder.mkdir()
    text = Path(sys.modules["nimtui.learning.learners.average"].__file__ or "").read_text("utf-8")
    own = text.replace('"average"', '"mean"').replace("Average(", "Mean(").replace("= Average", "= Mean")
    own = own.replace("learner: Average", "learner: Any")
    (folder / "mean.py").write_text(own, "utf-8")
    stumbling = own.replace('"mean"', '"stumbling"').replace("Mean", "Stumbling")
    stumbling += "\n    if memory.visits[made[0]] > 500:\n        raise ValueError('too often')\n"
    (folder / "stumbling.py").write_text(stumbling, "utf-8")
    (folder / "broken.py").write_text("this is (no Python")
    file = tmp_path / "run.npz"
    broken = f"nimtui: the learner file {folder / 'broken.py'} cannot be used: SyntaxError"

    running = process("train", "nim:2,3", "-l", "mean", "-n", "1000", "--json", home=tmp_path)
    failing = process("train", "nim:2,3", "-l", "stumbling", "-n", "100000", "--save", str(file), home=tmp_path)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0 and '"accuracy": 1.0' in out
    assert err.startswith(broken) and err.count("\n") == 1

    out, err = failing.communicate(timeout=60)
    assert (failing.returncode, out) == (2, "") and err.count("\n") == 2
    assert f"\nnimtui: the learner in {folder / 'stumbling.py'} failed: ValueError: too often\n" in err

    out, _ = process("train", "--help", home=tmp_path).communicate(timeout=60)
    assert f" mean {ABOUT} (epsilon)" in " ".join(out.split())


def _saved(nimtui: Nimtui, file: Path) -> Path:
    nimtui(f"train nim:7,5,3 --games 10 --save {file}")
    return file


@pytest.mark.slow
def test_the_second_training_of_one_file_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    file = tmp_path / "run.npz"
    first = process("train", "tower:16", "-n", "1000000000", "--save", str(file), home=tmp_path)
    until = time.monotonic() + 60
    while not file.exists():
        assert first.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    for words in (("--resume", str(file)), ("tower:16", "--save", str(file), "--force")):
        second = process("train", *words, "-n", "10", home=tmp_path)
        out, err = second.communicate(timeout=60)
        assert (second.returncode, out) == (2, "")
        assert err == f"nimtui: {file} is in use by another nimtui: stop that one first\n"
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=60)
    third = process("train", "--resume", str(file), "-n", "10", "--json", home=tmp_path)
    assert '"saved_games"' in third.communicate(timeout=60)[0] and third.returncode == 0
