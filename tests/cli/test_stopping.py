"""Ctrl+C and SIGTERM end every command at once, whatever a person's own rules do."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import forks
from tests.games import hanging, stubborn

if sys.platform == "win32":
    pytest.skip("needs signals", allow_module_level=True)

PATIENCE = 120.0  # seconds; only a program that does not end, or a machine with much else to do, takes so long


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    for game in (hanging, stubborn):
        shutil.copy(str(game.__file__), tmp_path / "games")
    return tmp_path


def begin(home: Path, words: str) -> subprocess.Popen[str]:
    environment = os.environ | {"NIMTUI_HOME": str(home)}
    return forks.Popen(
        [sys.executable, "-m", "nimtui", "--unchecked", *words.split()],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def busy(process: subprocess.Popen[str]) -> None:
    """Wait until it does nothing but work: it has used the processor for half a second without a page of new memory."""
    until, before, since = time.monotonic() + PATIENCE, (0, 0), time.monotonic()
    while process.poll() is None and time.monotonic() < until:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        faults, worked = int(fields[7]), int(fields[11]) + int(fields[12])
        if faults != before[0]:
            before, since = (faults, worked), time.monotonic()
        if worked - before[1] > os.sysconf("SC_CLK_TCK") / 2 and time.monotonic() - since > 0.5:
            return
        time.sleep(0.05)


IN_ONE_CALL = [  # each signal for a command that asks once, and for one that works on in jobs
    ("moves hanging:loop --agent mc", signal.SIGINT),
    ("solve hanging:late", signal.SIGTERM),
    ("train hanging:late --headless", signal.SIGINT),
    ("tournament hanging:late -a random -a perfect --headless --no-save", signal.SIGTERM),
]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(("words", "number"), IN_ONE_CALL)
def test_a_rule_that_does_not_come_back_is_ended_with_a_line(home: Path, words: str, number: signal.Signals) -> None:
    process = begin(home, words)
    try:
        busy(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out) == (128 + number, "")
    assert err.endswith("nimtui: stopped in the middle of a calculation; earlier saves are intact\n")
    assert len(err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("match hanging:loop --first random --second random", signal.SIGINT),
        ("search hanging:late --algorithm alphabeta --depth 8", signal.SIGTERM),  # whose rules are looked at first
        ("compare hanging:loop -a mc -a mcts --headless", signal.SIGINT),  # in other threads
    ],
)
def test_a_rule_that_loops_while_it_is_interpreted_is_interrupted(
    home: Path, words: str, number: signal.Signals
) -> None:
    process = begin(home, words)
    try:
        busy(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (128 + number, "", "nimtui: stopped\n")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("variant", stubborn.VARIANTS)
def test_python_code_that_lets_nobody_interrupt_it_is_ended(home: Path, variant: str, number: signal.Signals) -> None:
    process = begin(home, f"compare stubborn:{variant} -a random --headless")
    try:
        busy(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert out == ""
    if number == signal.SIGTERM:  # which ends a command at once
        assert process.returncode == -number and err.startswith("nimtui was killed, or own code ended it. Own files")
    elif variant == stubborn.SWALLOWS:
        assert process.returncode == 128 + number
        assert err == "nimtui: stopped in the middle of a calculation; earlier saves are intact\n"
    else:
        what, where = err.splitlines()
        assert process.returncode == 128 + number and where.startswith("Report: ")
        assert what.startswith("nimtui was stopped: Python code of an own file did not return. Own files loaded: ")
        assert "stubborn.py" in Path(where.removeprefix("Report: ").strip()).read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "moves hanging:endless --agent mc",
        "moves hanging:endless --agent mcts",
        "search hanging:endless --algorithm mcts",
        "match hanging:endless --first random --second mc",
        "tournament hanging:endless -a random -a mc --headless --no-save",
    ],
)
def test_a_game_without_an_end_is_told(home: Path, words: str) -> None:
    process = begin(home, words)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out) == (2, "")
    assert err == "nimtui: no end after 10,000 moves: hanging:endless may be endless\n"


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
CALL = int(5_000_000 * 2 * stopping.ASLEEP / (time.thread_time() - began))  # steps in twice the longest patience
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
    time.sleep(0.01) if MODE == "steps" else None
"""


def ended(program: str, before: str = WORK) -> tuple[int, str]:
    """Run it, and send SIGTERM when it says that it is ready; its exit status, and what it says then."""
    process = forks.Popen([sys.executable, "-c", before + program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.terminate()
        out, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, out


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["steps", "loops"])
def test_whoever_has_heard_the_signal_may_take_its_time(mode: str) -> None:
    assert ended(SAVING.replace("MODE", repr(mode))) == (3, "saved\n")


UNDISTURBED = """
signal.signal(signal.SIGTERM, lambda *_: None)
with stopping.undisturbed():
    os.write(1, b"ready\\n")  # not by print, which a handler may not enter again
    long(2 * CALL)
    print("saved", flush=True)
"""


@pytest.mark.slow
def test_nobody_is_ended_while_something_is_saved() -> None:
    assert ended(UNDISTURBED) == (0, "saved\n")


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
os.write(1, b"ready\\n")  # not by print, which a handler may not enter again
dream(900_000)
"""


@pytest.mark.slow
def test_a_rule_that_sleeps_in_one_call_is_ended_too() -> None:
    process = forks.Popen([sys.executable, "-c", WORK + ASLEEP], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        until = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < until:  # the first may come before it sleeps
            process.terminate()
            time.sleep(0.2)
    finally:
        process.kill()
    assert process.wait() == 128 + signal.SIGTERM


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


HOLDING = """
import os, signal, sys, time
from contextlib import nullcontext
from pathlib import Path
from nimtui.process import plugins, stopping, watchdog
from nimtui.engine import last_exit
stopping.watch()
hold = plugins.load(Path("games/mine.py"), "game", b"def hold(n): return sum(range(n))").hold
stopping.watch_own_code(prepare=last_exit.prepare)
signal.signal(signal.SIGTERM, lambda *_: stopping.heard())
began = time.thread_time()
hold(5_000_000)
longer = 3 * watchdog.ASLEEP * watchdog.LOOK / (time.thread_time() - began)  # than anybody waits for an answer
os.write(1, b"ready\\n")
with stopping.undisturbed() if SAVING else nullcontext():
    hold(int(5_000_000 * longer))
print("done", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("saving", "ends"), [(False, (143, "")), (True, (0, "done\n"))])
def test_code_that_keeps_the_lock_is_ended_but_not_while_something_is_saved(
    saving: bool, ends: tuple[int, str]
) -> None:
    assert ended(HOLDING.replace("SAVING", str(saving)), "") == ends
