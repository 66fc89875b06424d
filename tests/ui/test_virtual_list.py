"""The list of any length: what is made, what is marked, and how far a key leads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.app import ComposeResult

from nimtui.report.lines import Line, line
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList


class Counting(Page[None]):
    """So many lines, with a head of two."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count, self.at, self.made, self.taken = count, 0, [], []

    def compose(self) -> ComposeResult:
        yield VirtualList()

    def on_mount(self) -> None:
        self.show(0)

    def show(self, at: int) -> None:
        self.at = at
        self.query_one(VirtualList).put(
            Rows(self.count, at, self.paint, self.show, lambda: self.taken.append(self.at), lambda columns: 2)
        )

    def paint(self, places: range, columns: int, signs: Glyphs) -> list[Line]:
        self.made.append(places)
        return [line("head"), line("head"), *(line(f"{'>' if at == self.at else ' '}{at}") for at in places)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ("down", 1),
        ("j j k", 1),
        ("up", 0),
        ("end", 999_999),
        ("end end down", 999_999),
        ("end up home", 0),
        ("pagedown", 17),
        ("pagedown pageup pageup", 0),
        ("end pageup", 999_999 - 17),
    ],
)
async def test_keys_lead_to_a_line_and_no_further_than_the_ends(
    make_app: Callable[..., Any], keys: str, at: int
) -> None:
    async with make_app().run_test(size=(60, 20)) as pilot:
        screen = Counting(1_000_000)
        await pilot.app.push_screen(screen)
        await pilot.press(*keys.split())
        shown = screen.query_one(VirtualList).text().splitlines()
        assert screen.at == at and f">{at}" in shown
        assert shown[:2] == ["head"] * 2 and len(shown) == 20
        assert max(map(len, screen.made)) == 18, "only the lines that are seen are made"


@pytest.mark.slow
async def test_a_click_marks_a_line_and_a_second_one_takes_it(make_app: Callable[..., Any]) -> None:
    async with make_app().run_test(size=(60, 20)) as pilot:
        screen = Counting(5)
        await pilot.app.push_screen(screen)
        for x, y, at, taken in ((3, 0, 0, []), (3, 4, 2, []), (3, 4, 2, [2]), (3, 10, 2, [2])):
            await pilot.click(VirtualList, offset=(x, y))
            assert (screen.at, screen.taken) == (at, taken)


@pytest.mark.slow
async def test_lines_stay_until_the_marked_one_would_be_hidden(make_app: Callable[..., Any]) -> None:
    async with make_app().run_test(size=(60, 20)) as pilot:
        screen = Counting(100)
        await pilot.app.push_screen(screen)
        tops = []
        for _ in range(40):
            await pilot.press("down")
            tops.append(screen.query_one(VirtualList).top)
        assert tops == [0] * 17 + [9] * 9 + [18] * 9 + [27] * 5


@pytest.mark.slow
@pytest.mark.parametrize("key", ["up", "down", "pagedown", "home", "end"])
async def test_a_list_of_nothing_goes_nowhere(make_app: Callable[..., Any], key: str) -> None:
    async with make_app().run_test(size=(60, 20)) as pilot:
        screen = Counting(0)
        await pilot.app.push_screen(screen)
        await pilot.press(key)
        await pilot.click(VirtualList, offset=(2, 3))
        assert screen.at == 0 and screen.taken == []
