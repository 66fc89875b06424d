"""What commands print: one JSON document, or short text in aligned columns without frames."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDE = 100  # columns where stdout is no terminal


def document(keys: dict[str, Any]) -> None:
    """Print the one JSON document of a command: indented for a person at a terminal, on one line otherwise."""
    indent = 2 if sys.stdout.isatty() else None
    print(json.dumps(keys, default=_plain, indent=indent, allow_nan=False))


def _plain(number: Any) -> Any:
    """NumPy's numbers as Python's."""
    return number.item()


def console() -> Console:
    """Where text goes: stdout, coloured only if that is a terminal."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else WIDE
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True, width=width)


def say(*lines: str, style: str = "") -> None:
    """Print lines as they are."""
    out = console()
    for line in lines:
        out.print(line, style=style or None)


def columns(head: Sequence[str], rows: Iterable[Sequence[str]], left: Iterable[int] = (0,)) -> None:
    """Print rows under headings, numbers to the right; the columns in `left` are words."""
    from rich import box
    from rich.table import Table

    words = set(left)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for number, title in enumerate(head):
        table.add_column(title, justify="left" if number in words else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console().print(table)


def grouped(number: float) -> str:
    """A count as people read it: 5,000,000."""
    return f"{number:,.0f}"


def signed(number: float, digits: int = 3) -> str:
    """A value with its sign, a true minus: +0.125, −1.000, 0.000."""
    text = f"{abs(number):.{digits}f}"
    if float(text) == 0:
        return text
    return f"{'−' if number < 0 else '+'}{text}"


def seconds(duration: float) -> str:
    return f"{duration:.3f} s" if duration < 1 else f"{duration:.2f} s"


def truth(move: str, optimal: Collection[str] | None, moves: int) -> str:
    """How perfect play sees one of so many moves; `optimal` is None where nobody knows."""
    if optimal is None:
        return "not known"
    if len(optimal) == moves:
        return "all are equal"
    return "best" if move in optimal else "mistake"
