"""Ctrl+C, SIGTERM and kill end every command at once, whatever own code does; what is saved goes on to the same end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from nimtui.games import parse_game
from nimtui.jobs import recording, runs_report
from nimtui.jobs.work import Work
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.process import detached, owner
from nimtui.progress import Cancelled, Progress
from nimtui.sandbox import client
from nimtui.store import claims, run_files
from tests import forks
from tests.agents import wayward
from tests.cli.conftest import Answer, Nimtui
from tests.cli.processes import PATIENCE, begin, end, left, listed, run, same, saved, until
from tests.examples import few
from tests.games import hanging
from tests.jobs.test_processes import ROOT

if sys.platform == "win32":
    pytest.skip("needs signals", allow_module_level=True)

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with games and an agent that do not come back, or go wrong as they are told."""
    for folder, module in (("games", hanging), ("agents", wayward)):
        (tmp_path / folder).mkdir(exist_ok=True)
        shutil.copy(str(module.__file__), tmp_path / folder)
    return tmp_path


def begin_unchecked(home: Path, words: str) -> subprocess.Popen[str]:
    mark = {wayward.MARK: str(home / "agents" / "mark"), "PYTHONPATH": str(ROOT)}
    return begin(home, "--unchecked", *words.split(), **mark)


def busy(process: subprocess.Popen[str]) -> None:
    """Wait until it does nothing but work: it has used the processor for 0.3 s without a page of new memory."""
    latest, before, since = time.monotonic() + PATIENCE, (0, 0), time.monotonic()
    while process.poll() is None and time.monotonic() < latest:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        faults, worked = int(fields[7]), int(fields[11]) + int(fields[12])
        if faults != before[0]:
            before, since = (faults, worked), time.monotonic()
        if worked - before[1] > 0.3 * os.sysconf("SC_CLK_TCK") and time.monotonic() - since > 0.3:
            return
        time.sleep(0.05)


IN_THE_MIDDLE = "nimtui: stopped in the middle of a calculation; earlier saves are intact\n"
HANGING = [  # compiled rules: of a command that asks once, and of one that works on in jobs; then interpreted ones
    ("moves hanging:loop --agent mc", signal.SIGINT, IN_THE_MIDDLE),
    ("tournament hanging:late -a random -a perfect --headless --no-save", signal.SIGTERM, IN_THE_MIDDLE),
    ("match hanging:loop --first random --second random", signal.SIGINT, "nimtui: stopped\n"),
    ("search hanging:late --algorithm alphabeta --depth 8", signal.SIGTERM, "nimtui: stopped\n"),
    ("compare hanging:loop -a mc -a mcts --headless", signal.SIGINT, "nimtui: stopped\n"),  # in other threads
]
KINDS = (hanging.SWALLOWS, hanging.HOLDS)
STUBBORN = list(product((signal.SIGINT, signal.SIGTERM), KINDS))


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(("words", "number", "said"), few([*HANGING[:2], *HANGING[-2:]], HANGING))
def test_a_rule_that_does_not_come_back_is_ended_with_a_line(
    home: Path, words: str, number: signal.Signals, said: str
) -> None:
    process = begin_unchecked(home, words)
    busy(process)
    assert end(process, number) == Answer(128 + number, "", said)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(("number", "variant"), few(STUBBORN[: len(KINDS) + 1], STUBBORN))
def test_python_code_that_lets_nobody_interrupt_it_is_ended(home: Path, variant: str, number: signal.Signals) -> None:
    process = begin_unchecked(home, f"compare hanging:{variant} -a random --headless")
    busy(process)
    answer = end(process, number)
    assert answer.out == ""
    if number == signal.SIGTERM:  # which ends a command at once
        assert answer.status == -number and answer.err.startswith("nimtui was killed, or own code ended it. Own files")
    elif variant == hanging.SWALLOWS:
        assert (answer.status, answer.err) == (128 + number, IN_THE_MIDDLE)
    else:
        what, where = answer.err.splitlines()
        assert answer.status == 128 + number and where.startswith("Report: ")
        assert what.startswith("nimtui was stopped: Python code of an own file did not return. Own files loaded: ")
        assert "hanging.py" in Path(where.removeprefix("Report: ").strip()).read_text()


@pytest.mark.slow
@pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here")
@pytest.mark.parametrize(("how", "number"), [("loop", signal.SIGINT), ("native", signal.SIGTERM)])
def test_a_signal_ends_all_while_an_agent_of_ones_own_thinks(home: Path, how: str, number: int) -> None:
    """How soon is no matter of this test: a wait for the agent would last for ever."""
    process = begin_unchecked(home, f"moves nim:3,4,5 -a wayward:{how}-once --json")
    until((home / "agents" / "mark").exists, process)  # it thinks
    answer = end(process, number)
    assert answer.status in (128 + number, -number) and answer.out == ""


# Work that is stopped or killed, and resumed.

OFTEN = "import sys, nimtui.learning.run as run; run.SAVE_SECONDS = 0.05; from nimtui.cli import main; sys.exit(main())"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    ["tower:16", *(f"connect4 -l {one},over=50000 --seed 3" for one in ("ntuple:tuples=12,length=4", "net:hidden=8"))],
)
def test_kill_9_leaves_a_run_that_goes_on_to_the_same_bits_and_nobody_else_takes_it(
    nimtui: Nimtui, tmp_path: Path, words: str
) -> None:
    pytest.importorskip("fcntl")
    file, whole = tmp_path / "run.npz", tmp_path / "whole.npz"
    running = begin(tmp_path / "home", f"train {words} -n 2000000000 --save {file}", program=OFTEN)
    seen = set[int]()
    until(lambda: file.exists() and (seen.add(file.stat().st_mtime_ns) or len(seen) > 3), running)  # one over the other
    said = f"nimtui: {file} is in use by another nimtui: stop that one first\n"
    for others in (f"train --resume {file} -n 10", f"train {words} --save {file} --force -n 10"):
        assert nimtui(others) == Answer(2, "", said)
    assert end(running, signal.SIGKILL).status == -signal.SIGKILL
    games = Training.load(file).games
    assert nimtui(f"train --resume {file} --games 500 --json").document["games"] == games + 500
    nimtui(f"train {words} --games {games + 500} --save {whole} --json")
    assert same(file, whole)


PLAY = (
    "tournament nim:3,5,7 -a mcts:simulations=5000 -a mc:playouts=2500 -a random -n 40 --openings random:2"
    " --sprt elo0=0,elo1=400 --json"
)


def result(answer: Answer) -> dict[str, Any]:
    return {key: one for key, one in answer.document.items() if key not in ("seconds", "games_per_second", "id")}


@pytest.mark.slow
def test_killed_or_stopped_a_tournament_goes_on_to_the_result_of_an_unbroken_run(tmp_path: Path) -> None:
    """Ctrl+C first, then kill -9 in the middle of the resumed run, then to the end."""
    home = tmp_path / "home"
    first = begin(home, PLAY)
    until(lambda: saved(home) >= 3, first)
    os.killpg(first.pid, signal.SIGINT)  # as a terminal does it: to the workers as well
    stopped = end(first)
    before = stopped.document
    assert stopped.status == 130 and 3 <= before["games"] < before["of_games"] == 120 and before["id"] == 1
    assert "Resume: nimtui tournament --resume 1" in stopped.err and "Traceback" not in stopped.err
    assert saved(home) == before["games"]

    second = begin(home, "tournament --resume --workers 1 --json")
    until(lambda: saved(home) >= before["games"] + 5, second)
    os.killpg(second.pid, signal.SIGSTOP)  # it holds still while another one tries
    said = "nimtui: tournament 1 is in use by another nimtui: stop that one first\n"
    assert run(home, "tournament --resume 1") == Answer(2, "", said)
    os.killpg(second.pid, signal.SIGKILL)
    end(second)
    assert before["games"] + 5 <= saved(home) < 120

    resumed, unbroken = run(home, "tournament --resume --json"), run(tmp_path / "other", f"{PLAY} --workers 1")
    assert (resumed.status, resumed.err, unbroken.status) == (0, "", 0)
    assert result(resumed) == result(unbroken) and saved(home) == resumed.document["games"]


# Signals while something is saved, or while code keeps the interpreter's lock: tests/process counts the looks.

WORK = """
import os, signal, sys, time
from nimtui.process import stopping
stopping.watch()
from numba import njit

@njit(nogil=True)
def long(n):
    x = 1
    for i in range(n):
        x = (x * 31 + i) % 1000003
    return x

long(1)
began = time.thread_time()
long(5_000_000)
CALL = int(5_000_000 * 1.5 * stopping.ASLEEP / (time.thread_time() - began))  # steps: longer than the longest patience
"""
SAVING = """
def saved(*_):  # the handler: it takes its time
    stopping.heard()
    for _ in range(2):
        long(CALL)
    print("saved", flush=True)
    raise SystemExit(3)

signal.signal(signal.SIGTERM, saved)
os.write(1, b"ready\\n")  # not by print, which a handler may not enter again
while True:
    pass
"""
UNDISTURBED = """
signal.signal(signal.SIGTERM, lambda *_: None)
with stopping.undisturbed():
    os.write(1, b"ready\\n")
    long(2 * CALL)
    print("saved", flush=True)
"""
HOLDING = """
import os, signal, sys, time
from pathlib import Path
from nimtui.process import plugins, stopping, watchdog
from nimtui.engine import last_exit
stopping.watch()
hold = plugins.load(Path("games/mine.py"), "game", b"def hold(n): return sum(range(n))").hold
stopping.watch_own_code(prepare=last_exit.prepare)
signal.signal(signal.SIGTERM, lambda *_: stopping.heard())
began = time.thread_time()
hold(5_000_000)
longer = 5 * watchdog.PATIENCE * watchdog.LOOK / (time.thread_time() - began)  # than it waits for one that works
os.write(1, b"ready\\n")
with stopping.undisturbed():
    hold(int(5_000_000 * longer))
print("done", flush=True)
"""
ASLEEP = """
import ctypes
nap = ctypes.CDLL(None).usleep
nap.argtypes, nap.restype = [ctypes.c_uint], ctypes.c_int

@njit(nogil=True)
def dream(n):
    for _ in range(n):
        nap(n)

dream(1)
signal.signal(signal.SIGTERM, lambda *_: stopping.heard())
os.write(1, b"ready\\n")
dream(900_000)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "status", "out"),
    [
        pytest.param(WORK + SAVING, 3, "saved\n", id="a handler saves"),
        pytest.param(WORK + UNDISTURBED, 0, "saved\n", id="something is saved"),
        pytest.param(HOLDING, 0, "done\n", id="code that keeps the lock saves something"),
    ],
)
def test_nobody_is_ended_while_something_is_saved(program: str, status: int, out: str) -> None:
    process = forks.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    answer = end(process, signal.SIGTERM)
    assert (answer.status, answer.out) == (status, out)


@pytest.mark.slow
def test_a_rule_that_sleeps_in_one_call_is_ended() -> None:
    process = forks.Popen([sys.executable, "-c", WORK + ASLEEP], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.terminate()
    time.sleep(0.2)  # the first signal may come before it sleeps
    assert end(process, signal.SIGTERM).status == 143


ENDED_FROM_OUTSIDE = """
import re, signal, sys
from nimtui.process import stopping
from nimtui.engine import last_exit
print(last_exit.prepare(stopping.STOPS)[int(sys.argv[1])], flush=True)
re.match("(a|a)*b", "a" * 100)  # for ever, with the interpreter's lock
"""


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM])
def test_a_signal_ends_code_that_keeps_the_lock_with_the_status_of_another(number: signal.Signals) -> None:
    words = [sys.executable, "-c", ENDED_FROM_OUTSIDE, str(int(number))]
    with forks.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.send_signal(int(process.stdout.readline()))
        assert process.wait(PATIENCE) == 128 + number


# Agents of one's own that do not answer.


@pytest.mark.slow
@pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here")
def test_faults_of_agents_of_ones_own_are_told_and_the_tournament_is_played(home: Path) -> None:
    words = "tournament nim:3,4,5 -a wayward:exit -a random -a wayward:raise -n 6 --headless"
    answer = end(begin_unchecked(home, words))
    out = " ".join(answer.out.split())  # the lines may be broken
    assert (answer.status, answer.err) == (0, "") and "18 games" in out
    assert "wayward:exit ended without an answer: exit status 3" in out
    assert "wayward:raise raised ZeroDivisionError: division by zero" in out
    faults = json.loads(run(home, "games list --faults --limit 100 --json").out)["games"]
    assert len(faults) == 18 and all(not game["fault"].startswith(game["winner"]) for game in faults)


# Runs outlive their terminal: listed, watched, stopped, taken over and killed, they end as an uninterrupted one.


def waited(home: Path, **wanted: Any) -> dict[str, Any]:
    """Wait until the newest run has these values, and return it."""
    latest = time.monotonic() + PATIENCE
    while True:
        first = next(iter(listed(home)), {})
        if wanted.items() <= first.items() and (first["state"] != "going" or first["done"]):
            return first
        assert time.monotonic() < latest, first
        time.sleep(0.02)


class UpTo(Progress):
    """Stops a training after so many games, once it is listed."""

    def __init__(self, games: int) -> None:
        self.games = games

    def report(self, done: float, total: float, what: str = "") -> None:
        while done >= self.games:
            if any(one.file is not None for one in recording.going):
                raise Cancelled("stopped here")
            time.sleep(0.01)


def stopped(path: Path, games: int, goal: int) -> None:
    """Save a training of tower:16 that was stopped after these games, with this goal, as a listed run."""
    training = Run(Training(parse_game("tower:16"), "reward", 7), path)
    training.goal(goal)
    training.set_speed(20_000)
    with pytest.raises(Cancelled):
        Work.here(training, UpTo(games))


def test_a_stopped_run_is_listed_and_taken_to_its_goal_by_one(nimtui: Nimtui, tmp_path: Path) -> None:
    file, whole = tmp_path / "run.npz", tmp_path / "whole.npz"
    assert nimtui("runs").out == "No run yet: training, tournaments and sweeps stand here.\n"
    stopped(file, 500, 30_000)
    (row,) = nimtui("runs list reward --json").document["runs"]
    games = Training.load(file).games
    assert row["state"] == "stopped" and 500 <= row["done"] == games < 30_000 == row["goal"]
    assert (row["id"], row["kind"], row["game"], row["file"]) == (1, "training", "nim:1,3,5,7", str(file))
    assert nimtui("runs list tournament --json").document["runs"] == []
    assert nimtui("runs list tournament").out == "No run has these words.\n"
    assert nimtui("runs list Stopped run.npz --json").document["runs"] == [row]
    assert nimtui(f"runs list {tmp_path.name} --json").document["runs"] == []  # a folder's name is no word of a run
    assert f"was stopped: {games:,} of 30,000 games." in " ".join(nimtui("runs watch 1").out.split())
    assert nimtui("runs stop 1").err == "nimtui: run 1 was stopped already\n"
    text = (run_files.folder() / "1.json").read_text()
    for number, wrong in enumerate(("", "{}", "[" * 99, text, text.replace("stopped", "sitting")), 2):
        (run_files.folder() / f"{number}.json").write_text(wrong)  # nobody can read it
    assert nimtui("runs --json").document["runs"] == [row]
    assert run_files.new_id("training", None) == 7  # no number is used for two runs
    with claims.Claim(run_files.folder() / ".1.take.lock", tmp_path, ""):
        answer = nimtui("runs take 1")
    assert (answer.status, answer.err) == (2, "nimtui: another nimtui takes run 1 over\n")
    assert nimtui("runs take 1 --json").document["games"] == 30_000
    nimtui(f"train tower:16 --seed 7 --games 30000 --save {whole}")
    assert same(file, whole)
    row = next(one for one in nimtui("runs --json").document["runs"] if one["file"] == str(file))
    assert (row["id"], row["state"], row["done"]) == (1, "finished", 30_000)
    assert nimtui("runs take 1").err == "nimtui: run 1 is finished: there is nothing to continue\n"
    assert not left(tmp_path / "home")


def test_a_run_is_told_in_its_unit_and_in_the_background_since_when_nobody_watches() -> None:
    for kind, far in (("training", "44 games"), ("sweep", "44 trainings"), ("book", "44 positions")):
        run = run_files.described(id=1, kind=kind, name="", state="going", done=44, started=0.0)
        assert runs_report.far(run) == far and runs_report.far(replace(run, unit="nodes")) == "44 nodes"
    run = run_files.described(id=1, kind="training", name="q:alpha=0.5, seed 2", state="going", started=time.time())
    run = replace(run, done=24, goal=100)
    for seconds, since in ((59, "less than a minute"), (61, "1 minute"), (200, "3 minutes"), (7300, "2 hours")):
        ago = replace(run, background=True, started=run.started - seconds)
        assert runs_report.brief(ago) == f"q, seed 2: 24 %, {since} since you left"
    assert runs_report.brief(replace(run, seconds_left=130.0)) == "training of q, seed 2: 24 %, 2:10 left"


def test_what_a_cut_link_ended_is_said(nimtui: Nimtui) -> None:
    run_files.lose("search", "minimax", 1382, "nodes")
    line = "Run 1, search minimax, was cut off: 1,382 nodes. The link was cut, and this work has no saved state."
    assert " ".join(nimtui("runs show").out.split()) == line
    assert nimtui("runs take 1").err == "nimtui: run 1 is not saved in a file: nothing of it is left to continue\n"


def test_a_run_whose_process_or_machine_is_gone_is_cut_off_and_taken_to_the_same_end(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def row() -> dict[str, Any]:
        return next(one for one in nimtui("runs --json").document["runs"] if one["id"] == 1)

    nimtui("runs")
    stopped(tmp_path / "run.npz", 500, 30_000)
    path = run_files.folder() / "1.json"
    values = json.loads(path.read_text()) | {"state": "going", "rate": 5.0, "seconds_left": 1.0}
    for gone, another in (("boot", "another"), ("birth", "9" if values["birth"] else "x"), ("pid", 2**22 + 1)):
        path.write_text(json.dumps(values))
        assert row()["state"] == "going"  # of this process
        path.write_text(json.dumps(values | {gone: another}))
        assert (row()["state"], row()["rate"], row()["seconds_left"]) == ("cut", None, None)
    path.write_text(json.dumps(values))
    (tmp_path / "boot").write_text("another\n")
    monkeypatch.setattr(owner, "BOOT", tmp_path / "boot")
    assert row()["state"] == "cut"
    assert nimtui("runs take --json").status == 0
    assert nimtui(f"train tower:16 --games 30000 --seed 7 --save {tmp_path / 'whole.npz'}").status == 0
    assert same(tmp_path / "run.npz", tmp_path / "whole.npz")
    assert row()["state"] == "finished" and json.loads(path.read_text())["boot"] == "another"


def test_a_run_in_the_background_stops_after_its_hours(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nimtui("runs")
    monkeypatch.setenv(detached.BACKGROUND, "1")
    monkeypatch.setattr(recording, "HOUR", 0.0)
    training = Run(Training(parse_game("tower:16"), "reward", 7), tmp_path / "run.npz")
    training.set_speed(20_000)  # without a goal
    with pytest.raises(Cancelled):
        Work.here(training, Progress())
    (row,) = nimtui("runs --json").document["runs"]
    assert (row["id"], row["state"], row["background"]) == (1, "stopped", True)
    assert row["done"] == Training.load(tmp_path / "run.npz").games > 0


@pytest.mark.slow
def test_in_the_background_a_training_is_watched_stopped_taken_and_killed(nimtui: Nimtui, tmp_path: Path) -> None:
    file, whole, home = tmp_path / "run.npz", tmp_path / "whole.npz", tmp_path / "home"
    words = f"train tower:16 --seed 7 -n 2000000000 --save {file}"
    assert run(home, f"{words} --background").out == "Run 1 works in the background: nimtui runs watch 1\n"
    row = waited(home, state="going", id=1)
    assert row["background"] and os.getsid(row["pid"]) == row["pid"] and os.getpriority(os.PRIO_PROCESS, row["pid"]) > 0
    assert run(home, f"{words} --force").err == f"nimtui: {file} is in use by another nimtui: stop that one first\n"
    two = run(home, f"train tower:16 -n 10 --save {file} --force --background")
    assert (two.status, two.err) == (2, f"nimtui: run 1 works on {file}: stop it first\n")
    watcher = begin(home, "runs", "watch", "1")
    assert watcher.stdout is not None and watcher.stdout.readline().startswith("Run 1, training of reward, seed 7 on")
    end(watcher, signal.SIGKILL)
    taker = begin(home, "runs", "take", "1", "--json")
    until(lambda: listed(home)[0]["pid"] == taker.pid, taker)
    taken = listed(home)[0]["done"]
    until(lambda: listed(home)[0]["done"] > taken, taker)  # else it has nothing to report yet
    assert "was stopped" in run(home, "runs stop 1").out
    answer = end(taker)
    assert answer.status == 130, answer
    assert answer.document["games"] == Training.load(file).games == listed(home)[0]["done"]
    taker = begin(home, "runs", "take", "1")
    until(lambda: listed(home)[0]["pid"] == taker.pid, taker)
    end(taker, signal.SIGKILL)
    assert listed(home)[0]["state"] == "cut" and not left(home)
    games = Training.load(file).games
    assert run(home, f"train --resume {file} --games 1000 --json").document["games"] == games + 1000
    nimtui(f"train tower:16 --seed 7 --games {games + 1000} --save {whole} --json")
    assert same(file, whole)


@pytest.mark.slow
def test_a_tournament_killed_in_the_background_is_taken_to_its_end(tmp_path: Path) -> None:
    words = "tournament nim:3,5,7 -a mcts:simulations=5000 -a mc:playouts=2500 -a random -n 20"
    home, latest = tmp_path / "home", time.monotonic() + PATIENCE
    assert run(home, f"{words} --background").out.startswith("Run 1 works in the background")
    while saved(home) < 3:
        assert time.monotonic() < latest
        time.sleep(0.01)
    os.killpg(listed(home)[0]["pid"], signal.SIGKILL)
    waited(home, state="cut")
    taken, unbroken = run(home, "runs take 1 --json"), run(tmp_path / "other", f"{words} --json")
    assert (taken.status, unbroken.status) == (0, 0), taken.err
    assert result(taken) == result(unbroken)
    assert listed(home)[0]["state"] == "finished" and not left(home)
