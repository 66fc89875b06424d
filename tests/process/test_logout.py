"""What becomes of background work at the end of a login, and what a terminal gets for a notice."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.process import logout, notices


@pytest.fixture
def login(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A system whose answers a test sets."""
    says = {"answer": "b true\n"}

    def answer(*given: object, **more: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess((), 0, says["answer"], "")

    monkeypatch.setattr(logout, "SYSTEMD", tmp_path)
    monkeypatch.setattr(logout, "LINGERING", tmp_path)
    monkeypatch.setattr(logout.subprocess, "run", answer)
    monkeypatch.setattr(logout.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(logout.getpass, "getuser", lambda: "somebody")
    logout.ends_processes.cache_clear()
    yield says
    logout.ends_processes.cache_clear()


def test_a_scope_is_used_only_where_it_helps(login: dict[str, str], tmp_path: Path) -> None:
    assert logout.ends_processes() and logout.scope() == () and "may end" in logout.prospect()
    (tmp_path / "somebody").touch()  # lingering is on
    assert logout.scope()[:3] == ("systemd-run", "--user", "--scope") and "scope of their own" in logout.prospect()
    logout.ends_processes.cache_clear()
    login["answer"] = "b false\n"
    assert logout.scope() == () and logout.prospect() == "Runs in the background outlive the login."


def test_a_notice_is_one_sequence_and_no_text_ends_it_early(monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "a;b\x1b\\\a\nend"
    assert notices.sequence("off", evil) == "" and notices.sequence("bell", evil) == "\a"
    for kind, head in (("osc9", "\x1b]9;"), ("osc777", "\x1b]777;notify;nimtui;")):
        monkeypatch.delenv("TMUX", raising=False)
        plain = notices.sequence(kind, evil)
        assert plain.startswith(head) and plain.endswith("\a")
        assert not set(plain[len(head) : -1]) & set("\x1b\a\n")
        monkeypatch.setenv("TMUX", "it runs")
        wrapped = notices.sequence(kind, evil)
        assert wrapped == f"\x1bPtmux;\x1b{plain}\x1b\\"
    monkeypatch.delenv("TMUX")
    assert notices.sequence("osc777", "x;y").count(";") == 3
