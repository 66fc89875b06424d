"""What the Library does with things: deletes and brings back, renames, writes for other programs, compares."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from nimtui.arena.transcripts.game_import import read_lines
from nimtui.store import claims, files, paths, tournaments, trash
from nimtui.store.database import Database
from nimtui.ui.kit.forms.dialogs import ExportForm
from nimtui.ui.library.compare_screen import CompareScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.shelving import (
    NIM,
    RUN,
    furnish,
    goto,
    keep_table,
    keep_tournament,
    library,
    panel,
    pressed,
    row,
    titles,
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table", "run", "sweep", "tournament", "game"])
async def test_what_is_deleted_comes_back_as_it_was(make_app: Any, kind: str) -> None:
    found = furnish()[kind]
    content = found.read_bytes() if isinstance(found, Path) else None
    async with library(make_app) as pilot:
        before = titles(pilot)
        await goto(pilot, kind, "trained" if kind == "run" else "")
        name, called = pilot.app.screen.conductor.item.name, pilot.app.screen.conductor.item.called
        await pressed(pilot, "d")
        assert f"Deleted {called}: u restores it" in panel(pilot, "said") and kind in called
        assert f"{kind}: {name}" not in titles(pilot) and len(titles(pilot)) == len(before) - 1
        if content is not None:
            assert not found.exists() and trash.trashed_files()[0].place == found
        await pressed(pilot, "r")  # what is deleted is not seen at the next look either
        assert len(titles(pilot)) == len(before) - 1
        await pressed(pilot, "u")
        await until(pilot, lambda: titles(pilot) == before)
        assert pilot.app.screen.conductor.item.name == name
        assert content is None or found.read_bytes() == content


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table", "tournament", "game"])
async def test_what_was_deleted_elsewhere_is_not_renamed(make_app: Any, kind: str) -> None:
    found = furnish()
    async with library(make_app) as pilot:
        await goto(pilot, kind)
        if kind == "table":
            trash.put(found["table"])
        else:
            (tournaments.delete if kind == "tournament" else tournaments.delete_game)(Database(), found[kind])
        await pressed(pilot, "R", "x", "enter")
        await until(pilot, lambda: "Not renamed" in panel(pilot, "said"))
        assert "deleted" in panel(pilot, "said").partition("Not renamed: ")[2]


@pytest.mark.slow
async def test_what_was_deleted_in_another_run_comes_back_too_the_last_first(make_app: Any) -> None:
    found = furnish()
    db = Database()
    tournaments.delete_game(db, found["game"])
    trash.put(found["table"])
    tournaments.delete(db, found["tournament"])
    async with library(make_app) as pilot:
        for kind in ("tournament", "table", "game"):
            assert not any(title.startswith(kind) for title in titles(pilot))
            await pressed(pilot, "u")
            await until(pilot, lambda kind=kind: any(title.startswith(kind) for title in titles(pilot)))  # type: ignore[misc]
        await pressed(pilot, "u")
        assert "Nothing to restore" in panel(pilot, "said")


@pytest.mark.slow
async def test_what_is_in_use_is_neither_deleted_nor_renamed(make_app: Any) -> None:
    found = furnish()
    claim = claims.claim(found["run"])
    db = Database()
    playing = tournaments.resume(db, found["tournament"])
    assert claim is not None
    async with library(make_app) as pilot:
        await goto(pilot, "run", "trained")
        await pressed(pilot, "d")
        assert panel(pilot, "said").startswith("Not deleted: trained.npz is in use: stop it first")
        await pressed(pilot, "R", *"x", "enter")
        assert panel(pilot, "said").startswith("Not renamed: trained.npz is in use")
        await goto(pilot, "tournament")
        await pressed(pilot, "d")
        assert "is being played: stop it first" in panel(pilot, "said")
        claim.release()
        playing.close()
        await pressed(pilot, "d")
        assert "Deleted " in panel(pilot, "said")
    assert found["run"].exists()


@pytest.mark.slow
async def test_a_file_gets_another_name_never_one_that_is_taken(make_app: Any) -> None:
    path = keep_table(paths.tables(), "one.npz")
    keep_table(paths.tables(), "two.npz", seed=5)
    async with library(make_app) as pilot:
        await goto(pilot, "table", "one")
        await pressed(pilot, "R", "ctrl+u", *"two", "enter")
        assert "two.npz exists" in panel(pilot, "said")
        await pressed(pilot, "R", "ctrl+u", *"a/b", "enter")
        assert "invalid file name: no /" in panel(pilot, "said")
        await pressed(pilot, "R", "ctrl+u", *"best one", "enter")
        await until(pilot, lambda: "table: best one.npz" in titles(pilot))
        assert pilot.app.screen.conductor.item.name == "best one.npz"
    assert not path.exists()


@pytest.mark.slow
async def test_rows_of_the_database_get_names_too(make_app: Any) -> None:
    found = furnish()
    async with library(make_app) as pilot:
        for kind in ("tournament", "game"):
            await goto(pilot, kind)
            await pressed(pilot, "R", "ctrl+u", *f"my {kind}", "enter")
            await until(pilot, lambda kind=kind: f"my {kind}" in panel(pilot, "list"))  # type: ignore[misc]
    db = Database()
    assert tournaments.info(db, found["tournament"]).name == "my tournament"
    assert tournaments.game(db, found["game"]).name == "my game"


async def export(pilot: Any, name: str) -> Path:
    """Press e and type this name; the file that was written."""
    await pilot.press("e")
    await until(pilot, lambda: isinstance(pilot.app.screen, ExportForm))
    pilot.app.screen.query_one("FieldLine").input.value = name
    await pilot.pause()
    await pilot.press("enter")
    await until(pilot, lambda: pilot.app.current_mode == "library" and "Written to" in panel(pilot, "said"))
    return Path(name)


@pytest.mark.slow
async def test_everything_is_written_for_other_programs(
    make_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = furnish()
    monkeypatch.chdir(tmp_path)
    async with library(make_app, (80, 30)) as pilot:
        await goto(pilot, "table")
        assert len(list(csv.DictReader((await export(pilot, "table.csv")).open()))) > 20
        await goto(pilot, "tournament")
        lines = list(csv.DictReader((await export(pilot, "cup.csv")).open()))
        assert [(line["agent"], line["points"], line["played"]) for line in lines] == [
            ("perfect", "3.0", "4"),
            ("random", "1.0", "4"),
        ]
        document = json.loads((await export(pilot, "cup.json")).read_text())
        assert document["seed"] == 7 and [one["wins"] for one in document["results"]] == [3]
        games = list(read_lines(((await export(pilot, "cup.txt")).read_text()).splitlines()))
        assert sorted(game.row.result for game in games) == [-1, 1, 1, 1]
        assert {game.tournament for game in games} == {found["tournament"]}
        await goto(pilot, "game")
        [game] = list(read_lines(((await export(pilot, "game.txt")).read_text()).splitlines()))
        assert (game.first, game.second, game.row.moves) == ("me", "perfect", row("a3 b2 c1", 1).moves)
        await goto(pilot, "sweep")
        assert len(json.loads((await export(pilot, "sweep.json")).read_text())["cells"]) == 4


@pytest.mark.slow
async def test_two_tables_side_by_side(make_app: Any) -> None:
    keep_table(paths.tables(), "one.npz")
    keep_table(paths.runs(), "two.npz", "reward", 2, RUN)
    async with library(make_app) as pilot:
        await goto(pilot, "table")
        await pressed(pilot, "c")
        assert "Mark an item with space" in panel(pilot, "said")
        await pressed(pilot, "space", "c")
        assert "the marked item" in panel(pilot, "said")
        await goto(pilot, "run")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen), 60)
        await pilot.pause()
        text = screen_text(pilot.app)
        for words in ("one.npz", "two.npz", "quality", "reward", "accuracy", "wins first", "same best moves in"):
            assert words in text
        await pilot.press("escape")


@pytest.mark.slow
async def test_two_tournaments_by_those_who_play_in_both(make_app: Any) -> None:
    db = Database()
    keep_tournament(db, ("perfect", "random"), "first")
    keep_tournament(db, ("perfect", "mc:playouts=10"), "second", wins=4)
    db.close()
    async with library(make_app) as pilot:
        await pressed(pilot, "space", "down")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await pilot.pause()
        lines = screen_text(pilot.app).splitlines()
        [shared] = [line for line in lines if line.startswith(" perfect")]
        assert "100 %" in shared and "75.0 %" in shared
        assert shared.count("?") == 2  # no seat was swapped: nothing tells their strength
        assert any("Only in the first: mc 10." in line for line in lines)
        assert any("Only in the second: random." in line for line in lines)
        assert any("? is a strength that the games do not tell." in line for line in lines)
        assert not any("interval" in line for line in lines)


@pytest.mark.slow
async def test_two_games_where_they_part(make_app: Any) -> None:
    db = Database()
    tournaments.save_game(db, NIM, "me", "random", row("a3 b2 c1", 1))
    tournaments.save_game(db, NIM, "me", "mc", row("a3 b1 b1 c1", -1))
    db.close()
    async with library(make_app) as pilot:
        await pressed(pilot, "space", "down")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await pilot.pause()
        assert "Different from move 2: b1 in the first, b2 in the second." in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_table_and_a_game_have_nothing_in_common(make_app: Any) -> None:
    furnish()
    async with library(make_app) as pilot:
        await goto(pilot, "table")
        await pressed(pilot, "space")
        await goto(pilot, "game")
        await pressed(pilot, "c")
        assert "Cannot compare" in panel(pilot, "said")


@pytest.mark.slow
async def test_a_full_disk_is_said_and_nothing_is_lost(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = furnish()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with library(make_app) as pilot:
        await goto(pilot, "table")
        monkeypatch.setattr(files, "replace", full)
        await pressed(pilot, "d")
        assert "Not deleted: tables/kept.npz cannot be deleted: no space left on device" in panel(pilot, "said")
    assert found["table"].exists()
