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

# The training. A frame is shown after a fifth more games, and after each key; players shorten what lies between.
LEARN = DOCS / "learn.cast"
GAMES, MORE = 5_000_000, 1.2  # the goal, over which its steps fall; games from frame to frame
MINUTES = 10  # that are recorded
LOOK, SHOWN = 2.0, 1.2  # seconds to look at what a key shows; the longest pause when it is played
KEYS = (  # pressed after so many seconds: `t`, what it thought of the position since the start
    *((6, "x"), (10, "w"), (25, "W"), (45, "W"), (70, "x"), (85, "t"), (100, "t"), (120, "w"), (140, "w"), (210, "x")),
    *((215, "w"), (230, "x"), (245, "w"), (290, "f1"), (296, "escape"), (330, "W"), (400, "W"), (430, "x"), (435, "t")),
    *((460, "t"), (500, "w"), (530, "w")),
    (545, "E"),  # where it errs against a search: the games and their solving take what is left
)
SEARCHING = "games against a search"  # while they are played, no key is pressed
PLAYED = re.compile(r"([\d,]+) games")  # in the line at the top
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


def learned(minutes: float = MINUTES) -> str:
    """Return the recording of the first minutes of a training, which a person watches."""
    title = f"nimtui learns Connect Four from nothing: the first {minutes:g} minutes"
    lines, film, keys, shown = [head(title, SHOWN)], Film(), [*KEYS], 0
    with App("train", "connect4", "--learner", "ntuple:tuples=70", "--games", str(GAMES)) as terminal:
        assert terminal.sees("solved exactly"), terminal.text
        began = time.monotonic()

        def shot() -> float:
            calm(terminal)
            lines.append(event(time.monotonic() - began if len(lines) > 1 else 0, film.frame(terminal.cells)))
            return time.monotonic() - began

        def is_due(now: float) -> bool:
            return bool(keys) and keys[0][0] <= now and SEARCHING not in terminal.text

        while (now := shot()) < 60 * minutes:
            played, due = shown, is_due(now)
            while played < MORE * shown + 1 and not (due := is_due(now)) and now < 60 * minutes:
                time.sleep(0.1)
                now = time.monotonic() - began
                played = max(played, *(int(number.replace(",", "")) for number in PLAYED.findall(terminal.text)[:1]), 0)
            shown = played
            if due:
                terminal.press(keys.pop(0)[1])
                shot()
                time.sleep(LOOK)
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
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"of the training [default: {MINUTES}]")
    asked = parser.parse_args(arguments)
    for name in asked.names or NAMES:
        text = learned(asked.minutes) if name == "learn" else recorded()
        (asked.to / f"{name}.cast").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
