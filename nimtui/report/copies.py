"""What can be copied of a result or a screen: a text, a table, the command that does the same."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from nimtui.signs import visible, visible_lines

LARGEST = 74_994  # bytes: the terminals that take least accept 100,000 characters of Base64 with the sequence
COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Copy:
    """Something to copy: a text, or lines that are made only when they are copied."""

    what: str  # 'position', 'table'
    text: str = ""
    lines: Callable[[], Iterable[str]] | None = None
    count: int = 0  # of the lines; 0: unknown until they are made

    @property
    def detail(self) -> str:
        """What the choice says beside its name."""
        if self.lines is None:
            return visible(self.text.partition("\n")[0])
        return f"{self.count:,} lines" if self.count else ""

    def read(self) -> tuple[str, str]:
        """Return the text, at most LARGEST bytes in whole lines, and a notice of what was copied.

        May take a moment if there are lines to make. Raises InputError if that fails.
        """
        lines: list[str] = []
        size = 0
        for line in self.text.split("\n") if self.lines is None else self.lines():
            clean = visible_lines(line)
            size += len(clean.encode()) + 1
            if size > LARGEST + 1:
                of = f"{len(lines):,} of {self.count:,} lines" if self.count else f"the first {len(lines):,} lines"
                return "\n".join(lines), f"copied: {self.what}, {of}: a terminal takes {LARGEST // 1000} kB"
            lines.append(clean)
        return "\n".join(lines), f"copied: {f'{self.what}, {len(lines):,} lines' if len(lines) > 1 else ''.join(lines)}"


def command(*words: object, **options: object) -> Copy:
    """Return the command line with these words; an option of None is left out, one of a tuple is repeated."""
    line = ["nimtui", *map(str, words)]
    for name, value in options.items():
        for each in value if isinstance(value, tuple) else (value,):
            if each is not None:
                line += [f"--{name.replace('_', '-')}"] if each is True else [f"--{name.replace('_', '-')}", str(each)]
    return Copy(COMMAND, shlex.join(visible(word) for word in line))


def rows(what: str, head: str, lines: Callable[[], Iterable[str]], count: int) -> Copy:
    """Return a table of `count` lines below its head."""
    return Copy(what, lines=lambda: chain([head], lines()), count=count + 1)
