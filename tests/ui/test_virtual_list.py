"""The list of any length: what is made, what is marked, and how far a key leads."""

from __future__ import annotations

from typing import Any

import pytest
from textual.app import ComposeResult

from nimtui.report.lines import Line, Run, line
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList


class Counting(Page[None]):
    """So many lines, with a head of two."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count, self.at, self.made, self.taken, self.pointed = count, 0, [], [], []

    def compose(self) -> ComposeResult:
        yield VirtualList()

    def on_mount(self) -> None:
        self.show(0)

    def show(self, at: int) -> None:
        self.at = at
        take, sort = lambda: self.taken.append(self.at), self.pointed.append
        self.query_one(VirtualList).put(Rows(self.count, at, self.paint, self.show, take, lambda columns: 2, sort))

    def paint(self, places: range, columns: int, signs: Glyphs) -> list[Line]:
        self.made.append(places)
        heads = line("head", Run("one", target="one"), Run("two", target="two"))
        return [line("head"), heads, *(line(f"{'>' if at == self.at else ' '}{at}") for at in places)]


@pytest.fixture
async def shown(make_app: Any) -> Any:
    """Show a list of so many lines in 20 rows; return its screen."""
    async with make_app().run_test(size=(60, 20)) as pilot:

        async def show(count: int) -> tuple[Any, Counting]:
            screen = Counting(count)
            await pilot.app.push_screen(screen)
            return pilot, screen

        yield show


MILLION = [("down", 1), ("j j k", 2), ("up", 1), ("end", 999_999), ("down", 999_999), ("up home", 0), ("up", 0)]
MILLION += [("pagedown", 17), ("pagedown pageup pageup", 0), ("end pageup", 999_999 - 17)]


async def test_keys_lead_to_a_line_and_no_further_than_the_ends(shown: Any) -> None:
    pilot, screen = await shown(1_000_000)
    for keys, at in MILLION:
        await pilot.press(*keys.split())
        lines = screen.query_one(VirtualList).text().splitlines()
        assert screen.at == at and f">{at}" in lines
        assert lines[:2] == ["head", "headonetwo"] and len(lines) == 20
    assert max(map(len, screen.made)) == 18, "only the lines that are seen are made"


async def test_a_click_marks_a_line_a_second_one_takes_it_and_one_on_the_head_points(shown: Any) -> None:
    pilot, screen = await shown(5)
    clicks = ((3, 0, 0, []), (3, 4, 2, []), (3, 4, 2, [2]), (3, 10, 2, [2]), (3, 7, 2, [2]), (3, 6, 4, [2]))
    for x, y, at, taken in clicks:
        await pilot.click(VirtualList, offset=(x, y))
        assert (screen.at, screen.taken, screen.pointed) == (at, taken, [])
    for x in (2, 5, 8):
        await pilot.click(VirtualList, offset=(x, 1))
    assert screen.pointed == ["one", "two"]


async def test_lines_stay_until_the_marked_one_would_be_hidden(shown: Any) -> None:
    pilot, screen = await shown(100)
    tops = []
    for _ in range(40):
        await pilot.press("down")
        tops.append(screen.query_one(VirtualList).top)
    assert tops == [0] * 17 + [9] * 9 + [18] * 9 + [27] * 5


async def test_a_list_of_nothing_goes_nowhere(shown: Any) -> None:
    pilot, screen = await shown(0)
    await pilot.press("up", "down", "pagedown", "home", "end")
    for y in (1, 3):
        await pilot.click(VirtualList, offset=(2, y))
    assert (screen.at, screen.taken, screen.pointed) == (0, [], [])
