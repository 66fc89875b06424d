"""A comparison of two saved items."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.page import Page
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.library import view as library_view
from nimtui.ui.library.compare import Compared

GO = Binding.Group("rows", compact=True)


class CompareScreen(Page[None]):
    """Shows a comparison on top of the Library."""

    BINDING_GROUP_TITLE = "Compare"
    HELP = (
        "Compares two saved items side by side.\n\nTables: accuracy is the share of best moves over all positions that "
        "are not lost. The wins are computed over all possible games, not sampled.\n\nTournaments: the ratings of the "
        "agents that play in both.\n\nGames: their moves, and where they first differ."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "go(-1)", "Row above", group=GO, key_display="↑"),
        Binding("down,j", "go(1)", "Row below", group=GO, key_display="↓"),
        Binding("pageup", "go(-10)", "Page up", show=False),
        Binding("pagedown", "go(10)", "Page down", show=False),
        Binding("home", "go(-100000)", "First", show=False),
        Binding("end", "go(100000)", "Last", show=False),
        Binding("escape,c,backspace", "dismiss(None)", "back", key_display="esc"),
    ]

    def __init__(self, found: Compared) -> None:
        super().__init__()
        self._found = found
        self._top = 0

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="compared")
        yield Footer()

    def on_mount(self) -> None:
        shell(self).settings_changed.subscribe(self, lambda _: self._draw())
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Scroll to the row where they first differ."""
        if self._found.marked is not None:
            self.action_go(self._found.marked - 3)
        else:
            self._draw()

    def _draw(self) -> None:
        self.query_one("#compared", Panel).fill(library_view.compared(self._found, self._top))

    def action_go(self, by: int) -> None:
        panel = self.query_one("#compared", Panel)
        most = library_view.room_below(self._found, max(1, panel.size.width), panel.size.height)
        self._top = max(0, min(most, self._top + by))
        self._draw()
