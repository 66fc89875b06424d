"""The app names a person's own files that are left out once, as a notice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nimtui.store import paths
from nimtui.store.settings import Settings


async def test_a_file_that_is_left_out_is_named_in_a_notice(make_app: Callable[..., Any]) -> None:
    line = "the game file [b]x.py[/b] is left out: undo: x:3: undo after move 2 (position 3) gives 2"
    app = make_app(Settings(), left_out_files=(line,))
    async with app.run_test() as pilot:
        await pilot.pause()
        [notice] = list(app._notifications)
        assert notice.message == line and notice.severity == "warning"
        await pilot.press("f1")
        await pilot.press("escape")
        assert len(app._notifications) == 1


async def test_many_are_named_in_one_notice(make_app: Callable[..., Any]) -> None:
    lines = tuple(f"the game file {paths.games() / name} cannot be used: SystemExit: 3" for name in "abcde")
    app = make_app(Settings(), left_out_files=lines)
    async with app.run_test() as pilot:
        await pilot.pause()
        [notice] = list(app._notifications)
        first, *_, last = notice.message.splitlines()
        assert first == f"the game file {Path('games', 'a')} cannot be used: SystemExit: 3"
        assert last == "and 2 more: nimtui games list names all"
