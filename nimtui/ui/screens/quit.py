"""Leave, though something would be lost? Asked only then."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from nimtui.ui.screens.sure import Sure


class QuitScreen(Sure):
    """True: leave. The keys that asked answer too, so that pressing one of them twice leaves."""

    BINDING_GROUP_TITLE = "Quit?"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "dismiss(True)", "quit", show=False)]

    def __init__(self, why: str) -> None:
        super().__init__(why, "Quit?", "quit", "stay")
