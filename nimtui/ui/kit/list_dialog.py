"""A dialog with a list, and perhaps a text above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.page import Framed
from nimtui.ui.kit.shell import shell

Answer = TypeVar("Answer")


class ListDialog(Framed[Answer]):
    """Shows choices; the list has the focus."""

    INTRO: ClassVar[str | None] = None  # the text above the list; None: there is none

    def choices(self) -> Sequence[Choice]:
        """Return what the list shows at first."""
        return ()

    @property
    def choice_list(self) -> Choices:
        return self.query_one(Choices)

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = self.BINDING_GROUP_TITLE
            if self.INTRO is not None:
                yield Static(self.INTRO, id="intro", markup=False)
            yield Choices(self.choices())
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.choice_list.focus()

    def say(self, text: str) -> None:
        """Show this text above the list."""
        self.query_one("#intro", Static).update(shell(self).glyphs.plain(text))
