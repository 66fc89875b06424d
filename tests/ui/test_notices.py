"""Notices: they cover the line of screens at the top, no sentence and no key; files that are left out are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimtui.store import paths
from nimtui.store.settings import Settings
from nimtui.ui.app.modes import MODES
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import until

LINE, TITLE = "No other turning point", "Cannot show this game"
ERROR = "own:3 failed: IndexError: index 9 is out of bounds"


PREVIEWED = "train"  # the mode that begins with an example, where it has the room


@pytest.mark.slow
@pytest.mark.parametrize(("at", "mode"), [*enumerate(mode.name for mode in MODES)])
async def test_a_message_covers_the_first_line_of_a_screen_and_an_error_two(make_app: Any, at: int, mode: str) -> None:
    message, title, lines = ((LINE, "", 1), (ERROR, TITLE, 2))[at % 2]
    app = make_app(mode=mode)
    async with app.run_test(size=SIZES[at % 3], notifications=True) as pilot:
        await until(pilot, lambda: not app.jobs.running() and "Reading …" not in screen_text(app))
        await until(pilot, lambda: ("after 100,000 games" in screen_text(app)) is (mode == PREVIEWED))
        before = screen_text(app).splitlines()
        app.notify(message, title=title)
        await until(pilot, lambda: message in screen_text(app))
        shown = screen_text(app).splitlines()
        assert (title or message) in shown[0] and shown[lines:] == before[lines:]


@pytest.mark.parametrize(
    ("count", "more"),
    [
        (1, ""),
        pytest.param(3, "", marks=pytest.mark.slow),
        pytest.param(5, "and 2 more: nimtui games list names all", marks=pytest.mark.slow),
    ],
)
async def test_files_that_are_left_out_are_named_in_one_notice(make_app: Any, count: int, more: str) -> None:
    lines = tuple(f"the game file {paths.games() / name} is left out: [b]undo[/b]" for name in "abcde"[:count])
    app = make_app(Settings(), left_out_files=lines)
    async with app.run_test() as pilot:
        await pilot.press("f1", "escape")
        [notice] = list(app._notifications)
        named = [f"the game file {Path('games', name)} is left out: [b]undo[/b]" for name in "abc"[:count]]
        assert notice.message.splitlines() == [*named, *filter(None, [more])]
        assert (notice.title, notice.severity, notice.timeout) == ("Files not used", "warning", 12)
