"""Children of a process: how they ended, that none is left; and what becomes of them at the end of a login."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from nimtui.cli.app import run
from nimtui.process import children, detached, owner

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")


def forked(seconds: float = 60) -> int:
    """A child that sleeps, in a session of its own."""
    number = os.fork()
    if number == 0:
        os.setsid()
        signal.alarm(int(seconds))
        while True:
            signal.pause()
    return number


def test_how_it_ended() -> None:
    said = {0: "exit status 0", 3 << 8: "exit status 3", 9: "signal SIGKILL", 11: "signal SIGSEGV", 45: "signal 45"}
    assert {status: children.how_it_ended(status) for status in said} == said


def test_strays_are_killed_and_the_known_are_not() -> None:
    known, stray = forked(), forked()
    others = set(children._children()) - {stray}
    assert {known, stray} <= set(children._children())
    children.end_strays(others)
    assert stray not in set(children._children()) and known in set(children._children())
    children.kill(known)
    assert os.waitpid(known, 0)[1] == signal.SIGKILL


ORPHANED = """
import os, signal, sys
os.setsid()
read, write = os.pipe()
for leaves in (False, True):
    if not (child := os.fork()):
        if not os.fork():
            os.close(read)
            if leaves:
                os.setsid()
            os.write(write, b"%d\\n" % os.getpid())
            signal.pause()
        os._exit(0)
    os.waitpid(child, 0)
os.close(write)
lines = os.fdopen(read)
print(int(lines.readline()), int(lines.readline()), flush=True)
signal.pause()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="another system lists no processes")
def test_orphans_belong_to_their_session_and_those_that_leave_it_are_strays() -> None:
    children.adopt()
    with subprocess.Popen([sys.executable, "-c", ORPHANED], stdout=subprocess.PIPE, text=True) as leader:
        try:
            assert leader.stdout is not None
            orphans = [int(word) for word in leader.stdout.readline().split()]
            stays, leaves = sorted(orphans, key=lambda one: children.session(one) != leader.pid)
            assert children.family(leader.pid) == [leader.pid, stays]
            children.end_strays(set(children._children()) - {stays, leaves})
            assert {stays, leaves} & set(children._children()) == {stays}
            os.kill(stays, signal.SIGKILL)
            until = monotonic() + 60
            while children.family(leader.pid) != [leader.pid] and monotonic() < until:  # an orphan that ended
                pass
            assert stays not in children._children()
        finally:
            children.kill(leader.pid)
            children._prctl(children.ADOPTS, 0)


def test_only_a_process_that_wants_to_run_is_kept_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stat(state: str, ticks: tuple[int, int]) -> Path:
        (tmp_path / "stat").write_text(f"7 (a) b) {state} {' '.join(map(str, range(10)))} {ticks[0]} {ticks[1]} 0")
        return tmp_path / "stat"

    tick = os.sysconf("SC_CLK_TCK")
    for state, ticks, seconds, starved in (
        ("R", (tick, tick - 1), 2.0, True),
        ("R", (tick, tick), 2.0, False),
        ("D", (0, 0), 0.1, True),
        ("S", (0, 0), 0.1, False),
    ):
        monkeypatch.setattr(children, "Path", lambda name, state=state, ticks=ticks: stat(state, ticks))
        assert children.starved(7, seconds) is starved
    monkeypatch.setattr(children, "Path", lambda name: tmp_path / "none")
    assert not children.starved(7, 9.0)


def test_folders_of_killed_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = forked()
    os.kill(gone, signal.SIGKILL)
    os.waitpid(gone, 0)
    for name in (f"own-{gone}-a", f"own-{os.getppid()}-b", "own-x-c", f"other-{gone}-d"):
        (tmp_path / name).mkdir()
    made = Path(children.temporary_folder("own-"))
    assert made.name.startswith(f"own-{os.getpid()}-")
    assert {path.name for path in tmp_path.iterdir()} == {
        made.name, f"own-{os.getppid()}-b", "own-x-c", f"other-{gone}-d",
    }  # fmt: skip


def test_a_copy_ends_with_its_block_and_a_silent_child_says_nothing() -> None:
    code = (
        "import os, signal\nfrom nimtui.process import children\n"
        "children.handle(('SIGHUP', 'SIGNOTHING'), signal.SIG_IGN)\nprint(signal.getsignal(1).name, flush=True)\n"
        "with children.no_copies():\n    number = os.fork()\n    os.write(1, b'block\\n')\n"
        "os.waitpid(number, 0)\nprint('after', flush=True)\nchildren.silence()\nprint('lost', input if 0 else '')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (sorted(done.stdout.split()), done.stderr) == (sorted(["SIG_IGN", "block", "block", "after"]), "")


def test_a_suspended_group_is_continued() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        os.kill(process.pid, signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
        children.wake(process)
        assert os.WIFCONTINUED(os.waitpid(process.pid, os.WCONTINUED)[1])
        process.kill()


def test_a_lock_has_one_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unlocked(*_: object) -> None:
        raise OSError(95, "no locks here")

    with (tmp_path / "a").open("w") as one, (tmp_path / "a").open("w") as other:
        assert owner.lock(one) and owner.lock(one) and not owner.lock(other)
        one.close()
        assert owner.lock(other)
        monkeypatch.setattr("fcntl.flock", unlocked)
        assert owner.lock(other)
        monkeypatch.setattr(owner, "fcntl", None)
        assert owner.lock(other)


# What becomes of background work at the end of a login, and what a terminal gets for a notice.


MAY_END = "The system may end runs in the background at logout: loginctl enable-linger keeps them."
PROGRAMS = {
    "busctl": 'test "$5" = KillUserProcesses && echo "b $KILLS"',
    "systemd-run": 'echo "$@" > "$SCOPED"; test "$1 $2" = "--user --scope" || exit 1; shift 4; exec "$@"',
}


@pytest.mark.parametrize(
    ("kills", "linger", "why"),
    [
        ("true", True, "get a scope of their own, which outlives the login."),
        pytest.param("true", False, MAY_END, marks=pytest.mark.slow),
        pytest.param("false", True, "Runs in the background outlive the login.", marks=pytest.mark.slow),
    ],
)
def test_config_and_a_start_in_the_background_follow_what_the_system_answers(
    kills: str, linger: bool, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    for name, lines in PROGRAMS.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{lines}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("KILLS", kills)
    monkeypatch.setenv("SCOPED", str(tmp_path / "scoped"))
    monkeypatch.setattr(detached, "SYSTEMD", tmp_path)
    monkeypatch.setattr(detached, "LINGERING", tmp_path / "linger")
    (tmp_path / "linger").mkdir()
    if linger:
        (tmp_path / "linger" / getpass.getuser()).touch()
    detached.ends_processes.cache_clear()
    assert run(["config", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["background"]
    assert told["outlives_login"] == (kills == "false" or linger) and told["why"].endswith(why)
    assert detached.start(["--version"], 1, tmp_path / "printed").wait(60) == 0
    assert (tmp_path / "printed").read_text().startswith("nimtui ")
    scoped = kills == "true" and linger
    assert (tmp_path / "scoped").exists() == scoped
    if scoped:
        words = (tmp_path / "scoped").read_text().split()
        assert words == [*detached.SCOPE[1:], sys.executable, "-m", "nimtui", "--version"]
        (tmp_path / "systemd-run").unlink()
        monkeypatch.setenv("PATH", str(tmp_path))
        assert detached.scope() == ()
    detached.ends_processes.cache_clear()


def through_tmux(folder: Path, kind: str, passthrough: str) -> bytes:
    """Return what the terminal behind tmux gets while a program in it sends a notice."""
    import pty

    code = f"from nimtui.process import detached; print(detached.notice({kind!r}, 'Run 1; ended'), end='', flush=True)"
    (folder / "send").write_text(f'#!/bin/sh\nsleep 0.5\n{sys.executable} -c "{code}"\nsleep 0.5\n')
    (folder / "conf").write_text(f"set -g allow-passthrough {passthrough}\n")
    command = ["tmux", "-S", str(folder / "t"), "-f", str(folder / "conf"), "new", "-x", "80", "-y", "9"]
    ours, theirs = pty.openpty()
    environment = {**{name: value for name, value in os.environ.items() if name != "TMUX"}, "TERM": "xterm-256color"}
    with subprocess.Popen(
        [*command, f"sh {folder / 'send'}"], stdin=theirs, stdout=theirs, env=environment, start_new_session=True
    ):
        os.close(theirs)
        got = b""
        with suppress(OSError):  # the end of the session
            while some := os.read(ours, 65536):
                got += some
        os.close(ours)
    return got


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
@pytest.mark.parametrize("kind", ["osc9", "osc777"])
def test_a_notice_goes_through_tmux_where_that_hands_it_on(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    plain = detached.notice(kind, "Run 1; ended").encode()
    for passthrough, times in (("on", 1), ("off", 0)):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # short enough for a socket
            assert through_tmux(Path(folder), kind, passthrough).count(plain) == times


def test_a_notice_is_one_sequence_and_no_text_ends_it_early(monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "a;b\x1b\\\a\nend"
    assert detached.notice("off", evil) == "" and detached.notice("bell", evil) == "\a"
    for kind, head in (("osc9", "\x1b]9;"), ("osc777", "\x1b]777;notify;nimtui;")):
        monkeypatch.delenv("TMUX", raising=False)
        plain = detached.notice(kind, evil)
        assert plain.startswith(head) and plain.endswith("\a")
        assert not set(plain[len(head) : -1]) & set("\x1b\a\n")
        monkeypatch.setenv("TMUX", "it runs")
        wrapped = detached.notice(kind, evil)
        assert wrapped == f"\x1bPtmux;\x1b{plain}\x1b\\"
    monkeypatch.delenv("TMUX")
    assert detached.notice("osc777", "x;y").count(";") == 3
