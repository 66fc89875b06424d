"""A person's own rules crash the app or never return, or nothing is compiled yet: it ends well, or works at once."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e import crashing
from tests.e2e.terminal import Terminal
from tests.examples import few

pytestmark = pytest.mark.slow
APP = f"{sys.executable} -m nimtui --unchecked play crashing:9 --second me"
SHELL = f"stty -a > before; {APP}; echo status $?; read line; stty -a > after; echo shell goes on; read line"
MODES = [f"\x1b[{mode}" for mode in ("?1049l", "?25h", "?1000l", "?1003l", "?1006l", "?2004l", "?1004l", "<u")]
KILLED = "nimtui was killed, or own code ended it."
CRASHES = [
    ("native", "", 139, "nimtui died: Segmentation fault."),
    ("kill", "", 137, KILLED),
    ("hold", "\x11", 130, "nimtui was stopped: Python code of an own file did not return."),
    ("exit", "", 0, KILLED),  # to the process that watches it, as if it was killed
]


def in_a_shell(home: Path, crash: str) -> Terminal:
    """The app in a shell that remembers the terminal's settings before it and after it."""
    (home / "games").mkdir()
    shutil.copy(str(crashing.__file__), home / "games")
    paths = ":".join(filter(None, [str(Path(__file__).parents[2]), *sys.path]))
    return Terminal(["/bin/sh", "-c", f"cd {home}; {SHELL}"], home, CRASH=crash, PYTHONPATH=paths)


def plays_three(terminal: Terminal, key: str, *said: str) -> None:
    """Make the move that crashes, press this key, and wait until this is said and the terminal is put back."""
    assert terminal.sees("crashing:9") and terminal.sees("Position 9")
    terminal.settles()
    began = len(terminal.raw)
    terminal.press("2", "enter")
    if key:
        terminal.settles()
        terminal.press(key)

    def told() -> str:
        return terminal.raw[began:].decode(errors="replace")

    assert terminal.becomes(lambda: terminal.echoes and all(text in told() for text in (*said, *MODES))), told()
    terminal.press("enter")
    assert terminal.sees("shell goes on")
    terminal.press("enter")
    terminal.ends()


@pytest.mark.parametrize(("crash", "key", "status", "said"), few(CRASHES[:3], CRASHES))
def test_the_terminal_is_put_back_and_two_lines_say_what_died(
    tmp_path: Path, crash: str, key: str, status: int, said: str
) -> None:
    with in_a_shell(tmp_path, crash) as terminal:
        plays_three(terminal, key, f"status {status}", f"{said} Own files loaded: games/crashing.py.")
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()
    reports = list((tmp_path / "reports").glob("*.txt"))
    assert len(reports) == (crash in ("native", "hold")) and all("crashing.py" in path.read_text() for path in reports)


@pytest.mark.parametrize("key", few(["\x11"], ["\x11", "\x03"]))
def test_a_rule_that_loops_on_the_board_is_left_with_the_keys_that_quit(tmp_path: Path, key: str) -> None:
    with in_a_shell(tmp_path, "loop") as terminal:
        said = "nimtui: stopped in the middle of a calculation; earlier saves are intact"
        plays_three(terminal, key, "status 130", said)
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()


def guards() -> dict[str, int]:
    """The numbers of guards that run now, each with its parent's."""
    shown = ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="]
    found = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[0]: int(line.split()[1]) for line in found if "nimtui-guard" in line}


def test_nobody_stays_and_nothing_is_said_where_the_app_ends_in_good_order(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-m", "nimtui"], tmp_path, fresh=True) as terminal:
        assert terminal.sees("Play now")
        [mine] = [guard for guard, parent in guards().items() if parent == terminal.pid]
        terminal.press("q")
        assert terminal.ends() == 0
        assert "nimtui was" not in terminal.raw.decode() and "nimtui died" not in terminal.raw.decode()
    until = time.monotonic() + 30
    while mine in guards() and time.monotonic() < until:
        time.sleep(0.05)
    assert mine not in guards() and not (tmp_path / "reports").exists()


# The first start, with nothing compiled: play works at once, and the process that compiles disturbs nobody.


NEVER = """
import sys
from concurrent.futures import Future
from nimtui.engine import activity
from nimtui.jobs.kernels import KernelProcess
activity.PATIENCE = float("inf")
KernelProcess.order = lambda *given: Future()
sys.argv[1:] = "play nim:1,2,3 --second perfect".split()
from nimtui.__main__ import main
main()
"""
PATHS = ":".join([str(Path(__file__).parents[2]), *sys.path])
LEARNED = ("-m", "nimtui", "play", "tower:16", "--first", "reward:games=5000000")


def app(home: Path, kernels: Path, *words: str) -> Terminal:
    return Terminal([sys.executable, *words], home, fresh=True, NUMBA_CACHE_DIR=str(kernels), PYTHONPATH=PATHS)


def compiler_of(parent: int) -> int | None:
    """The process of low priority among the children of the app; None if there is none."""
    with contextlib.suppress(OSError, ValueError):
        for child in Path(f"/proc/{parent}/task/{parent}/children").parent.parent.glob("*/children"):
            for number in map(int, child.read_text().split()):
                if os.getpriority(os.PRIO_PROCESS, number) > os.getpriority(os.PRIO_PROCESS, parent):
                    return number
    return None


def test_a_machine_answers_while_nothing_is_compiled(tmp_path: Path) -> None:
    with app(tmp_path / "home", tmp_path / "kernels", "-c", NEVER) as terminal:
        assert terminal.sees("your move")
        terminal.press("enter")
        assert terminal.sees("Perfect took") and terminal.sees("your move")
    assert not list((tmp_path / "kernels").rglob("*.nbc"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for children in /proc")
def test_the_compiler_ends_with_the_app_even_if_that_is_killed(tmp_path: Path) -> None:
    with app(tmp_path / "home", tmp_path / "kernels", *LEARNED) as terminal:
        assert terminal.becomes(lambda: compiler_of(terminal.pid) is not None)
        child = compiler_of(terminal.pid)
        os.kill(terminal.pid, signal.SIGKILL)
        assert terminal.becomes(lambda: _is_dead(child))


def _is_dead(process: int | None) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True
