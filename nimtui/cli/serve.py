"""`nimtui serve`: answers other programs, on stdin and stdout.

Reads their lines, and writes lines of answers, also from threads.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from threading import Lock
from typing import Annotated

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.errors import InputError


@options.examples("""\
nimtui serve --jsonl
echo '{"id": 1, "game": "nim:3,4,5"}' | nimtui serve --jsonl
nimtui serve --jsonl --seconds 5 < requests.jsonl > answers.jsonl
nimtui serve --ugi""")
def serve(
    jsonl: Annotated[bool, options.flag("--jsonl", "Answer requests for exact values, one line of JSON each.")] = False,
    ugi: Annotated[bool, options.flag("--ugi", "Play as an engine, by the Universal Game Interface (UGI).")] = False,
    seconds: Annotated[
        float,
        options.option(
            "--seconds", "S", "Most time for one request. [default: 0, no limit]", options.seconds("the time")
        ),
    ] = 0,
    threads: options.Threads = None,
) -> None:
    """Answer other programs, on stdin and stdout.

    --jsonl: an oracle. Each line names a game and a position. The answer has the outcome, the remoteness, every move
    with its value, the best line and the reasons, under the same id. Quick answers may overtake slow ones.

    --ugi: an engine for other judges. Its options are Game, Agent and Seed.
    """
    if jsonl == ugi:
        raise InputError("name what to serve: --jsonl or --ugi")
    if ugi and (seconds or threads):
        raise InputError("--seconds and --threads are for --jsonl: the judge sets the clock of an engine")

    own_files()
    with Bar("serve", shown=False), closing(Writer()) as writer:
        (_play if ugi else partial(_answer, seconds=seconds, threads=threads or os.cpu_count() or 1))(writer)


def _answer(writer: Writer, seconds: float, threads: int) -> None:
    from nimtui.playing.serving import LONGEST_REQUEST, Oracle

    oracle = Oracle(writer, seconds, threads)
    try:
        for line in read(LONGEST_REQUEST, writer.leaving):
            oracle.ask(line)
        oracle.finish()
    finally:
        oracle.stop()


def _play(writer: Writer) -> None:
    from nimtui.playing.serving import LONGEST_LINE, Engine

    engine = Engine(writer)
    with suppress(OSError):  # the judge has left: `close` raises it
        for line in read(LONGEST_LINE, writer.leaving):
            if not engine.hear(line.decode(errors="replace")):
                break
        engine.stop()


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
