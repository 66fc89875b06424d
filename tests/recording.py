"""Records the tour on a real terminal, as asciicast v2: `python -m tests.recording`. `asciinema play` shows it.

The format: https://docs.asciinema.org/manual/asciicast/v2/
"""

from __future__ import annotations

import argparse
import codecs
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.e2e.terminal import Terminal
from tests.pictures import DOCS

FILE = DOCS / "tour.cast"
COLUMNS, LINES = 100, 30
LONGEST_PAUSE = 3.0  # seconds, when it is played
QUESTIONS = re.compile(rb"\x1b\[5n|\x1b\[c|\x1b\[>[0-9;]*[cq]|\x1b\]1[01];\?(?:\x1b\\|\x07)|\x1b\[\?[0-9;]*\$p")
PRIVATE = re.compile(r"\x1b\[[<>=][0-9;]*[a-zA-Z]")  # pyte takes these for something else
BEATS = (  # what is waited for, the seconds to look at it, the key that follows
    ("Show me", 3, "enter"),
    ("2/7", 5, "ctrl+g"),
    ("3/7", 5, "P"),
    ("4/7", 5, "w"),
    ("5/7", 6, "h"),
    ("6/7", 5, "enter"),
    ("7/7", 8, ""),
)


def recorded() -> str:
    """Return the recording of a person who takes the tour."""
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home) / "settings.json"
        settings.write_text('{"theme": "nimtui-dark"}', "utf-8")
        size = {"columns": COLUMNS, "lines": LINES}
        with Terminal([sys.executable, "-m", "nimtui"], Path(home), **size, COLORTERM="truecolor") as terminal:
            for awaited, seconds, key in BEATS:
                assert terminal.sees(awaited), f"{awaited} was not seen:\n{terminal.text}"
                time.sleep(seconds)
                terminal.press(*[key] * bool(key))
            return "".join(cast(terminal.parts))


def cast(parts: Sequence[tuple[float, bytes]]) -> Iterator[str]:
    """Yield the lines of the recording. Questions to the terminal are left out: the player's would answer them."""
    head = {"version": 2, "width": COLUMNS, "height": LINES, "idle_time_limit": LONGEST_PAUSE, "title": "nimtui tour"}
    yield json.dumps(head) + "\n"
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    for when, data in parts:
        if text := decode(QUESTIONS.sub(b"", data)):
            yield json.dumps([round(when - parts[0][0], 3), "o", text], ensure_ascii=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.recording", description=__doc__.partition("\n")[0])
    parser.add_argument("--to", type=Path, default=FILE, metavar="FILE", help="where to write it [default: docs]")
    parser.parse_args(arguments).to.write_text(recorded(), "utf-8")


if __name__ == "__main__":
    main()
