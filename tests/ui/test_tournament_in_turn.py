"""One tournament in the place of another: asked first, nothing lost, what is only shown stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.jobs.work import State
from nimtui.store import StoreError, saved_games, seals
from nimtui.store.database import Database
from nimtui.store.tournaments import delete, info, resume, tournaments
from nimtui.ui.kit.forms.dialogs import Confirm, QuitScreen
from nimtui.ui.library.screen import LibraryScreen
from nimtui.ui.tournament.pages import LookingOn, PairingScreen
from nimtui.ui.tournament.screen import TournamentScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.tournaments import GAME, SMALL, Gate, finished, lines, panel, tournament

OTHER = replace(SMALL, agents=("perfect", "random"), number=4, name="the other one")


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Any:
    found = Gate(monkeypatch)
    yield found
    found.open.set()


async def stopped(pilot: Any, gate: Gate) -> None:
    """The tournament at work is stopped before its end."""
    await pilot.press("x")
    gate.open.set()
    await until(pilot, lambda: pilot.app.tournament.state.stopped)


@pytest.mark.slow
async def test_a_kept_one_is_shown_as_it_stands_and_goes_on_when_asked(make_app: Any, gate: Gate, home: Path) -> None:
    async with tournament(make_app) as pilot:
        await until(pilot, lambda: pilot.app.tournament.state.runs)
        await stopped(pilot, gate)
    database = Database()
    before = info(database, 1)
    async with tournament(make_app, None) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        app.begin("tournament", 1)
        await until(pilot, lambda: "r to resume" in panel(pilot, "said"))
        assert conductor.state.stopped and "stopped" in panel(pilot, "progress")
        assert conductor.view.done == before.played and "3 pairs × 20" in screen_text(app)
        assert info(database, 1) == before  # it was looked at, no more
        resume(database, 1).close()  # anybody may go on with it
        app.begin("tournament", 1)
        await until(pilot, lambda: not conductor.opening)
        assert conductor.state.stopped
        await pilot.press("r")
        await finished(pilot)
        assert conductor.view.done == 60
    done = info(database, 1)
    async with tournament(make_app, None) as pilot:
        pilot.app.begin("tournament", 1)
        conductor = await finished(pilot)
        assert conductor.view.seconds == done.seconds and "r resume" not in screen_text(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: len(lines(pilot, "games")) > 2)
    assert info(database, 1) == done
    database.close()


@pytest.mark.slow
async def test_a_new_one_is_begun_in_its_place_only_when_asked_for_twice(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        await until(pilot, lambda: conductor.state.runs)
        app.begin("tournament", OTHER)
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        assert "It will stop" in screen_text(app)
        await pilot.press("escape")
        assert conductor.state.runs and conductor.number == 1
        app.begin("tournament", OTHER)
        await pilot.press("enter")
        await until(pilot, lambda: conductor.number == 2)
        gate.open.set()
        await finished(pilot)
        assert "the other one" in screen_text(app) and conductor.view.done == 4
    assert [(found.id, found.state) for found in tournaments(Database())] == [(2, "done"), (1, "stopped")]


@pytest.mark.slow
async def test_what_cannot_be_opened_leaves_the_one_that_goes_on_alone(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        await until(pilot, lambda: conductor.state.runs)
        for show in (
            lambda: app.begin("tournament", 7),
            lambda: app.begin("tournament", replace(SMALL, agents=("nobody",))),
        ):
            show()
            await pilot.press("enter")
            await until(pilot, lambda: "Cannot " in panel(pilot, "said"))
            assert conductor.state.runs and conductor.number == 1
            assert conductor.task.name == SMALL.name and conductor.plan == SMALL.plan()


@pytest.mark.slow
async def test_one_that_another_nimtui_plays_is_shown_and_not_gone_on_with(make_app: Any) -> None:
    async with tournament(make_app) as pilot:
        await finished(pilot)
    with Database().writing() as connection:
        for (pairing,) in connection.execute("SELECT id FROM pairings").fetchall():
            saved_games.remove_from(connection, pairing, 10)
        seals.change(connection, "tournaments", "1", {"state": "'stopped'"}, {})
    other = Database()
    with resume(other, 1):
        async with tournament(make_app, None) as pilot:
            pilot.app.begin("tournament", 1)
            await until(pilot, lambda: "30 of 60" in panel(pilot, "progress"))
            await pilot.press("r")
            await until(pilot, lambda: "in use by another nimtui" in panel(pilot, "said"))
            assert pilot.app.tournament.state.stopped and "30 of 60" in panel(pilot, "progress")


@pytest.mark.slow
async def test_one_that_was_deleted_while_it_is_shown_is_not_gone_on_with(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app) as pilot:
        await until(pilot, lambda: pilot.app.tournament.state.runs)
        await stopped(pilot, gate)
        delete(Database(), 1)
        await until(pilot, lambda: pilot.app.tournament.standings is not None)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen))
        await pilot.press("f", "s", "end", "escape", "r")
        await until(pilot, lambda: "was deleted" in panel(pilot, "said"))


@pytest.mark.slow
async def test_screens_above_the_table_never_show_another_one(make_app: Any, gate: Gate) -> None:
    gate.open.set()
    async with tournament(make_app, OTHER) as pilot:
        await finished(pilot)
    async with tournament(make_app) as pilot:
        app = pilot.app
        await finished(pilot)
        for above in (PairingScreen, LookingOn):
            app.push_screen(
                PairingScreen(app.tournament, (1, 2)) if above is PairingScreen else LookingOn(app.tournament)
            )
            await until(pilot, lambda above=above: isinstance(app.screen, above))
            screen, now = app.screen, app.tournament.number
            await pilot.press("f6")
            await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
            app.tournament.show(3 - now)  # by whatever way
            await until(pilot, lambda now=now: app.tournament.number != now)
            await pilot.press("f5")
            await until(pilot, lambda screen=screen: app.screen is screen)
            await pilot.press(*("f", "s", "right", "left") if above is PairingScreen else ("right", "left"))
            app.begin("tournament", now)
            await until(pilot, lambda: isinstance(app.screen, TournamentScreen))
            await until(pilot, lambda now=now: app.tournament.number == now)


@pytest.mark.slow
async def test_two_asked_for_at_once_are_one_and_nothing_stays_claimed(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app, None) as pilot:
        conductor = pilot.app.tournament
        conductor.start(OTHER)
        conductor.start(SMALL)
        await until(pilot, lambda: conductor.plan == SMALL.plan())
        await stopped(pilot, gate)
        await until(pilot, lambda: all(found.state != "running" for found in tournaments(conductor.database())))
        await pilot.press("r", "r")
        await finished(pilot)
        assert conductor.message == ""


@pytest.mark.slow
async def test_other_workers_while_it_is_held_leave_it_held(
    make_app: Any, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nimtui.jobs.processes.cores", lambda: 4)
    async with tournament(make_app) as pilot:
        conductor = pilot.app.tournament
        await until(pilot, lambda: conductor.state.runs)
        await pilot.press("space", "w")
        first = conductor.task
        gate.open.set()
        await until(pilot, lambda: conductor.task is not first)
        assert conductor.state is State.PAUSED
        await pilot.press("space")
        await finished(pilot)


@pytest.mark.slow
async def test_games_that_are_not_kept_are_not_lost_unasked(make_app: Any, home: Path) -> None:
    (home / "nimtui.sqlite").mkdir()
    async with tournament(make_app, OTHER) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        await until(pilot, lambda: conductor.state is State.FINISHED)
        for key, kind in (("escape", Confirm), ("q", QuitScreen)):
            await pilot.press(key)
            await until(pilot, lambda kind=kind: type(app.screen) is kind)
            assert "not saved: its games will be lost" in screen_text(app)
            await pilot.press("escape")
        assert conductor.view.done == 4
        await pilot.press("escape", "enter")
        await until(pilot, lambda: conductor.state is State.READY)
        assert GAME not in screen_text(app) and conductor.lost_by_leaving == ""


@pytest.mark.slow
async def test_nothing_ticks_where_another_screen_is_shown(make_app: Any) -> None:
    async with tournament(make_app, OTHER) as pilot:
        await finished(pilot)
        table = pilot.app.screen
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen))
        pairing = pilot.app.screen
        assert table._ticker is None and pairing._ticker is not None
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
        assert table._ticker is None and pairing._ticker is None
        await pilot.press("f5")
        await until(pilot, lambda: pilot.app.screen is pairing)
        assert table._ticker is None and pairing._ticker is not None


@pytest.mark.slow
async def test_on_a_full_disk_it_says_how_many_are_saved_and_how_to_continue(
    make_app: Any, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def full(*_: object) -> Iterator[None]:
        raise StoreError("the disk is full")
        yield

    async with tournament(make_app) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        await until(pilot, lambda: conductor.state.runs)
        monkeypatch.setattr(Database, "writing", full)
        gate.open.set()
        await until(pilot, lambda: conductor.state is State.FINISHED and bool(conductor.fault))
        saved, total = conductor.task.writer.info.played, conductor.view.total
        assert saved < total == conductor.view.done
        assert f"{saved} of {total} games are saved: the disk is full" in panel(pilot, "said")
        await pilot.press("q")
        await until(pilot, lambda: type(app.screen) is QuitScreen)
        asked = " ".join(app.screen.text.split())
        assert asked.startswith("The latest games of the tournament are not saved and will be lost. Tournament 1 plays")
        assert all(line in screen_text(app) for line in app.screen.text.splitlines())
