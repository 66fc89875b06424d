"""What is deleted comes back as it was, never in the place of another file, and is gone for good after a month."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from nimtui.store import StoreError, files, trash
from nimtui.store.check import Checked, check_files


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path


def kept(path: Path, text: str = "scores") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def aged(trashed: trash.Trashed, days: float) -> None:
    manifest = trashed.folder / trash.MANIFEST
    keys = json.loads(manifest.read_text())
    keys["deleted"] -= days * 86_400
    manifest.write_text(json.dumps(keys))


def test_a_file_goes_and_comes_back_byte_for_byte(home: Path) -> None:
    path = kept(home / "home" / "runs" / "ünlike a plain name.npz", "1 2 3")
    trashed = trash.put(path)
    assert not path.exists() and trashed.file.read_text() == "1 2 3"
    assert trash.trashed_files() == [trashed]
    assert trash.restore(trashed) == path and path.read_text() == "1 2 3"
    assert trash.trashed_files() == [] and not trashed.folder.exists()


def test_two_of_one_name_are_both_kept_and_the_last_is_named_first(home: Path) -> None:
    path = home / "table.npz"
    first = trash.put(kept(path, "old"))
    aged(first, 0.001)
    second = trash.put(kept(path, "new"))
    assert [found.file.read_text() for found in trash.trashed_files()] == ["new", "old"]
    trash.restore(second)
    with pytest.raises(StoreError, match=r"another file .* rename it first"):
        trash.restore(first)
    assert path.read_text() == "new" and first.file.read_text() == "old"


def test_only_what_is_older_than_a_month_is_gone_for_good(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, young = trash.put(kept(home / "old.npz")), trash.put(kept(home / "young.npz"))
    monkeypatch.setattr(trash, "time", lambda: young.deleted + 30 * 24 * 3600)
    aged(old, 1 / 24 / 3600)
    assert trash.purge() == 1
    assert [found.place.name for found in trash.trashed_files()] == ["young.npz"]


def test_what_cannot_be_moved_stays_and_leaves_nothing_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, place, unlink = kept(home / "a.npz"), home / "b.npz", Path.unlink

    def refused(self: Path, *_: object, **__: object) -> None:
        if self == path:
            raise PermissionError(1, os.strerror(1))
        unlink(self)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refused)
        with pytest.raises(StoreError, match=r"a\.npz cannot be deleted: "):
            trash.put(path)
    assert path.exists() and list(trash.folder().iterdir()) == []
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refused)  # it may be linked, but not taken away
        with pytest.raises(PermissionError):
            files.move(path, place)
    assert path.exists() and not place.exists()
    trash.folder().rmdir()
    kept(home / "home" / "trash", "in the way")
    with pytest.raises(StoreError, match="trash is a file, not a folder"):
        trash.put(path)
    assert path.exists()
    with pytest.raises(StoreError, match="no file"):
        trash.put(home / "nowhere.npz")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"nimtui": "trash", "format": 1}', '{"nimtui": "trash", "format": 9}']
)
def test_manifests_that_are_none_of_ours_are_passed_over_and_left(home: Path, text: str) -> None:
    good = trash.put(kept(home / "a.npz"))
    strange = kept(trash.folder() / "strange" / trash.MANIFEST, text)
    assert trash.trashed_files() == [good]
    trash.purge(days=-1)
    assert strange.read_text() == text and not good.folder.exists()


def test_a_move_that_was_broken_off_leaves_a_manifest_that_means_nothing(home: Path) -> None:
    trashed = trash.put(kept(home / "a.npz"))
    trashed.file.rename(home / "a.npz")  # as if the process had been killed before the rename
    assert trash.trashed_files() == []
    with pytest.raises(StoreError, match=r"a\.npz is no longer in the trash"):
        trash.restore(trashed)
    assert trash.purge(days=-1) == 1 and list(trash.folder().iterdir()) == []


@pytest.mark.parametrize("links", [True, False])
def test_a_file_moves_to_a_free_place_alone_also_on_a_drive_without_links(
    home: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, os.strerror(1))

    if not links:
        monkeypatch.setattr(os, "link", refused)
    path, place = kept(home / "a.npz", "1"), home / "b.npz"
    files.move(path, place)
    assert not path.exists() and place.read_text() == "1"
    kept(path, "2")
    with pytest.raises(FileExistsError):
        files.move(path, place)
    assert (path.read_text(), place.read_text()) == ("2", "1")
    files.name_also(path, other := home / "c.npz")
    assert other.read_text() == "2" and path.exists() is links
    files.name_back(path, other)
    assert path.read_text() == "2" and not other.exists()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"place": 3}', '{"place": "a\\u0000b"}', '{"place": "a", "place": "b"}']
)
def test_a_manifest_that_cannot_be_read_is_reported(home: Path, text: str) -> None:
    trashed = trash.put(kept(home / "a.txt"))
    (trashed.folder / trash.MANIFEST).write_text(text)
    (stray := trash.folder() / "zzz").write_text("no folder, so it has no manifest")
    check_files(checked := Checked())
    assert [(found.what, found.id) for found in checked.damaged] == [
        ("deleted file", str(trashed.folder)),
        ("deleted file", str(stray)),
    ]
    assert checked.damaged[1].fault.startswith("cannot be read: ")
