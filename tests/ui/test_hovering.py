"""What a click would act on is underlined: keys in bars, lines, pieces of boards; nothing else, nor if slow."""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import MouseMove
from textual.geometry import Offset
from textual.pilot import Pilot

from nimtui.store.settings import Settings
from nimtui.ui.board.board import Board
from nimtui.ui.kit.widgets.panel import Canvas
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, until


async def hover(pilot: Pilot[Any], x: int, y: int) -> None:
    pilot.app.post_message(MouseMove(None, x, y, 0, 0, 0, False, False, False, x, y))
    await pilot.pause()


async def underlined(pilot: Pilot[Any], x: int, y: int) -> str:
    """The text that is underlined once the mouse is there."""
    await hover(pilot, x, y)
    if (span := pilot.app.picture.hovered) is None:
        return ""
    return screen_text(pilot.app).split("\n")[span[0]].ljust(200)[span[1] : span[2]].strip()


def place(pilot: Pilot[Any], word: str) -> tuple[int, int]:
    """Where this word stands first on the screen."""
    return next((row.index(word), y) for y, row in enumerate(screen_text(pilot.app).split("\n")) if word in row)


async def test_bars_lists_and_tabs_underline_what_a_click_acts_on(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        assert await underlined(pilot, *place(pilot, "Library")) == "F6 Library"
        assert "Help" in await underlined(pilot, *place(pilot, "Help")) != "Help"  # its key, too
        x, y = place(pilot, "New game")
        assert "New game  " in await underlined(pilot, x, y)
        assert await underlined(pilot, 79, 23) == await underlined(pilot, 0, 1) == ""
        assert await underlined(pilot, x, y)
        await pilot.press("down")
        assert app.picture.hovered is None
        await pilot.press("f6")
        await until(pilot, lambda: "Tournaments" in screen_text(app))
        assert (await underlined(pilot, *place(pilot, "Tournaments"))).startswith("Tournaments")


@pytest.mark.parametrize("game", ["connect4", "noughts", "tower:16"])
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
        assert await underlined(pilot, *place(pilot, "Library")) == ""


async def test_keys_in_a_text_are_buttons_with_the_words_behind_them(make_app: Any) -> None:
    async with playing(make_app, "nim:1", second="me", size=(80, 24)) as pilot:
        x, y = place(pilot, "⏎")
        await pilot.click(offset=(x, y))  # takes the last match
        await until(pilot, lambda: "new game" in screen_text(pilot.app))
        assert await underlined(pilot, *place(pilot, "take back")) == "u take back"
        assert await underlined(pilot, *place(pilot, "the last match and wins")) == ""
        await pilot.click(offset=place(pilot, "take back"))
        await until(pilot, lambda: "⏎" in screen_text(pilot.app).split("\n")[y])
