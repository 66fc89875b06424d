"""The private parts of Textual and Rich that nimtui reaches for: no other file does, which a test holds.

Tried with Textual 8.2.8 and Rich 15; Textual is pinned to its minor version. Each part here says what it is needed for.
With another version this is the file to look through. What nimtui changes of Textual's classes has a public name here,
which its own classes override.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, TypeVar

from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE  # what Rich rounds colours to
from rich.console import RenderableType
from rich.text import Text
from textual import message_pump
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate  # what screens draw
from textual._styles_cache import StylesCache
from textual._widget_navigation import Direction
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.binding import Binding, BindingsMap
from textual.command import Command as Hit
from textual.command import CommandList, CommandPalette
from textual.content import Content
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Mount
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.screen import Screen
from textual.signal import Signal
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

__all__ = [
    "EIGHT_BIT_PALETTE",
    "STANDARD_PALETTE",
    "SYNC_END",
    "SYNC_START",
    "ChopsUpdate",
    "CompositorUpdate",
    "LayoutUpdate",
    "XTermParser",
]

Answer = TypeVar("Answer")


class SureTimer(Timer):
    """A timer. One that fires once does so, however late: Textual drops it if its time passes while it starts."""

    def _start(self) -> None:
        self._skip = self._skip and self._repeat != 0
        super()._start()


message_pump.Timer = SureTimer  # type: ignore[attr-defined]  # Textual's own timers, too


class AppParts(App[None]):
    """The app: how it draws, acts and ends."""

    _leaving = False  # are the screens being removed?

    def draw_update(self, screen: Screen[Any], update: RenderableType | None) -> None:
        """Draw what has changed on a screen; None: nothing, but its cursor. Textual has no other place to count it."""
        super()._display(screen, update)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        self.draw_update(screen, renderable)

    async def perform(self, namespace: DOMNode, action: str, parameters: Any) -> bool:
        """Run an action of a node; return whether it has that action. The rows of commands are looked up here."""
        return await super()._dispatch_action(namespace, action, parameters)

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        return await self.perform(namespace, action_name, params)

    def fail(self, error: Exception) -> None:
        """End the app after a fault of a handler, a timer, a worker or a paint."""
        super()._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        self.fail(error)

    async def _shutdown(self) -> None:
        self._leaving = True
        await super()._shutdown()

    @property
    def is_ending(self) -> bool:
        """Whether the app was told to end, or its screens are being removed."""
        return self._exit or self._leaving

    def take_first_fault(self, error: Exception) -> bool:
        """Note the fault that ends the app; return False if there was one before."""
        if self._exception is not None:
            return False
        self._exception = error
        self._exception_event.set()
        return True

    def end_with(self, status: int) -> None:
        """End the app with an exit status, without its queue of messages: `exit` waits for them."""
        self._return_code = status
        self._close_messages_no_wait()

    @property
    def own_driver(self) -> Driver | None:
        """The driver of the terminal, or None before the start."""
        return self._driver

    @property
    def has_terminal(self) -> bool:
        """Whether the app runs on a terminal now."""
        return self._running and not self._closed and not self.is_headless and self._driver is not None

    @property
    def draws_later(self) -> bool:
        """Whether what is drawn now is part of a batch."""
        return bool(self._batch_count)

    @property
    def draws_at_once(self) -> bool:
        """Whether the terminal shows a marked frame at once."""
        return self._sync_available

    def settle_cursor(self) -> Offset:
        """Return where the cursor is to stand; Textual moves it back from there before it draws."""
        self._previous_cursor_position = self.screen.outer_size.clamp_offset(self.cursor_position)
        return self._previous_cursor_position

    def forget_press(self) -> None:
        """Have the next release of a button be no click."""
        self._mouse_down_widget: Any = None

    def note_copied(self, text: str) -> None:
        """Have the app paste this text, too: `copy_to_clipboard` would also send it in its own way."""
        self._clipboard = text

    def first_screen(self, mode: str) -> Screen[Any] | None:
        """Return the own screen of a mode, or None if it was never shown."""
        return next(iter(self._screen_stacks.get(mode, ())), None)


class ScreenParts(Screen[Answer]):
    """A screen: what it hears, and which keys it has."""

    def laid_out(self) -> None:
        """React to a new layout: Textual tells only of a new size."""

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        places = self._compositor._full_map
        for widget, place in places.items():  # a place that was asked for after a scroll would hide a new size
            if place.region.size != widget._size:
                places[widget] = place._replace(region=Region.from_offset(place.region.offset, widget._size))
        super()._refresh_layout(size, scroll)
        self.laid_out()

    def with_own_keys(self, chain: list[tuple[DOMNode, BindingsMap]]) -> list[tuple[DOMNode, BindingsMap]]:
        """Return the bindings from the focus up, as a person has changed them: Textual's keymap knows no classes."""
        return chain

    @property
    def _binding_chain(self) -> list[tuple[DOMNode, BindingsMap]]:
        return self.with_own_keys(super()._binding_chain)

    async def _dispatch_message(self, message: Message) -> None:
        if not isinstance(message, Mount) or is_open(self):  # closed before: its widgets never come
            await super()._dispatch_message(message)


class CommandListParts(CommandList):
    """Textual's list of commands: how it pages."""

    def _move_page(self, direction: Direction) -> None:
        with suppress(LookupError):  # its options are there, and their lines are not laid out yet
            super()._move_page(direction)


OVER, ASIDE = 80, 5  # columns of a palette over a screen, and those around an option: padding and the scroll bar


class PaletteParts(CommandPalette):
    """Textual's command palette, which ignores list keys while it has no list.

    What was looked for may be found while it is closed, its widgets first.
    """

    def _watch__list_visible(self) -> None:
        if self.is_mounted and is_open(self):
            super()._watch__list_visible()

    async def _watch__show_busy(self) -> None:
        if self.is_mounted and is_open(self):
            await super()._watch__show_busy()

    def _refresh_command_list(self, command_list: CommandList, commands: list[Hit], clear_current: bool) -> None:
        """Show what was found, its key at the right of the same line where that fits."""
        wide = (OVER if self.has_class("-over") else self.size.width) - ASIDE  # the list has no width at first
        for command in commands:
            name, *about = command.prompt.split("\n") if isinstance(command.prompt, Content) else (Content(),)
            blanks = wide - name.cell_length - sum(part.cell_length for part in about)
            if len(about) == 1 and blanks > 1:
                command._set_prompt(name.pad_right(blanks) + about[0])
        super()._refresh_command_list(command_list, commands, clear_current)

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).option_count:
            super()._action_command_list(action)


class InputParts(Input):
    """A line to type into: where its cursor stands."""

    @property
    def cursor_column(self) -> int:
        """The cells between the first column and the cursor."""
        return super()._cursor_offset

    @property
    def _cursor_offset(self) -> int:
        return self.cursor_column

    @property
    def painted(self) -> Text:
        """The value in its colours."""
        return self._value

    @property
    def cursor_shows(self) -> bool:
        """Whether the cursor is to be seen: it may blink."""
        return self._cursor_visible


class DriverParts(Driver):
    """The driver of a terminal, before Textual's for Linux: its app, its event loop, its writer."""

    @property
    def app(self) -> App[Any]:
        """The app that is driven."""
        return self._app

    @property
    def is_debugged(self) -> bool:
        """Whether Textual writes down what it hears."""
        return self._debug

    def in_loop(self, act: Any, *arguments: Any) -> None:
        """Call something in the app's event loop, from any thread."""
        self._loop.call_soon_threadsafe(act, *arguments)

    def fail(self, fault: Exception) -> None:
        """Report a fault of the driver's thread like any other of the app."""
        self.in_loop(self._app._handle_exception, fault)

    @property
    def is_busy(self) -> bool:
        """Whether more than one earlier text waits to be written."""
        writer = getattr(self, "_writer_thread", None)
        return writer is not None and writer._queue.qsize() > 1

    def continue_running(self) -> bool:
        """Go on after SIGCONT in an own way; return False to start all of Textual's driver again."""
        return False

    def _sigcont_application(self, *_: object) -> None:
        if self._must_signal_resume or not self.continue_running():  # type: ignore[attr-defined]
            super()._sigcont_application()  # type: ignore[misc]

    def _disable_mouse_support(self) -> None:
        super()._disable_mouse_support()  # type: ignore[misc]
        if self._mouse:
            self.write("\x1b[?1016l")  # reports in pixels, which Textual leaves on
            self.flush()


def is_open(screen: Screen[Any]) -> bool:
    """Return whether a screen belongs to a mode, shown or not, and is not being removed."""
    return not screen._pruning and any(screen in stack for stack in screen.app._screen_stacks.values())


def focus_first(screen: Screen[Any]) -> None:
    """Give the focus to what a screen wants, as when it was opened."""
    screen._update_auto_focus()


def own_bindings(node: DOMNode) -> BindingsMap:
    """Return the bindings of a node without those of a person: `active_bindings` are the screen's."""
    return node._bindings


def rebind(node: DOMNode, bindings: Iterable[Binding]) -> None:
    """Give a node these bindings beside those of its class, in the place of earlier ones. Textual can only add some."""
    node._bindings = BindingsMap.merge([type(node)._merge_bindings(), BindingsMap(bindings)])


def inherits_bindings(kind: type) -> bool:
    """Return whether a class takes over the keys of those that it inherits from."""
    return bool(vars(kind).get("_inherit_bindings", True))


def titles(widget: Widget) -> tuple[Content | None, Content | None]:
    """Return the title and the subtitle in a widget's frame as they are drawn; `border_title` gives back markup."""
    return widget._border_title, widget._border_subtitle


def subscribers(signal: Signal[Any]) -> Iterable[DOMNode]:
    """Return the nodes that a signal holds."""
    return list(signal._subscriptions)


def forget_pictures() -> None:
    """Forget the lines of widgets that are gone.

    Textual's cache of border colours has the widgets' line caches among its keys, 1,024 of them: half a megabyte for
    each dialog that was ever opened. It fills again in no time.
    """
    StylesCache.get_inner_outer.cache_clear()
