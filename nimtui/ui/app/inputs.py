"""How the app takes keys and the mouse, on every screen; and what it copies.

Keys and clicks are handled one after another, each on the screen that the previous one opened. Textual passes every key
of one read to the widget with the focus at that moment. If the first key opens or closes a screen, the others reach a
removed one. Here each key waits until the previous one has taken effect.

Ctrl+Y copies what fits the screen, or asks which of several things. The terminal copies, not this machine, by escape
sequences (OSC 52): so it works over SSH. A terminal does not answer whether it obeyed. Sources: XTerm Control Sequences
(OSC 52); tmux(1), allow-passthrough and set-clipboard.

The mouse selects text. What is dragged over is marked, and copied when the button is released. Textual's own selection
belongs to widgets, and fails when one of them disappears. Here the cells of the terminal are selected, so boards, trees
and tables need to know nothing of it. A click without a drag stays a click.

What a click would act on is underlined, but not over a slow line. A widget that handles clicks itself tells what lies
where by `target_at`; texts with an action of their own tell it by their style.
"""

from __future__ import annotations

import asyncio
import os
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ScreenError
from textual.errors import NoWidget
from textual.geometry import Offset, Region
from textual.message import Message
from textual.scrollbar import ScrollBar
from textual.widget import Widget
from textual.widgets import Input

from nimtui.report.copies import COMMAND, Copy, command
from nimtui.ui.app.painting import Painting
from nimtui.ui.kit.contract import START
from nimtui.ui.kit.contract.keymap import LEAVING
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.contract.stack import ScreenStack
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.dialogs import ListDialog
from nimtui.ui.kit.terminal.textual_parts import AppParts
from nimtui.ui.kit.terminal.wire import Span
from nimtui.ui.kit.widgets.page import closing

if TYPE_CHECKING:
    from nimtui.jobs import Jobs
    from nimtui.ui.kit.contract.stack import Answering

ROUNDS = 4  # a key's binding · the message it posts · the answer of a dialog · the screen that opens
PATIENCE = 0.25  # seconds until a key stops waiting for the previous one
OPENS = 5.0  # seconds that a key waits for a screen to open, on a busy machine
REMEMBERED = 40  # keys and clicks in a crash report


class InputQueue(ScreenStack):
    """The part of the app through which all input passes."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: deque[str] = deque(maxlen=REMEMBERED)  # the last keys and clicks, as words
        self._typed: deque[events.Event] = deque()  # events that wait for their turn
        self._settling: asyncio.Task[None] | None = None
        self._late: asyncio.Event | None = None  # of a round that is late
        self._awaiting: list[Callable[[], object]] = []  # actions to run when no input waits
        self._quit_at = -inf  # when the last key that quits was pressed: all that was typed before it is void

    class Passed(Message, bubble=True):
        """Follows a key from widget to widget up to the app: behind it, everything the key did is done."""

        def __init__(self, arrived: asyncio.Event) -> None:
            super().__init__()
            self.arrived = arrived

    def when_typed_out(self, act: Callable[[], object]) -> None:
        """Run this once: now, or after the last waiting key. For slow actions that can be merged."""
        if act not in self._awaiting:
            self._awaiting.append(act)
        if not self._typed:
            self._do_awaiting()

    def _do_awaiting(self) -> None:
        while self._awaiting:
            self._awaiting.pop(0)()

    async def on_event(self, event: events.Event) -> None:
        if not isinstance(event, events.InputEvent | events.Paste) or event.is_forwarded:
            if not isinstance(event, events.Key) or event.time >= self._quit_at:  # else it would answer the question
                await super().on_event(event)
            return
        if isinstance(event, events.Key) and event.key in LEAVING:
            self._typed.clear()  # quitting overtakes all others, also one that is on its way from widget to widget
            self._quit_at = event.time
            self._settling = None
            self._do_awaiting()
            self.heard.append(_described(event))
            await self.run_action("quit", self)  # whatever the focused widget binds
            return
        self._typed.append(event)
        if self._settling is None:
            await self._give()

    def takes_input(self, event: events.Event) -> bool:
        """Return whether screens should get this key, click or paste."""
        return True

    async def _give(self) -> None:
        """Pass on the waiting input, up to the first event that may have an effect."""
        self._settling = None
        while self._typed and self._settling is None:
            event = self._typed.popleft()
            if not self.takes_input(event):
                continue
            if not isinstance(event, events.MouseMove):
                self.heard.append(_described(event))
                self._settling = asyncio.create_task(self._settle(), name="settle")
            if not isinstance(event, events.MouseEvent):
                self.leave_the_gone()
            await super().on_event(event)
        if self._settling is None:
            self._do_awaiting()

    async def _settle(self) -> None:
        """Wait until the last key has taken effect, then let the next one in."""
        try:
            if self._late is None or self._late.is_set():
                async with asyncio.timeout(PATIENCE):
                    for _ in range(ROUNDS):
                        await self._round()
        except (TimeoutError, ScreenError):
            await self._opened()  # after that the next key comes in all the same
        finally:
            if self._settling is asyncio.current_task():
                self.call_later(self._give)
                self.call_after_refresh(self.keep_focus)  # what the key showed again may want it

    async def _opened(self) -> None:
        """Wait until the top screen and its widgets are mounted."""
        with suppress(TimeoutError, ScreenError):
            async with asyncio.timeout(OPENS):
                while not self.screen.is_mounted:
                    await asyncio.sleep(PATIENCE / 50)

    async def _round(self) -> None:
        node = self.focused or self.screen
        self._late = arrived = asyncio.Event()
        node.post_message(self.Passed(arrived))
        while not arrived.is_set() and node.is_attached:  # a node that is removed takes its messages with it
            with suppress(TimeoutError):
                await asyncio.wait_for(arrived.wait(), PATIENCE / 10)
        arrived.set()

    def on_input_queue_passed(self, message: Passed) -> None:
        message.arrived.set()


def _described(event: events.Event) -> str:
    """Return an input event in a word or two, without what was pasted."""
    if isinstance(event, events.Key):
        return event.key
    if isinstance(event, events.MouseEvent):
        return f"{type(event).__name__}({event.x},{event.y})"
    return f"{type(event).__name__}({len(event.text)} characters)" if isinstance(event, events.Paste) else repr(event)


NO_CLIPBOARD = ("linux", "cons25", "vt100", "vt102", "vt220")  # values of TERM for consoles without a clipboard


def sequences(text: str, environment: Mapping[str, str]) -> str:
    """Return what makes the terminal copy this text; inside tmux also the sequence that passes through it.

    tmux obeys the plain sequence with `set-clipboard on`, and hands on the other one with `allow-passthrough on`.
    '' for a console without a clipboard.
    """
    plain = f"\x1b]52;c;{b64encode(text.encode('utf-8', 'replace')).decode('ascii')}\x07"
    if environment.get("TMUX"):
        doubled = plain.replace("\x1b", "\x1b\x1b")
        return f"{plain}\x1bPtmux;{doubled}\x1b\\"
    return "" if environment.get("TERM", "") in NO_CLIPBOARD else plain


class CopyMenu(ListDialog[Copy], place="copy"):
    """Asks what to copy."""

    HELP = "Press Enter to copy the marked line. The terminal puts the text on the clipboard, over SSH too."
    BINDING_GROUP_TITLE = "Copy"
    ROWS = closing()

    def __init__(self, copies: Sequence[Copy]) -> None:
        super().__init__()
        self._copies = copies

    def choices(self) -> Sequence[Choice]:
        return [Choice(str(at), one.what, one.detail) for at, one in enumerate(self._copies)]

    def on_choices_taken(self, message: Choices.Taken) -> None:
        self.dismiss(self._copies[int(message.choice.value)])


class Copying(AppParts):
    """The part of the app that copies."""

    jobs: Jobs

    def copy_to_clipboard(self, text: str) -> None:
        """Have the terminal copy the text; Textual's own way does not pass through tmux."""
        self.note_copied(text)
        if self.own_driver is not None:
            self.own_driver.write(sequences(text, os.environ))

    def copies(self) -> list[Copy]:
        """Return what the shown screen offers, and always a command that opens it."""
        copies = [*cast("Answering[Any]", self.screen).copies()]
        if not any(one.what == COMMAND for one in copies):
            copies.append(command(*([] if self.current_mode == START else [self.current_mode])))
        return copies

    def copy_shown(self) -> None:
        """Copy what the screen offers; ask if that is more than one thing."""
        if not self._has_clipboard():
            return
        copies = self.copies()
        if len(copies) == 1:
            self._copy(copies[0])
        else:
            self.push_screen(CopyMenu(copies), lambda chosen: self._copy(cast("Copy", chosen)) if chosen else None)

    def put_on_clipboard(self, text: str, notice: str) -> None:
        """Have the terminal copy this text, and say so."""
        if self._has_clipboard():
            self._put((text, notice))

    def _has_clipboard(self) -> bool:
        """Return whether the terminal can copy; if not, say so."""
        if sequences("", os.environ):
            return True
        term = os.environ.get("TERM", "")
        self.notify(f"Not copied: a console with TERM={term} has no clipboard", severity="warning")
        return False

    def _copy(self, one: Copy) -> None:
        """Copy a text at once; make lines in a job first."""
        if one.lines is None:
            self._put(one.read())
        else:
            job = self.jobs.start("copying", lambda progress: one.read())
            job.add_done_callback(lambda job: job.hand_over(self._put, self._not_copied))

    def _not_copied(self, why: str) -> None:
        self.notify(f"Not copied: {why or 'stopped'}", severity="warning")

    def _put(self, read: tuple[str, str]) -> None:
        text, notice = read
        self.copy_to_clipboard(text)
        self.notify(notice)


LEFT = 1  # the button that selects
OWN_DRAG = (Input, ScrollBar)  # where a drag means something else
ACTS = ("@click", "option")  # parts of a style that a click acts on


class Mouse(Copying, Painting):
    """The part of the app that selects, and shows what a click would do."""

    _begin: Offset | None = None  # where the button went down
    _place: Any = None  # the screen there, and its size: a drag ends when another one is shown
    _within = Region()  # the widget there, which a selection does not leave
    _dragged = False

    def takes_input(self, event: events.Event) -> bool:
        if isinstance(event, events.MouseMove) and not event.button and not shell(self).slow:
            self._hover(event.screen_offset)
        elif isinstance(event, events.Key | events.MouseEvent):
            self._hover(None)
        if isinstance(event, events.MouseDown):
            self._unmark()
            self._begin, self._place = self._start(event), (self.screen, self.size)
        elif isinstance(event, events.MouseMove):
            if self._begin is not None and self._place != (self.screen, self.size):
                self._unmark()
            if self._begin is not None and event.button == LEFT and self._drag(event.screen_offset):
                return False
        elif isinstance(event, events.MouseUp):
            dragged, self._begin, self._dragged = self._dragged, None, False
            if dragged:
                self.forget_press()  # so it is no click
                text = self.picture.marked_text.strip("\n")
                if text.strip():
                    lines = text.count("\n") + 1
                    self.put_on_clipboard(text, f"copied: {f'{lines} lines' if lines > 1 else text.strip()}")
        elif isinstance(event, events.Key):
            self._unmark()
        return super().takes_input(event)

    def _start(self, event: events.MouseDown) -> Offset | None:
        if event.button != LEFT:
            return None
        try:
            widget, region = self.screen.get_widget_at(*event.screen_offset)
        except NoWidget:
            return None
        inside = widget.content_region  # without its frame, also if the drag begins there
        self._within = (inside if inside.area else region).intersection(self.size.region)
        return self._clamped(event.screen_offset) if self._within.area and not isinstance(widget, OWN_DRAG) else None

    def _clamped(self, to: Offset) -> Offset:
        """Return the nearest place in the widget."""
        within = self._within
        return Offset(min(max(to.x, within.x), within.right - 1), min(max(to.y, within.y), within.bottom - 1))

    def _drag(self, to: Offset) -> bool:
        """Mark what lies between the beginning and here; return whether there is anything yet."""
        begin, within = self._begin, self._within
        assert begin is not None
        here = self._clamped(to)
        self._dragged = self._dragged or here != begin
        first, last = sorted((begin, here), key=lambda at: (at.y, at.x))
        rows = range(first.y, last.y + 1) if self._dragged else ()
        self.picture.mark(
            {y: (first.x if y == first.y else within.x, last.x + 1 if y == last.y else within.right) for y in rows}
        )
        self.paint()
        return self._dragged

    def _unmark(self) -> None:
        self._begin, self._dragged = None, False
        self.picture.mark({})
        self.paint()

    # What a click would do.

    def _hover(self, at: Offset | None) -> None:
        """Underline what lies at this place of the screen, and nothing else."""
        if self.picture.hover(None if at is None else self._span(at)):
            self.paint()

    def _span(self, at: Offset) -> Span | None:
        """Return the row, first and last (exclusive) column of the lower edge of what a click at a place acts on."""
        try:
            widget, region = self.screen.get_widget_at(*at)
        except NoWidget:
            return None
        region = region.intersection(self.size.region)
        target = self._target(widget, at)

        def same(x: int, y: int) -> bool:
            return region.contains(x, y) and self._target(widget, Offset(x, y)) == target

        if target is None:
            return None
        first, last, low = at.x, at.x + 1, at.y
        while same(first - 1, at.y):
            first -= 1
        while same(last, at.y):
            last += 1
        while same(at.x, low + 1):
            low += 1
        return low, first, last

    def _target(self, widget: Widget, at: Offset) -> object:
        for node in widget.ancestors_with_self:
            if (target_at := getattr(node, "target_at", None)) is not None and (target := target_at(at)) is not None:
                return target
        meta = self.screen.get_style_at(*at).meta
        return next((meta[act] for act in ACTS if act in meta), None)
