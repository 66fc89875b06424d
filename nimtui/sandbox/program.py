"""A program in any language as a child process that speaks in lines: starts it, asks it, says how it failed.

The program runs in a sandbox of its own: the fork server closes it in, and kills it, its group and its orphans when
nimtui ends. Its standard streams are pipes. What it writes is read while nimtui waits for an answer; beyond the limits
of `Allowance` it is ended.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import sys
import termios
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import NamedTuple, NoReturn

from nimtui.process import children
from nimtui.sandbox import server
from nimtui.sandbox.client import Sandbox
from nimtui.sandbox.closing import Bounds
from nimtui.sandbox.command import Command, FaultKind, ProgramFault
from nimtui.sandbox.server import Page
from nimtui.sandbox.wire import BadMessage, Wire

SERVICE = "nimtui.sandbox.program:serve"
PLAIN = {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}  # a Python program need not flush, and its sets are ordered
BEAT = 0.05  # seconds between two looks at a stop
LOOK = 0.002  # seconds between two looks whether a new program has read its first line
LATE = 0.25  # seconds beyond its time in which an answer is late; after them there is none
PART, PARTS_AT_THE_END = 1 << 16, 16  # bytes read at once; reads of what a program wrote to stderr before it ended
LAST_LINES, LAST_BYTES, LONGEST = 5, 4096, 200  # of stderr that a fault quotes, and characters of one line
WHY = {  # a program that exists does not start
    errno.EACCES: "no permission to run it (chmod +x makes a file a program)",
    errno.ENOENT: "its interpreter is missing",
    errno.ENOEXEC: "a script needs a first line such as #!/usr/bin/env python3",
}
NO_MEMORY = ("MemoryError", "bad_alloc", "OutOfMemoryError", "out of memory", "annot allocate memory")


class Allowance(NamedTuple):
    """What a program may use."""

    start: float = 10.0  # seconds until it reads its first line
    memory: int = 2 << 30  # bytes, all its processes together
    processes: int = 64
    line: int = 1 << 16  # bytes of an answer
    errors: int = 1 << 20  # bytes on stderr for each answer
    talk: int = 1 << 20  # characters of lines before an answer


USUAL = Allowance()


class Program:
    """A running program. Each failure raises ProgramFault and ends it. Not thread-safe."""

    def __init__(self, command: Command, allowance: Allowance = USUAL) -> None:
        """Start the program in the folder of its file. Raises ProgramFault if it does not start."""
        self.allowance = allowance
        self.started = False  # it has read a line, or written one
        self._unsent = b""
        self._sent = 0  # bytes
        self._output = bytearray()  # read and not yet asked for
        self._errors = bytearray()  # the last bytes of stderr
        self._written = 0  # bytes of stderr since the last question
        self._in = self._out = self._err = self._process = -1
        theirs, ours = _pipes()
        self._in, self._out, self._err = ours
        files = [*ours]  # closed, the server kills the process at its next order
        self._shut = weakref.finalize(self, _shut, files)  # also where the program is forgotten, or nimtui ends
        self._poll = select.poll()
        try:
            self._box = self._start(command, theirs)
        except BaseException:
            self._close()
            raise
        finally:
            for end in theirs:
                os.close(end)
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):
                self._process = os.pidfd_open(self._box.number)
                files.append(self._process)
        for file in (self._out, self._err, self._process):
            if file != -1:
                self._poll.register(file, select.POLLIN)

    def _start(self, command: Command, streams: Sequence[int]) -> Sandbox:
        watch = {"memory": self.allowance.memory, "processes": self.allowance.processes}
        try:
            box = Sandbox(SERVICE, command.bounds, environment=PLAIN, streams=streams, watch=watch)
        except OSError as fault:
            raise ProgramFault(FaultKind.NO_START, f"did not start: {fault.strerror or fault}") from fault
        try:
            box.send({"words": command.words, "folder": command.folder})
            answer = box.receive(self.allowance.start)
        except EOFError:  # the program has taken the place of the service, and closed its socket
            return box
        except OSError:
            box.end()
            raise ProgramFault(FaultKind.NO_START, "did not start in time") from None
        except BaseException:
            box.end()
            raise
        box.end()
        raise ProgramFault(FaultKind.NO_START, f"did not start: {str(answer.get('failed'))[:LONGEST]}")

    def send(self, line: str) -> None:
        """Send a line, as far as the program reads it now; the rest while `receive` waits."""
        self._written = 0
        self._unsent += line.encode(errors="replace") + b"\n"
        self._push()

    def unasked(self, seconds: float = 0.0) -> list[str]:
        """Return the lines that the program wrote before it was asked, or writes within so many seconds."""
        if seconds and not self._output:
            output = select.poll()
            output.register(self._out, select.POLLIN)
            output.poll(seconds * 1000)
        if _unread(self._out):
            self._pull(0.0)
        return [_text(line) for line in self._output.splitlines()]

    def receive(
        self,
        seconds: float,
        pause: Callable[[], object] = bool,
        answers: Callable[[str], bool] = lambda line: True,
    ) -> tuple[str, float]:
        """Return the next line that `answers`, and the seconds that it took; the start of the program does not count.

        Calls `pause` every BEAT; the time within does not count either.
        """
        began = paused = monotonic()
        talk = 0  # characters of lines that did not answer
        limit = self.allowance.start if not self.started else seconds
        while True:
            line = self._line()
            talk += len(line or "")
            if line is not None and answers(line):
                taken = monotonic() - began if self.started else 0.0
                self.started = True
                if taken > seconds:
                    self.fail(FaultKind.SLOW, f"answered after {taken:.2f} s", line)
                return line, taken
            if talk > self.allowance.talk:
                self.fail(FaultKind.OUTPUT, f"told more than {self.allowance.talk:,} characters before it answered")
            now = monotonic()
            if not self.started and self._has_read():
                self.started, began, limit = True, now, seconds
            if now - began > limit + (LATE if self.started else 0):
                if self.started:
                    self.fail(FaultKind.STALL, "gave no answer", _text(self._output))
                self.fail(FaultKind.NO_START, f"did not start: it read nothing within {limit:g} s")
            if now - paused >= BEAT:
                pause()
                paused = monotonic()
                began += paused - now
            if line is None:
                self._pull(BEAT if self.started else LOOK)

    def answer(self, question: str, seconds: float, pause: Callable[[], object] = bool) -> tuple[str, float]:
        """Send a line; return the answer as `receive`. A stop ends the program, which would answer late."""
        self.send(question)
        try:
            return self.receive(seconds, pause)
        except BaseException:
            self.end()
            raise

    def fail(self, kind: FaultKind, text: str, answer: str = "") -> NoReturn:
        """End the program, and raise its fault."""
        errors = self.last_errors()
        self.end()
        raise ProgramFault(kind, text, errors, answer[:LONGEST])

    def last_errors(self) -> tuple[str, ...]:
        """Return the last lines that the program wrote to stderr."""
        for _ in range(PARTS_AT_THE_END):
            self._pull_errors()
        lines = bytes(self._errors).decode(errors="replace").splitlines()
        return tuple(_text(line.encode(errors="replace"))[:LONGEST] for line in lines if line.strip())[-LAST_LINES:]

    @property
    def runs(self) -> bool:
        """Return whether the program was not ended."""
        return self._in != -1

    def end(self) -> None:
        """Kill the program and its whole group at once."""
        if self.runs:
            self._close()
            self._box.end()

    def _close(self) -> None:
        self._shut()
        self._in = self._out = self._err = self._process = -1

    def _line(self) -> str | None:
        end = self._output.find(b"\n")
        if end < 0:
            if len(self._output) > self.allowance.line:
                self.fail(
                    FaultKind.OUTPUT, f"wrote more than {self.allowance.line:,} bytes in one line", _text(self._output)
                )
            return None
        line = _text(self._output[:end])
        del self._output[: end + 1]
        return line

    def _push(self) -> None:
        """Write what the program takes now."""
        try:
            while self._unsent:
                written = os.write(self._in, self._unsent)
                self._unsent, self._sent = self._unsent[written:], self._sent + written
        except BlockingIOError:
            self._poll.register(self._in, select.POLLOUT)
            return
        except OSError:  # it reads no more: what it writes will say more
            self._unsent = b""
        with suppress(KeyError):
            self._poll.unregister(self._in)

    def _pull(self, seconds: float) -> None:
        """Read what the program writes, waiting so long for it."""
        ready = [file for file, _ in self._poll.poll(seconds * 1000)]
        if self._in in ready:
            self._push()
        if self._err in ready:
            if self._pull_errors():
                self._poll.unregister(self._err)
            elif self._written > self.allowance.errors:
                self.fail(FaultKind.OUTPUT, f"wrote more than {self.allowance.errors:,} bytes to stderr for one answer")
        if self._out in ready:
            part = os.read(self._out, PART)
            self._output += part
            if not part:
                self._lost()
        elif self._process in ready:
            self._lost()

    def _pull_errors(self) -> bool:
        """Read a part of stderr, as far as it is there. Return whether the program has closed it."""
        try:
            part = os.read(self._err, PART)
        except OSError:  # nothing is there
            return False
        self._errors = (self._errors + part)[-LAST_BYTES:]
        self._written += len(part)
        return not part

    def _has_read(self) -> bool:
        """Return whether the program has read anything of the first line."""
        return _unread(self._in) < self._sent

    def _lost(self) -> NoReturn:
        """Raise the fault of a program that closed its output."""
        status = self._box.how_it_ended()
        rest, self.started = _text(self._output), self.started or self._has_read()
        errors = self.last_errors()
        self._close()
        if status == server.OVER_MEMORY:
            kind, text = FaultKind.MEMORY, f"needed more than {self.allowance.memory >> 20:,} MiB of memory"
        elif status == server.OVER_PROCESSES:
            kind, text = FaultKind.MEMORY, f"ran more than {self.allowance.processes} processes at once"
        elif status is None:
            kind, text = FaultKind.DISCONNECT, "closed its output"
        else:
            short = status != 0 and any(word in line for line in errors for word in NO_MEMORY)
            kind = FaultKind.MEMORY if short else FaultKind.DISCONNECT
            text = f"ended: {children.how_it_ended(status)}"
            text += ", out of memory" if short else ""
            if not self.started and not short:
                kind, text = FaultKind.NO_START, f"did not start: it {text}"
        raise ProgramFault(kind, text, errors, rest[:LONGEST])


def _shut(files: list[int]) -> None:
    while files:
        with suppress(OSError):
            os.close(files.pop())


def _pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return the ends of three pipes: the program's stdin, stdout and stderr, and nimtui's, which do not block."""
    (stdin, into), (out, stdout), (errors, stderr) = os.pipe(), os.pipe(), os.pipe()
    for end in (into, out, errors):
        os.set_blocking(end, False)
    return (stdin, stdout, stderr), (into, out, errors)


def _unread(pipe: int) -> int:
    """Return how many bytes nobody has read from a pipe yet, 0 if it is closed."""
    sizes = bytearray(4)
    with suppress(OSError):
        fcntl.ioctl(pipe, termios.FIONREAD, sizes)
    return int.from_bytes(sizes, sys.byteorder)


def _text(line: bytes | bytearray) -> str:
    """Return a line as text that can be printed."""
    text = line.decode(errors="replace").strip()
    return text if text.isprintable() else "".join(sign if sign.isprintable() else " " for sign in text)


@cache
def held() -> tuple[str, ...]:
    """Return what closes programs in on this system, as a trial shows: 'Landlock', 'seccomp', 'bubblewrap'."""
    try:
        box = Sandbox(SERVICE, Bounds())
        box.send({"words": [os.devnull], "folder": os.sep})  # which cannot be run
        box.receive(USUAL.start)
    except (OSError, EOFError, BadMessage):
        return ()
    box.end()
    return box.closed or ()


def serve(wire: Wire, page: Page) -> None:
    """Become the program that nimtui names. Says why if that fails. Runs in the sandbox."""
    order: Mapping[str, object] = wire.receive()
    os.set_inheritable(wire.link.fileno(), False)
    words = [str(word) for word in order["words"]]  # type: ignore[attr-defined]
    try:
        os.chdir(str(order["folder"]))
        for name in ("SIGPIPE", "SIGXFSZ", "SIGINT"):  # as Python ignores or handles them
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.execv(words[0], words)
    except OSError as fault:
        wire.send({"failed": WHY.get(fault.errno or 0, fault.strerror or str(fault))})
