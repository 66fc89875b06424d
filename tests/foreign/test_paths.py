"""What a person may name as a path, and what is said of one that cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nimtui.errors import InputError
from nimtui.foreign.reading import check_folder, is_there, named, new_file


def test_a_tilde_is_a_home_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert named("~/a.csv") == tmp_path / "a.csv"
    assert named("~nobody-of-this-name/a.csv") == Path("~nobody-of-this-name/a.csv")


@pytest.mark.parametrize("name", ["a" * 300, "a\0b", "a\ud800", "a/" * 3000])
def test_a_name_that_the_system_cannot_have_is_refused_in_a_line(name: str) -> None:
    with pytest.raises(InputError, match="is not a valid file name") as wrong:
        is_there(Path(name))
    assert len(str(wrong.value)) < 220 and str(wrong.value).isprintable()


def test_a_way_through_a_file_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert not is_there(tmp_path / "a" / "b.csv")
    with pytest.raises(InputError, match="there is no folder"):
        new_file(str(tmp_path / "a" / "b.csv"), (".csv",))


def test_a_link_to_nowhere_is_there(tmp_path: Path) -> None:
    (tmp_path / "a.csv").symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match="already"):
        new_file(str(tmp_path / "a.csv"), (".csv",))


def test_in_a_folder_that_was_deleted_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(InputError, match="current folder has been deleted"):
        check_folder(Path("a.csv"))
    os.chdir(tmp_path)
