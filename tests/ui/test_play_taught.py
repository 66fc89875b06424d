"""A table that a person teaches on the Play screen: named once, kept in versions, played later, compared."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.learning import saved_tables, taught
from nimtui.learning.table import Table
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.store import paths
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, session, settled, until
from tests.ui.shelving import figures_of, version_rows

NAME = "easy-taught-nim-1-1"


def said(pilot: Any) -> str:
    return " ".join(pilot.app.screen_stack[0].query_one("#prompt").text().split())


def panel(pilot: Any) -> str:
    return " ".join(pilot.app.screen_stack[0].query_one("#thoughts").text().split())


async def lose(pilot: Any) -> None:
    """Play the only line of nim:1,1 to its end; the person moves first, so the opponent wins."""
    await pilot.press("a", "1", "enter")
    await settled(pilot)
    if not session(pilot).over:
        await pilot.press("b", "1", "enter")
        await settled(pilot)
    assert session(pilot).over


async def again(pilot: Any, second: str) -> None:
    pilot.app.play(PlaySetup("nim:1,1", None, ("me", second), 1))
    await pilot.pause()
    await settled(pilot)


@pytest.mark.slow
async def test_the_first_lesson_asks_for_a_name_and_later_ones_are_new_versions(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await lose(pilot)
        before = session(pilot).players[1].agent.table.copy()
        await pilot.press("l", "enter")
        assert f"Save its table as: {NAME}" in said(pilot) and "Forgotten when you quit" in panel(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: f"Saved as {NAME}, version 1. Accuracy" in said(pilot))
        assert f"Saved as {NAME}, version 1." in panel(pilot) and "Best moves changed in" in panel(pilot)
        found = saved_tables.load(NAME).taught
        assert found is not None and found.origin == "easy"
        [lesson] = found.lessons
        assert lesson.players == ("me", "easy") and lesson.winner == 1
        assert list(lesson.moves) == session(pilot).record.moves
        assert (found.base.scores(before.game.new()), found.base.games) == (before.scores(before.game.new()), 10)

        await pilot.press("n")  # the form offers the table that has learned
        await pilot.pause()
        assert f"--second table:{NAME}" in screen_text(pilot.app)
        await pilot.press("enter")
        await settled(pilot)
        assert session(pilot).players[1].spec == f"table:{NAME}@1"
        await lose(pilot)
        await pilot.press("l", "enter")
        await until(pilot, lambda: f"Saved as {NAME}, version 2." in said(pilot))

        await again(pilot, "easy")  # who learned before is still the same opponent
        await lose(pilot)
        assert session(pilot).players[1].agent.table.games == 10
        await pilot.press("l", "enter")
        await until(pilot, lambda: f"Saved as {NAME}, version 3." in said(pilot))
        assert saved_tables.load(f"{NAME}@3").table.games == 13


@pytest.mark.slow
async def test_a_table_of_yesterday_is_offered_plays_and_learns_without_a_question(make_app: Any) -> None:
    game = Session(PlaySetup("nim:1,1", None, ("me", "easy"), 1))
    for move in (0, 1):
        game.play(move)
    agent: Any = game.players[1].agent
    agent.prepare()
    lesson = taught.Lesson.of(game.record, None, ("me", "easy"), 0.0)
    taught.keep(saved_tables.new_place("pupil"), "easy", agent.table, [lesson])
    async with playing(make_app, "nim:1,1", second="random") as pilot:
        await pilot.press("o")
        assert "me, table:pupil, random" in said(pilot)
        await pilot.press("down", "down", "enter")
        await settled(pilot)
        assert session(pilot).players[1].spec == "table:pupil@1"
        await lose(pilot)
        await pilot.press("l", "enter")
        await until(pilot, lambda: "Saved as pupil, version 2." in said(pilot))


@pytest.mark.slow
async def test_an_older_version_starts_a_table_of_its_own(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await lose(pilot)
        await pilot.press("l", "enter", "enter")
        await until(pilot, lambda: "version 1." in said(pilot))
        await again(pilot, f"table:{NAME}@0")
        await lose(pilot)
        await pilot.press("l", "enter")
        assert f"Save its table as: {NAME}-2" in said(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: f"Saved as {NAME}-2, version 1." in said(pilot))
        found = saved_tables.load(f"{NAME}-2").taught
        assert found is not None and found.origin == f"table:{NAME}@0"


@pytest.mark.slow
async def test_a_lesson_without_a_name_stays_in_memory_until_l_saves_it(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await lose(pilot)
        await pilot.press("l", "enter", "escape")
        assert "Forgotten when you quit" in panel(pilot) and not paths.tables().exists()
        assert "What Easy learned from you is not saved" in pilot.app.at_work
        await again(pilot, "easy")
        assert session(pilot).players[1].agent.table.games == 11
        await lose(pilot)
        await pilot.press("l", "enter")
        await pilot.press(*["backspace"] * len(NAME), "m", "i", "n", "e", "enter")
        await until(pilot, lambda: "Saved as mine, version 2." in said(pilot))
        assert not pilot.app.at_work


@pytest.mark.slow
async def test_esc_from_the_name_and_l_lead_back_to_the_weight_and_typing_replaces_the_name(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await lose(pilot)
        await pilot.press("l", "enter", "escape", "l", "plus", "enter")
        assert NAME in said(pilot) and session(pilot).learned.weight == 10
        await pilot.press("escape", "l", "escape")
        assert session(pilot).learned.weight == 10, "esc leaves the lesson as it is"
        await pilot.press("l", "enter", *"mine", "enter")
        await until(pilot, lambda: "Saved as mine, version 1." in said(pilot))
        found = saved_tables.load("mine").taught
        assert found is not None and [lesson.weight for lesson in found.lessons] == [10]


@pytest.mark.slow
async def test_a_wrong_name_is_told_and_the_text_stays(make_app: Any) -> None:
    paths.ensure(paths.tables())
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await lose(pilot)
        Table.empty(session(pilot).game, "reward").save(saved_tables.new_place("other"))
        await pilot.press("l", "enter", "end", "slash", "enter")
        assert "invalid file name" in said(pilot) and f"{NAME}/" in said(pilot)
        await pilot.press("ctrl+u", *"other", "enter")
        await until(pilot, lambda: "Not saved, l tries again: other is another table: choose another" in said(pilot))
        await pilot.press("l", "enter", "enter")
        await until(pilot, lambda: f"Saved as {NAME}, version 1." in said(pilot))


@pytest.mark.slow
async def test_where_nothing_can_be_written_the_lesson_stays_in_memory(make_app: Any) -> None:
    home = paths.home()
    home.mkdir(parents=True, exist_ok=True)
    paths.tables().write_text("no folder")
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await lose(pilot)
        await pilot.press("l", "enter", "enter")
        await until(pilot, lambda: "Not saved, l tries again: " in said(pilot))
        assert "Forgotten when you quit" in panel(pilot)
        await again(pilot, "easy")
        assert session(pilot).players[1].agent.table.games == 11  # play goes on with the lesson
        paths.tables().unlink()
        await lose(pilot)
        await pilot.press("l", "enter", "enter")
        await until(pilot, lambda: f"Saved as {NAME}, version 2." in said(pilot))


@pytest.mark.slow
async def test_lessons_of_another_nimtui_come_between_and_both_stay(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await lose(pilot)
        await pilot.press("l", "enter", "enter")
        await until(pilot, lambda: "version 1." in said(pilot))
        await again(pilot, f"table:{NAME}")
        found = saved_tables.load(NAME)
        assert found.taught is not None
        taught.keep(found.path, "easy", found.taught.base, [found.taught.lessons[0]])
        await lose(pilot)
        await pilot.press("l", "enter")
        await until(pilot, lambda: f"Saved as {NAME}, version 3." in said(pilot))
        newest, before = saved_tables.load(NAME).table, saved_tables.load(f"{NAME}@2").table
        changes = session(pilot).learned.changes
        start = newest.game.new()
        assert newest.scores(start)[0] - before.scores(start)[0] == -1
        assert [(one.before, one.after) for one in changes if one.position_name == "1,1"] == [
            (before.scores(start)[0], newest.scores(start)[0])
        ]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
async def test_the_library_lists_versions_and_compares_two(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, "nim:1,1", second="easy", size=size) as pilot:
        for version in (1, 2):
            await lose(pilot)
            await pilot.press("l", *(["enter", "enter"] if version == 1 else ["enter"]))
            await until(pilot, lambda version=version: f"version {version}." in said(pilot))
            await again(pilot, f"table:{NAME}")
        await pilot.press("f6")
        await until(pilot, lambda: "2 lessons" in screen_text(pilot.app) or "2 les…" in screen_text(pilot.app))
        await until(pilot, lambda: pilot.app.screen.conductor.details is not None)
        figures = dict(figures_of(pilot.app.screen.conductor.details))
        assert (figures["base"], figures["lessons"], figures["games"]) == ("easy", "2", "12")
        lines = [f"{row['version']} {row['lesson']}" for row in version_rows(pilot.app.screen.conductor.details)]
        assert [text.partition(" won")[0] for text in lines] == [f"2 table:{NAME}@1", "1 easy", "0 the base"]
        await pilot.press("c")
        assert "Compare versions: 0 2" in screen_text(pilot.app)
        await pilot.press("ctrl+u", "0", "enter")
        assert "enter two versions" in screen_text(pilot.app)
        await pilot.press("space", "1", "enter")
        await until(pilot, lambda: "wins overall" in screen_text(pilot.app))
        await pilot.press("escape", "d")  # the table plays on the Play screen
        await until(pilot, lambda: "plays on the Play screen" in screen_text(pilot.app))
        await again(pilot, "random")
        await pilot.press("f6", "d")
        await until(pilot, lambda: not saved_tables.taught_tables())
        await pilot.press("u")
        await until(pilot, lambda: len(saved_tables.taught_tables()) == 1)
        assert saved_tables.load(f"{NAME}@1").table.games == 11
