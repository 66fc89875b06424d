"""Handles keys and clicks one after another, each on the screen that the previous one opened.

Textual passes every key of one read to the widget with the focus at that moment. If the first key opens or closes a
screen, the others reach a removed one. Here each key waits until the previous one has taken effect.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from textual import events
from textual.app import ScreenError
from textual.message import Message

from nimtui.ui.kit.contract.stack import ScreenStack

ROUNDS = 4  # a key's binding · the message it posts · the answer of a dialog · the screen that opens
PATIENCE = 0.25  # seconds until a key stops waiting for the previous one
OPENS = 5.0  # seconds that a key waits for a screen to open, on a busy machine
LEAVING = frozenset({"ctrl+q", "ctrl+c"})  # keys that overtake all others
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
            await super().on_event(event)
            return
        if isinstance(event, events.Key) and event.key in LEAVING:
            self._typed.clear()  # quitting waits for nothing
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


ASK = "\x1b[5n"  # the question for the status
ASK_CELL = "\x1b[16t"  # for the height and width of a cell in pixels
SILENCE = 5  # silent reads in a row until an answer without an end is taken to be over

BODY = r"[^\x1b\x07\x9c]"  # of a string
STATUS = re.compile(r"\x1b\[[03]n")
CELL = re.compile(r"\x1b\[6;(\d{1,4});(\d{1,4})t")
OTHERS = re.compile(rf"\x1b(?:\[[?>=][\d;]*[cn]|[]PX^_]{BODY}*(?:\x1b\\|[\x07\x9c]))")  # what it is; colours, settings
STRING = re.compile(rf"\x1b(?:\]\d{{1,4}};|P[\d;]{{0,8}}[$+>|!]){BODY}{{0,4096}}\x1b?\Z")  # without its end
BEGUN = re.compile(rf"{STRING.pattern}|\x1b(?:\[[?>=]?[\d;]{{0,32}}|\]\d{{0,4}}|P[\d;]{{0,8}})\Z")


class CellSize(Message):
    """The terminal has answered `ASK_CELL`."""

    def __init__(self, across: int, down: int) -> None:
        super().__init__()
        self.across, self.down = across, down  # pixels


class Heard(NamedTuple):
    """What a read held."""

    text: str  # without the answers
    statuses: int  # answers to `ASK`
    escaped: bool  # whether the text takes up the Escape that ended the read before
    cell: tuple[int, int] | None = None  # the answer to `ASK_CELL`: across and down


class Answers:
    """Finds answers in what a terminal sends, read by read."""

    def __init__(self) -> None:
        self._begun = ""  # the beginning of a sequence that the next read may complete
        self._escape = False  # whether the read before ended with an Escape, which was passed on
        self._silent = 0

    def hear(self, text: str) -> Heard:
        """Return what a read held ('' if it brought nothing)."""
        if not text:
            return self._silence()
        self._silent = 0
        escaped = self._escape and text[0] in "[]P"
        self._escape = False
        if escaped:
            text = "\x1b" + text
        text, self._begun = self._begun + text, ""
        text, statuses = STATUS.subn("", text)
        cells = CELL.findall(text)
        text = OTHERS.sub("", CELL.sub("", text))
        if (begun := BEGUN.search(text)) is not None:
            text, self._begun = text[: begun.start()], begun[0]
        else:
            self._escape = text.endswith("\x1b")
        return Heard(text, statuses, escaped, (int(cells[-1][1]), int(cells[-1][0])) if cells else None)

    def _silence(self) -> Heard:
        """Give up waiting for an end: half a string is dropped, and half a key is left to the parser of keys."""
        self._silent += 1
        self._escape = False  # it was a key
        if not self._begun or self._silent < SILENCE:
            return Heard("", 0, False)
        begun, self._begun = self._begun, ""
        return Heard("" if STRING.match(begun) else begun, 0, False)
