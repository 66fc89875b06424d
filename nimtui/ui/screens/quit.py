"""Leave, though something would be lost? Asked only then."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from nimtui.ui.screens.page import Dialog
from nimtui.ui.shell import shell


class QuitScreen(Dialog[bool]):
    """True: leave. The keys that asked answer too, so that pressing one of them twice leaves."""

    BINDING_GROUP_TITLE = "Quit?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q,y", "dismiss(True)", "quit", key_display="⏎"),
        Binding("escape,n,backspace", "dismiss(False)", "stay", key_display="esc"),
    ]

    def __init__(self, why: str) -> None:
        super().__init__()
        self._why = why

    def compose(self) -> ComposeResult:
        yield Static(shell(self).glyphs.plain(f"{self._why} Quit?\n\n⏎ quit    esc stay"), id="ask", markup=False)
