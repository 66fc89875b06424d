"""The bytes that keys cost on the wire, by screen and size: `python -m tests.traffic [WORD ...]`.

The program runs on a real terminal, which answers what it is asked. A key's bytes are all that is sent until nothing
has been sent for 0.3 seconds; of several keys the median and the most are printed. With words: only the rows that hold
one of them. `--colors truecolor` for a terminal with 24-bit colours, else it has 256.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.e2e.terminal import Terminal
from tests.fuzz.home import copy_of, template

SIZES = ((80, 24), (200, 60))
TRAIN = ("train", "tower:16", "--learner", "quality", "--games", "3000", "--seed", "1")
PLAY = ("play", "connect4:5x4", "--first", "me", "--second", "alphabeta:depth=3", "--seed", "1")
TOWER = ("play", "tower:16", "--first", "me", "--second", "perfect", "--seed", "1")
NOUGHTS = ("play", "noughts", *PLAY[2:])
SEARCH = ("f4", "enter", "=nodes")


class Row(NamedTuple):
    """Keys to measure, one after the other, where some words and keys lead."""

    name: str
    words: Sequence[str]
    before: Sequence[str]  # keys; "=words" waits until they are on the screen
    keys: Sequence[str]


ROWS = (
    Row("Start: down", (), (), ("down", "down", "up", "down")),
    Row("Start: help opens", (), (), ("f1",)),
    Row("Library: to Train", TRAIN, ("=done", "f6"), ("f3",)),
    Row("Start: to Search", (), ("f4",), ("enter",)),
    Row("Start: to Library", (), (), ("f6",)),
    Row("Help: down", (), ("f1",), ("down",) * 5),
    Row("Help: page down", (), ("f1",), ("pagedown",) * 2),
    Row("New game: opens", (), (), ("n",)),
    Row("New game: down", (), ("n",), ("down",) * 6),
    Row("Play: a cursor key", PLAY, (), ("right", "right", "left", "right")),
    Row("Play: move and answer", PLAY, (), ("enter",) * 3),
    Row("Play: end of a tower", TOWER, ("enter",) * 7, ("enter",)),  # of a game: the last move and its answer
    Row("Play: end of four", PLAY, ("enter",) * 9, ("enter",)),
    Row("Play: end of noughts", NOUGHTS, ("enter",) * 3, ("enter",)),
    Row("Play: why", PLAY, (), ("w", "w")),
    Row("Train: a cursor key", TRAIN, ("=done",), ("down", "left", "down", "left", "down", "left")),
    Row("Search: down", (), SEARCH, ("down",) * 6),
    Row("Search: next cutoff", (), SEARCH, ("n",) * 3),
    Row("Library: down", (), ("f6",), ("down",) * 4),
    Row("Library: next tab", (), ("f6",), ("2", "3", "1")),
)


def measured(row: Row, home: Path, size: tuple[int, int], colors: str) -> list[int]:
    """The bytes of each of the row's keys."""
    command = [sys.executable, "-m", "nimtui", *row.words]
    columns, lines = size
    with copy_of(home) as folder, Terminal(command, folder, columns=columns, lines=lines, COLORTERM=colors) as terminal:
        terminal.becomes(lambda: terminal.sent > 1000)
        terminal.rests()
        for key in row.before:
            if key.startswith("="):
                assert terminal.sees(key[1:]), terminal.text
            else:
                terminal.press(key)
            terminal.rests()
        found = []
        for key in row.keys:
            before = terminal.sent
            terminal.press(key)
            terminal.rests()
            found.append(terminal.sent - before)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--colors", default="", choices=("", "truecolor"))
    options = parser.parse_args()
    print(f"{'':24}" + "".join(f"{columns:>8} x {lines:<8}" for columns, lines in SIZES))
    with template() as home:
        for row in ROWS:
            if options.words and not any(word in row.name for word in options.words):
                continue
            found = [measured(row, home, size, options.colors) for size in SIZES]
            cells = (f"{median(sizes):8,.0f} {max(sizes):6,}   " for sizes in found)
            print(f"{row.name:24}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
