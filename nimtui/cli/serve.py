"""`nimtui serve`: answers other programs, on stdin and stdout."""

from __future__ import annotations

import os
from typing import Annotated

from nimtui.cli import options
from nimtui.errors import InputError

EXAMPLES = """\
nimtui serve --jsonl
echo '{"id": 1, "game": "nim:3,4,5"}' | nimtui serve --jsonl
nimtui serve --jsonl --seconds 5 < requests.jsonl > answers.jsonl"""


def serve(
    jsonl: Annotated[bool, options.flag("--jsonl", "Answer requests for exact values, one line of JSON each.")] = False,
    seconds: Annotated[
        float,
        options.option(
            "--seconds", "S", "Most time for one request. [default: 0, no limit]", options.seconds("the time")
        ),
    ] = 0,
    threads: options.Threads = None,
) -> None:
    """Answer other programs on stdin and stdout, until the end of the input.

    --jsonl: an oracle. Each line names a game and a position. The answer has the outcome, the remoteness, every move
    with its value, the best line and the reasons, under the same id. Quick answers may overtake slow ones.
    """
    if not jsonl:
        raise InputError("name what to serve: --jsonl")
    from nimtui.cli import lines
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import own_files
    from nimtui.playing.oracle import LONGEST_REQUEST, Oracle

    own_files()
    writer = lines.Writer()
    with Bar("serve", shown=False):
        oracle = Oracle(writer, seconds, threads or os.cpu_count() or 1)
        try:
            for line in lines.read(LONGEST_REQUEST, writer.leaving):
                oracle.ask(line)
            oracle.finish()
        finally:
            oracle.stop()
            writer.close()
