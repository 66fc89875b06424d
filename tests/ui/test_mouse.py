"""What looks like a button is one, and is underlined below the mouse: tabs, labels in frames, rows, keys, pieces."""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import MouseDown, MouseMove
from textual.geometry import Offset
from textual.pilot import Pilot

from nimtui.store.settings import Settings
from nimtui.ui.board.board import Board
from nimtui.ui.kit.widgets.panel import Canvas
from tests.examples import with_slow
from tests.ui import comparing, sweeping
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, settled, until
from tests.ui.shelving import furnish, library, pressed


async def click_on(pilot: Any, text: str) -> None:
    """Click in the middle of the first place where the screen says so."""
    rows = screen_text(pilot.app).splitlines()
    y, row = next((y, row) for y, row in enumerate(rows) if text in row)
    await pilot.click(offset=(row.index(text) + len(text) // 2, y))
    await pilot.pause()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_click_on_a_tab_of_the_library_shows_its_kind(make_app: Any, size: tuple[int, int]) -> None:
    furnish()
    async with library(make_app, size) as pilot:
        for tab, kind in (("Runs", "run"), ("Sweeps", "sweep")):
            await click_on(pilot, tab)
            await pressed(pilot)
            assert {item.kind.value for item in pilot.app.screen.conductor.shown} == {kind}
        await click_on(pilot, "All")
        await pressed(pilot)
        assert len({item.kind for item in pilot.app.screen.conductor.shown}) == 5


@pytest.mark.slow
async def test_a_click_on_what_was_saved_lately_shows_it_in_the_library(make_app: Any) -> None:
    furnish()
    app = make_app()
    async with app.run_test(size=(200, 60)) as pilot:
        await until(pilot, lambda: "cup" in screen_text(app))
        await click_on(pilot, "cup")
        await until(pilot, lambda: app.current_mode == "library" and app.screen.conductor.item is not None)
        await until(pilot, lambda: app.screen.conductor.item.given == "cup")


@pytest.mark.slow
async def test_a_click_on_the_label_in_a_frame_is_its_key_and_a_drag_from_the_frame_marks_what_is_inside(
    make_app: Any,
) -> None:
    async with playing(make_app, size=(200, 60)) as pilot:
        await settled(pilot)
        assert not pilot.app.screen.conductor.analysis.on
        await click_on(pilot, "A analyse ─")
        assert pilot.app.screen.conductor.analysis.on
        app, box = pilot.app, pilot.app.screen.query_one("#thoughts")
        inside, frame = box.content_region, box.region
        for kind, x, y in ((MouseDown, frame.x, frame.y), (MouseMove, frame.right - 1, frame.y + 3)):
            app.takes_input(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
        assert app.picture._marked == dict.fromkeys(range(inside.y, frame.y + 4), (inside.x, inside.right)), (
            "neither the frame nor another box"
        )


@pytest.mark.slow
async def test_a_click_marks_a_row_of_compared_moves_and_a_second_one_plays_it(make_app: Any) -> None:
    async with comparing.comparing(make_app, comparing.PART, size=(120, 36)) as pilot:
        screen = pilot.app.screen
        region = screen.query_one("#main").content_region
        await pilot.click(offset=(region.x + 4, region.y + 3))
        assert screen.place.row == 2 and screen.query_one("#main").target_at(region.offset) is None
        await pilot.click(offset=(region.x + 4, region.y + 3))
        await until(pilot, lambda: bool(screen.conductor.path))


@pytest.mark.slow
async def test_a_click_marks_a_cell_of_either_heat_map(make_app: Any) -> None:
    async with sweeping.sweeping(make_app, size=(200, 60)) as pilot:
        await sweeping.finished(pilot)
        screen = pilot.app.screen
        for name, at in (("heat", (0, 1, 1)), ("other", (0, 1, 0))):
            region = screen.query_one(f"#{name}").content_region
            await pilot.click(offset=(region.x + (20 if at[2] == 0 else 90), region.y + 14))
            assert screen.place.at == at
        await pilot.click(offset=(region.x + 20, region.y + 14))
        await until(pilot, lambda: pilot.app.current_mode == "train")


# What a click would act on is underlined.


async def hover(pilot: Pilot[Any], x: int, y: int) -> None:
    pilot.app.post_message(MouseMove(None, x, y, 0, 0, 0, False, False, False, x, y))
    await pilot.pause()


async def underlined(pilot: Pilot[Any], x: int, y: int) -> str:
    """The text that is underlined once the mouse is there."""
    await hover(pilot, x, y)
    if (span := pilot.app.picture.hovered) is None:
        return ""
    return screen_text(pilot.app).split("\n")[span[0]].ljust(200)[span[1] : span[2]].strip()


def place_of(pilot: Pilot[Any], word: str) -> tuple[int, int]:
    """Where this word stands first on the screen."""
    return next((row.index(word), y) for y, row in enumerate(screen_text(pilot.app).split("\n")) if word in row)


@pytest.mark.slow
async def test_bars_lists_and_tabs_underline_what_a_click_acts_on(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        assert await underlined(pilot, *place_of(pilot, "Library")) == "F6 Library"
        assert "Help" in await underlined(pilot, *place_of(pilot, "Help")) != "Help"  # its key, too
        x, y = place_of(pilot, "New game")
        assert "New game  " in await underlined(pilot, x, y)
        assert await underlined(pilot, 79, 23) == await underlined(pilot, 0, 1) == ""
        assert await underlined(pilot, x, y)
        await pilot.press("down")
        assert app.picture.hovered is None
        await pilot.press("f6")
        await until(pilot, lambda: "Tournaments" in screen_text(app))
        assert (await underlined(pilot, *place_of(pilot, "Tournaments"))).startswith("Tournaments")


@pytest.mark.parametrize("game", with_slow(["connect4", "noughts", "tower:16"], "connect4", "tower:16"))
async def test_a_piece_is_underlined_while_a_person_may_move(
    make_app: Any, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(make_app, game, second="me", size=(120, 36)) as pilot:
        board = pilot.app.screen.query_one(Board)
        canvas, region = board.query_one(Canvas), board.content_region
        spans = set()
        for y in range(region.y, region.bottom):
            await hover(pilot, region.x + region.width // 2, y)
            span, cell = pilot.app.picture.hovered, canvas.target_at(Offset(region.x + region.width // 2, y))
            assert (span is None) is (cell is None)
            if span is not None:
                low, left, right = span
                spans.add(span)
                same = {canvas.target_at(Offset(x, low)) for x in range(left, right)}
                assert same == {cell} and low < region.bottom and region.x <= left < right <= region.right
        assert spans
        monkeypatch.setattr(board, "show", lambda *_, **__: None)  # the screen, when it draws anew, would wake it
        board.live = False
        board.draw()
        await hover(pilot, 0, 0)
        await hover(pilot, region.x + region.width // 2, region.y + region.height // 2)
        assert pilot.app.picture.hovered is None


async def test_a_slow_line_is_spared(make_app: Any) -> None:
    app = make_app(Settings(slow=True))
    async with app.run_test(size=(80, 24)) as pilot:
        assert await underlined(pilot, *place_of(pilot, "Library")) == ""


async def test_keys_in_a_text_are_buttons_with_the_words_behind_them(make_app: Any) -> None:
    async with playing(make_app, "nim:1", second="me", size=(80, 24)) as pilot:
        x, y = place_of(pilot, "⏎")
        await pilot.click(offset=(x, y))  # takes the last match
        await until(pilot, lambda: "new game" in screen_text(pilot.app))
        assert await underlined(pilot, *place_of(pilot, "take back")) == "u take back"
        assert await underlined(pilot, *place_of(pilot, "the last match and wins")) == ""
        await pilot.click(offset=place_of(pilot, "take back"))
        await until(pilot, lambda: "⏎" in screen_text(pilot.app).split("\n")[y])
