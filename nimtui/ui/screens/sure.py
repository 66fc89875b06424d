"""Do it, though something would end or be lost? Asked only then."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from nimtui.ui.screens.page import Dialog
from nimtui.ui.shell import shell

LINE = 54  # signs that have room in the smallest terminal


class Sure(Dialog[bool]):
    """True: yes, do it."""

    BINDING_GROUP_TITLE = "Sure?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "dismiss(True)", "do it", key_display="⏎"),
        Binding("escape,n,backspace", "dismiss(False)", "back", key_display="esc"),
    ]

    def __init__(self, why: str, question: str, yes: str = "do it", no: str = "back") -> None:
        """`why`: what would be lost; `question`: what is meant to be done; and the two answers."""
        super().__init__()
        between = " " if len(why) + len(question) < LINE else "\n"
        self._text = f"{why}{between}{question}\n\n⏎ {yes}    esc {no}"

    def compose(self) -> ComposeResult:
        yield Static(shell(self).glyphs.plain(self._text), id="ask", markup=False)
