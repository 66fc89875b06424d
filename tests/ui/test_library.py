"""The Library screen: its keys, its panels, and the screens that it opens. What it does is in test_library_acts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimtui.store import game_list, paths
from nimtui.store.database import Database
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.compare.saved import CompareScreen, PoolScreen
from nimtui.ui.kit.forms.dialogs import ExportForm
from nimtui.ui.play.replay_screen import ReplayScreen
from tests.ui.conftest import SIZES, screen_text, unframed
from tests.ui.playing import click_head, until
from tests.ui.shelving import AGENTS, furnish, goto, keep_tournament, library, panel, pressed, titles


async def test_it_lists_everything_at_every_size_by_kind_word_and_order_and_opens_nothing_damaged(
    make_app: Any,
) -> None:
    furnish()
    async with library(make_app) as pilot:
        conductor = pilot.app.screen.conductor
        for size in SIZES[::-1]:
            await pilot.resize_terminal(*size)
            for words in ("kept · quality", "! torn", "cup · 2 agents", "me 1–0 perfect", "swept · quality"):
                assert words in panel(pilot, "list")
            lines = screen_text(pilot.app).splitlines()
            assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
            assert "⏎ open" in lines[-1] and "Library" in lines[0]
        conductor.go(next(at for at, item in enumerate(conductor.shown) if item.fault))
        await until(pilot, lambda: "damaged" in panel(pilot, "details"))
        await pilot.press("enter")
        assert "Cannot open this item: it is damaged" in panel(pilot, "said")
        await pressed(pilot, "3")
        assert sorted(titles(pilot)) == ["run: torn.npz", "run: trained.npz"]
        await pressed(pilot, "left")
        assert titles(pilot) == ["table: kept.npz"]
        await pressed(pilot, "1", "slash", *"nim rew")
        assert titles(pilot) == ["run: trained.npz"]
        await pressed(pilot, "enter")
        assert 'only "nim rew": esc to show all' in panel(pilot, "said")
        await pressed(pilot, "slash", *"x", "escape")
        assert titles(pilot) == ["run: trained.npz"], "the filter before it was edited"
        await pressed(pilot, "escape")
        assert len(titles(pilot)) == 6
        await pressed(pilot, "s")
        assert conductor.shelf.sort == "name"
        for head, sort in (("date", "date"), ("what", "name")):  # a click on the head of a column
            await click_head(pilot, head)
            assert conductor.shelf.sort == sort


@pytest.mark.slow
async def test_nothing_is_kept_yet_what_is_made_meanwhile_is_seen_and_all_is_ascii_if_asked(make_app: Any) -> None:
    async with library(make_app, surroundings=TerminalInfo(unicode=False)) as pilot:
        assert "Nothing is saved yet" in panel(pilot, "list")
        await pressed(pilot, "d", "enter", "e", "R", "u")
        assert "Nothing to restore" in panel(pilot, "said")
        await pilot.press("f7")
        furnish()
        await pilot.press("f6")
        await until(pilot, lambda: len(titles(pilot)) == 6)
        for keys in (("end",), ("slash", "x"), ("escape",), ("space",)):
            await pressed(pilot, *keys)
            assert screen_text(pilot.app).isascii()


@pytest.mark.slow
async def test_keys_delete_restore_rename_write_and_read_and_an_end_leaves_no_file_beside_the_database(
    make_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish()
    monkeypatch.chdir(tmp_path)
    async with library(make_app, (80, 30)) as pilot:
        before = titles(pilot)
        await goto(pilot, "table")
        await pressed(pilot, "d")
        assert "Deleted table kept" in panel(pilot, "said") and len(titles(pilot)) == len(before) - 1
        await pressed(pilot, "u")
        await until(pilot, lambda: titles(pilot) == before)
        await pressed(pilot, "R", "ctrl+u", *"best one", "enter")
        await until(pilot, lambda: "table: best one.npz" in titles(pilot))
        await goto(pilot, "game")
        await pressed(pilot, "R", *"mine", "enter")
        await until(pilot, lambda: "mine · me 1–0 perfect" in panel(pilot, "list"))
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExportForm))
        pilot.app.screen.query_one("FieldLine").input.value = "game.txt"
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.current_mode == "library" and "Written to" in panel(pilot, "said"))
        await pressed(pilot, "d")
        await until(pilot, lambda: "Deleted game" in panel(pilot, "said") and not pilot.app.jobs.running())
        await pressed(pilot, "i")
        await until(pilot, lambda: "Import file" in screen_text(pilot.app))
        await pressed(pilot, *"game.txt", "enter")
        await until(pilot, lambda: "1 game imported" in panel(pilot, "said"))
        beside = [Path(f"{paths.database()}{end}") for end in ("-wal", "-shm")]
        assert all(path.exists() for path in beside)
    pilot.app.release()
    assert not any(path.exists() for path in beside) and paths.database().exists(), "a quiet end"


@pytest.mark.slow
async def test_each_opens_where_it_belongs(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = furnish()
    opened: list[tuple[str, object]] = []
    async with library(make_app) as pilot:
        app = pilot.app
        with monkeypatch.context() as patch:
            patch.setattr(app, "begin", lambda *asked: opened.append(asked))
            for kind, key in (("tournament", "enter"), ("sweep", "enter"), ("table", "t"), ("run", "t"), ("game", "t")):
                await goto(pilot, kind, "trained" if kind == "run" else "")
                await pilot.press(key)
        assert "Only tables and runs open on the Train screen" in panel(pilot, "said")
        modes = {"tournament": "tournament", "sweep": "sweep", "table": "train", "run": "train"}
        assert opened == [(mode, found[kind]) for kind, mode in modes.items()]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("end")
        assert "You took the last match and win." in screen_text(app)
        await pilot.press("escape")
        await until(pilot, lambda: app.current_mode == "library")
        await goto(pilot, "run", "trained")
        await pilot.press("enter")
        await until(pilot, lambda: app.current_mode == "train" and app.training.lanes)
        assert app.training.lanes[0].run.writer.path == found["run"]
        await pilot.press("f6")
        await until(pilot, lambda: app.current_mode == "library")
        await goto(pilot, "table")
        await pilot.press("enter")
        await until(pilot, lambda: app.current_mode == "play" and app.playing)
        assert [player.spec for player in app.game_played.session.players] == ["me", f"table:{found['table']}"]
        await pilot.press("f6")
        await until(pilot, lambda: app.current_mode == "library")
        await pressed(pilot, "d")
        assert "end that game first" in panel(pilot, "said") and found["table"].exists()
        with Database() as db:  # the games of a tournament are found by their ids
            await pressed(pilot, "slash", *game_list.games(db, kind="tournament")[0].short)
        await until(pilot, lambda: "".join(titles(pilot)[:1]).startswith("game: game "))
        await pressed(pilot, "enter", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))


@pytest.mark.slow
async def test_two_are_compared_and_tournaments_are_rated_together(make_app: Any) -> None:
    with Database() as db:
        for agents, wins in ((AGENTS[:2], 3), ((AGENTS[0], AGENTS[2]), 4), ((AGENTS[2], AGENTS[1]), 3)):
            keep_tournament(db, agents, wins=wins)
    async with library(make_app) as pilot:

        async def opens(key: str, screen: type) -> str:
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, screen))
            await pilot.pause()
            return unframed(pilot.app)

        await pressed(pilot, "space", "down")
        assert "Only in the first: " in await opens("c", CompareScreen)
        assert "accuracy is the share of best moves over all positions that are not lost" in pilot.app.screen.HELP
        shown = await opens("p", PoolScreen)
        assert "pool of 2 tournaments" in shown and "8 games" in shown
        await pilot.press("p", "escape")
        for keys in (("space",), ("down", "space")):
            await pressed(pilot, *keys)
        assert "3 tournaments marked. Press c to rate them together" in panel(pilot, "said")
        top = await opens("c", PoolScreen)
        assert "pool of 3 tournaments (1, 2, 3), 3 agents, 12 games" in top
        await pilot.press("end")
        assert "Moving first" in unframed(pilot.app) and unframed(pilot.app) != top
        await pilot.press("home")
        assert unframed(pilot.app) == top
