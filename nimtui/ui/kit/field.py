"""One line of a form: a label, a text checked while typed, and its meaning or error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from nimtui.foreign.signs import visible
from nimtui.ui.kit.command import Command, Commanded
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.shell import shell


class FieldInput(Commanded, Input, place="field"):
    """The text of a field, selected until a key is typed. Up and down ask for suggestions."""

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("enter", "submit", "Start"),
        Command("up", "step(-1)", "Choose", "", lambda field: field.step(-1), display="↑↓"),
        Command("down", "step(1)", "Choose", "", lambda field: field.step(1), show=False),
    )

    def __init__(self, value: str, placeholder: str) -> None:
        super().__init__(value, placeholder=placeholder, select_on_focus=False, compact=True)
        self.cursor_blink = False

    def _on_paste(self, event: events.Paste) -> None:
        """Paste the first line only, without unprintable characters."""
        event.prevent_default()
        event.stop()
        first = next(iter(event.text.splitlines()), "")
        super()._on_paste(events.Paste("".join(sign for sign in first if sign.isprintable())))

    def on_focus(self, event: events.Focus) -> None:
        if not event.from_app_focus:
            self.select_all()

    def select_all(self) -> None:
        """Select the text from its end, so that its beginning is seen: it tells more."""
        self.selection = Selection(len(self.value), 0)

    def on_blur(self) -> None:
        self.cursor_position = 0

    def step(self, by: int) -> None:
        if isinstance(self.parent, Field):
            self.post_message(Field.Stepped(self.parent, by))


class Field(Horizontal):
    """A field of a form by its name."""

    INPUT: ClassVar[type[FieldInput]] = FieldInput

    @dataclass
    class Entered(Message):
        """The person has entered this field."""

        field: Field

    @dataclass
    class Stepped(Message):
        """The person asks for another suggestion, `by` lines further down."""

        field: Field
        by: int

    def __init__(self, name: str, label: str, value: str, placeholder: str, *, right: bool, said: str) -> None:
        super().__init__(name=name, id=name)
        self._label = label
        self._right = right
        self._said = said
        value = visible(value)
        self.input = self.INPUT(value, placeholder)
        self._heard = value  # the text that the form knows of

    def compose(self) -> ComposeResult:
        self.set_class(not self._right, "-wrong")
        yield Static(self._label_line(), classes="label", markup=False)
        yield self.input
        yield Static(self._said_line(), classes="said", markup=False)

    @property
    def text(self) -> str:
        return self.input.value

    @property
    def hidden(self) -> str:
        """The whole text, if it is longer than the room for it; else ''."""
        room = self.input.size.width
        return self.text if 0 < room <= cell_len(self.text) else ""

    def hear(self) -> str:
        """Return the text and note that the form knows it."""
        self._heard = self.input.value
        return self._heard

    def put(self, text: str) -> None:
        """Put this text in without a message, unless the form has not seen the latest keys."""
        if self.input.value != self._heard:
            return
        text = visible(text)
        self._heard = text
        if text != self.input.value:
            with self.prevent(Input.Changed):
                self.input.value = text
            if self.input.has_focus:
                self.input.select_all()
            else:
                self.input.cursor_position = 0  # its beginning is seen

    def say(self, right: bool, text: str) -> None:
        """Show the meaning of the text, or its error."""
        if (right, text) == (self._right, self._said):
            return
        self._right, self._said = right, text
        self._draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._draw()
        self.post_message(self.Entered(self))

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        self._draw()

    def _label_line(self) -> str:
        return f"{shell(self).glyphs.cursor if self.input.has_focus else ' '} {self._label}"

    def _said_line(self) -> str:
        signs = shell(self).glyphs
        sign = (signs.right if self._right else signs.wrong) if self._said else " "
        said, width = signs.plain(self._said), sum(part.size.width for part in self.query(".said"))
        if width and cell_len(said) > width - 2:
            said = fitted(said, width - 2, signs.hidden)
        return f"{sign} {said}"

    def _draw(self) -> None:
        self.set_class(not self._right, "-wrong")
        self.set_class(self.input.has_focus, "-current")
        for name, line in (("label", self._label_line()), ("said", self._said_line())):
            for part in self.query(f".{name}").results(Static):  # none while it is being put up or taken away
                if part.content != line:
                    part.update(line, layout=False)  # the columns stay as wide as they are
