"""Records the tour and a training on a real terminal, as asciicast v2: `python -m tests.recording [tour] [learn]`.

`asciinema play` shows it. The format: https://docs.asciinema.org/manual/asciicast/v2/
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
from typing import Any

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

# The training: some minutes, shortened to one. Between two keys a frame is shown after an eighth more games.
LEARN = DOCS / "learn.cast"
GAMES, MORE, SHOWN = 1_000_000, 1.125, 0.4  # games in all, and from frame to frame; seconds that a frame is shown
LOOK = 1.8  # seconds to look at what a key shows
KEYS = (  # pressed after so many games
    (300, "x"),
    (1_000, "w"),
    (10_000, "W"),
    (30_000, "W"),
    (100_000, "x"),
    (150_000, "w"),
    (300_000, "f1"),
    (300_000, "escape"),
    (500_000, "W"),
    (700_000, "W"),
    (700_000, "W"),  # of the weights as they are now
)
PLAYED = re.compile(r"([\d,]+) games")  # in the line at the top
DONE = "✓ done"
STYLES = (("bold", 1), ("italics", 3), ("underscore", 4), ("reverse", 7), ("strikethrough", 9))
NAMED = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")


def recorded() -> str:
    """Return the recording of a person who takes the tour."""
    with App() as terminal:
        for awaited, seconds, key in BEATS:
            assert terminal.sees(awaited), f"{awaited} was not seen:\n{terminal.text}"
            time.sleep(seconds)
            terminal.press(*[key] * bool(key))
        return "".join(cast(terminal.parts))


class App(Terminal):
    """The app in a terminal, with an empty home."""

    def __init__(self, *words: str) -> None:
        self._home = tempfile.TemporaryDirectory()
        home = Path(self._home.name)
        (home / "settings.json").write_text('{"theme": "nimtui-dark"}', "utf-8")
        command = [sys.executable, "-m", "nimtui", *words]
        super().__init__(command, home, columns=COLUMNS, lines=LINES, COLORTERM="truecolor")

    def __exit__(self, *how: object) -> None:
        super().__exit__(*how)
        self._home.cleanup()


def head(title: str, pause: float) -> str:
    """Return the first line of a recording."""
    about = {"version": 2, "width": COLUMNS, "height": LINES, "idle_time_limit": pause, "title": title}
    return f"{json.dumps(about)}\n"


def event(when: float, text: str) -> str:
    """Return the line of what is shown so many seconds after the start."""
    return f"{json.dumps([round(when, 3), 'o', text], ensure_ascii=False)}\n"


def cast(parts: Sequence[tuple[float, bytes]]) -> Iterator[str]:
    """Yield the lines of the recording. Questions to the terminal are left out: the player's would answer them."""
    yield head("nimtui tour", LONGEST_PAUSE)
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    for when, data in parts:
        if text := decode(QUESTIONS.sub(b"", data)):
            yield event(when - parts[0][0], text)


def learned(games: int = GAMES) -> str:
    """Return the recording of a training that a person watches to its end."""
    title = f"nimtui learns Connect Four from nothing: {games:,} games, shortened"
    lines, film, keys, at, played = [head(title, LOOK)], Film(), [*KEYS], 0.0, 0
    with App("train", "connect4", "--learner", "ntuple:tuples=70", "--games", str(games)) as terminal:
        assert terminal.sees("solved exactly"), terminal.text

        def shot() -> None:
            calm(terminal)
            lines.append(event(at, film.frame(terminal.cells)))

        while DONE not in terminal.text:
            shot()
            at += SHOWN
            due = min([MORE * played, games, *(number for number, _ in keys[:1])])
            while played < max(due, 1) and DONE not in terminal.text:
                time.sleep(0.1)
                played = max(played, *(int(number.replace(",", "")) for number in PLAYED.findall(terminal.text)[:1]), 0)
            while keys and keys[0][0] <= played:
                shot()
                terminal.press(keys.pop(0)[1])
                time.sleep(LOOK)
                at += SHOWN
                shot()
                at += LOOK
        shot()
    return "".join(lines)


def calm(terminal: Terminal) -> None:
    """Wait until a picture is complete: nothing is sent for a moment."""
    until, before = time.monotonic() + 1, -1
    while before != terminal.sent and time.monotonic() < until:
        before = terminal.sent
        time.sleep(0.06)


class Film:
    """Draws screens one after the other, and of each only the cells that changed."""

    def __init__(self) -> None:
        self._seen: list[list[Any]] = []

    def frame(self, cells: Sequence[Sequence[Any]]) -> str:
        """Return what a terminal needs to show these cells after the frame before."""
        parts = [] if self._seen else ["\x1b[?25l\x1b[2J"]
        before, pen, at = self._seen or [[None] * len(line) for line in cells], ("", "", ""), (-1, -1)
        for row, (line, was) in enumerate(zip(cells, before, strict=True)):
            for column, (cell, old) in enumerate(zip(line, was, strict=True)):
                if cell == old or not cell.data:  # a wide sign takes the next cell; nimtui has none
                    continue
                if at != (row, column):
                    parts.append(f"\x1b[{row + 1};{column + 1}H")
                at = row, column + 1
                codes, pen = codes_of(cell, pen)
                parts.append(codes + cell.data)
        self._seen = [list(line) for line in cells]
        return "".join([*parts, "\x1b[0m"])


def codes_of(cell: Any, pen: tuple[str, str, str]) -> tuple[str, tuple[str, str, str]]:
    """Return the codes of a cell's styles and colours, as far as the pen has others, and the pen after them."""
    styles = "".join(f";{code}" for name, code in STYLES if getattr(cell, name))
    new = styles, colour(cell.fg, 30), colour(cell.bg, 40)
    if new == pen:
        return "", pen
    if styles != pen[0] or any(was and not now for was, now in zip(pen, new, strict=True)):
        return f"\x1b[0{''.join(new)}m", new
    return f"\x1b[{''.join(now for was, now in zip(pen, new, strict=True) if now != was)[1:]}m", new


def colour(name: str, first: int) -> str:
    """Return the code of a colour as pyte names it; of the foreground from 30 on, of the background from 40."""
    if name == "default":
        return ""
    bright, plain = name.startswith("bright"), name.removeprefix("bright")
    if plain in NAMED:
        return f";{first + NAMED.index(plain) + 60 * bright}"
    red, green, blue = (int(name[at : at + 2], 16) for at in (0, 2, 4))
    return f";{first + 8};2;{red};{green};{blue}"


NAMES = ("tour", "learn")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.recording", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=" or ".join(NAMES), choices=[*NAMES, []])
    parser.add_argument("--to", type=Path, default=DOCS, metavar="FOLDER", help="where to write them [default: docs]")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of the training [default: {GAMES:,}]")
    asked = parser.parse_args(arguments)
    for name in asked.names or NAMES:
        text = learned(asked.games) if name == "learn" else recorded()
        (asked.to / f"{name}.cast").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
