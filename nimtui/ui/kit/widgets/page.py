"""The base classes of all screens: faster at Tab than Textual's, and redrawn when the signs change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeAlias, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.widget import Widget

from nimtui.report.lines import Ink
from nimtui.store.settings import Settings
from nimtui.ui.kit.contract.command import Command, Commanded
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.contract.stack import Answering
from nimtui.ui.kit.widgets.footer import Footer
from nimtui.ui.kit.widgets.header import Header
from nimtui.ui.kit.widgets.panel import Paint, Panel, Panels

Answer = TypeVar("Answer")
Lines: TypeAlias = Mapping[str, Callable[[Any], Paint]]
"""The panels of one line each, by their names, and what they show of a screen."""

NARROW = 76  # columns; below, a screen has no room for panels beside each other
SIZES = {  # the classes of a screen: least columns and lines; the larger ones come on top of the smaller
    "-wide": (120, 0),
    "-framed": (100, 28),  # panels have frames
    "-large": (120, 36),  # and a layout of their own
    "-huge": (160, 48),
}


def fits(size: Size, kind: str) -> bool:
    """Return whether a screen of this size has this class."""
    columns, rows = SIZES[kind]
    return size.width >= columns and size.height >= rows


class Sized(Screen[Answer]):
    """A screen that knows by its classes how much room it has, and draws its widgets again when a setting changes."""

    # Textual's draws the whole screen when the focus changes; the widgets that lose and gain it draw themselves anyway.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def on_mount(self) -> None:
        def draw(_: object) -> None:
            for widget in self.query("*"):
                widget.refresh()

        shell(self).settings_changed.subscribe(self, draw)
        self._classify(self.app.size)  # now: what is painted first has the layout that it keeps

    def on_key(self, event: events.Key) -> None:
        """Say why a key of this screen, which nothing else has taken, does nothing now."""
        if isinstance(self, Commanded) and (why := self.why_not(event.key)):
            self.notify(why)

    def on_resize(self, event: events.Resize) -> None:  # before Textual's, which has no classes for both dimensions
        self._classify(event.size)

    def _classify(self, size: Size) -> None:
        fitting = {name: fits(size, name) for name in SIZES}
        self.update_classes({"-narrow": size.width < NARROW, **fitting}, animate=False)


class Page(Panels, Answering[Answer], Sized[Answer]):
    """A screen of a mode, or one that covers another: lines above and below its parts. It has the look of each ink."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{kind}" for kind in Ink}
    ABOVE: ClassVar[Lines] = {}
    BELOW: ClassVar[Lines] = {}

    def content(self) -> ComposeResult:
        """Yield the widgets between header and footer."""
        yield from (Panel(id=name) for name in self.ABOVE)
        yield from self.parts()
        yield from (Panel(id=name) for name in self.BELOW)

    def parts(self) -> ComposeResult:
        """Yield the widgets between the lines."""
        return ()

    def panels(self) -> Iterable[tuple[str, Paint]]:
        """Return what the panels among the parts show now, by their names."""
        return ()

    def draw(self) -> None:
        """Draw the whole screen: when it is shown again, and after a change of settings. Only changes are sent."""
        if self.there:
            for name, paint in self.panels():
                self.fill(name, paint)
            self.draw_lines()

    def draw_lines(self) -> None:
        for name, paint in (*self.ABOVE.items(), *self.BELOW.items()):
            self.fill(name, paint(self))

    def settings_changed(self, settings: Settings) -> None:
        self.draw()

    def on_mount(self) -> None:
        self.shell.settings_changed.subscribe(self, self.settings_changed)

    def on_screen_resume(self) -> None:
        self.draw()

    def compose(self) -> ComposeResult:
        yield Header()
        yield from self.content()
        yield Footer()


class Live(Page[Answer]):
    """A page that updates a few times a second while it is shown."""

    _ticker: Timer | None = None

    def tick(self) -> object:
        """Show what has changed."""

    def on_screen_resume(self) -> None:
        """Update at the pace of the current settings."""
        Live.on_screen_suspend(self)
        self._ticker = self.set_interval(shell(self).tick, self.tick)

    def on_screen_suspend(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None


class Dialog(ModalScreen[Answer], Answering[Answer], Sized[Answer]):
    """A screen that asks a question and returns the answer."""


def closing(keys: str = "escape,backspace") -> tuple[Command[Any], ...]:
    """Return the commands of every dialog: back, and help."""
    return Command(keys, "dismiss(None)", "Back"), Command("f1,question_mark", "app.help", "Help")


class Framed(Dialog[Answer]):
    """A dialog in a frame, its widget #form: fields, a hint on their syntax, a list; each is optional."""
