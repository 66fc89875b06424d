"""The Library: what it lists, how one looks at it, and where things are opened."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nimtui.store import files, paths, tournaments, trash
from nimtui.store.database import Database
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.library import scan
from nimtui.ui.play.replay_screen import ReplayScreen
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import click_head, until
from tests.ui.shelving import (
    AGENTS,
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
@pytest.mark.parametrize("size", SIZES)
async def test_it_lists_everything_and_names_what_is_damaged(make_app: Any, size: Any) -> None:
    furnish()
    async with library(make_app, size) as pilot:
        text = screen_text(pilot.app)
        for words in (
            "kept · quality",
            "! torn",
            "cup · 2 agents",
            "me 1–0 perfect",
            "swept · quality",
        ):
            assert words in panel(pilot, "list")
        lines = text.splitlines()
        assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
        assert "⏎ open" in lines[-1] and "Library" in lines[0]
        await goto(pilot, "run", "trained")
        conductor = pilot.app.screen.conductor
        conductor.go(next(at for at, item in enumerate(conductor.shown) if item.fault))
        await until(pilot, lambda: "damaged" in panel(pilot, "details"))
        await pilot.press("enter")
        assert "Cannot open this item: it is damaged" in panel(pilot, "said")
    assert (paths.runs() / "torn.npz").stat().st_size == 3000


async def test_a_title_has_the_name_that_was_given_and_what_sets_learners_apart(make_app: Any) -> None:
    keep_table(paths.runs(), "2026-01-02-030405-quality.npz", "quality:margin=50", run=RUN)
    keep_table(paths.runs(), "2026-01-02-030406-quality.npz", "quality", run=RUN)
    keep_table(paths.tables(), "nim-3-2-1-reward-40-0-1234abcd.npz", "reward")
    keep_table(paths.tables(), "for my class.npz", "reward")
    async with library(make_app) as pilot:
        shown = pilot.app.screen.conductor.shown
        assert sorted(item.title for item in shown) == [
            "for my class · reward · nim:3,2,1 · 40",
            "quality:margin=50 · nim:3,2,1 · 40",
            "quality:margin=90 · nim:3,2,1 · 40",
            "reward · nim:3,2,1 · 40",
        ]
        await goto(pilot, "table", "class")
        await pilot.press("R", *"exam", "enter")
        await until(pilot, lambda: "exam · reward" in panel(pilot, "list"))


async def test_a_long_figure_does_not_touch_the_one_beside_it(make_app: Any) -> None:
    db, name = Database(), "subtraction:21,3:misere"
    plan = {"games": [name], "agents": AGENTS[:2], "pairs": "ordered", "number": 1, "openings": "start", "seed": 3}
    tournaments.begin(db, plan, [name], AGENTS[:2], [(0, 0, 1)], 1).close()
    async with library(make_app, (60, 20)) as pilot:
        await until(pilot, lambda: "played" in panel(pilot, "details"))
        assert "subtraction:21,3:mise… played" in panel(pilot, "details")


@pytest.mark.slow
async def test_nothing_is_kept_yet(make_app: Any) -> None:
    async with library(make_app) as pilot:
        assert "Nothing is saved yet" in panel(pilot, "list")
        await pressed(pilot, "d", "enter", "e", "R", "u")
        assert "Nothing to restore" in panel(pilot, "said")


@pytest.mark.slow
async def test_nothing_but_ascii_where_that_is_asked(make_app: Any) -> None:
    furnish()
    async with library(make_app, surroundings=TerminalInfo(unicode=False)) as pilot:
        for keys in (("end",), ("slash", "x"), ("escape",), ("space",)):
            await pressed(pilot, *keys)
            assert screen_text(pilot.app).isascii()


@pytest.mark.slow
async def test_one_kind_alone_words_and_order(make_app: Any) -> None:
    found = furnish()
    for age, path in enumerate((found["table"], found["run"], found["sweep"])):
        os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    async with library(make_app) as pilot:
        assert titles(pilot)[-3:] == ["table: kept.npz", "run: trained.npz", "sweep: swept.jsonl"]
        await pressed(pilot, "3")
        assert titles(pilot) == ["run: torn.npz", "run: trained.npz"]
        await pressed(pilot, "left")
        assert titles(pilot) == ["table: kept.npz"]
        await pressed(pilot, "1", "slash", *"nim rew")
        assert titles(pilot) == ["run: trained.npz"]
        await pressed(pilot, "enter")
        assert 'only "nim rew": esc to show all' in panel(pilot, "said")
        await pressed(pilot, "escape")
        assert len(titles(pilot)) == 6
        await pressed(pilot, "slash", *"rew", "enter", "slash", "enter", "s")
        names = [item.title for item in pilot.app.screen.conductor.shown]
        assert names == sorted(names, key=str.lower) and len(names) == 6
        await pressed(pilot, "slash", *"nowhere")
        assert titles(pilot) == [] and "contains all of: nowhere" in " ".join(panel(pilot, "list").split())
        await pressed(pilot, "escape")
        assert len(titles(pilot)) == 6
        await goto(pilot, "table")
        await pressed(pilot, "d", "slash", *"nowhere", "enter", "u")  # what comes back unseen is named all the same
        assert "Restored table kept · quality · nim:3,2,1 · 40, but the filter hides it" in panel(pilot, "said")
        await pressed(pilot, "escape")
        assert len(titles(pilot)) == 6


@pytest.mark.slow
async def test_every_single_game_is_found_and_older_ones_are_counted(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Database()) as db:
        for number in range(520):
            tournaments.save_game(db, NIM, "me", "perfect", row("a3 b2 c1", 1), "" if number else "oldest")
    async with library(make_app) as pilot:
        assert "All 520" in panel(pilot, "tabs") and "1 of 520" in panel(pilot, "said")
        await pilot.press("slash", *"oldest", "enter")
        await until(pilot, lambda: "1 of 1 " in panel(pilot, "said"))
    monkeypatch.setattr(scan, "MOST_GAMES", 5)
    async with library(make_app) as pilot:
        assert "All 520" in panel(pilot, "tabs")
        assert "1 of 5 · 515 older games are not listed" in panel(pilot, "said")


async def test_the_filter_finds_a_game_of_a_tournament_by_its_id(make_app: Any) -> None:
    furnish()
    db = Database()
    of_tournament = tournaments.games(db, kind="tournament")[0]
    alone = tournaments.games(db, kind="play")[0]
    db.close()
    async with library(make_app) as pilot:
        before = titles(pilot)
        await pressed(pilot, "slash", *of_tournament.short)
        await until(pilot, lambda: titles(pilot) == [f"game: game {of_tournament.short}"])
        await pressed(pilot, "enter", "d")
        assert f"is part of tournament {of_tournament.tournament}" in " ".join(panel(pilot, "said").split())
        await pressed(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        await pressed(pilot, "escape", "escape")
        await until(pilot, lambda: titles(pilot) == before)
        await pressed(pilot, "slash", *f"game {alone.short}:1")  # the long form of a single game's ID
        await until(pilot, lambda: titles(pilot) == [f"game: game {alone.short}"])
        await pressed(pilot, "escape", "slash", *"99:99", "enter")
        assert titles(pilot) == []


@pytest.mark.slow
async def test_tournaments_and_matches_have_numbers_and_say_whether_they_run(make_app: Any) -> None:
    db = Database()
    first, second = keep_tournament(db), keep_tournament(db, AGENTS[:3], name="cup")
    plan = {"games": [NIM], "agents": ["me", "mc"], "pairs": "ordered", "number": 1, "openings": "start", "seed": 3}
    match = tournaments.begin(db, plan, [NIM], ["me", "mc"], [(0, 0, 1)], 1, kind="match")
    match.append(0, [row("a3 b2 c1", 1)])
    match.ended("done", 1.0)
    match.close()
    tournaments.save_game(db, NIM, "me", "perfect", row("a3 b2 c1", 1), "seed 7652656")
    going = tournaments.resume(db, first)
    async with library(make_app) as pilot:
        await pressed(pilot, "5")
        shown = panel(pilot, "list")
        assert f"match  {match.id}: me – mc" in shown and f"tourn. {second}: cup · 3 agents" in shown
        assert f"tourn. {first} running: 2 agents" in shown
        screen = pilot.app.screen
        screen.conductor._at_work = lambda: (first, "paused", 3)  # the app itself holds it, 3 games in
        await pressed(pilot, "r")
        await goto(pilot, "tournament", f"tournament {first}")
        assert f"tourn. {first} paused: 2 agents" in panel(pilot, "list")
        await until(
            pilot, lambda: "3 of 4" in panel(pilot, "details") and "state     paused" in panel(pilot, "details")
        )
        for head, sort in (("what", "name"), ("date", "date")):  # a click on the head of a column
            await click_head(pilot, head)
            assert pilot.app.screen.conductor.shelf.sort == sort
        await pressed(pilot, "s", "s")
        assert "1 game\n" in panel(pilot, "list") + "\n" and "1 games" not in panel(pilot, "list")
        await pressed(pilot, "4")
        assert 'game 4 "seed 7652656", play' in panel(pilot, "details")
    going.close()


@pytest.mark.slow
async def test_it_is_said_where_the_games_of_tournaments_are(make_app: Any) -> None:
    db = Database()
    keep_tournament(db)
    async with library(make_app) as pilot:
        await pressed(pilot, "4")
        assert "Single games 0" in panel(pilot, "tabs")
        assert "For the games of a tournament, open it" in " ".join(panel(pilot, "list").split())


@pytest.mark.slow
async def test_what_there_is_to_say_of_each(make_app: Any) -> None:
    furnish()
    said = {
        "table": ("learner quality", "games 40", "file kept.npz", "none: only the table"),
        "run": ("accuracy 75.0 %", "unbeaten 50.0 %", "goal 90 games", "positions"),
        "sweep": ("margin 50, 90", "cells 4 × 1 seed", "0 of 4"),
        "tournament": ("round-robin × 4 games", "seed 7", "1 perfect 75.0 %", "2 random 25.0 %"),
        "game": ("me won, moving first", "first 1 of 1, second 0 of 1", "a3 b2 c1", "Move 2, b2, was the turning"),
    }
    async with library(make_app) as pilot:
        for kind, words in said.items():
            await goto(pilot, kind, "trained" if kind == "run" else "")
            for part in words:
                assert part in " ".join(panel(pilot, "details").split()), kind


@pytest.mark.slow
async def test_a_game_opens_for_replay_and_escape_comes_back(make_app: Any) -> None:
    furnish()
    async with library(make_app) as pilot:
        await goto(pilot, "game")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        assert pilot.app.current_mode == "play"
        await pilot.press("end")
        assert "You took the last match and win." in screen_text(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode == "library")


@pytest.mark.slow
async def test_each_opens_where_it_belongs(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = furnish()
    opened: list[tuple[str, object]] = []
    async with library(make_app) as pilot:
        app = pilot.app
        with monkeypatch.context() as patch:
            patch.setattr(app, "begin", lambda *asked: opened.append(asked))
            await goto(pilot, "tournament")
            await pilot.press("enter")
        assert opened == [("tournament", found["tournament"])]
        await goto(pilot, "run", "trained")
        await pilot.press("enter")
        await until(pilot, lambda: app.current_mode == "train" and app.training.lanes)
        assert app.training.lanes[0].run.writer.path == found["run"]
        await pilot.press("f6")
        await until(pilot, lambda: app.current_mode == "library")
        await goto(pilot, "table")
        await pilot.press("enter")
        await until(pilot, lambda: app.current_mode == "play" and app.playing)
        players = [player.spec for player in app.game_played.session.players]
        assert players == ["me", f"table:{found['table']}"]
        await pilot.press("f6")
        await until(pilot, lambda: app.current_mode == "library")
        await pressed(pilot, "d")
        assert "end that game first" in panel(pilot, "said") and found["table"].exists()


async def test_what_is_made_meanwhile_is_seen_when_one_comes_back(make_app: Any) -> None:
    async with library(make_app) as pilot:
        await pilot.press("f7")
        keep_table(paths.tables(), "new.npz")
        await pilot.press("f6")
        await until(pilot, lambda: titles(pilot) == ["table: new.npz"])


@pytest.mark.slow
async def test_a_database_that_cannot_be_used_is_said_and_files_are_listed(make_app: Any) -> None:
    keep_table(paths.tables(), "kept.npz")
    paths.database().mkdir()
    async with library(make_app) as pilot:
        assert "the database cannot be used: it is a folder" in panel(pilot, "said")
        assert titles(pilot) == ["table: kept.npz"]
        await pressed(pilot, "d")
        assert titles(pilot) == [] and len(trash.trashed_files()) == 1


async def test_a_quiet_end_leaves_no_file_beside_the_database(make_app: Any) -> None:
    furnish()
    async with library(make_app) as pilot:
        app = pilot.app
        beside = [Path(f"{paths.database()}{end}") for end in files.BESIDE]
        assert all(path.exists() for path in beside)
    app.release()
    assert not any(path.exists() for path in beside) and paths.database().exists()
