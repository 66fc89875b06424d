"""The terminal's driver: Textual's for Unix, which whatever comes from the terminal cannot bring down."""

from __future__ import annotations

import os
import re
import select
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

TURN = 0.1  # seconds between two looks whether the app has ended
MOST = 4096  # bytes a read
SEQUENCES = re.compile("(?=\x1b)")


class SteadyDriver(LinuxDriver):
    """Reads keys and answers of the terminal; what is no key, or no UTF-8, is passed over."""

    def run_input_thread(self) -> None:
        decode = getincrementaldecoder("utf-8")("replace").decode
        hearing = Hearing(self._debug)
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], TURN)
            data = os.read(self.fileno, MOST) if ready else b""
            if ready and not data:  # the terminal is gone
                time.sleep(TURN)
            for message in hearing.hear(decode(data)):
                self.process_message(message)

    def _disable_mouse_support(self) -> None:
        super()._disable_mouse_support()
        if self._mouse:
            self.write("\x1b[?1016l")  # reports in pixels, which Textual leaves on
            self.flush()


class Hearing:
    """Makes messages of what a terminal sends, piece by piece."""

    def __init__(self, debug: bool = False) -> None:
        self._debug = debug
        self._parser = XTermParser(debug)

    def hear(self, text: str) -> Iterator[Message]:
        """Yield the messages of this text, and those that were due by now.

        A sequence that Textual's parser fails at is lost, and what comes after it is not.
        """
        for piece in SEQUENCES.split(text):
            try:
                if piece:
                    yield from self._parser.feed(piece)
            except Exception:  # noqa: BLE001 - a terminal may send anything
                self._parser = XTermParser(self._debug)
        try:
            yield from self._parser.tick()
        except Exception:  # noqa: BLE001
            self._parser = XTermParser(self._debug)
