"""The last word of a process that dies: said once, in two lines, and never where it ends in good order."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimtui.store import guard, paths
from tests.store.sample import open_files

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
ROOT = Path(__file__).resolve().parents[2]
CODE = """
import ctypes, os, signal, sys
from pathlib import Path
from nimtui.process import plugins
from nimtui.store import guard
plugins.load(Path("games/mine.py"), "game", b"")
guard.begin()
guard.saved(Path("runs/table.npz"), 12_000)
print("begun", flush=True)
"""


def died(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    """What is said on stdout and stderr, until nobody can say anything more."""
    return subprocess.run(
        [sys.executable, "-c", CODE + code],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NIMTUI_HOME": str(home / "home"), "TMPDIR": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ctypes.string_at(0)", "Segmentation fault"),
        ("os.abort()", "Aborted"),
        ("os.kill(os.getpid(), signal.SIGBUS)", "Bus error"),
    ],
)
def test_a_crash_is_told_in_two_lines_with_a_report(code: str, said: str, tmp_path: Path) -> None:
    done = died(code, tmp_path)
    what, where = done.stderr.splitlines()
    assert what == f"nimtui died: {said}. Own files loaded: games/mine.py."
    checkpoint, _, report = where.partition(" Report: ")
    assert checkpoint == "Last checkpoint: runs/table.npz, 12,000 games."
    assert Path(report).parent == tmp_path / "home" / "reports"
    assert said in Path(report).read_text() and 'File "<string>"' in Path(report).read_text()
    assert list(tmp_path.glob("nimtui-*")) == [] and done.stdout == "begun\n"


@pytest.mark.parametrize("code", ["", "sys.exit(3)", "raise ValueError", "guard.end(); os._exit(0)"])
def test_nothing_is_added_where_it_ends_otherwise(code: str, tmp_path: Path) -> None:
    done = died(code, tmp_path)
    assert "nimtui" not in done.stderr.replace("nimtui.store", "")
    assert not (tmp_path / "home").exists() and list(tmp_path.glob("nimtui-*")) == []


@pytest.mark.parametrize("code", ["os.kill(os.getpid(), signal.SIGKILL)", "os._exit(0)"])
def test_an_end_that_says_nothing_itself_is_told_where_own_code_may_have_caused_it(code: str, tmp_path: Path) -> None:
    done = died(code, tmp_path)
    assert done.stderr.splitlines() == [
        "nimtui was killed, or own code ended it. Own files loaded: games/mine.py.",
        "Last checkpoint: runs/table.npz, 12,000 games. ",
    ]
    assert not (tmp_path / "home").exists() and list(tmp_path.glob("nimtui-*")) == []


def test_a_terminal_of_the_same_name_hears_nothing_of_who_died_in_the_one_before(tmp_path: Path) -> None:
    """Names of terminals are given again: as soon as one is closed another may have its name."""
    code = "import os, sys; from nimtui.store import guard; guard.begin(sys.argv[1]); guard.ready(); print(1); input()"
    master, slave = os.openpty()
    name = os.ttyname(slave)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    child = subprocess.Popen(
        [sys.executable, "-uc", code, name],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdout is not None and child.stdout.read(1) == b"1"
    os.close(slave)
    os.close(master)
    others = [os.openpty() for _ in range(3)]
    try:
        child.kill()
        child.communicate()
        for _ in range(500):
            if not list(tmp_path.glob("nimtui-*")):
                break  # the last thing it does
            time.sleep(0.02)
        for master, _ in others:
            os.set_blocking(master, False)
            with pytest.raises(BlockingIOError):
                os.read(master, 100)
    finally:
        for pair in others:
            for one in pair:
                os.close(one)


def test_a_guard_hears_all_lines_and_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    master, slave = os.openpty()
    shells, done = list[Any](), list[tuple[object, ...]]()

    class Shell:
        """The shell that would wait; `heard` is what it reads."""

        def __init__(self, command: list[str], **how: Any) -> None:
            shells.append(self)
            self.command, self.how, self.heard = command, how, os.dup(how["stdin"])
            self.on = how["stderr"] and os.ttyname(how["stderr"])
            self.stdout = io.BytesIO(b"\n...") if how["stdout"] == subprocess.PIPE else None

        def wait(self, seconds: float) -> None:
            done.append(("wait", seconds))

    def noted(name: str) -> Callable[..., bool]:
        return lambda *given, **_: bool(done.append((name, *given[:1])))

    for name in ("is_enabled", "enable", "disable", "register", "unregister"):
        monkeypatch.setattr(guard.faulthandler, name, noted(name))
    monkeypatch.setattr(guard.subprocess, "Popen", Shell)
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    monkeypatch.setattr(guard.plugins, "loaded_names", lambda: "a\x1b.py" * (not shells))
    guard.begin()
    *command, trace, report, own = shells[0].command
    assert command == ["/bin/sh", "-c", guard.SCRIPT, "nimtui-guard", "", ""] and own == "Own files loaded: a‹1B›.py."
    assert Path(report).parent == paths.reports() and Path(trace).exists()
    del shells[0].how["stdin"]
    assert shells[0].how == {"stdout": subprocess.DEVNULL, "stderr": None, "start_new_session": True, "cwd": "/",
                             "env": {**os.environ, "LC_ALL": "C"}}  # fmt: skip
    guard.ready()
    before = open_files()
    guard.begin(os.ttyname(slave), "tidy")
    assert not Path(trace).exists() and os.read(shells[0].heard, 99) == b"farewell\n"
    assert [*shells[1].command[4:6], shells[1].command[-1]] == [os.ttyname(slave), "tidy", ""]
    assert shells[1].on == os.ttyname(slave)
    guard.ready()
    assert shells[1].stdout.closed and open_files() == before + 1  # the second shell listens
    guard.trace([10, 12])
    guard.tell("on\x1b")
    guard.saved(Path("x.npz"), 12_000)
    os.write(guard.pipe(), b"how it ended\n")
    last = guard._guard
    for _ in range(2):
        guard.end()
    assert last is not None and guard.pipe() == -1
    other, another = os.pipe()
    os.dup2(another, last.pipe)  # its number may be another file's by now
    last.tell("too late")
    for number in (another, last.pipe):
        os.close(number)
    assert os.read(other, 1) == b""
    os.close(other)
    guard.tell("to nobody")
    guard.trace([1])
    said = "on‹1B›\nsaved Last checkpoint: x.npz, 12,000 games.\nhow it ended\nfarewell\n"
    assert os.read(shells[1].heard, 999).decode() == said and os.read(shells[1].heard, 1) == b""
    first, rest = [("is_enabled",), ("enable",)], [("disable",), ("wait", guard.PATIENCE)]
    traced = [("register", 10), ("register", 12), ("unregister", 12), ("unregister", 10)]
    assert [each if each[0] != "enable" else each[:1] for each in done] == [*first, *rest, *first, *traced, *rest]
    assert not Path(shells[1].command[6]).exists() and open_files() == before - 1
    for number in (master, slave, *(shell.heard for shell in shells)):
        os.close(number)
