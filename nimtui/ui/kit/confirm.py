"""The question before an action, asked only if it would end or lose something."""

from __future__ import annotations

from textwrap import wrap
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from nimtui.ui.kit.page import Dialog
from nimtui.ui.kit.shell import shell

LINE = 54  # characters that fit in the smallest terminal

Answer = TypeVar("Answer")


class Question(Dialog[Answer]):
    """A question of two or three lines, and below it the keys that answer it."""

    def __init__(self, why: str, question: str, answers: str) -> None:
        """Ask `question` after `why`, which says what would be lost."""
        super().__init__()
        asked = f"{why} {question}"
        lines = [asked] if len(asked) <= LINE else [*wrap(why, LINE), question]
        self.text = "\n".join([*lines, "", answers])

    def compose(self) -> ComposeResult:
        yield Static(shell(self).glyphs.plain(self.text), id="ask", markup=False)


class Confirm(Question[bool]):
    """Returns True if the person confirms."""

    BINDING_GROUP_TITLE = "Sure?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "dismiss(True)", "do it"),
        Binding("escape,n,backspace", "dismiss(False)", "back"),
    ]

    def __init__(self, why: str, question: str) -> None:
        super().__init__(why, question, "⏎ do it    esc back")
