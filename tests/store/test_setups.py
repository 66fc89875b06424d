"""Saved set-ups: what comes back, whose files are whose, and what happens to a file that is damaged."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from nimtui.store import setups
from nimtui.store.errors import StoreError

DOCUMENT = {"games": ["tower:16"], "agents": ["easy", "hard"], "number": 100, "sprt": None}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_what_was_saved_comes_back_the_last_one_first() -> None:
    assert setups.saved_setups() == ([], [])
    first = setups.save("learners", DOCUMENT)
    setups.save("Große Runde / Nr. 2", {**DOCUMENT, "number": 7})
    os.utime(first, (1, 1))
    found, faults = setups.saved_setups()
    assert not faults
    assert [(saved.name, saved.document["number"]) for saved in found] == [
        ("Große Runde / Nr. 2", 7),
        ("learners", 100),
    ]
    assert found[1].document == DOCUMENT and found[1].path.name == "learners.json"


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "a\\b", ".hidden", "con", "ÄÖÜ", "x" * 300, "-", "a\nb"])
def test_any_name_makes_a_file_in_the_folder_and_no_other_names_file(name: str) -> None:
    others = {setups.path_of(other) for other in ("a-b", "A-B", "etc-passwd", "hidden", "aou", "x" * 60, "a b")}
    path = setups.save(name, DOCUMENT)
    assert path.parent == setups.folder() and path not in others
    assert path.name.isascii() and len(path.name) < 100
    assert setups.load(path).name == name


def test_another_set_up_is_never_replaced_unasked() -> None:
    path = setups.save("mine", DOCUMENT)
    with pytest.raises(StoreError, match="'mine' already"):
        setups.save("mine", {})
    assert setups.load(path).document == DOCUMENT
    setups.save("mine", {"number": 1}, replace=True)
    assert setups.load(path).document == {"number": 1}
    with pytest.raises(StoreError, match="needs a name"):
        setups.save(" ", DOCUMENT)


def test_one_that_was_deleted_can_be_saved_again() -> None:
    setups.save("mine", DOCUMENT)
    [[saved], _] = setups.saved_setups()
    setups.delete(saved)
    assert setups.saved_setups() == ([], []) and not setups.taken("mine")
    assert setups.save(saved.name, saved.document) == saved.path


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"[1, 2]",
        b"{",
        b'{"nimtui": "setup", "format": 1, "name": "", "setup": {}}',
        b'{"nimtui": "setup", "format": 1, "name": "a", "setup": 3}',
        b'{"nimtui": "sweep", "format": 1, "name": "a", "setup": {}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_named_and_set_aside_as_it_is(text: bytes) -> None:
    setups.save("good", DOCUMENT)
    odd = setups.folder() / "odd.json"
    odd.write_bytes(text)
    found, [fault] = setups.saved_setups()
    assert [saved.name for saved in found] == ["good"]
    assert str(odd) in fault and "odd.damaged-1.json" in fault and "\n" not in fault
    assert (setups.folder() / "odd.damaged-1.json").read_bytes() == text
    assert setups.saved_setups()[1] == []  # said once


def test_a_file_of_a_newer_version_stays_where_it_is() -> None:
    path = setups.save("new", DOCUMENT)
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 2}))
    found, [fault] = setups.saved_setups()
    assert not found and "newer nimtui" in fault and path.exists()


def test_a_folder_that_cannot_be_made_is_said_in_one_line(home: Path) -> None:
    home.mkdir()
    (home / "setups").write_text("a file")
    with pytest.raises(StoreError, match="cannot be written"):
        setups.save("mine", DOCUMENT)
    assert setups.saved_setups() == ([], [])
