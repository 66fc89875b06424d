"""Settings that last, and what becomes of a file that is not right."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from nimtui.store import StoreError, paths, settings
from nimtui.store.settings import Glyphs, Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def written(content: str | bytes) -> Path:
    path = paths.settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_without_a_file_there_are_the_defaults_and_nothing_is_written(home: Path) -> None:
    assert settings.load() == (Settings(), [])
    assert not home.exists()
    told = (ROOT / "docs" / "runs.md").read_text()
    assert f"for at most {Settings().background_hours} hours (`background_hours`" in told


def test_what_is_saved_comes_back(home: Path) -> None:
    mine = Settings(theme="nord", glyphs=Glyphs.ASCII, animation=False, pace=2.5, slow=True)
    settings.save(mine)
    assert settings.load() == (mine, [])
    for pace, hours in ((0, 1), (60, 168), (0.25, 9)):
        settings.save(Settings(pace=pace, background_hours=hours))
        assert settings.load() == (Settings(pace=pace, background_hours=hours), [])
    assert [path.name for path in home.iterdir()] == ["settings.json"]
    assert isinstance(settings.load()[0].glyphs, Glyphs)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"3", b"[" * 100_000, b'{"format": "x"}'])
def test_a_damaged_file_is_set_aside_as_it_is_and_named(home: Path, content: bytes) -> None:
    path = written(content)
    found, faults = settings.load()
    assert found == Settings()
    assert len(faults) == 1 and "\n" not in faults[0]
    assert str(path) in faults[0] and "settings.damaged-1.json" in faults[0]
    assert (home / "settings.damaged-1.json").read_bytes() == content
    assert not path.exists()
    written("{")
    settings.load()
    assert (home / "settings.damaged-1.json").read_bytes() == content
    assert (home / "settings.damaged-2.json").read_bytes() == b"{"


def test_a_newer_file_is_set_aside(home: Path) -> None:
    written('{"format": 2, "theme": "nord"}')
    found, faults = settings.load()
    assert found == Settings()
    assert "newer" in faults[0] and (home / "settings.damaged-1.json").exists()


def test_unknown_names_are_passed_over() -> None:
    written('{"format": 1, "slow": true, "sound": 3}')
    assert settings.load() == (Settings(slow=True), [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pace", -1),
        ("pace", 60.5),
        ("background_hours", 0),
        ("background_hours", 169),
        ("background_hours", 8.0),
        ("pace", "fast"),
        ("pace", True),
        ("pace", float("nan")),
        ("pace", float("inf")),
        ("glyphs", "emoji"),
        ("glyphs", 1),
        ("animation", "yes"),
        ("slow", 0),
        ("theme", ""),
        ("theme", "a\nb"),
        ("theme", None),
        ("theme", ["x"] * 500),
    ],
)
def test_a_value_that_cannot_be_is_named_and_the_others_stay(name: str, value: object) -> None:
    given = {"theme": "nord", "animation": False} | {name: value}
    path = written(json.dumps(given))
    found, faults = settings.load()
    assert getattr(found, name) == getattr(Settings(), name)
    assert len(faults) == 1 and name in faults[0] and "\n" not in faults[0] and len(faults[0]) < 200
    if name != "theme":
        assert found.theme == "nord"
    assert path.exists()


def test_a_file_that_cannot_be_read_or_set_aside_is_named_and_left(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "settings.json").mkdir(parents=True)
    found, faults = settings.load()
    assert found == Settings() and "cannot be read" in faults[0]
    with pytest.raises(StoreError, match="cannot be written"):
        settings.save(Settings())
    (home / "settings.json").rmdir()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    path = written("{")
    found, faults = settings.load()
    assert found == Settings() and "cannot be set aside" in faults[0]
    assert path.read_text() == "{"


def test_the_home_is_the_platforms_or_the_one_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert paths.home() == home
    assert paths.games() == home / "games" and paths.tables() == home / "tables"
    monkeypatch.setenv("NIMTUI_HOME", "~/n")
    assert paths.home() == Path.home() / "n"
    monkeypatch.setenv("NIMTUI_HOME", " ")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    assert paths.home().name == "nimtui"


def test_what_is_no_file_is_refused_by_whoever_reads_it(home: Path) -> None:
    home.mkdir()
    os.mkfifo(paths.settings())
    assert "it is a pipe, not a file" in settings.load()[1][0]
    with pytest.raises(StoreError, match="it is a pipe, not a file"):
        settings.read(paths.settings())
    paths.settings().unlink()
    written(b" " * (settings.LARGEST + 1))
    with pytest.raises(StoreError, match="the limit is 1 MB"):
        settings.read(paths.settings())
