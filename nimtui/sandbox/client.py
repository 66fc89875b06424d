"""Starts, asks and ends sandboxes through the fork server, on the side of nimtui."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, Popen
from time import monotonic
from typing import Any

from nimtui.process import children
from nimtui.sandbox import closing
from nimtui.sandbox.closing import Bounds, Limits
from nimtui.sandbox.server import PAGE, SURVIVED, Page
from nimtui.sandbox.wire import SEAL, BadMessage, Message, Wire

STARTS = 60.0  # seconds for the fork server to start, on a busy machine
ANSWERS = 10.0  # seconds for any other order
SENDS = 30.0  # seconds for a waiting process to read a question, on a busy machine
CODE = "import sys; sys.path[:] = {paths!r}; from nimtui.sandbox.server import main; main({number})"
USUAL = Limits()
ALIKE = {"PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore"}  # sets have the same order in every process


def possible() -> bool:
    """Return whether this system can fork processes and send sockets to them."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds")


class Sandbox:
    """A process that runs a service on own code, until it or this object ends. Not thread-safe."""

    def __init__(
        self,
        service: str,
        bounds: Bounds,
        limits: Limits = USUAL,
        *,
        loads: Collection[str] = (),
        environment: Mapping[str, str] = {},
        streams: Sequence[int] = (),
        watch: Mapping[str, int] = {},
    ) -> None:
        """Start `module:function` of nimtui, which gets the wire and the shared page.

        The server imports the modules of `loads` before it forks. `environment` adds to that of this process.
        `streams`: open files for stdin, stdout and stderr. `watch`: the most `memory` in bytes and `processes`, beyond
        which the server kills the process. Raises OSError if that fails.
        """
        self.closed: tuple[str, ...] | None = None  # what closes it in; None: it did not say yet
        if bounds.store:
            with suppress(OSError):  # then each sandbox compiles for itself
                Path(bounds.store).mkdir(parents=True, exist_ok=True)
        handle = _shared_file()
        try:
            self._server, self.number, link = _start(
                {"loads": [service.partition(":")[0], *loads], "watch": dict(watch)}, [handle, *streams], bounds
            )
            self.page = Page(handle)
        finally:
            os.close(handle)
        self._finalizer = weakref.finalize(self, _let_go, self._server, self.number, link)
        self._finalizer.atexit = False  # the fork server kills them at exit
        self._wire = Wire(link, most=limits.message)
        seal = os.urandom(SEAL)
        order = {
            "service": service,
            "seal": seal.hex(),
            "environment": {**os.environ, **environment},
            "folder": _folder(),
            "paths": sys.path,
            "limits": limits,
            "bounds": bounds,
        }
        try:
            self.send(order)
        except OSError:
            self.end()
            raise
        self._wire.seal = seal

    @property
    def lost(self) -> bool:
        """Return whether the fork server died, and this process with it."""
        return self._server.lost

    def fileno(self) -> int:
        """Return the number of the socket, for `select`."""
        return self._wire.link.fileno()

    def send(self, message: Message) -> None:
        """Send a message. Raises OSError if the process does not read it."""
        self._wire.link.settimeout(SENDS)
        self._wire.send(message)

    def receive(self, seconds: float) -> Message:
        """Return the next message. Raises TimeoutError, BadMessage, or EOFError if the process hung up."""
        self._wire.link.settimeout(seconds)
        try:
            message = self._wire.receive()
            if self.closed is None:
                self.closed = (*self._server.closed, *map(str, message["closed"]))
                message = self._wire.receive()
        except ConnectionError:
            raise EOFError from None
        except (LookupError, TypeError):
            raise BadMessage from None
        return message

    def end(self) -> None:
        """Kill the process at once."""
        self._ask("end")

    def how_it_ended(self) -> int | None:
        """Return the status of a process that hung up, as of `os.waitpid`. Kills it and returns None if it lives."""
        status = self._ask("lost")
        return None if status == SURVIVED else status

    def _ask(self, what: str) -> int:
        if not self._finalizer.detach():
            return SURVIVED
        self._wire.link.close()
        return self._server.ask(what, self.number)


def _let_go(server: _Server, number: int, link: socket.socket) -> None:
    """Close the socket without waiting: the process ends by itself, and the fork server hears of it later."""
    link.close()
    server.let_go.append(number)


def _shared_file() -> int:
    """Return an open file of the size of a page that has no name."""
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("nimtui")
    else:
        with tempfile.TemporaryFile() as file:
            handle = os.dup(file.fileno())
    os.truncate(handle, PAGE)
    return handle


def _folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was removed
        return os.sep


class _Server:
    """The process that forks the sandboxes."""

    def __init__(self, bounds: Bounds) -> None:
        """Start the server; bubblewrap, if it is needed, closes it in. Raises OSError if that fails."""
        wrapping = closing.wrapping(bounds)
        self.closed = ("bubblewrap",) if wrapping else ()
        self._lock = threading.Lock()  # one question at a time
        self.let_go: deque[int] = deque()  # processes that hung up and may still run
        self._link, other = socket.socketpair()
        self._wire = Wire(self._link)
        with other:
            code = CODE.format(paths=sys.path, number=other.fileno())
            self._process = Popen(
                [*wrapping, sys.executable, "-c", code],
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,
                env=os.environ | children.ONE_THREAD | ALIKE,
            )
        self.lost = False
        self._link.settimeout(children.BEAT)
        self._ask({"do": "end"}, seconds=STARTS)  # answered once it is ready

    def start(self, order: Message, files: Sequence[int]) -> tuple[int, socket.socket]:
        """Fork a process that gets these files. Returns its number and its socket. Raises OSError if that fails."""
        here, there = socket.socketpair()
        try:
            with there, self._lock:
                self._tidy_up()
                number = self._ask({**order, "do": "start"}, [there.fileno(), *files], STARTS)
            if number <= 0:
                raise OSError(-number, os.strerror(-number))
        except OSError:
            here.close()
            raise
        return number, here

    def ask(self, what: str, number: int) -> int:
        """Return the server's answer, or SURVIVED if the server is gone, and all its processes with it."""
        try:
            with self._lock:
                self._tidy_up()
                return self._ask({"do": what, "number": number})
        except OSError:
            return SURVIVED

    def _tidy_up(self) -> None:
        while self.let_go:
            self._ask({"do": "lost", "number": self.let_go.popleft()})

    def _ask(self, order: dict[str, Any], files: Collection[int] = (), seconds: float = ANSWERS) -> int:
        """Return the server's answer to an order.

        Kills the server if that is interrupted, also by Ctrl+C: a late answer would look like the next one.
        """
        until = monotonic() + seconds
        try:
            socket.send_fds(self._link, [b"."], list(files))
            self._wire.send(order)
            while True:
                try:
                    return int(self._wire.receive()["answer"])
                except TimeoutError:
                    children.wake(self._process)
                    if monotonic() > until:
                        raise
        except BaseException as fault:
            self.lost = True
            self._link.close()
            with suppress(OSError):
                self._process.kill()
            self._process.wait()
            if isinstance(fault, EOFError | BadMessage):
                raise ConnectionResetError("the process that starts agents has ended") from None
            raise

    def end(self) -> None:
        """Let the server end, also if own code has suspended it."""
        self.lost = True
        self._link.close()
        children.wake(self._process)


_servers: dict[Bounds | None, _Server] = {}  # by what bubblewrap closes in; None: one for all, as without it
_starting = threading.Lock()


def get_ready() -> None:
    """Start the fork server in the background, so that the first sandbox need not wait for it."""
    if possible() and not closing.bubblewrap():
        threading.Thread(target=_start_quietly, name="sandboxes", daemon=True).start()


def runs() -> bool:
    """Return whether a fork server runs."""
    return any(not server.lost for server in _servers.values())


def end() -> None:
    """Let the fork servers end, and all sandboxes. Code that ends this process at once calls this."""
    for server in _servers.values():
        server.end()


def _start_quietly() -> None:
    with suppress(OSError):
        _running(Bounds())


def _start(order: Message, files: Sequence[int], bounds: Bounds) -> tuple[_Server, int, socket.socket]:
    for last in (False, True):
        server = _running(bounds)
        try:
            return server, *server.start(order, files)
        except OSError:
            if last or not server.lost:
                raise
    raise AssertionError


def _running(bounds: Bounds) -> _Server:
    place = bounds if closing.bubblewrap() else None
    with _starting:
        if (server := _servers.get(place)) is None or server.lost:
            server = _servers[place] = _Server(bounds)
        return server
