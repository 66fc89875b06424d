"""Unix sockets that answer questions on one machine: a server in threads of its own, and the asking side.

A question and an answer are a line of JSON each. One question is open at a time, so no slow reader piles answers up.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

LONGEST_QUESTION = 10_000  # bytes
LONGEST_ANSWER = 2**26  # bytes
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
    """Listens at an address, and answers each question by `answer`, one at a time. Raises OSError if it cannot.

    Each asker has a thread, so one that does not read its answer delays no other.
    """

    def __init__(self, name: str, answer: Callable[[dict[str, Any]], bytes]) -> None:
        self.path = folder() / name
        self._answer = answer
        self._answering = threading.Lock()
        self._listening = socket.socket(socket.AF_UNIX)
        try:
            self._listening.bind(os.fspath(self.path))
            self.path.chmod(0o600)
            self._listening.listen()
        except OSError:
            self._listening.close()
            raise
        self._closed = False
        self.askers: set[socket.socket] = set()  # the others who are connected
        self._thread = threading.Thread(target=self._listen, name="sockets", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the threads, and remove the address."""
        self._closed = True
        with suppress(OSError):
            Asker(os.fspath(self.path)).close()  # wakes the thread that listens
        self._thread.join(PATIENCE)
        with suppress(OSError):
            self.path.unlink()
        for link in list(self.askers):
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def _listen(self) -> None:
        with self._listening:
            while not self._closed:
                with suppress(OSError):
                    link = self._listening.accept()[0]
                    self.askers.add(link)
                    threading.Thread(target=self._attend, args=(link,), name="sockets", daemon=True).start()

    def _attend(self, link: socket.socket) -> None:
        """Answer one asker until it is gone, or asks what is no question."""
        with (
            suppress(OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError),
            link,
            link.makefile("rb") as questions,
        ):
            while line := questions.readline(LONGEST_QUESTION):
                with self._answering:
                    answer = self._answer(json.loads(line))
                link.sendall(answer + b"\n")
        self.askers.discard(link)


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
        self._answers = self._socket.makefile("rb")

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question. Raises OSError, and ValueError if it is none."""
        self._socket.sendall(json.dumps(question).encode() + b"\n")
        if not (line := self._answers.readline(LONGEST_ANSWER)):
            raise ConnectionError("the run does not answer")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        self._answers.close()
        self._socket.close()


def clear() -> None:
    """Remove the addresses at which nobody listens any more: those of killed processes."""
    for path in folder().glob("*.sock"):
        with suppress(OSError):
            try:
                Asker(os.fspath(path)).close()
            except ConnectionRefusedError:
                path.unlink()
