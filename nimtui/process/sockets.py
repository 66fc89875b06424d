"""Unix sockets that answer questions on one machine: a server in a thread of its own, and the asking side.

A question and an answer are a line of JSON each. One question is open at a time, so no slow reader piles answers up.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import stat
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

Answer: TypeAlias = Callable[[dict[str, Any]], bytes]

LONGEST_QUESTION = 10_000  # bytes
LONGEST_ANSWER = 2**26  # bytes
BLOCK = 2**16  # bytes read or sent at a time
PATIENCE = 2.0  # seconds for an answer: the run may be in the middle of a chunk
ALONE = 0o700  # for the user alone


def folder() -> Path:
    """Return the private folder of sockets, made if it is missing: a home's path may be too long for a socket.

    Raises OSError if another user owns it.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and Path(runtime).is_absolute() and os.access(runtime, os.W_OK):
        place = Path(runtime) / "nimtui"
    else:
        place = Path(tempfile.gettempdir()) / f"nimtui-{os.getuid()}"
    place.mkdir(mode=ALONE, exist_ok=True)
    status = place.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise PermissionError(f"{place} is not a folder of this user")
    if status.st_mode & 0o077:
        place.chmod(ALONE)
    return place


class Server:
    """Listens at an address, and answers each question by `answer`, in a thread. Raises OSError if it cannot."""

    def __init__(self, name: str, answer: Answer) -> None:
        self.path = folder() / name
        self._answer = answer
        self._listening = socket.socket(socket.AF_UNIX)
        try:
            self._listening.bind(os.fspath(self.path))
            self.path.chmod(0o600)
            self._listening.listen()
        except OSError:
            self._listening.close()
            raise
        self._wake, self._woken = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        for end in (self._listening, self._woken):
            end.setblocking(False)
            self._selector.register(end, selectors.EVENT_READ)
        self._clients: dict[socket.socket, _Client] = {}
        self._thread = threading.Thread(target=self._serve, name="sockets", daemon=True)
        self._thread.start()

    @property
    def clients(self) -> int:
        """Return how many others are connected."""
        return len(self._clients)

    def close(self) -> None:
        """End the thread, and remove the address."""
        self._wake.close()
        self._thread.join(PATIENCE)
        with suppress(OSError):
            self.path.unlink()

    def _serve(self) -> None:
        while True:
            for key, events in self._selector.select():
                if key.fileobj is self._woken:
                    return self._end()
                if key.fileobj is self._listening:
                    self._greet()
                else:
                    self._attend(self._clients[key.fileobj], events)  # type: ignore[index]  # a socket, as registered

    def _greet(self) -> None:
        with suppress(OSError):
            client = _Client(self._listening.accept()[0])
            self._clients[client.socket] = client
            self._selector.register(client.socket, selectors.EVENT_READ)

    def _attend(self, client: _Client, events: int) -> None:
        try:
            if events & selectors.EVENT_READ and (question := client.question()) is not None:
                client.outgoing += self._answer(question) + b"\n"
            client.send()
            wanted = selectors.EVENT_WRITE if client.outgoing else selectors.EVENT_READ
            self._selector.modify(client.socket, wanted)
        except (OSError, EOFError, ValueError, LookupError, TypeError, OverflowError):  # gone, or no such question
            self._part(client)

    def _part(self, client: _Client) -> None:
        self._selector.unregister(client.socket)
        del self._clients[client.socket]
        client.socket.close()

    def _end(self) -> None:
        for client in list(self._clients.values()):
            self._part(client)
        self._selector.close()
        for end in (self._listening, self._woken):
            end.close()


class _Client:
    """Another process that asks."""

    def __init__(self, link: socket.socket) -> None:
        self.socket, self.outgoing, self._incoming = link, b"", b""
        link.setblocking(False)

    def question(self) -> dict[str, Any] | None:
        """Return a whole question, if it is there. EOFError at the end, ValueError if it is none."""
        data = self.socket.recv(BLOCK)
        self._incoming += data
        if not data or len(self._incoming) > LONGEST_QUESTION:
            raise EOFError
        if not self._incoming.endswith(b"\n"):
            return None
        line, self._incoming = self._incoming, b""
        question = json.loads(line)
        if not isinstance(question, dict):
            raise TypeError
        return question

    def send(self) -> None:
        with suppress(BlockingIOError):
            while self.outgoing:
                self.outgoing = self.outgoing[self.socket.send(self.outgoing[:BLOCK]) :]


class Asker:
    """The asking side of a server at an address. Every call raises OSError if nobody answers in time."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question. Raises OSError, and ValueError if it is none."""
        self._socket.sendall(json.dumps(question).encode() + b"\n")
        received = bytearray()
        while not received.endswith(b"\n"):
            data = self._socket.recv(BLOCK)
            received += data
            if not data or len(received) > LONGEST_ANSWER:
                raise ConnectionError("the run does not answer")
        answer = json.loads(received)
        if not isinstance(answer, dict):
            raise ValueError("no answer")
        return answer

    def close(self) -> None:
        self._socket.close()


def clear() -> None:
    """Remove the addresses at which nobody listens any more: those of killed processes."""
    for path in folder().glob("*.sock"):
        probe = socket.socket(socket.AF_UNIX)
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            with suppress(OSError):
                path.unlink()
        except OSError:
            pass
        finally:
            probe.close()
