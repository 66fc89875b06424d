"""The Library rates several marked tournaments together, with the report of `nimtui ratings`."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.cli.app import run
from nimtui.progress import SILENT
from nimtui.report.cells import cells
from nimtui.report.lines import plain_text, width
from nimtui.store.database import Database
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.library.compare import pool
from nimtui.ui.library.compare_screen import CompareScreen, PoolScreen
from nimtui.ui.library.shelf import Item, Kind
from tests.ui.conftest import unframed
from tests.ui.playing import until
from tests.ui.shelving import furnish, goto, keep_tournament, library, panel, pressed


def three() -> list[int]:
    """Tournaments of three pairs of agents, the last two of another plan than the first."""
    db = Database()
    found = [
        keep_tournament(db, ("perfect", "random"), "first"),
        keep_tournament(db, ("perfect", "mc:playouts=10"), "second", wins=2),
        keep_tournament(db, ("mc:playouts=10", "random"), "third", wins=3),
    ]
    db.close()
    return found


def item(number: int) -> Item:
    return Item(Kind.TOURNAMENT, number, "", f"tournament {number}", 0.0, 4)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_three_marked_tournaments_are_rated_together(
    make_app: Any, size: tuple[int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    three()
    async with library(make_app, size) as pilot:
        await pressed(pilot, "space", "down", "space")
        assert "2 tournaments marked. Press c to compare them" in panel(pilot, "said")
        await pressed(pilot, "down", "space")
        assert "3 tournaments marked. Press c to rate them together" in panel(pilot, "said")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, PoolScreen))
        await pilot.pause()
        shown = unframed(pilot.app)
        assert "pool of 3 tournaments (1, 2, 3), 3 agents, 12 games" in shown
        assert "Elo 95 %" in shown and "Crosstable: the row moves first." in shown
        await pilot.press("end")
        await pilot.pause()
        shown += unframed(pilot.app)
        assert "uncertain: an interval needs" in shown
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, PoolScreen))
    run(["ratings"])
    printed = capsys.readouterr().out
    standings = [line.split() for line in printed.splitlines() if line[:1].isdigit()]
    for line in standings:  # the commands have more columns where there is room
        assert any(
            set(row.split()) <= {*line, "mc", "10", "≥", "≤"} and line[2] in row for row in shown.splitlines()
        ), line


@pytest.mark.slow
async def test_two_tournaments_are_compared_and_p_rates_them_together(make_app: Any) -> None:
    three()
    async with library(make_app) as pilot:
        await pressed(pilot, "space", "down")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, PoolScreen))
        await pilot.pause()
        assert "pool of 2 tournaments (2, 3), 3 agents, 8 games" in unframed(pilot.app)
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await pilot.press("escape")


@pytest.mark.slow
async def test_only_tournaments_are_marked_together(make_app: Any) -> None:
    furnish()
    three()
    async with library(make_app) as pilot:
        for name in ("tournament 2", "tournament 3"):
            await goto(pilot, "tournament", name)
            await pressed(pilot, "space")
        conductor = pilot.app.screen_stack[0].conductor
        assert len(conductor.marks) == 2
        await pressed(pilot, "space")
        assert len(conductor.marks) == 1, "space takes a mark away"
        await goto(pilot, "game")
        await pressed(pilot, "space")
        assert [kind for kind, _ in conductor.marks] == [Kind.GAME]


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize("columns", [40, 60, 78, 118, 198])
def test_every_line_fits(columns: int, signs: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    numbers = three()
    db = Database()
    lines = cells(pool([item(number) for number in numbers], lambda: db, SILENT), columns, signs=signs)
    db.close()
    assert max(map(width, lines)) <= columns
    if signs is ASCII:
        assert all(plain_text(one).isascii() for one in lines)
