"""A short list to choose from: Textual's, each line with a key, a label and what more is said, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widgets import OptionList

from nimtui.ui.kit.contract.command import Command, Commanded, family
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.forms.draft import Choice
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import fitted, strip

__all__ = ["Choice", "Choices"]

GAP, LEAST = 3, 12  # cells between a label and what more is said; there must be room for so many of both


class Choices(Commanded, OptionList, inherit_bindings=False, place="choices"):
    """Shows lines, one of them marked; scrolls with the mark."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"choices--{part}" for part in ("label", "detail", "key", "marked", "marked-detail")
    }

    highlighted: Reactive[int | None] = Reactive(None, repaint=False)

    @dataclass
    class Marked(Message):
        """The person marked another line."""

        choice: Choice
        of: str  # what the lines were for: they may have changed before the message arrives

    @dataclass
    class Taken(Message):
        """The person chose a line."""

        choice: Choice

    def __init__(self, choices: Sequence[Choice] = (), *, focusable: bool = True) -> None:
        super().__init__(compact=True)
        self.can_focus = focusable
        self.choices: tuple[Choice, ...] = ()
        self.of = ""  # what they are for, where that changes
        self.show(choices, choices[0].value if choices else None)

    @property
    def marked(self) -> Choice | None:
        """Return the marked choice, or None."""
        return self.choices[self.highlighted] if self.highlighted is not None else None

    def show(self, choices: Sequence[Choice], value: str | None = None, of: str = "") -> None:
        """Show other lines and mark the one with this value, if any; `of` names what the lines are for."""
        self.of = of
        if tuple(choices) != self.choices:
            self.choices = tuple(choices)
            self.set_options(" " for _ in choices)  # a line each: `render_line` draws them
        self.mark(value)

    def mark(self, value: str | None) -> None:
        """Mark the line with this value, or none. Posts no message."""
        self.highlighted = next((at for at, choice in enumerate(self.choices) if choice.value == value), None)
        if self.highlighted is None:
            self.scroll_y = 0

    def move(self, by: int) -> None:
        """Move the mark down by so many lines and post `Marked`."""
        begin = self.highlighted if self.highlighted is not None else (-1 if by > 0 else len(self.choices))
        self.highlighted = begin + by
        if self.marked is not None:
            self.post_message(self.Marked(self.marked, self.of))

    def _watch_highlighted(self, before: int | None, after: int | None) -> None:
        for line in (before, after):  # Textual's draws them all
            if line is not None:
                self.refresh_line(line)

    def watch_highlighted(self, highlighted: int | None) -> None:
        if highlighted is not None and not 0 <= highlighted - self.scroll_offset.y < self.size.height:
            self.scroll_to_highlight()

    def jump(self, by: int) -> None:
        self.move(by * len(self.choices))

    def take(self) -> None:
        if self.marked is not None:
            self.post_message(self.Taken(self.marked))

    def target_at(self, at: Offset) -> int | None:
        """Return the number of the choice at this place of the screen."""
        line = at.y - self.content_region.y + self.scroll_offset.y
        return line if self.content_region.contains_point(at) and line < len(self.choices) else None

    async def on_click(self, event: events.Click) -> None:
        event.prevent_default()
        if (line := self.target_at(event.screen_offset)) is not None:
            self.move(line - (self.highlighted or 0))
            self.take()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.prevent_default()  # the mark moves, and the list with it
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.prevent_default()
        self.move(-1)

    def on_resize(self) -> None:
        self.scroll_to_highlight()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return container.width

    def render_line(self, y: int) -> Strip:
        width, line = self.size.width, self.scroll_offset.y + y
        if not 0 <= line < len(self.choices):
            return Strip.blank(width, self.rich_style)
        signs = shell(self).glyphs
        choice, marked = self.choices[line], line == self.highlighted
        looks = ("marked", "marked-detail", "marked") if marked else ("label", "detail", "key")
        style, detail, key = (self.get_component_rich_style(f"choices--{look}") for look in looks)
        keyed = any(choice.key for choice in self.choices)
        more_up = y == 0 and line > 0
        more_down = y == self.size.height - 1 and line < len(self.choices) - 1
        edge = signs.up if more_up else signs.down if more_down else " "
        parts = [(f"{signs.cursor if marked else edge} ", style if marked else detail)]
        if keyed:
            parts.append((f"{choice.key or ' '}  ", key))
        room = width - sum(cell_len(text) for text, _ in parts)
        label = signs.plain(choice.label)
        labels = max(cell_len(label), self._column(room, signs))
        if choice.detail and room >= labels + LEAST:
            parts.append((label.ljust(labels) + " " * GAP, style))
            room -= labels + GAP
            parts.append((fitted(signs.plain(choice.detail), room, signs.hidden), detail))
        else:
            parts.append((fitted(signs.plain(choice.label), room, signs.hidden), style))
        return strip(parts, width, detail if marked else self.rich_style).apply_meta({"option": line})

    def _column(self, room: int, signs: Glyphs) -> int:
        """Return the width of the label column: the longest label of a line that fits as a whole."""
        lines = [(cell_len(signs.plain(one.label)), cell_len(signs.plain(one.detail))) for one in self.choices]
        fit = [label for label, detail in lines if label + GAP + detail <= room]
        return max(fit or [label for label, _ in lines])

    ROWS: ClassVar[tuple[Command[Choices], ...]] = (
        *family("move", move, ("up,k", "Move", "", -1), ("down,j", "Move", "", 1)),
        *family("jump", jump, ("home", "First or last", "", -1), ("end", "First or last", "", 1)),
        Command("enter", "take", "Choose", "", take),
        Command("space", "take", "Choose", "", take, show=False),
    )
