"""Text for the terminal's clipboard: what may be copied, how much of it, and the escape sequences (OSC 52).

The terminal copies, not this machine: so it works over SSH. A terminal does not answer whether it obeyed.
Sources: XTerm Control Sequences (OSC 52); tmux(1), allow-passthrough and set-clipboard.
"""

from __future__ import annotations

import shlex
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from nimtui.signs import visible, visible_lines

LARGEST = 74_994  # bytes: the terminals that take least accept 100,000 characters of Base64 with the sequence
NO_CLIPBOARD = ("linux", "cons25", "vt100", "vt102", "vt220")  # values of TERM for consoles without a clipboard
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


def sequences(text: str, environment: Mapping[str, str]) -> str:
    """Return what makes the terminal copy this text; inside tmux also the sequence that passes through it.

    tmux obeys the plain sequence with `set-clipboard on`, and hands on the other one with `allow-passthrough on`.
    '' for a console without a clipboard.
    """
    plain = f"\x1b]52;c;{b64encode(text.encode('utf-8', 'replace')).decode('ascii')}\x07"
    if environment.get("TMUX"):
        doubled = plain.replace("\x1b", "\x1b\x1b")
        return f"{plain}\x1bPtmux;{doubled}\x1b\\"
    return "" if environment.get("TERM", "") in NO_CLIPBOARD else plain
