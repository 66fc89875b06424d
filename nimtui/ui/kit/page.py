"""The base classes of all screens: faster at Tab than Textual's, and redrawn when the signs change."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.widget import Widget

from nimtui.ui.kit.ink import Ink
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.stack import Answering

Answer = TypeVar("Answer")

BREAKPOINTS = [(0, "-narrow"), (76, "-normal"), (120, "-wide")]  # columns


def _follow_settings(screen: Screen[Any]) -> None:
    """Draw all of this screen's widgets again whenever a setting changes."""

    def draw(_: object) -> None:
        for widget in screen.query("*"):
            widget.refresh()

    shell(screen).settings_changed.subscribe(screen, draw)


class Page(Answering[Answer]):
    """A screen of a mode, or one that covers another. It defines the look of each ink."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{kind}" for kind in Ink}

    # Textual's draws the whole screen when the focus changes; the widgets that lose and gain it draw themselves anyway.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def on_mount(self) -> None:
        _follow_settings(self)


class Live(Page[Answer]):
    """A page that updates a few times a second while it is shown."""

    _ticker: Timer | None = None

    def tick(self) -> object:
        """Show what has changed."""

    def on_screen_resume(self) -> None:
        if self._ticker is None:
            self._ticker = self.set_interval(shell(self).tick, self.tick)

    def on_screen_suspend(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None

    def look_as_often_as_set(self) -> None:
        """Update at the pace of the current settings."""
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = self.set_interval(shell(self).tick, self.tick)


class Dialog(ModalScreen[Answer], Answering[Answer]):
    """A screen that asks a question and returns the answer."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def on_mount(self) -> None:
        _follow_settings(self)


class Framed(Dialog[Answer]):
    """A dialog in a frame, its widget #form: fields, a hint on their syntax, a list; each is optional."""
