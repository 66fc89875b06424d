"""A widget hears of its new size, whoever asks in between where it is: the marked line of a list stays in sight."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.geometry import Size
from textual.widgets import Static

from nimtui.ui.kit.terminal.textual_parts import ScreenParts


class Growing(Static):
    """Notes the sizes that it is told of."""

    sizes: ClassVar[list[Size]] = []

    def on_resize(self, event: Resize) -> None:
        self.sizes.append(event.size)


class Sized(ScreenParts[None]):
    """A widget above something that scrolls."""

    def compose(self) -> ComposeResult:
        yield Growing("text")
        with VerticalScroll():
            yield Static("line\n" * 100)


async def test_a_size_is_told_though_a_place_was_asked_for_after_a_scroll() -> None:
    Growing.sizes.clear()
    app: App[None] = App()
    async with app.run_test(size=(40, 20)) as pilot:
        await app.push_screen(Sized())
        await pilot.pause()
        growing, lines = app.screen.query_one(Growing), app.screen.query_one(VerticalScroll)
        assert Growing.sizes[-1] == (40, 1)
        lines.scroll_to(y=3, animate=False, immediate=True)
        app.screen._refresh_layout(scroll=True)  # the layout of a scroll, which places only what is visible
        growing.styles.height = 4
        app.screen._clear_arrangement_cache()  # as the message does that asks for a layout
        assert app.screen._compositor.full_map[growing].region.height == 4
        await pilot.pause()
        assert Growing.sizes[-1] == (40, 4)
