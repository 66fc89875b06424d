"""A terminal that is a list of bytes: read as the app's own driver reads a real one, without its thread."""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import Any

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.message import Message

from nimtui.ui.app.driver import InputParser


class Wire(HeadlessDriver):
    """Takes what is typed, and counts what is written.

    All events of one write are in the app's queue before any of them is handled, as after a stalled link.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._hearing = InputParser()
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self.written = 0

    @property
    def is_headless(self) -> bool:
        """Not: then nothing would be drawn."""
        return False

    def write(self, data: str) -> None:
        self.written += len(data)

    def send_message(self, message: Message) -> None:
        self._app.post_message(message)

    def type(self, data: bytes) -> int:
        """Read these bytes at once; returns how many events they were."""
        found = list(self._hearing.hear(self._decode(data)))
        parser = self._hearing._parser
        parser._timeout_time = 0.0 if parser._awaiting.timeout is not None else None
        found += self._hearing.hear("")  # an Escape that nothing follows
        for event in found:
            self.process_message(event)
        return max(1, len(found))

    def resize(self, columns: int, lines: int) -> None:
        size = Size(columns, lines)
        self._size = (columns, lines)
        self._app.post_message(events.Resize(size, size))
