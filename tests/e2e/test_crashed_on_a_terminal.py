"""The app dies of a crash in native code of a person's own rules: the terminal is put back, and two lines say why."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.e2e import crashing
from tests.e2e.terminal import Terminal

APP = f"{sys.executable} -m nimtui --unchecked play crashing:9 --second me"
SHELL = f"stty -a > before; {APP}; echo status $?; sleep 1; stty -a > after; echo shell goes on; read line"


CRASHES = [("native", 139, "nimtui died: Segmentation fault."), ("kill", 137, "nimtui was killed.")]


@pytest.mark.slow
@pytest.mark.parametrize(("crash", "status", "said"), CRASHES)
def test_the_terminal_is_put_back_and_two_lines_say_what_died(
    tmp_path: Path, crash: str, status: int, said: str
) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(str(crashing.__file__), tmp_path / "games")
    shell = f"cd {tmp_path}; {SHELL}"
    paths = ":".join(filter(None, [str(Path(__file__).parents[2]), *sys.path]))
    with Terminal(["/bin/sh", "-c", shell], tmp_path, CRASH=crash, PYTHONPATH=paths) as terminal:
        assert terminal.sees("crashing:9") and terminal.sees("Position 9")
        terminal.settles()
        began = len(terminal.raw)
        terminal.press("2", "enter")
        assert terminal.sees("shell goes on")
        told = terminal.raw[began:].decode(errors="replace")
        assert f"status {status}" in told
        assert f"{said} Own files loaded: games/crashing.py." in told
        for mode in ("?1049l", "?25h", "?1000l", "?1003l", "?1006l", "?2004l", "?1004l", "<u"):
            assert f"\x1b[{mode}" in told, mode
        assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()
        reports = list((tmp_path / "reports").glob("*.txt"))
        assert len(reports) == (crash == "native") and all("crashing.py" in path.read_text() for path in reports)
        terminal.press("enter")
        terminal.ends()


def guards() -> dict[str, int]:
    """The numbers of guards that run now, each with its parent's."""
    shown = ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="]
    found = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[0]: int(line.split()[1]) for line in found if "nimtui-guard" in line}


@pytest.mark.slow
def test_nobody_stays_and_nothing_is_said_where_the_app_ends_in_good_order(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-m", "nimtui"], tmp_path) as terminal:
        assert terminal.sees("Play now")
        [mine] = [guard for guard, parent in guards().items() if parent == terminal.pid]
        terminal.press("q")
        assert terminal.ends() == 0
        assert "nimtui was" not in terminal.raw.decode() and "nimtui died" not in terminal.raw.decode()
    until = time.monotonic() + 30
    while mine in guards() and time.monotonic() < until:
        time.sleep(0.05)
    assert mine not in guards() and not (tmp_path / "reports").exists()
