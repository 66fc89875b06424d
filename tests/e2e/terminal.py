"""A real terminal to run a program in: a pty, and pyte to know what it would show."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyte

from tests import forks
from tests.ui.cells import seen

KEYS = {"enter": "\r", "escape": "\x1b", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C"}
KEYS |= {"left": "\x1b[D", "pagedown": "\x1b[6~", "ctrl+g": "\x07", "f6": "\x1b[17~", "f9": "\x1b[20~"}
KEYS |= {f"f{at}": f"\x1bO{sign}" for at, sign in enumerate("PQRS", 1)}
PRIVATE = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]")  # pyte takes these for something else
STATUS = b"\x1b[5n"  # the question for the terminal's status
PERSONAL = ("NO_COLOR", "COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "LANG")  # of whoever runs the tests
IDLE = 2  # hundredths of a second that a program may use while it rests
LOOK = 0.05  # seconds that the reader waits for something to read
PATIENCE = 60.0  # seconds; only a program that fails, or a machine with much else to do, takes so long


class Terminal:
    """The program, begun in a terminal of this size; nimtui as a fork of a server, a `fresh` one by an interpreter."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        columns: int = 80,
        lines: int = 24,
        answers: bool = True,
        fresh: bool = False,
        **environment: str,
    ) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.sent = 0  # bytes, by the program
        self.raw = b""
        self.parts: list[tuple[float, bytes]] = []  # the same in the parts in which it came, each with its time
        self.asked = 0  # questions for the terminal's status
        self._empty = 0  # how often there was nothing to read
        self._answers = answers  # to them?
        self._shown = (-1, columns, lines), ""  # the text, and when it was that
        self._stream = pyte.ByteStream(self.screen)
        self._news = threading.Condition()
        self._status: int | None = None
        self._process: subprocess.Popen[bytes] | None = None  # forked by the server of forks
        keep = {name: value for name, value in os.environ.items() if name not in PERSONAL}
        environment = {"TERM": "xterm-256color", "NIMTUI_HOME": str(folder), **environment}
        folder.mkdir(parents=True, exist_ok=True)  # where it writes files without a folder
        size = struct.pack("HHHH", lines, columns, 0, 0)
        if fresh or command[0] != sys.executable:
            self.pid, self._fd = pty.fork()
            if self.pid == 0:
                os.chdir(folder)
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                os.execvpe(command[0], list(command), keep | environment)
        else:
            self._fd, end = pty.openpty()
            fcntl.ioctl(end, termios.TIOCSWINSZ, size)
            streams: Any = {"stdin": end, "stdout": end, "stderr": end}  # closed as soon as the program has them
            self._process = forks.Popen(
                list(command), cwd=folder, env=keep | environment, start_new_session=True, **streams
            )
            self.pid = self._process.pid
        self._reading, self._closed = True, False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.status() is None:
            os.kill(self.pid, signal.SIGKILL)
            self._process.wait() if self._process is not None else os.waitpid(self.pid, 0)
        self.hang_up()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while self._reading:
                if not select.select([self._fd], [], [], LOOK)[0]:
                    self._empty += 1
                    continue
                data = os.read(self._fd, 65536)
                if not data:
                    return
                questions = (self.raw[-len(STATUS) + 1 :] + data).count(STATUS)
                if self._answers and questions:  # at once: the program takes the time for that of its link
                    os.write(self._fd, b"\x1b[0n" * questions)
                with self._news:
                    self.sent += len(data)
                    self.raw += data
                    self.parts.append((time.monotonic(), data))
                    self._stream.feed(PRIVATE.sub(b"", data).replace(STATUS, b""))
                    self.asked += questions
                    self._news.notify_all()

    @property
    def text(self) -> str:
        """What is on the screen; put together once for all who ask before something is sent."""
        with self._news:
            state = self.sent, self.screen.columns, self.screen.lines
            if self._shown[0] != state:
                self._shown = state, "\n".join(line.rstrip() for line in self.screen.display)
            return self._shown[1]

    @property
    def cells(self) -> list[list[Any]]:
        """Every cell of the screen, with its colours."""
        with self._news:
            return [[self.screen.buffer[y][x] for x in range(self.screen.columns)] for y in range(self.screen.lines)]

    @property
    def seen(self) -> list[list[tuple[object, ...]]]:
        """What a person sees of every cell."""
        return [[seen(cell) for cell in line] for line in self.cells]

    def press(self, *keys: str) -> None:
        """Press these keys, by name or as they are, each a little after the other as a person does."""
        for key in keys:
            os.write(self._fd, KEYS.get(key, key).encode())
            time.sleep(0.02)

    def sees(self, words: str) -> bool:
        """Wait until these words are on the screen; False if they never are."""
        return self._until(lambda: words in self.text)

    def becomes(self, condition: Callable[[], bool]) -> bool:
        """Wait until a condition holds; False if it never does."""
        return self._until(condition)

    def settles(self) -> None:
        """Wait until nothing has been sent for a while."""
        before = -1
        while before != self.sent:
            before = self.sent
            self._read_on(round(0.3 / LOOK))

    def _read_on(self, times: int) -> None:
        """Wait until there was nothing to read so many times more, or all is read."""
        until, end = self._empty + times, time.monotonic() + PATIENCE
        while self._reader.is_alive() and self._empty < until and time.monotonic() < end:
            time.sleep(0.01)

    def rests(self) -> None:
        """Wait until it has settled and hardly works: a busy machine is slow. For screens on which nothing goes on."""
        until, before = time.monotonic() + PATIENCE, -1
        while before + IDLE < self._worked:
            assert time.monotonic() < until, "it never rests"
            before = self._worked
            self.settles()

    @property
    def _worked(self) -> int:
        """The processor's time that the program has used, in hundredths of a second; 0 where that is not told."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0
        return int(fields[11]) + int(fields[12])

    def resize(self, columns: int, lines: int) -> None:
        with self._news:
            self.screen.resize(lines, columns)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    @property
    def echoes(self) -> bool:
        """Does the terminal show what is typed and take it by lines, as a shell needs it?"""
        modes = int(termios.tcgetattr(self._fd)[3])
        return bool(modes & termios.ECHO and modes & termios.ICANON)

    def hang_up(self) -> None:
        """Close the terminal, as a link that drops."""
        if not self._closed:
            self._closed = True
            self.stall()  # its number may be another terminal's as soon as it is closed
            os.close(self._fd)

    def stall(self) -> None:
        """Read no more of what the program writes, as a link that is dead and not yet cut."""
        self._reading = False
        self._reader.join()

    def status(self) -> int | None:
        """How the program ended, read to its last word; None while it runs."""
        if self._status is None:
            if self._process is not None:
                self._status = self._process.poll()
            else:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                self._status = os.waitstatus_to_exitcode(status) if pid else None
            if self._status is not None:
                self._read_on(2)  # one of them may have been under way
        return self._status

    def ends(self) -> int | None:
        """Wait for the end, and say how it ended; None if it does not."""
        self._until(lambda: self.status() is not None)
        return self._status

    def memory(self) -> float:
        """Megabytes in use."""
        return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())[0]) / 1024

    def _until(self, come: Callable[[], bool]) -> bool:
        end = time.monotonic() + PATIENCE
        while not come():
            if time.monotonic() > end or (self._status is not None and not come()):
                return False
            with self._news:
                self._news.wait(0.02)
        return True
