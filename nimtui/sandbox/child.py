"""What runs in a sandbox: closes its process in, and calls the service that was asked for."""

from __future__ import annotations

import importlib
import mmap
import os
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from nimtui.process import children
from nimtui.sandbox.closing import STORE, Bounds, Limits, close_in
from nimtui.sandbox.wire import Wire

FAILED = 70  # the exit status if the service itself failed, not the own code
MOST_FILES = 1024  # the highest number of a file that the server may have open
DOING, PLACE = 100, 512  # bytes for the current step, and for step and place together; the deadline follows
DEADLINE = struct.Struct("d")
PAGE = PLACE + DEADLINE.size


class Page:
    """Memory that a sandbox and nimtui share: what the sandbox does now, where, and until when it has time for that.

    Nimtui can read it when the sandbox answers no more.
    """

    def __init__(self, file: int) -> None:
        self._bytes = mmap.mmap(file, PAGE)

    def note(self, doing: str, where: str | None = None) -> None:
        """Note the current step, and its place if that changes."""
        self._bytes[:DOING] = doing.encode()[:DOING].ljust(DOING, b"\0")
        if where is not None:
            self._bytes[DOING:PLACE] = where.encode()[: PLACE - DOING].ljust(PLACE - DOING, b"\0")

    def due(self, until: float) -> None:
        """Note the deadline of the current step, as `monotonic` counts; 0: none."""
        self._bytes[PLACE:] = DEADLINE.pack(until)

    def read(self) -> tuple[str, str, float]:
        """Return step, place and deadline."""
        texts = (self._bytes[:DOING], self._bytes[DOING:PLACE])
        doing, where = (text.rstrip(b"\0").decode(errors="replace") for text in texts)
        return doing, where, float(DEADLINE.unpack(self._bytes[PLACE:])[0])


def main(link: int, page: int, streams: Sequence[int], scratch: str) -> NoReturn:
    """Serve nimtui at the other end of `link`, and end this process. `streams` become stdin, stdout and stderr."""
    status = FAILED
    try:
        os.setsid()
        children.die_with_parent()
        shared = Page(page)
        for number, file in enumerate(streams):
            os.dup2(file, number)
        os.closerange(3, link)  # all files of the server, except the socket
        os.closerange(link + 1, MOST_FILES)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        children.handle(("SIGHUP", "SIGTERM", "SIGQUIT"), signal.SIG_DFL)
        _serve(Wire(socket.socket(fileno=link)), shared, scratch)
        status = 0
    finally:
        with suppress(OSError):
            os.kill(os.getppid(), signal.SIGCONT)  # own code may have suspended the server
        os._exit(status)


def _serve(wire: Wire, page: Page, scratch: str) -> None:
    order = wire.receive()
    wire.seal = bytes.fromhex(order["seal"])
    os.environ.clear()
    bounds = Bounds(*order["bounds"])
    os.environ.update({**order["environment"], STORE: bounds.store, "TMPDIR": scratch})
    tempfile.tempdir = None  # as the server had it
    with suppress(OSError):  # bubblewrap shows no folder that the process may not read
        os.chdir(order["folder"])
    sys.path[:] = order["paths"]
    Limits(*order["limits"]).apply()
    wire.send({"closed": close_in(bounds._replace(writes=(*bounds.writes, scratch)))})
    module, _, function = order["service"].partition(":")
    getattr(importlib.import_module(module), function)(wire, page)
