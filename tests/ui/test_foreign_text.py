"""Whatever names a file or a row has: every screen shows them in visible signs, and none reads them as markup."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from rich.style import Style
from textual.pilot import Pilot

from nimtui.games import parse_game
from nimtui.jobs.sweep import begin
from nimtui.learning.sweep import plan
from nimtui.report.lines import line
from nimtui.report.lines import plain_text as text_of
from nimtui.signs import visible
from nimtui.store import arrays, paths, saved_games, seals, setups, sweeps
from nimtui.store.database import Database
from nimtui.store.sqlite import connect
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.widgets.panel import strip
from tests.foreign.texts import ESC, OSC, RLO, ROWS
from tests.ui.conftest import screen_text
from tests.ui.playing import CALM, until
from tests.ui.shelving import NIM, keep_table, keep_tournament, library, pressed, row

HOSTILE = f"[/]{ESC}[31m[red]{OSC}{RLO}evil\u200b"
SHOWN = "[/]‹1B›[31m[red]‹1B›]0;owned‹07›‹202E›evil‹200B›"


def unseen(pilot: Pilot[Any]) -> list[str]:
    return [text for text in screen_text(pilot.app).split("\n") if visible(text) != text]


def stored() -> None:
    """A game for every row of ROWS; a tournament, tables and a sweep with hostile names."""
    with closing(Database()) as db:
        for _ in ROWS:
            saved_games.save_game(db, NIM, HOSTILE, "bob", row("a3 b2 c1", 1), "odd")
        keep_tournament(db, (HOSTILE, "random"), HOSTILE)
    with closing(sqlite3.connect(paths.database())) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        for pairing, (column, value, _) in enumerate(ROWS, 1):
            cast = "CAST(? AS TEXT)" if column == "name" and isinstance(value, bytes) else "?"
            raw.execute(f"UPDATE games SET {column} = {cast} WHERE pairing = ?", (value, pairing))
        raw.execute("UPDATE tournaments SET name = ?, changed = 'x'", (HOSTILE,))
        raw.commit()
    with closing(connect(paths.database())) as raw:  # as rows of an older nimtui are sealed: as they are found
        raw.execute(f"UPDATE games SET seal = {seals.expression(seals.GAMES)}")
    table = keep_table(paths.tables(), f"{ESC}[2J.npz")
    header, kept = arrays.load(table)
    for at, changes in enumerate(({"games": float("inf")}, {"learner": [HOSTILE]}, {"game": {"a": 1}}, {"run": 5})):
        arrays.save(paths.tables() / f"odd-{at}.npz", header | changes, kept)
    begin(plan(parse_game(NIM), "quality", ["margin=50"], 1, 60, 0), paths.ensure(sweeps.folder()) / "a.jsonl").close()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "ascii"), [((200, 60), False), ((60, 20), True)])
async def test_the_library_shows_rows_that_do_not_fit_and_opens_them_or_says_why_not(
    make_app: Any, size: tuple[int, int], ascii: bool
) -> None:
    stored()
    async with library(make_app, size, surroundings=TerminalInfo(ascii=ascii)) as pilot:
        conductor = pilot.app.screen.conductor
        assert len(ROWS) // 2 < len(conductor.shown) <= len(ROWS) + 1 + 5 + 1  # without those that have no checksum
        for at in range(len(conductor.shown)):
            conductor.go(at)
            await until(pilot, lambda: conductor.details is not None)
            assert not unseen(pilot), f"line {at}"
        for place in [item.place for item in conductor.shown if item.kind == "game"] if ascii else ():
            conductor.go(next(at for at, item in enumerate(conductor.shown) if item.place == place))
            await pressed(pilot, "enter")
            assert not unseen(pilot) and pilot.app.is_running
            await pilot.press("f6")
            await until(pilot, lambda: pilot.app.current_mode == "library")
        await pressed(pilot, "s", "s", "s", "/", "o", "d", "d", "enter")
        assert len(conductor.shown) > 0 and not unseen(pilot)


async def test_a_message_is_plain_text(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify(HOSTILE, title="[/red]" + ESC)
        await until(pilot, lambda: "[/red]‹1B›" in screen_text(app))
        lines = [part.partition("▌")[2] for part in screen_text(app).split("\n")]
        assert SHOWN in "".join("".join(lines).split()) and not unseen(pilot)


@pytest.mark.slow
async def test_saved_set_ups_with_hostile_names_are_listed_and_loaded(make_app: Any) -> None:
    keys = {"games": [HOSTILE], "agents": [HOSTILE, 5], "pairs": RLO, "number": 3, "openings": "", "seed": 0}
    for name, document in (
        (HOSTILE, keys | {"sprt": None, "workers": None, "name": ESC}),
        ("deep", {"number": 1}),
        ("wrong", keys | {"number": "x", "sprt": 5, "workers": [], "name": 7}),
        ("whole", keys | {"sprt": None, "workers": None, "name": "fine"}),
    ):
        setups.save(name, document)
    (setups.folder() / "nested.json").write_text("[" * 100_000)
    (setups.folder() / "twice.json").write_text('{"nimtui": "setup", "nimtui": "setup"}')
    app = make_app(CALM)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("f5")
        await until(pilot, lambda: app.current_mode == "tournament")
        await pilot.press("n", "ctrl+o")
        await until(pilot, lambda: "set-ups of your own" in screen_text(app))
        assert SHOWN[:20] in screen_text(app) and not unseen(pilot)
        for _ in range(4):
            await pilot.press("enter")
            assert not unseen(pilot)
            await pilot.press("ctrl+o", "down")


async def test_settings_of_a_stranger_are_said_in_visible_signs(make_app: Any) -> None:
    from nimtui.store import settings

    paths.settings().write_text(json.dumps({"theme": HOSTILE, "glyphs": ESC, "pace": 1e300}))
    found, faults = settings.load()
    app = make_app(found, faults=tuple(faults))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert faults and not unseen(pilot)


def test_lines_and_strips_take_no_control_signs() -> None:
    assert text_of(line(HOSTILE)) == SHOWN
    made = strip([(HOSTILE, Style())], 60, Style())
    assert made.text.rstrip() == SHOWN and made.cell_length == 60
