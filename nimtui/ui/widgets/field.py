"""One line of a form: a label, a text that is checked as it is typed, and what is to be said of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from nimtui.ui.shell import shell


class FieldInput(Input):
    """The text. Up and down ask for what else could stand there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Start", key_display="⏎"),
        Binding("up", "step(-1)", "Choose", key_display="↑↓"),
        Binding("down", "step(1)", "Choose", show=False),
    ]

    @dataclass
    class Stepped(Message):
        """The person asks for the value `by` lines further down."""

        by: int

    def __init__(self, value: str, placeholder: str) -> None:
        super().__init__(value, placeholder=placeholder, compact=True, select_on_focus=False)
        self.cursor_blink = False

    def action_step(self, by: int) -> None:
        self.post_message(self.Stepped(by))


class Field(Horizontal):
    """A field of a form by its name."""

    @dataclass
    class Changed(Message):
        """The text was changed by the person."""

        field: Field

    @dataclass
    class Entered(Message):
        """The person begins to fill in this field."""

        field: Field

    @dataclass
    class Stepped(Message):
        """The person asks for another value, `by` lines further down."""

        field: Field
        by: int

    def __init__(self, name: str, label: str, value: str, placeholder: str = "") -> None:
        super().__init__(name=name, id=name)
        self._label = label
        self._right = True
        self._said = ""
        self.input = FieldInput(value, placeholder)

    def compose(self) -> ComposeResult:
        yield Static("  " + self._label, classes="label", markup=False)
        yield self.input
        yield Static(classes="said", markup=False)

    @property
    def text(self) -> str:
        return self.input.value

    def put(self, text: str) -> None:
        """Put this text in, without saying so to anybody."""
        if text != self.input.value:
            with self.prevent(Input.Changed):
                self.input.value = text
            self.input.cursor_position = len(text)

    def say(self, right: bool, text: str) -> None:
        """Say what the text means, or what is wrong with it."""
        if (right, text) == (self._right, self._said):
            return
        self._right, self._said = right, text
        self._draw()

    def on_mount(self) -> None:
        self._draw()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._draw()
        self.post_message(self.Entered(self))

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(self))

    def on_field_input_stepped(self, event: FieldInput.Stepped) -> None:
        event.stop()
        self.post_message(self.Stepped(self, event.by))

    def _draw(self) -> None:
        signs = shell(self).glyphs
        self.set_class(not self._right, "-wrong")
        self.set_class(self.input.has_focus, "-current")
        mark = signs.cursor if self.input.has_focus else " "
        label, said = self.query_one(".label", Static), self.query_one(".said", Static)
        label.update(f"{mark} {self._label}")
        sign = (signs.right if self._right else signs.wrong) if self._said else " "
        said.update(f"{sign} {signs.plain(self._said)}")
