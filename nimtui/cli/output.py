"""What commands print: one JSON document, or short text in aligned columns without frames."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from nimtui.games import Game

LINE = 78  # columns of running text
GAP = 3  # between two columns
OPTION = re.compile(r"--[\w-]+ [\w:=,.]+|nimtui( games)? [a-z]+(?= --)|nimtui games show [\w:]+")
PLAIN = str.maketrans(
    {"·": "-", "–": "-", "−": "-", "×": "x", "…": "...", "→": "->", "█": "#", "∞": "inf", "±": "+/-"}
)  # what is written where a sign cannot be


def document(keys: dict[str, Any]) -> None:
    """Print the one JSON document of a command: indented for a person at a terminal, on one line otherwise."""
    indent = 2 if sys.stdout.isatty() else None
    print(json.dumps(keys, default=_plain, indent=indent, allow_nan=False))


@contextmanager
def others_silent() -> Iterator[None]:
    """What a person's own agents and games print meanwhile is not seen: stdout is the command's own."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        yield


def hush() -> None:
    """Nobody reads stdout any more: let nothing more be written, at exit neither."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _plain(number: Any) -> Any:
    """NumPy's numbers as Python's."""
    return number.item()


def console() -> Console:
    """Where text goes: stdout, coloured only if that is a terminal."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def paragraph(text: str) -> None:
    """Print a sentence or more in lines of readable length."""
    say(*wrapped(text, min(LINE, shutil.get_terminal_size().columns) if sys.stdout.isatty() else LINE))


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of so many columns; an option is never parted from its value."""
    whole = OPTION.sub(lambda found: found[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(whole, width, break_on_hyphens=False, break_long_words=False)
    return [line.replace("\0", " ") for line in lines]


def heading(game: Game) -> None:
    """Print what a game is called: for people, and in brackets as it is written."""
    say(game.title if game.title == game.name else f"{game.title}  ({game.name})", style="bold")


def say(*lines: str, style: str = "") -> None:
    """Print lines as they are."""
    out = console()
    for line in lines:
        out.print(line, style=style or None)


def columns(head: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,), gap: int = GAP) -> None:
    """Print rows under headings, numbers to the right; the columns in `left` are words."""
    table = [[sayable(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        (" " * gap)
        .join(
            cell.ljust(width) if number in left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in table
    ]
    say(lines[0], style="bold")
    say(*lines[1:])


def sayable(text: str, encoding: str = "") -> str:
    """The text in signs that can be written in this encoding, stdout's if none is given: of the length it will have."""
    try:
        text.encode(encoding or sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return text.translate(PLAIN)
    return text


def ascii_only() -> None:
    """Write nothing but ASCII from now on, as where the terminal knows no more."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="ascii", errors="nimtui.plain")


def grouped(number: float) -> str:
    """A count as people read it: 5,000,000."""
    return f"{number:,.0f}"


def signed(number: float) -> str:
    """A value with its sign, a true minus: +0.125, −1.000, 0.000."""
    text = f"{abs(number):.3f}"
    if float(text) == 0:
        return text
    return f"{'−' if number < 0 else '+'}{text}"


def exact(score: float) -> str:
    """A score with its sign: a whole one grouped, +34,976, −3, 0; any other to three places, −0.125."""
    size = f"{abs(score):,}" if isinstance(score, int) else f"{abs(score):.3f}"
    return f"{'−' if score < 0 else '+' if score else ''}{size}"


def seconds(duration: float) -> str:
    """A duration in the unit people would choose: 0.2 ms, 83 ms, 1.25 s."""
    if duration >= 1:
        return f"{duration:,.2f} s"
    thousandths = duration * 1000
    return f"{thousandths:.0f} ms" if thousandths >= 10 else f"{thousandths:.1f} ms"


def truth(move: str, optimal: Collection[str] | None, moves: int) -> str:
    """How perfect play sees one of so many moves; `optimal` is None where nobody knows."""
    if optimal is None:
        return "not known"
    if len(optimal) == moves:
        return "all are equal"
    return "best" if move in optimal else "mistake"
