"""A small process that forks the sandboxes. It has loaded what they need, so that each starts at once.

It belongs to the process that started it. When that ends for any reason, the server kills all that it forked, and
exits. No own code runs here, so nothing can prevent that. What it forks closes itself in, and calls the service that
was asked for.
"""

from __future__ import annotations

import importlib
import mmap
import os
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn

from nimtui.process import children
from nimtui.sandbox.closing import STORE, Bounds, Limits, close_in
from nimtui.sandbox.wire import Message, Wire

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


def begin(link: int, page: int, streams: Sequence[int], scratch: str) -> NoReturn:
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


FROM_TERMINAL = ("SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT")
SURVIVED = 1 << 32  # the answer if a process did not end by itself
OVER_MEMORY, OVER_PROCESSES = SURVIVED + 1, SURVIVED + 2  # the answers if the server killed it for that
LOOK = 0.05  # seconds between two looks at what the watched processes use
GRACE = 0.2  # seconds between hanging up and being gone
FILES = 5  # the most that come with an order
PREFIX = "nimtui-scratch-"  # of the folder in which each sandbox has one


def main(number: int) -> None:
    """Serve the parent at the other end of this socket until it closes."""
    children.handle(FROM_TERMINAL, signal.SIG_IGN)
    children.silence()
    children.adopt()
    server = Server(socket.socket(fileno=number))
    try:
        while server.serve():
            pass
    except (OSError, EOFError):  # the parent ended in the middle of a message
        pass
    finally:
        server.end()
        os._exit(0)


class Server:
    """The running sandboxes."""

    def __init__(self, link: socket.socket) -> None:
        self.wire = Wire(link)
        self._running: dict[int, str] = {}  # numbers of processes, and their folders for scratch
        self._watched: dict[int, dict[str, int]] = {}  # those of them that may use so much
        self._over: dict[int, int] = {}  # those that used more, and what
        self._scratch = children.temporary_folder(PREFIX)

    def serve(self) -> bool:
        """Obey one order. Returns False if the other end is closed."""
        while self._watched and not select.select([self.wire.link], [], [], LOOK)[0]:
            self._look()
        mark, files, _, _ = socket.recv_fds(self.wire.link, 1, FILES)
        if not mark:
            return False
        order = self.wire.receive()
        number = order.get("number", 0)
        if order["do"] == "start":
            answer = self._start(order, files)
        else:
            answer = self._end(number, GRACE if order["do"] == "lost" else 0.0) if number in self._running else 0
            children.end_strays(self._running)
        self.wire.send({"answer": answer})
        return True

    def _start(self, order: Message, files: list[int]) -> int:
        """Fork a process that serves the first file, a socket; the second is its page, further ones its streams.

        Returns the number of the process, or a negative errno.
        """
        for module in order["loads"]:
            with suppress(Exception):  # it then fails in the child, which can say so
                getattr(importlib.import_module(module), "load", bool)()
        try:
            Path(self._scratch).mkdir(0o700, parents=True, exist_ok=True)  # somebody may have tidied up
            scratch = tempfile.mkdtemp(dir=self._scratch)
            number = os.fork()
        except OSError as fault:
            return -(fault.errno or 1)
        else:
            if not number:
                self.wire.link.close()
                begin(files[0], files[1], files[2:], scratch)
        finally:
            for file in files:
                os.close(file)
        self._running[number] = scratch
        if order["watch"]:
            self._watched[number] = order["watch"]
        return number

    def _look(self) -> None:
        """Kill the watched processes that use too much, with all their descendants, and orphans that left them."""
        for number, most in list(self._watched.items()):
            family = children.family(number)
            memory = sum(map(children.memory, family))
            if memory > most["memory"] or len(family) > most["processes"]:
                self._over[number] = OVER_MEMORY if memory > most["memory"] else OVER_PROCESSES
                del self._watched[number]
                children.kill(number)
                for each in family[1:]:
                    with suppress(OSError):
                        os.kill(each, signal.SIGKILL)
        children.end_strays(self._running)

    def _end(self, number: int, grace: float) -> int:
        """End a process and its process group. Returns its status of `os.waitpid`, SURVIVED if it had to be killed."""
        status = SURVIVED
        self._watched.pop(number, None)
        until = monotonic() + grace
        while not (ended := os.waitpid(number, os.WNOHANG))[0] and monotonic() < until:
            sleep(0.002)
        if ended[0]:
            status = ended[1]
            with suppress(OSError):
                os.killpg(number, signal.SIGKILL)  # the rest of its group
        else:
            children.kill(number)
            with suppress(OSError):
                os.waitpid(number, 0)
        shutil.rmtree(self._running.pop(number), ignore_errors=True)
        return self._over.pop(number, status)

    def end(self) -> None:
        """Kill all that still runs."""
        for number in self._running:
            children.kill(number)
        children.end_strays()
        shutil.rmtree(self._scratch, ignore_errors=True)
