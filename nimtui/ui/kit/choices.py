"""A short list to choose from. Moving the mark repaints two lines and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from nimtui.ui.kit.command import Command, Commanded, family
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.lines import fitted, strip
from nimtui.ui.kit.shell import shell

GAP, LEAST = 3, 12  # cells between a label and what more is said; there must be room for so many of both


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a list: its value, its label, its detail."""

    value: str
    label: str
    detail: str = ""
    key: str = ""  # the letter that takes it at once, shown in front


class Choices(Commanded, Widget, can_focus=True, place="choices"):
    """Shows lines, one of them marked; scrolls with the mark."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"choices--{part}" for part in ("label", "detail", "key", "marked", "marked-detail")
    }

    @dataclass
    class Marked(Message):
        """The person marked another line."""

        choice: Choice
        of: str  # what the lines were for: they may have changed before the message arrives

    @dataclass
    class Taken(Message):
        """The person chose a line."""

        choice: Choice

    def __init__(
        self,
        choices: Sequence[Choice] = (),
        *,
        focusable: bool = True,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.can_focus = focusable
        self.choices = tuple(choices)
        self.of = ""  # what they are for, where that changes
        self._marked = 0 if choices else -1  # −1: none
        self._top = 0  # the first line that is seen

    @property
    def marked(self) -> Choice | None:
        """Return the marked choice, or None."""
        return self.choices[self._marked] if 0 <= self._marked < len(self.choices) else None

    def show(self, choices: Sequence[Choice], value: str | None = None, of: str = "") -> None:
        """Show other lines and mark the one with this value, if any; `of` names what the lines are for."""
        self.of = of
        if tuple(choices) != self.choices:
            self.choices = tuple(choices)
            self._marked, self._top = -1, 0
            self.refresh(layout=self.styles.is_auto_height)
        self.mark(value)

    def mark(self, value: str | None) -> None:
        """Mark the line with this value, or none. Posts no message."""
        self._set(next((i for i, choice in enumerate(self.choices) if choice.value == value), -1))

    def move(self, by: int) -> None:
        """Move the mark down by so many lines and post `Marked`."""
        if not self.choices:
            return
        begin = self._marked if self._marked >= 0 else (-1 if by > 0 else len(self.choices))
        self._set(min(len(self.choices) - 1, max(0, begin + by)))
        self._say()

    def jump(self, by: int) -> None:
        self.move(by * len(self.choices))

    def take(self) -> None:
        if self.marked is not None:
            self.post_message(self.Taken(self.marked))

    def on_click(self, event: events.Click) -> None:
        line = self._top + event.y
        if 0 <= line < len(self.choices):
            self._set(line)
            self._say()
            self.take()

    def on_mouse_scroll_down(self) -> None:
        self.move(1)

    def on_mouse_scroll_up(self) -> None:
        self.move(-1)

    def on_resize(self) -> None:
        if self._scroll():
            self.refresh()

    def _say(self) -> None:
        if self.marked is not None:
            self.post_message(self.Marked(self.marked, self.of))

    def _set(self, marked: int) -> None:
        before, self._marked = self._marked, marked
        if self._scroll():
            self.refresh()
        elif before != marked:
            for line in (before, marked):
                if line >= 0:
                    self.refresh(Region(0, line - self._top, self.size.width, 1))

    def _scroll(self) -> bool:
        """Scroll to the marked line; return whether the lines moved."""
        height, before = self.size.height, self._top
        if height:
            mark = max(0, self._marked)
            self._top = min(mark, max(self._top, mark - height + 1))
            self._top = max(0, min(self._top, len(self.choices) - height))
        return self._top != before

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.choices)

    def render_line(self, y: int) -> Strip:
        width, line = self.size.width, self._top + y
        if not 0 <= line < len(self.choices):
            return Strip.blank(width, self.rich_style)
        signs = shell(self).glyphs
        choice, marked = self.choices[line], line == self._marked
        style, detail, key = (
            self.get_component_rich_style(f"choices--{part}")
            for part in (("marked", "marked-detail", "marked") if marked else ("label", "detail", "key"))
        )
        keyed = any(choice.key for choice in self.choices)
        more_up = y == 0 and self._top > 0
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
        return strip(parts, width, detail if marked else self.rich_style)

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
