"""A field whose text is always seen whole: a long text continues in the next line."""

from __future__ import annotations

from itertools import pairwise

from rich.cells import cell_len
from textual import events
from textual.geometry import Offset, Size
from textual.strip import Strip
from textual.widgets.input import Selection

from nimtui.ui.kit.forms.field import FieldInput, FieldLine


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
            starts.append(next((place for place in (option, gap) if place > starts[-1]), at))
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
    def _cursor_offset(self) -> int:
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
        text = self._value
        text.append(" ")
        if self.has_focus:
            start, end = sorted(self.selection)
            text.stylize_before(self.get_component_rich_style("input--selection"), start, end)
            if self._cursor_visible:
                at = self.cursor_position
                text.stylize(self.get_component_rich_style("input--cursor"), at, at + 1)
        start, end = lines[y]
        width = self.content_size.width
        options = self.app.console_options.update_width(width + 1)
        line = text[start:end]
        line.end = ""
        strip = Strip(self.app.console.render(line, options)).adjust_cell_length(width)
        return strip.apply_style(self.rich_style)

    def _on_mouse_down(self, event: events.MouseDown) -> None:  # type: ignore[override]
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
