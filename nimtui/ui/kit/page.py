"""What all screens of the app are: Textual's, quicker at Tab, and drawn anew when the signs change."""

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
    """A screen of a mode, or one that covers another. It knows how each ink looks."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{kind}" for kind in Ink}

    # Textual's draws the whole screen when the focus changes; the widgets that lose and gain it draw themselves anyway.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def on_mount(self) -> None:
        _follow_settings(self)


class Live(Page[Answer]):
    """A page that looks a few times a second at what goes on: while it is the one that is shown, and not else."""

    _ticker: Timer | None = None

    def tick(self) -> object:
        """Look, and show what has changed."""

    def on_screen_resume(self) -> None:
        if self._ticker is None:
            self._ticker = self.set_interval(shell(self).tick, self.tick)

    def on_screen_suspend(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None

    def look_as_often_as_set(self) -> None:
        """Look at the pace that is set now."""
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = self.set_interval(shell(self).tick, self.tick)


class Dialog(ModalScreen[Answer], Answering[Answer]):
    """A screen that asks something and is dismissed with the answer."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def on_mount(self) -> None:
        _follow_settings(self)


class Framed(Dialog[Answer]):
    """A dialog in a frame, its widget #form: fields, a hint of how they are written, a list; each may be missing."""
