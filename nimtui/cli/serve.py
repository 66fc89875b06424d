"""`nimtui serve`: answers other programs, on stdin and stdout."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from functools import partial
from typing import Annotated

from nimtui.cli import lines, options
from nimtui.cli.bar import Bar
from nimtui.cli.lines import Writer
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
    from nimtui.playing.oracle import LONGEST_REQUEST, Oracle

    oracle = Oracle(writer, seconds, threads)
    try:
        for line in lines.read(LONGEST_REQUEST, writer.leaving):
            oracle.ask(line)
        oracle.finish()
    finally:
        oracle.stop()


def _play(writer: Writer) -> None:
    from nimtui.playing.ugi import LONGEST_LINE, Engine

    engine = Engine(writer)
    with suppress(OSError):  # the judge has left: `close` raises it
        for line in lines.read(LONGEST_LINE, writer.leaving):
            if not engine.hear(line.decode(errors="replace")):
                break
        engine.stop()
