"""The screens that lie on each other: the one place where one is opened, closed, or left for another mode.

Whatever comes late, twice, or from a screen that is gone does nothing here.
"""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.binding import BindingsMap
from textual.command import CommandList
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.style import Style
from textual.timer import Timer, TimerCallback
from textual.widget import AwaitMount, Widget

from nimtui.errors import InputError
from nimtui.jobs import Job
from nimtui.jobs.conductor import ignore
from nimtui.progress import Progress
from nimtui.report.copies import Copy
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.command import Commanded
from nimtui.ui.kit.contract.shell import Shell, shell
from nimtui.ui.kit.terminal.textual_parts import (
    AppParts,
    CommandListParts,
    PaletteParts,
    ScreenParts,
    focus_first,
    forget_pictures,
    is_open,
)

Answer = TypeVar("Answer")
T = TypeVar("T")

TIDY = 2.0  # seconds from the first screen that closes to the end of its remains
MOST_CHANGES = 50  # of the mode, each of which leaves the styles that its widgets had, until they are tidied up


class Answering(Commanded, ScreenParts[Answer]):
    """A screen that answers only once; closing it also closes the screens on top of it."""

    _fetching: tuple[Job[Any], ...] = ()

    @property
    def shell(self) -> Shell:
        """The app."""
        return shell(self)

    @property
    def rules(self) -> str:
        """What F1 says first: the rules of the game that is played here, what a function knows; '' if there is none."""
        return ""

    def copies(self) -> list[Copy]:
        """Return what can be copied now, the most wanted first."""
        return []

    def fetch(
        self,
        name: str,
        work: Callable[[Progress], T],
        done: Callable[[T], object],
        wrong: Callable[[str], object] = ignore,
    ) -> Job[T]:
        """Run `work` in a job, and return it. `done` gets the result, unless the screen has been closed by then.

        If there is no result, `wrong` gets the error in one line, '' if the job was stopped.
        """

        def ended(job: Job[T]) -> None:
            if self.still_open:
                if job.error is not None and not isinstance(job.error, InputError):
                    shell(self).tell_fault(job.error, f"while {name}")
                job.hand_over(done, wrong)

        job = shell(self).jobs.start(name, work)
        self._fetching = (*(other for other in self._fetching if not other.state.ended), job)
        job.add_done_callback(ended)
        return job

    def watch_focused(self, focused: Widget | None) -> None:
        """Restore the focus if it was lost to a click or with a hidden widget."""
        if focused is None and isinstance(self.app, ScreenStack):
            self.call_after_refresh(self.app.keep_focus)

    def laid_out(self) -> None:
        if self.focused is None and self.is_current and isinstance(self.app, ScreenStack):
            self.call_after_refresh(self.app.keep_focus)  # what came with this layout may want it

    def with_own_keys(self, chain: list[tuple[DOMNode, BindingsMap]]) -> list[tuple[DOMNode, BindingsMap]]:
        return keymap.applied(chain)

    @property
    def still_open(self) -> bool:
        """Return whether the screen belongs to a mode, shown or not, and is not being removed."""
        return is_open(self)

    @property
    def there(self) -> bool:
        """Return whether the screen has all of its widgets and can be drawn."""
        return self.is_mounted and self.still_open

    def set_timer(self, delay: float, callback: TimerCallback | None = None, **more: Any) -> Timer:
        """Call a function after so many seconds, unless the screen is closed by then."""
        return super().set_timer(delay, self._while_open(callback), **more)

    def set_interval(self, interval: float, callback: TimerCallback | None = None, **more: Any) -> Timer:
        """Call a function every so many seconds, until the screen is closed."""
        return super().set_interval(interval, self._while_open(callback), **more)

    def _while_open(self, callback: TimerCallback | None) -> TimerCallback | None:
        """Return a callback that does nothing once the screen is being closed: a timer may still fire then."""
        return None if callback is None else lambda: callback() if self.still_open else None

    def while_shown(self, act: Callable[[T], object]) -> Callable[[T], None]:
        """Return `act` as something for a job's end: it does nothing once another screen or a dialog is in front.

        What a person asked for a moment ago must not close what they opened since.
        """

        def acted(found: T) -> None:
            if self.app.screen is self:
                act(found)

        return acted

    def on_unmount(self) -> None:
        for job in self._fetching:
            job.cancel()

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        stack = self.app.screen_stack
        if self not in stack[1:]:  # it has answered, or its mode is not shown
            return AwaitComplete()
        for above in reversed(stack[stack.index(self) + 1 :]):
            above.dismiss(None)
        return super().dismiss(result)


class SteadyCommandList(CommandListParts):
    """Textual's command list: its mark can be seen without colours, and clicks and paging find only lines it has."""

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """Return Textual's style, and reversed where the style sheet says so: Textual 8.2 leaves that out."""
        style = super().get_visual_style(*component_classes, partial=partial)
        reverse = any(self.get_component_styles(name).text_style.reverse for name in component_classes)
        return style + Style(reverse=True) if reverse else style

    async def on_click(self, event: events.Click) -> None:
        line = event.style.meta.get("option")
        if line is not None and line >= self.option_count:
            event.prevent_default()


OVER = 120  # columns from which the palette lies over a screen that stays visible


class Palette(PaletteParts, Answering[None]):
    """Textual's command palette, which answers only once."""

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= OVER, "-over")

    def on_mount(self) -> None:
        self.query_one(CommandList).__class__ = SteadyCommandList  # Textual leaves no other way to choose it


class ScreenStack(AppParts):
    """The part of the app that opens and closes screens."""

    _tidying: Timer | None = None  # what will take away the remains of closed screens
    _engine_frozen = False
    _changes = 0  # of the mode

    def __init__(self) -> None:
        super().__init__()
        self._remains: weakref.WeakSet[Widget] = weakref.WeakSet()  # closed screens, and what they had, still in memory

    def push_screen(self, screen: Any, *args: Any, **more: Any) -> Any:
        """Open a screen on top of the mode's, unless it is open already."""
        if any(type(other) is type(screen) and purpose(other) == purpose(screen) for other in self.screen_stack):
            return AwaitMount(self.screen, [])
        return super().push_screen(screen, *args, **more)

    def pop_screen(self) -> AwaitComplete:
        """Close the uppermost screen; a mode's own stays."""
        if len(self.screen_stack) < 2:
            return AwaitComplete()
        forget_pictures()
        self._remains.update((self.screen, *self.screen.query("*")))
        self._tidy_soon()
        return super().pop_screen()

    def _tidy_soon(self) -> None:
        if self._tidying is None:
            self._tidying = self.set_timer(TIDY, self._tidy)

    def _tidy(self) -> None:
        """Free the memory of screens that were closed, and of styles that were replaced.

        Widgets refer to each other in circles, which only a full collection undoes, and `run` has these come rarely:
        one takes 0.1 s once the engine is loaded. So the first one after that takes the engine out of sight, with all
        that is in memory then: nothing that was closed may be.
        """
        self._tidying = None
        gc.collect()
        if self._engine_frozen or "numba" not in sys.modules:
            return
        if len(self.screen_stack) == 1 and not self._remains:
            self._engine_frozen = True
            gc.freeze()

    def switch_mode(self, mode: str) -> AwaitMount:
        """Show a mode. Dialogs belong to what is left: they are closed without an answer."""
        self.close_dialogs()
        forget_pictures()
        self._changes += 1
        if self._changes % MOST_CHANGES == 0:
            self._tidy_soon()
        return super().switch_mode(mode)

    async def perform(self, namespace: DOMNode, action: str, parameters: Any) -> bool:
        """Run the action of a key or command, unless its screen is not complete yet or already closed."""
        if isinstance(namespace, Answering) and not namespace.there:
            return False
        if isinstance(namespace, Commanded) and await namespace.run_command(action, parameters):
            return True
        return await super().perform(namespace, action, parameters)

    def leave_the_gone(self) -> None:
        """Take the focus from a widget that has left the screen, because its keys would be lost."""
        screen = self.screen
        if screen.focused is not None and screen not in screen.focused.ancestors:
            screen.focused = None
            self.keep_focus()

    def keep_focus(self) -> None:
        """Give the focus to a widget if none has it."""
        screen = self.screen
        if self.app_focus and screen.is_mounted and screen.focused is None and (chain := screen.focus_chain):
            focus_first(screen)
            if screen.focused is None:
                screen.set_focus(chain[0])

    def close_dialogs(self) -> None:
        """Close the uppermost dialogs as Escape would."""
        while len(self.screen_stack) > 1 and isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)

    def close_all(self) -> None:
        """Close every screen on top of the mode's own."""
        while len(self.screen_stack) > 1:
            self.screen.dismiss(None)


def purpose(screen: Screen[Any]) -> str:
    """Return what tells a screen from another of its kind: the text of a question; '' for most."""
    return str(getattr(screen, "text", ""))
