"""The output of commands: one JSON document, or short text in aligned columns without frames; and files to write.

Only this module writes to stdout and stderr. Text for a terminal passes `visible`, so that no name, path or error of a
library can send control characters. A test checks both.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypedDict, TypeVar, cast

from nimtui.errors import InputError, shortened
from nimtui.foreign.reading import check_folder, is_there
from nimtui.signs import COMMON, visible, visible_lines

if TYPE_CHECKING:
    from rich.console import Console

    from nimtui.games import Game
    from nimtui.report.blocks import Report

LINE = 78  # columns of running text
_encodings: dict[io.TextIOWrapper, str] = {}  # of the streams that are restricted to ASCII
# Replacements for characters that the encoding lacks.
PLAIN = str.maketrans(COMMON | {"…": "...", "→": "->", "±": "+/-", "○": "o", "◇": "e", "░": "=", "┃": "!", "µ": "u"})


def document(keys: dict[str, Any]) -> None:
    """Print the JSON document of a command: indented on a terminal, on one line otherwise."""
    from nimtui.report.document import text

    print(text(keys, 2 if sys.stdout.isatty() else None))


def line(text: str) -> None:
    """Print a line for a program that waits for it: JSON, or what is visible already."""
    print(text, flush=True)


def report(result: Report, json: bool = False, more: Mapping[str, Any] | None = None) -> None:
    """Print a report as text, or as a JSON document with `more` keys.

    On a terminal its lines fit, on a pipe tables are as wide as they need.
    """
    from nimtui.report.cells import cells
    from nimtui.report.document import document as document_of
    from nimtui.report.lines import Ink, plain_text

    if json:
        document({**document_of(result), **(more or {})})
        return
    for row in cells(result, terminal_width() or None, signs=Printable()):
        heads = bool(row) and row[0].ink in (Ink.TITLE, Ink.COLUMN)
        _print([plain_text(row).rstrip()], style="bold" if heads else "")


class Printable(NamedTuple):
    """The signs that an encoding has, by default that of stdout."""

    encoding: str = ""

    @property
    def hidden(self) -> str:
        return self.plain("…")

    def plain(self, text: str) -> str:
        return encodable(text, self.encoding)


@contextmanager
def others_silent() -> Iterator[None]:
    """Discard what own agents and games print within: stdout belongs to the command."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        yield


def discard_output() -> None:
    """Discard everything written to stdout from now on, also at exit: its reader has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def console(stderr: bool = False) -> Console:
    """Return the console for text, coloured only on a terminal. It reads no markup: [red] is printed as it is."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=not stderr, stderr=stderr)


messages: set[str] = set()  # the messages of this run, as an error would write them


def tell(line: str) -> None:
    """Print a message on stderr, wrapped to the width of a terminal. Ignores a closed stderr."""
    messages.add(str(InputError(line)))
    lines = [f"nimtui: {visible(line)}"]
    with suppress(OSError):
        if sys.stderr.isatty():
            lines = wrapped(lines[0], os.get_terminal_size(sys.stderr.fileno()).columns or LINE)
        print("\n".join(lines), file=sys.stderr, flush=True)


def notice(sequence: str) -> None:
    """Send a terminal, on stderr, the sequence by which it calls a person."""
    if sys.stderr.isatty():
        print(sequence, end="", file=sys.stderr, flush=True)


def fail(line: str) -> None:
    """Print the error of a command as one line on stderr, unless a message said so. Ignores a closed stderr."""
    if line in messages:
        return
    with suppress(OSError):
        print(f"nimtui: {visible(line)}", file=sys.stderr, flush=True)


def export() -> TextIO:
    """Return stdout as the target of an export. On a terminal each line passes `visible`."""
    return cast(TextIO, _Screen()) if sys.stdout.isatty() else sys.stdout


class _Screen(io.TextIOBase):
    """The terminal as a text file that shows control characters."""

    def write(self, text: str) -> int:
        sys.stdout.write(visible_lines(text))
        return len(text)


def paragraph(text: str, to: TextIO | None = None) -> None:
    """Print one or more sentences, wrapped to a readable width, on stdout or this stream."""
    stream = to or sys.stdout
    width = min(LINE, shutil.get_terminal_size().columns) if stream.isatty() else LINE
    print("\n".join(wrapped(text, width)), file=stream, flush=to is not None)


def paragraphs(texts: Iterable[str]) -> None:
    """Print each of these texts as a paragraph of its own."""
    for text in texts:
        paragraph(text)


def wrapped(text: str, width: int) -> list[str]:
    """Return the text wrapped to `width` columns. An option stays on one line with its value."""
    from nimtui.report.cells import wrapped as in_lines

    return in_lines(visible(text), width)


def heading(game: Game) -> None:
    """Print the game's title, and its name in brackets."""
    say(game.title if game.title == game.name else f"{game.title}  ({game.name})", style="bold")


def prompt(text: str) -> None:
    """Print a text that input follows on the same line."""
    print(encodable(text), end="", flush=True)


def say(*lines: str, style: str = "") -> None:
    """Print lines, each passed through `visible`. One too long for the terminal is wrapped between words."""
    room = terminal_width()
    _print([part for line in lines for part in (_fitted(line, room) if room else [line])], style)


def _fitted(line: str, room: int) -> list[str]:
    """Return the line in parts of `room` columns, the further ones indented as the first."""
    if len(line) <= room:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()), room // 2)
    text = visible(line)
    parts = textwrap.wrap(text, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return parts or [line]


def _print(lines: Sequence[str], style: str = "") -> None:
    if style:
        out = console()
        for line in lines:
            out.print(visible(line), style=style)
    elif lines:
        print("\n".join(map(visible, lines)))


def terminal_width() -> int:
    """Return the columns of the terminal that stdout is, 0 for a pipe or a file."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def encodable(text: str, encoding: str = "") -> str:
    """Return the text as it will be printed in this encoding, by default that of stdout."""
    text = visible(text)
    try:
        text.encode(encoding or sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return text.translate(PLAIN)
    return text


def ascii_only() -> None:
    """Restrict stdout and stderr to ASCII from now on."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream not in _encodings:
            _encodings[stream] = stream.encoding
            stream.reconfigure(encoding="ascii", errors="nimtui.plain")


Kind = TypeVar("Kind")


def check_writable(file: Path) -> None:
    """Raise InputError if this file cannot be written, before the work starts."""
    if is_there(file) and file.is_dir():
        raise InputError(f"{file} is a folder: name a file to write to")
    check_folder(file)


def check_new(file: Path, force: bool, source: Path | None = None) -> None:
    """Raise InputError if the file cannot be written, is the `source`, or exists and `force` is not set."""
    check_writable(file)
    with suppress(OSError):  # one of them does not exist
        if source is not None and file.samefile(source):
            raise InputError(f"{file} is the file to export: name another output file")
    if is_there(file) and not force:
        raise InputError(f"{file} already exists: --force overwrites it")


def format_of(file: Path, formats: Mapping[str, Kind]) -> Kind:
    """Return the format that the extension of `file` names. Raises InputError, naming the right ones, for another."""
    if file.suffix.lower() not in formats:
        *others, last = formats
        right = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"{shortened(str(file))} does not say its format: the name must end in {right}")
    return formats[file.suffix.lower()]


def write_text(file: Path, text: str) -> None:
    """Replace a file with this text in UTF-8. Raises StoreError if that fails."""
    from nimtui.store import files

    files.replace(file, lambda out: out.write(text.encode()))


def csv_file(to: Path | None, old: Path | None, force: bool) -> Path | None:
    """Return the CSV file of --to, or of the older --csv, which takes any name. Raises InputError if it is invalid."""
    if to is not None:
        if old is not None:
            raise InputError("--csv is the old name of --to: give one of them")
        format_of(to, {".csv": None})
    file = to or old
    if file is not None:
        check_new(file, force)
    return file


# How this process draws: --ascii, --slow and --plain, whether they stand before the command or after it. A command that
# prints is restricted to ASCII at once. The app draws its own ASCII, so its start lifts that again.

SLOW_REDRAWS = 1  # of a progress bar, per second


class Drawing(TypedDict):
    """The two options as `nimtui.ui.run` takes them."""

    ascii: bool
    slow: bool


_asked: set[str] = set()  # the names of those that were given


def forget() -> None:
    """Forget the messages and the options of the command before: a process may run several."""
    _asked.clear()
    messages.clear()


def draw_as(ascii: bool, slow: bool, plain: bool = False) -> None:
    """Draw like this from now on. An option that was given already stays."""
    _asked.update(name for name, on in (("ascii", ascii), ("slow", slow), ("plain", plain)) if on)
    if ascii:
        ascii_only()


def drawing_of_app() -> Drawing:
    """Return how the app draws, and give stdout and stderr their own encoding back."""
    while _encodings:
        stream, encoding = _encodings.popitem()
        stream.reconfigure(encoding=encoding)
    return Drawing(ascii="ascii" in _asked, slow="slow" in _asked)


def is_plain() -> bool:
    """Return whether to print lines instead of opening the app."""
    return "plain" in _asked


def redraws(usual: int) -> int:
    """Return how often a progress bar is drawn, per second."""
    return min(usual, SLOW_REDRAWS) if "slow" in _asked else usual
