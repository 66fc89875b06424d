"""One line of a form: a label, a text checked while typed, and its meaning or error.

A `WrappedField` shows its text whole: a long text continues in the next line.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from nimtui.signs import visible
from nimtui.ui.kit.contract.command import Command, Commanded
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.forms.draft import Finding
from nimtui.ui.kit.terminal.textual_parts import InputParts
from nimtui.ui.kit.widgets.canvas import fitted


class FieldInput(Commanded, InputParts, place="field"):
    """The text of a field, selected until a key is typed. Up and down ask for suggestions."""

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("enter", "submit", "Start"),
        Command("up", "step(-1)", "Choose", "", lambda field: field.step(-1), display="↑↓"),
        Command("down", "step(1)", "Choose", "", lambda field: field.step(1), show=False),
    )

    def __init__(self, value: str, placeholder: str) -> None:
        super().__init__(value, placeholder=placeholder, select_on_focus=False, compact=True)
        self.cursor_blink = False

    def on_paste(self, event: events.Paste) -> None:
        """Paste the first line only, without unprintable characters."""
        event.prevent_default()
        event.stop()
        first = next(iter(event.text.splitlines()), "")
        pasted = "".join(sign for sign in first if sign.isprintable())
        if pasted and self.selection.is_empty:
            self.insert_text_at_cursor(pasted)
        elif pasted:
            self.replace(pasted, *self.selection)

    def on_focus(self, event: events.Focus) -> None:
        if not event.from_app_focus:
            self.select_all()

    def select_all(self) -> None:
        """Select the text from its end, so that its beginning is seen: it tells more."""
        self.selection = Selection(len(self.value), 0)

    def on_blur(self) -> None:
        self.cursor_position = 0

    def step(self, by: int) -> None:
        if isinstance(self.parent, FieldLine):
            self.post_message(FieldLine.Stepped(self.parent, by))


class FieldLine(Horizontal):
    """A field of a form by its name."""

    INPUT: ClassVar[type[FieldInput]] = FieldInput

    @dataclass
    class Stepped(Message):
        """The person asks for another suggestion, `by` lines further down."""

        line: FieldLine
        by: int

    def __init__(self, name: str, label: str, value: str, placeholder: str, finding: Finding) -> None:
        super().__init__(name=name, id=name)
        self._label = label
        self._finding = finding
        self._heard = visible(value)  # the text that the form knows of
        self.input = self.INPUT(self._heard, placeholder)

    def compose(self) -> ComposeResult:
        yield Static(classes="label", markup=False)
        yield self.input
        yield Static(classes="said", markup=False)

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

    def say(self, finding: Finding) -> None:
        """Show the meaning of the text, or its error."""
        if finding != self._finding:
            self._finding = finding
            self.draw()

    def on_mount(self) -> None:
        self.draw()

    on_descendant_focus = on_descendant_blur = on_mount

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Show the label, marked while the person is in the field, and what is said beside the text."""
        signs, finding, current = shell(self).glyphs, self._finding, self.input.has_focus
        self.set_class(not finding.right, "-wrong")
        self.set_class(current, "-current")
        sign = (signs.right if finding.right else signs.wrong) if finding.text else " "
        lines = f"{signs.cursor if current else ' '} {self._label}", f"{sign} {signs.plain(finding.text)}"
        for part, line in zip(self.query(Static), lines, strict=False):  # none while it is being taken away
            if 0 < (room := part.content_size.width) < cell_len(line):
                line = fitted(line, room, signs.hidden if room > 2 else "")  # of two cells the sign
            if part.content != line:
                part.update(line, layout=False)  # the columns stay as wide as they are


def rows(text: str, width: int) -> list[tuple[int, int]]:
    """Return where each line of a text starts and ends, in characters, with a cell for the cursor after the text.

    `width` in cells. A line ends before an option, so that the option stands beside its value; else after a space or a
    comma; a longer word is broken.
    """
    starts, used, option, gap = [0], 0, 0, 0
    text += " "
    for at, sign in enumerate(text):
        if text[at - 1 : at + 1] == " -":
            option = at
        if text[at - 1 : at] in (" ", ","):
            gap = at
        used += cell_len(sign)
        if used > width and at > starts[-1]:
            fitting = (place for place in (option, gap) if cell_len(text[place : at + 1]) <= width)
            starts.append(next((place for place in fitting if place > starts[-1]), at))
            used = cell_len(text[starts[-1] : at + 1])
    return list(pairwise((*starts, len(text))))


class WrappedInput(FieldInput):
    """The text of a field in as many lines as it needs."""

    @property
    def _rows(self) -> list[tuple[int, int]]:
        return rows(self.value, max(1, self.content_size.width))

    @property
    def content_width(self) -> int:
        return self.content_size.width  # nothing to scroll to

    @property
    def _cursor(self) -> Offset:
        """The column and the line of the cursor."""
        lines = self._rows
        at = self.cursor_position
        line = max(number for number, (start, _) in enumerate(lines) if start <= at)
        return Offset(cell_len(self.value[lines[line][0] : at]), line)

    @property
    def cursor_column(self) -> int:
        return self._cursor.x

    @property
    def cursor_screen_offset(self) -> Offset:
        return self.content_region.offset + self._cursor

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(rows(self.value, max(1, width)))

    def render_line(self, y: int) -> Strip:
        if not self.value:
            return super().render_line(y)
        lines = self._rows
        if y >= len(lines):
            return Strip.blank(self.size.width, self.rich_style)
        text = self.painted
        text.append(" ")
        if self.has_focus:
            start, end = sorted(self.selection)
            text.stylize_before(self.get_component_rich_style("input--selection"), start, end)
            if self.cursor_shows:
                at = self.cursor_position
                text.stylize(self.get_component_rich_style("input--cursor"), at, at + 1)
        start, end = lines[y]
        width = self.content_size.width
        options = self.app.console_options.update_width(width + 1)
        line = text[start:end]
        line.end = ""
        strip = Strip(self.app.console.render(line, options)).adjust_cell_length(width)
        return strip.apply_style(self.rich_style)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Put the cursor where the person clicks."""
        event.prevent_default()
        x, y = event.get_content_offset_capture(self)
        lines = self._rows
        start, end = lines[min(max(0, y), len(lines) - 1)]
        within = sum(cell_len(self.value[start:at]) <= x for at in range(start + 1, end))
        self.selection = Selection.cursor(min(start + within, len(self.value)))


class WrappedField(FieldLine):
    """A field of a form whose text is always seen whole."""

    INPUT = WrappedInput

    @property
    def hidden(self) -> str:
        return ""
