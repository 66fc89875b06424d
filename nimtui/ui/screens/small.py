"""What is shown where the terminal is too small: a calm word. All else waits below it, unchanged."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.widgets import Static

from nimtui.ui.screens.page import Dialog

WIDTH, HEIGHT = 60, 20  # cells


def fits(size: Size) -> bool:
    """Is there room for the screens?"""
    return size.width >= WIDTH and size.height >= HEIGHT


class SmallScreen(Dialog[None]):
    """Asks for more room; the app takes it away when there is."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", "Quit", show=False)]

    def compose(self) -> ComposeResult:
        yield Static(id="ask", markup=False)

    def on_mount(self) -> None:
        self._ask()

    def on_resize(self, event: events.Resize) -> None:
        self._ask()

    def _ask(self) -> None:
        size = self.app.size
        self.query_one("#ask", Static).update(
            f"nimtui needs {WIDTH} columns and {HEIGHT} lines.\n"
            f"Here are {size.width} and {size.height}.\n\n"
            "Nothing is lost: make the window larger."
        )
