"""Lines of another program on stdin, and lines of answers, which threads may write."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from threading import Lock

from nimtui.cli import output

CHUNK = 1 << 16  # bytes


def read(longest: int, leaving: int = -1) -> Iterator[bytes]:
    """Yield the lines of stdin without their ends. Of a line with more than `longest` bytes the rest is dropped.

    Ends with the input, or when there is something to read at the file `leaving`.
    """
    if sys.stdin is None or sys.stdin.closed:
        return
    rest, dropping = b"", False
    while chunk := _chunk(leaving):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if not dropping:
                yield line
            dropping = False
        if len(rest) > longest:
            if not dropping:
                yield rest
            rest, dropping = b"", True
    if rest and not dropping:
        yield rest


def _chunk(leaving: int) -> bytes:
    try:
        stdin = sys.stdin.fileno()
    except OSError:  # no file of the system, in a test
        return sys.stdin.buffer.read(CHUNK)
    if leaving >= 0 and os.name == "posix":  # elsewhere pipes cannot be waited for
        ready, *_ = select.select([stdin, leaving], [], [])
        if leaving in ready:
            return b""
    return os.read(stdin, CHUNK)


class Writer:
    """Writes lines to stdout. When nobody reads them any more, it raises OSError and `leaving` becomes readable."""

    def __init__(self) -> None:
        self.leaving, self._end = os.pipe()
        self._fault: OSError | None = None
        self._lock = Lock()

    def __call__(self, line: str) -> None:
        with self._lock:
            try:
                output.line(line)
            except OSError as fault:
                self._fault = fault
                os.write(self._end, b"x")
                raise

    def close(self) -> None:
        """Close the pipe. Raises what ended the writing."""
        os.close(self.leaving)
        os.close(self._end)
        if self._fault is not None:
            raise self._fault
