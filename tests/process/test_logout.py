"""What becomes of background work at the end of a login, and what a terminal gets for a notice."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from nimtui.cli.app import run
from nimtui.process import detached


@pytest.fixture
def login(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A system whose answers a test sets."""
    says = {"answer": "b true\n"}

    def answer(*given: object, **more: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess((), 0, says["answer"], "")

    monkeypatch.setattr(detached, "SYSTEMD", tmp_path)
    monkeypatch.setattr(detached, "LINGERING", tmp_path)
    monkeypatch.setattr(detached.subprocess, "run", answer)
    monkeypatch.setattr(detached.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(detached.getpass, "getuser", lambda: "somebody")
    detached.ends_processes.cache_clear()
    yield says
    detached.ends_processes.cache_clear()


def test_a_scope_is_used_only_where_it_helps(login: dict[str, str], tmp_path: Path) -> None:
    assert detached.ends_processes() and detached.scope() == () and "may end" in detached.prospect()
    (tmp_path / "somebody").touch()  # lingering is on
    assert detached.scope()[:3] == ("systemd-run", "--user", "--scope") and "scope of their own" in detached.prospect()
    detached.ends_processes.cache_clear()
    login["answer"] = "b false\n"
    assert detached.scope() == () and detached.prospect() == "Runs in the background outlive the login."


PROGRAMS = {
    "busctl": 'test "$5" = KillUserProcesses && echo "b $KILLS"',
    "systemd-run": 'echo "$@" > "$SCOPED"; test "$1 $2" = "--user --scope" || exit 1; shift 4; exec "$@"',
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize(("kills", "linger"), [("true", True), ("true", False), ("false", True)])
def test_config_and_a_start_in_the_background_follow_what_the_system_answers(
    kills: str, linger: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
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
    assert detached.start(["--version"], 1, tmp_path / "printed").wait(60) == 0
    assert (tmp_path / "printed").read_text().startswith("nimtui ")
    scoped = kills == "true" and linger
    assert (tmp_path / "scoped").exists() == scoped
    if scoped:
        words = (tmp_path / "scoped").read_text().split()
        assert words[:5] == [*detached.SCOPE[1:], sys.executable] and words[5:] == ["-m", "nimtui", "--version"]
    assert told == {"outlives_login": kills == "false" or linger, "why": detached.prospect()}
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
