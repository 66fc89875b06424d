"""What was set aside is named until it was seen, and a refused file is named, not the one that was to become it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from nimtui.store import StoreError, files, paths, settings
from nimtui.store.claims import Claim
from nimtui.store.errors import Unwritable


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    return tmp_path


def test_each_is_named_until_it_was_seen(home: Path) -> None:
    assert files.unseen_asides() == [] and files.lines_of_asides([]) == []
    paths.settings().write_text("{")
    settings.load()
    (home / "tables").mkdir()
    (home / "tables" / "mine.damaged-1.npz").write_bytes(b"")
    (home / "nimtui.damaged-1.sqlite-wal").write_bytes(b"")  # beside a database, no file of its own
    named = [home / "settings.damaged-1.json", home / "tables" / "mine.damaged-1.npz"]
    assert files.unseen_asides() == named == files.unseen_asides()
    assert files.lines_of_asides(named) == [f"damaged, set aside, and not yet looked at: {named[0]}, {named[1]}"]
    assert files.lines_of_asides([*named, *named])[0].endswith(" and 1 more")
    files.see_asides(named[:1])
    assert files.unseen_asides() == named[1:]
    files.see_asides(named[1:])
    assert files.unseen_asides() == []


@pytest.mark.parametrize("name", ["a" * files.LONGEST, "ä" * (files.LONGEST // 2), " mine ", "a.b", "-"])
def test_a_name_is_a_files_without_the_space_around_it(name: str) -> None:
    assert files.valid_stem(name) == name.strip()


@pytest.mark.parametrize("name", ["a" * (files.LONGEST + 1), "ä" * 101, "", " ", ".mine", "a/b", "a\\b", "a\nb", "c:"])
def test_a_name_that_some_system_forbids_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match="invalid file name"):
        files.valid_stem(name)


def test_without_room_they_are_named_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aside = home / "settings.damaged-1.json"
    aside.write_text("{")
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _full)
        files.see_asides([aside])
        assert files.unseen_asides() == [aside]
    files.see_asides([aside])
    assert files.unseen_asides() == []


def test_a_refused_file_is_named_not_its_temporary_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _full)
        with pytest.raises(Unwritable) as refused:
            files.create(home / "mine.py", lambda file: file.write(b"1"))
    assert str(refused.value) == f"{home / 'mine.py'} cannot be written: no space left on device"
    assert list(home.iterdir()) == []


def test_a_lock_that_cannot_be_written_names_what_it_guards(home: Path) -> None:
    (home / "process.locks").write_text("in the way")
    with pytest.raises(Unwritable, match=r"nimtui\.sqlite cannot be written: .*locks is a file, not a folder"):
        Claim(home / "process.locks" / "opening", paths.database(), "taken")


def test_a_home_that_is_a_file_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "letter").write_text("dear")
    monkeypatch.setenv("NIMTUI_HOME", str(home / "letter"))
    with pytest.raises(StoreError, match=r"letter cannot be written: .*letter is a file, not a folder"):
        settings.save(settings.Settings())
    monkeypatch.setenv("NIMTUI_HOME", str(home / "letter" / "within"))
    with pytest.raises(StoreError, match=r"within cannot be written: .*letter is a file, not a folder"):
        settings.save(settings.Settings())


def _full(_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
