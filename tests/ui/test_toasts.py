"""A message for a moment covers the line of screens at the top: no sentence, no number and no key below it."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.ui.app.modes import MODES
from nimtui.ui.play.review import ReviewScreen
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, until

LINE = "No other turning point"
ERROR = "own:3 failed: IndexError: index 9 is out of bounds"
TITLE = "Cannot show this game"


@pytest.mark.slow
@pytest.mark.parametrize(("message", "title", "lines"), [(LINE, "", 1), (ERROR, TITLE, 2)])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", [mode.name for mode in MODES])
async def test_a_message_covers_the_first_line_and_an_error_two(
    make_app: Any, mode: str, size: tuple[int, int], message: str, title: str, lines: int
) -> None:
    app = make_app(mode=mode)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: not app.jobs.running())
        before = screen_text(app).splitlines()
        app.notify(message, title=title)
        await until(pilot, lambda: message in screen_text(app))
        shown = screen_text(app).splitlines()
        assert (title or message) in shown[0] and shown[lines:] == before[lines:]


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_of_a_review_leaves_its_sentences_readable(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, "nim:1,1", second="me", size=size) as pilot:
        pilot.app._disable_notifications = False
        await pilot.press("enter", "enter", "r")
        await until(pilot, lambda: not pilot.app.jobs.running() and isinstance(pilot.app.screen, ReviewScreen))
        before = screen_text(pilot.app).splitlines()
        await pilot.press("x")
        await until(pilot, lambda: "No mistake" in screen_text(pilot.app))
        shown = screen_text(pilot.app).splitlines()
        assert "No mistake" in shown[0] and shown[1:] == before[1:]
