"""The line at the bottom of every screen: its main keys, below a tour. Redrawn only when its content changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from nimtui.ui.kit import guide
from nimtui.ui.kit.guide import Guide
from nimtui.ui.kit.lines import Part, strip
from nimtui.ui.kit.shell import shell

PALETTE = "command_palette"
ARROWS = {"up", "down", "left", "right"}  # keys that need no label
RARE = ("undo", "redo", "step", "pace")  # actions that are omitted first if room is short


@dataclass(frozen=True, slots=True)
class Hint:
    """A key, or a group of keys, with its label."""

    keys: tuple[tuple[str, str], ...]  # the key as it is shown, and as it is pressed
    said: str
    enabled: bool = True
    action: str = ""
    spare: int = 0  # above 0: omitted if room is short, the lowest first

    @property
    def width(self) -> int:
        """The width in cells, including the gap after it."""
        said = cell_len(self.said) + 1 if self.said else 0
        return sum(cell_len(shown) for shown, _ in self.keys) + len(self.between) * (len(self.keys) - 1) + said + 2

    @property
    def between(self) -> str:
        """What stands between the keys of a group: without a sign 'left' and 'right' would be one word."""
        return "/" if any(len(shown) > 1 for shown, _ in self.keys) else ""


def hints(screen: Screen[Any]) -> list[Hint]:
    """Return the keys to show, disabled ones included; the palette's is last."""
    app = shell(screen)
    spares = {action: place for place, action in enumerate(getattr(screen, "SPARE", ()), 1)}
    found: list[Hint] = []
    grouped: dict[object, int] = {}
    actions: set[str] = set()
    palette: list[Hint] = []
    for active in screen.active_bindings.values():
        binding = active.binding
        key = (app.get_key_display(binding), binding.key)
        action = binding.action.partition("(")[0].removeprefix("app.")
        if binding.action == PALETTE:
            palette = [Hint((key,), binding.description, action=action)]
        if not binding.show or binding.action in actions:
            continue
        actions.add(binding.action)
        if binding.group is not None and binding.group in grouped:
            before = found[grouped[binding.group]]
            enabled = before.enabled or active.enabled
            found[grouped[binding.group]] = replace(before, keys=(*before.keys, key), enabled=enabled)
            continue
        said = binding.description
        if binding.group is not None:
            grouped[binding.group] = len(found)
            said = binding.group.description or said
        found.append(Hint((key,), said, active.enabled, action, spares.get(action, 0)))
    return found + palette


def fitting(shown: list[Hint], width: int) -> list[Hint]:
    """Return the keys that fit: first drop spare ones, then some labels, then the least useful keys.

    The palette, which lists all keys, keeps its label.
    """
    for shorter in _shorter(list(shown)):
        if sum(hint.width for hint in shorter) <= width:
            return shorter
    return []


def _shorter(shown: list[Hint]) -> Iterator[list[Hint]]:
    """Yield the keys, then fewer and fewer of them; help and the palette stay longest."""
    yield shown
    for spare in sorted(hint.spare for hint in shown if hint.spare):
        shown = [hint for hint in shown if hint.spare != spare]
        yield shown
    for wordless in (ARROWS, {"help"}):
        shown = [
            replace(hint, said="") if hint.action in wordless or {key for _, key in hint.keys} <= wordless else hint
            for hint in shown
        ]
        yield shown

    def use(hint: Hint) -> tuple[bool, ...]:
        return hint.action == PALETTE, hint.action == "help", hint.enabled, hint.action not in RARE

    while len(shown) > 1:
        least = min(map(use, shown))
        del shown[max(i for i, hint in enumerate(shown) if use(hint) == least)]
        yield shown
    yield [replace(hint, said="") for hint in shown]


class Footer(Widget):
    """Shows the keys in one line."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"footer--key", "footer--said", "footer--off", "footer--guide"}

    def __init__(self, *, palette: bool = True) -> None:
        super().__init__()
        self._palette = palette
        self._hints: list[Hint] = []
        self._guide: Guide | None = None  # as drawn last

    def on_mount(self) -> None:
        self._hints = self._look()
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        shell(self).settings_changed.subscribe(self, lambda _: self._changed(self.screen))

    def _look(self) -> list[Hint]:
        found = hints(self.screen)
        return found if self._palette else [hint for hint in found if hint.action != PALETTE]

    def _changed(self, screen: Screen[Any]) -> None:
        if screen is self.screen and (found := self._look()) != self._hints:
            self._hints = found
            self.refresh()

    def look(self) -> None:
        """Redraw the tour's lines if they have changed."""
        if shell(self).guide != self._guide:
            self._guide = shell(self).guide
            self.refresh(Region(0, 0, self.size.width, guide.ROWS))

    def _guide_line(self, shown: Guide, row: int) -> Strip:
        parts = guide.paint(shown, row, self.size.width, shell(self).glyphs)
        styled = [(text, self.get_component_rich_style(f"footer--{kind}")) for text, kind in parts]
        return strip(styled, self.size.width, self.rich_style)

    def render_line(self, y: int) -> Strip:
        if (shown_guide := shell(self).guide) is not None and y < self.size.height - 1:
            return self._guide_line(shown_guide, y)
        width, signs = self.size.width, shell(self).glyphs
        off, said_style = (self.get_component_rich_style(f"footer--{part}") for part in ("off", "said"))
        key_style = self.get_component_rich_style("footer--key")
        shown = fitting(self._hints, width)
        parts: list[Part] = [(" ", self.rich_style)]
        for number, hint in enumerate(shown):
            if self._palette and number == len(shown) - 1 and number:
                room = width - sum(cell_len(text) for text, _ in parts) - hint.width + 1
                parts.append((" " * room, self.rich_style))
            for at, (key, pressed) in enumerate(hint.keys):
                press = Style.from_meta({"@click": f"app.simulate_key('{pressed}')"})
                parts.append((hint.between * (at > 0) + key, (key_style if hint.enabled else off) + press))
            if hint.said:
                parts.append((f" {signs.plain(hint.said)}", (said_style if hint.enabled else off) + press))
            parts.append(("  ", self.rich_style))
        return strip(parts, width, self.rich_style)
