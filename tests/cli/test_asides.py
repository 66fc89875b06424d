"""Commands name what was set aside, and end with 1 where the system refuses a file."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from nimtui.store import files
from tests.cli.conftest import Nimtui


def test_it_is_named_at_every_start_until_a_terminal_has_shown_it(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "nimtui.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 4000)
    assert "is damaged" in nimtui("games list").err  # to a pipe: who knows whether anybody reads it
    for _ in range(2):
        assert "not yet looked at" in nimtui("games list").err
    with monkeypatch.context() as shown:
        shown.setattr(type(sys.stderr), "isatty", lambda _: True)
        shown.setattr(os, "get_terminal_size", lambda _=0: os.terminal_size((80, 24)))
        nimtui("games list")
    assert nimtui("games list").err == "" and files.unseen_asides() == []


def test_a_full_disk_names_the_file_and_ends_with_1(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    file = tmp_path.joinpath("home", "games", "mine.py")
    answer = nimtui("new game mine")
    assert answer.status == 1 and answer.err == f"nimtui: {file} cannot be written: no space left on device\n"
    assert not list(tmp_path.rglob(".mine*"))


def test_a_home_that_is_a_file_is_said(nimtui: Nimtui, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("dear")
    assert "home is a file, not a folder" in nimtui("games list").err
    answer = nimtui("new game mine")
    assert answer.status == 1 and answer.err.endswith("home is a file, not a folder\n")
