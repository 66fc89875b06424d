"""Starts and ends agents' processes through the fork server, on the side of the main process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from nimtui import children
from nimtui.agents.isolated.fork_server import ANSWER, END, LOST, ORDER, START, SURVIVED

STARTS = 60.0  # seconds for the fork server to start, on a busy machine
ANSWERS = 10.0  # seconds for any other command
CODE = "import sys; sys.path[:] = {paths!r}; from nimtui.agents.isolated.fork_server import main; main({number})"
ALIKE = {"PYTHONHASHSEED": "0"}  # sets have the same order in every process


def possible() -> bool:
    """Return whether this system can fork processes and send sockets to them."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds")


class ForkedProcess:
    """A forked process with the socket to it."""

    def __init__(self, server: _ForkServer, number: int, link: socket.socket) -> None:
        self._fork_server, self.number, self.link = server, number, link

    def let_go(self) -> None:
        """Close the socket without waiting: the process ends by itself, and the fork server hears of it later."""
        self.link.close()
        self._fork_server.let_go.append(self.number)

    def end(self) -> None:
        """Kill the process at once."""
        self.link.close()
        self._fork_server.ask(END, self.number)

    def how_it_ended(self) -> str:
        """Return how a process that hung up ended: 'exit status 3', 'signal SIGSEGV', or ''. Kills it if it lives."""
        self.link.close()
        status = self._fork_server.ask(LOST, self.number)
        return "" if status == SURVIVED else children.how_it_ended(status)


class _ForkServer:
    """The process that forks the agents' processes."""

    def __init__(self) -> None:
        """Start the server. Raises OSError if that fails."""
        self._lock = threading.Lock()  # one question at a time
        self.let_go: deque[int] = deque()  # processes that hung up and may still run
        self._link, other = socket.socketpair()
        with other:
            code = CODE.format(paths=sys.path, number=other.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,
                env=os.environ | children.ONE_THREAD | ALIKE,
            )
        self.lost = False
        self._link.settimeout(children.BEAT)
        with self._losing():
            self._hear(STARTS)

    def start(self) -> ForkedProcess:
        """Fork a process. Raises OSError if that fails."""
        here, there = socket.socketpair()
        try:
            with there, self._lock:
                self._tidy_up()
                with self._losing():
                    socket.send_fds(self._link, [ORDER.pack(START, 0)], [there.fileno()])
                    number = self._hear()
            if number <= 0:
                raise OSError(-number, os.strerror(-number))
        except OSError:
            here.close()
            raise
        return ForkedProcess(self, number, here)

    def ask(self, what: bytes, number: int) -> int:
        """Return the server's answer, or SURVIVED if the server is gone, and all its processes with it."""
        try:
            with self._lock:
                self._tidy_up()
                return self._ask(what, number)
        except OSError:
            return SURVIVED

    def _tidy_up(self) -> None:
        while self.let_go:
            self._ask(LOST, self.let_go.popleft())

    def _ask(self, what: bytes, number: int) -> int:
        with self._losing():
            self._link.sendall(ORDER.pack(what, number))
            return self._hear()

    def _hear(self, seconds: float = ANSWERS) -> int:
        answer, until = b"", monotonic() + seconds
        while len(answer) < ANSWER.size:
            try:
                part = self._link.recv(ANSWER.size - len(answer))
            except TimeoutError:
                children.wake(self._process)
                if monotonic() > until:
                    raise
                continue
            if not part:
                raise ConnectionResetError("the process that starts agents has ended")
            answer += part
        (value,) = ANSWER.unpack(answer)
        return int(value)

    def end(self) -> None:
        """Let the server end, also if an agent has suspended it."""
        self._link.close()
        children.wake(self._process)

    @contextmanager
    def _losing(self) -> Iterator[None]:
        """Kill the server if a command is interrupted, also by Ctrl+C: a late answer would look like the next one."""
        try:
            yield
        except BaseException:
            self.lost = True
            self._link.close()
            with suppress(OSError):
                self._process.kill()
            self._process.wait()
            raise


_server: _ForkServer | None = None
_starting = threading.Lock()


def start_fork_server() -> None:
    """Start the fork server in the background, so that the first agent need not wait for it."""
    if possible():
        threading.Thread(target=_start_quietly, name="agents' fork server", daemon=True).start()


def end() -> None:
    """Let the fork server end. Code that ends this process at once calls this."""
    if _server is not None:
        _server.end()


def _start_quietly() -> None:
    with suppress(OSError):
        _running()


def start() -> ForkedProcess:
    """Return a new process for an agent. Raises OSError if that fails."""
    for last in (False, True):
        server = _running()
        try:
            return server.start()
        except OSError:
            if last or not server.lost:
                raise
    raise AssertionError


def _running() -> _ForkServer:
    global _server
    with _starting:
        if _server is None or _server.lost:
            _server = _ForkServer()
        return _server
