"""The installed program on a real terminal, and the same random steps as bytes: split, damaged and mixed up, too.

After every step the process lives and shows no traceback; at the end Ctrl+Q (and y, where it asks) leaves within two
seconds with status 0, and the terminal is as it was: its modes, its cursor, its echo.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.e2e.terminal import Terminal
from tests.fuzz import steps
from tests.fuzz.drive import LEAVE, Broken, load
from tests.fuzz.faults import Fault
from tests.fuzz.home import copy_of
from tests.fuzz.steps import KEYS, Step
from tests.fuzz.trial import Outcome, Trial

READY = 60.0  # seconds until the first screen, on a machine with much else to do
PACE = 0.01  # seconds between two writes
ON, OFF = re.compile(rb"\x1b\[\?(\d+)h"), re.compile(rb"\x1b\[\?(\d+)l")
KITTY_ON, KITTY_OFF = b"\x1b[>", b"\x1b[<u"
CODES = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-z]")
SYNCHRONIZED = 2026  # switched on and off for every picture
BROKEN = ("Traceback (most recent call last)", "nimtui failed")
STARTS = {
    "start": (),
    "play": ("play", "nim:3,2,1", "--second", "random", "--seed", "1"),
    "watched": ("play", "nim:9,8,7", "--first", "random", "--second", "random"),
    "train": ("train", "nim:3,2,1", "--games", "2000"),
    "tournament": ("tournament",),
    "compare": ("compare", "connect4", "--agent", "mcts:simulations=900000", "--agent", "alphabeta:depth=12"),
    "library": ("library",),
}
NOISE = (
    b"\xff",
    b"\xc3",
    b"\xf0\x9f\x92",
    b"\xed\xa0\x80",
    b"\x00",
    b"\x9b",
    b"\x1b[?1;2c",
    b"\x1b[0n",
    b"\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\",
    b"\x1b]10;rgb:ffff/ffff/ffff\x07",
    b"\x1b[?2026;2$y",
    b"\x1b[?2048;2$y",
    b"\x1b[48;24;80;0;0t",
    b"\x1bP1$r0m\x1b\\",
    b"\x1b[97;5u",
    b"\x1b[1114112u",
    b"\x1b[99999999999u",
    b"\x1b[<0;0;0M",
    b"\x1b[<999;99999;99999M",
    b"\x1b[M !!",
    b"\x1b[200~",
    b"\x1b[201~",
    b"\x1b[999999~",
    b"\x1b[1;1R",
    b"\x1b",
    b"\x1b[",
    b"\x1bO",
)
PASTES = ("nim:3,2,1", "a1", "x" * 5000, "\u202e漢\x1b[31m", "line\nline", "")
SIZES = ((80, 24), (60, 20), (120, 40), (300, 100), (40, 10), (2, 2), (1, 1))


def random_steps(random: Random, events: int) -> list[Step]:
    """So many events; a write has one or several of them, or half of one."""
    found: list[Step] = []
    keys = sorted(set(KEYS.values()))
    while events > 0:
        kind = random.random()
        x, y = random.randrange(80), random.randrange(24)
        step: Step
        if kind < 0.45:
            step = random.choice((b"\r", b"\x1b", b"\t", b" ", *steps.CURSOR_KEYS, bytes([random.randrange(33, 127)])))
        elif kind < 0.6:
            step = random.choice(keys)
        elif kind < 0.75:
            step = b"".join(random.choice((b"\r", b"\x1b[B", random.choice(keys))) for _ in range(random.randint(2, 8)))
        elif kind < 0.83:
            step = steps.click(random.choice((0, 0, 1, 2)), x, y) * random.choice((1, 2))
        elif kind < 0.87:
            step = steps.mouse(random.choice((35, 64, 65, 32)), x, y)
        elif kind < 0.9:
            step = steps.paste(random.choice(PASTES))
        elif kind < 0.93:
            step = random.choice(SIZES)
        else:
            step = random.choice((*NOISE, random.randbytes(random.randint(1, 8))))
        if isinstance(step, bytes):
            if random.random() < 0.97 and _leaves(step):
                continue
            if len(step) > 2 and random.random() < 0.1:  # a sequence that comes in two pieces
                cut = random.randrange(1, len(step))
                found.append(step[:cut])
                step = step[cut:]
        found.append(step)
        events -= steps.count([step])
    return found


def _leaves(data: bytes) -> bool:
    return any(key in data for key in (b"q", b"\x03", b"\x11", b"\x1a", b"/"))


@contextlib.contextmanager
def program(start: str, size: tuple[int, int], home: Path) -> Iterator[Terminal]:
    """The program at this start, on a terminal of this size, in that home."""
    command = (sys.executable, "-m", "nimtui", *STARTS[start])
    folder = os.environ.get("PYTHONPATH", "")
    root = str(Path(__file__).parents[2])
    columns, lines = size
    with Terminal(command, home, columns=columns, lines=lines, PYTHONPATH=f"{root}:{folder}", HOME=str(home)) as shown:
        yield shown


def run(trial: Trial, home: Path) -> Outcome:
    """Run this trial's steps, or so many random ones, in a copy of that home."""
    outcome = Outcome(trial)
    given = list(trial.steps) if trial.steps is not None else random_steps(Random(trial.seed), trial.events)
    with copy_of(home) as folder, program(trial.start, trial.size, folder) as shown:
        try:
            _starts(shown)
            began = time.perf_counter()
            for step in given:
                outcome.steps.append(step)
                outcome.events += steps.count([step])
                _do(shown, step)
                if shown.status() is not None:
                    break
            outcome.seconds = time.perf_counter() - began
            _leaves_well(shown)
        except Broken as broken:
            outcome.fault = broken.fault
    return outcome


def _starts(shown: Terminal) -> None:
    end = time.monotonic() + READY
    while b"\x1b[?1049h" not in shown.raw or not shown.text.strip():
        if time.monotonic() > end or shown.status() is not None:
            raise Broken(Fault("does not start", f"{shown.text.strip()[:200]}"))
        time.sleep(0.01)


def _do(shown: Terminal, step: Step) -> None:
    if isinstance(step, bytes):
        with contextlib.suppress(OSError):  # it has ended
            os.write(shown._fd, step)
    elif isinstance(step, tuple):
        shown.resize(*step)
    else:
        time.sleep(step)
    time.sleep(PACE)
    if shown.status() not in (None, 0):
        _ended(shown)


def _leaves_well(shown: Terminal) -> None:
    """Ctrl+Q, and y: the program ends with status 0, and the terminal is as it was."""
    began = time.monotonic()
    for data in (b"\x1b[201~", KEYS["ctrl+q"], b"y"):
        for _ in range(25):
            if shown.status() is not None:
                break
            time.sleep(0.01)
        if shown.status() is None:
            _do(shown, data)
    while shown.status() is None:
        if time.monotonic() - began > LEAVE * load():
            raise Broken(Fault("does not leave", f"after {LEAVE} s: {_last_lines(shown)}"))
        time.sleep(0.01)
    _ended(shown)


def _ended(shown: Terminal) -> None:
    time.sleep(0.1)  # what was written last
    if shown.status() != 0:
        raise Broken(Fault(f"status {shown.status()}", _last_lines(shown)))
    if any(words in CODES.sub("", shown.raw.decode("utf-8", "replace")) for words in BROKEN):
        raise Broken(Fault("traceback", f"{_last_lines(shown)}"))
    left = {int(mode) for mode in ON.findall(shown.raw)}
    for mode in left - {25, 7, SYNCHRONIZED}:
        if shown.raw.rfind(b"\x1b[?%dl" % mode) < shown.raw.rfind(b"\x1b[?%dh" % mode):
            raise Broken(Fault(f"mode {mode} is left on", ""))
    if shown.raw.rfind(b"\x1b[?25h") < shown.raw.rfind(b"\x1b[?25l"):
        raise Broken(Fault("the cursor is left hidden", ""))
    if shown.raw.count(KITTY_OFF) < 1 and KITTY_ON in shown.raw:
        raise Broken(Fault("the keyboard protocol is left on", ""))
    flags = termios.tcgetattr(shown._fd)[3]
    if not flags & termios.ECHO or not flags & termios.ICANON:
        raise Broken(Fault("the echo is left off", ""))


def _last_lines(shown: Terminal) -> str:
    """What was written last, as a person would read it."""
    text = CODES.sub("", shown.raw[-3000:].decode("utf-8", "replace"))
    return " ".join(text.split())[-300:]
