"""One tournament in the place of another: asked first, nothing lost, what is only shown stays as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.store import saved_games, seals
from nimtui.store.database import Database
from nimtui.store.tournaments import delete, info, resume, tournaments
from nimtui.ui.kit.forms.dialogs import Confirm
from nimtui.ui.library.screen import LibraryScreen
from nimtui.ui.tournament.form import TournamentForm
from nimtui.ui.tournament.pages import LookingOn, PairingScreen
from nimtui.ui.tournament.screen import TournamentScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.tournaments import SMALL, Gate, finished, lines, panel, tournament
from tests.ui.tournaments import gate as gate

OTHER = replace(SMALL, agents=("perfect", "random"), number=4, name="the other one")


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
        assert pilot.app.tournament.view.done < 60 and "games are saved" in panel(pilot, "said")
        assert "r resume" in screen_text(pilot.app).splitlines()[-1]
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
        whole = (await finished(pilot)).view.scores
        assert conductor.view.done == 60
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, TournamentForm))
        assert "mc:playouts=20" in screen_text(app)  # the last one, to be changed
    done = info(database, 1)
    async with tournament(make_app, None) as pilot:
        pilot.app.begin("tournament", 1)
        conductor = await finished(pilot)
        assert conductor.view.seconds == done.seconds and "r resume" not in screen_text(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: len(lines(pilot, "games")) > 2)
    assert info(database, 1) == done
    database.close()
    async with tournament(make_app) as pilot:
        assert (await finished(pilot)).view.scores == whole, "as if it had never been stopped"


@pytest.mark.slow
async def test_another_one_takes_its_place_only_if_it_can_be_opened_and_is_asked_for_twice(
    make_app: Any, gate: Gate
) -> None:
    async with tournament(make_app) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        await until(pilot, lambda: conductor.state.runs)
        for nothing in (7, replace(SMALL, agents=("nobody",))):
            app.begin("tournament", nothing)
            await pilot.press("enter")
            await until(pilot, lambda: "Cannot " in panel(pilot, "said"))
            assert conductor.state.runs and conductor.number == 1 and conductor.plan == SMALL.plan()
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
