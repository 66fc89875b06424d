"""What commands print: one JSON document, or short text in aligned columns without frames.

Nothing else of the command line writes to stdout or stderr, and what is written here to a terminal has passed
`visible`: no name, path or error of a library is obeyed by the terminal. A test holds it.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from math import isfinite, isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from nimtui.foreign.signs import visible, visible_lines

if TYPE_CHECKING:
    from rich.console import Console

    from nimtui.games import Game

LINE = 78  # columns of running text
GAP = 3  # between two columns
OPTION = re.compile(r"--[\w-]+ [\w:=,.]+|nimtui( games)? [a-z]+(?= --)|nimtui games show [\w:]+")
PLAIN = str.maketrans(
    {
        "·": "-",
        "–": "-",
        "−": "-",
        "×": "x",
        "…": "...",
        "→": "->",
        "█": "#",
        "∞": "inf",
        "±": "+/-",
        "‹": "<",
        "›": ">",
    }
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


def discard_output() -> None:
    """Nobody reads stdout any more: let nothing more be written, at exit neither."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def finite(value: float) -> float | None:
    """A number for a document: JSON has none for what is infinite or unknown."""
    return value if isfinite(value) else None


def elo_keys(elo: float, low: float, high: float) -> dict[str, float | str | None]:
    """An Elo and its interval for a document; `elo_infinite` tells which an infinite one is."""
    infinite = ("+" if elo > 0 else "-") if isinf(elo) else None
    return {"elo": finite(elo), "elo_low": finite(low), "elo_high": finite(high), "elo_infinite": infinite}


def _plain(number: Any) -> Any:
    """NumPy's numbers as Python's."""
    return number.item()


def console(stderr: bool = False) -> Console:
    """Where text goes, coloured only if that is a terminal. No markup is read in a text: [red] is five signs."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=not stderr, stderr=stderr)


def tell(line: str) -> None:
    """Print a line on stderr, if anybody is left to read it; on a terminal in as many lines as its width needs."""
    lines = [f"nimtui: {visible(line)}"]
    with suppress(OSError):
        if sys.stderr.isatty():
            lines = wrapped(lines[0], os.get_terminal_size(sys.stderr.fileno()).columns or LINE)
        print("\n".join(lines), file=sys.stderr, flush=True)


def fail(line: str) -> None:
    """Print the line that says why the command has failed, if anybody is left to read it."""
    with suppress(OSError):
        print(f"nimtui: {visible(line)}", file=sys.stderr, flush=True)


def export() -> TextIO:
    """Return where a file's text is written without a file: stdout, each line made visible if it is a terminal."""
    return cast(TextIO, _Screen()) if sys.stdout.isatty() else sys.stdout


class _Screen(io.TextIOBase):
    """The terminal as a file of text."""

    def write(self, text: str) -> int:
        sys.stdout.write(visible_lines(text))
        return len(text)


def paragraph(text: str) -> None:
    """Print a sentence or more in lines of readable length."""
    say(*wrapped(text, min(LINE, shutil.get_terminal_size().columns) if sys.stdout.isatty() else LINE))


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of so many columns; an option is never parted from its value."""
    whole = OPTION.sub(lambda found: found[0].replace(" ", "\0"), visible(text))
    lines = textwrap.wrap(whole, width, break_on_hyphens=False, break_long_words=False)
    return [line.replace("\0", " ") for line in lines]


def heading(game: Game) -> None:
    """Print what a game is called: for people, and in brackets as it is written."""
    say(game.title if game.title == game.name else f"{game.title}  ({game.name})", style="bold")


def say(*lines: str, style: str = "") -> None:
    """Print lines, each as `visible` shows it."""
    if style:
        out = console()
        for line in lines:
            out.print(visible(line), style=style)
    elif lines:
        print("\n".join(map(visible, lines)))


def columns(head: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,), gap: int = GAP) -> None:
    """Print rows under headings, numbers to the right; the columns in `left` are words."""
    table = [[encodable(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(_cells, column)) for column in zip(*table, strict=True)]

    def placed(cell: str, number: int) -> str:
        blanks = " " * (widths[number] - _cells(cell))
        return cell + blanks if number in left else blanks + cell

    lines = [(" " * gap).join(placed(cell, number) for number, cell in enumerate(row)).rstrip() for row in table]
    say(lines[0], style="bold")
    say(*lines[1:])


def _cells(text: str) -> int:
    """How many columns of the terminal a text takes: some signs take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def encodable(text: str, encoding: str = "") -> str:
    """The text in visible signs of this encoding, stdout's if none is given: of the length it will have."""
    text = visible(text)
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


def verdict_text(move: str, optimal: Collection[str] | None, moves: int) -> str:
    """How perfect play sees one of so many moves; `optimal` is None where nobody knows."""
    if optimal is None:
        return "not known"
    if len(optimal) == moves:
        return "all are equal"
    return "best" if move in optimal else "mistake"
