"""What a person or a terminal does in one moment, as bytes; and a sequence of it as text that can be pasted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import _character_to_key

# bytes: one write of the terminal, several keys maybe; two numbers: a new size, columns and lines; one: seconds pass;
# words: a command line or what damages a file (see command_lines).
Step = bytes | tuple[int, int] | float | tuple[str, ...]

LEFT, MIDDLE, RIGHT, MOVE, DRAG = 0, 1, 2, 35, 32  # buttons, as terminals number them
PART = rb"\x1b\[200~.*?\x1b\[201~|\x1b\[[<0-9;?$:]*[a-zA-Z~]|\x1bO.|[\xc0-\xff][\x80-\xbf]+|."
ONE_EVENT = re.compile(PART, re.DOTALL)
FOCUS_IN, FOCUS_OUT = b"\x1b[I", b"\x1b[O"


def _named() -> dict[str, bytes]:
    """The shortest bytes for each key that has a name."""
    names: dict[str, bytes] = {}
    for sequence, keys in ANSI_SEQUENCES_KEYS.items():
        if isinstance(keys, tuple) and len(keys) == 1:
            name, data = keys[0].value, sequence.encode()
            if name not in names or len(data) < len(names[name]):
                names[name] = data
    for code in range(0x20, 0x7F):
        names.setdefault(_character_to_key(chr(code)), chr(code).encode())
    return names


KEYS = _named()
CURSOR_KEYS = [KEYS[name] for name in ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")]
CALM = re.compile(b"|".join(map(re.escape, (*CURSOR_KEYS, KEYS["tab"], KEYS["shift+tab"], FOCUS_IN, FOCUS_OUT))))


def key(name: str) -> bytes | None:
    """The bytes of a key by Textual's name for it, or None if no terminal sends it."""
    return name.encode() if len(name) == 1 else KEYS.get(name)


def mouse(button: int, x: int, y: int, *, up: bool = False) -> bytes:
    """A mouse report (SGR) for this cell, counted from 0."""
    return b"\x1b[<%d;%d;%d%c" % (button, x + 1, y + 1, b"m" if up else b"M")


def click(button: int, x: int, y: int) -> bytes:
    return mouse(button, x, y) + mouse(button, x, y, up=True)


def paste(text: str) -> bytes:
    """A bracketed paste."""
    return b"\x1b[200~" + text.encode() + b"\x1b[201~"


def is_calm(step: Step) -> bool:
    """Can this step only move a cursor, the focus or the window, or let time pass?"""
    return not isinstance(step, bytes) or not CALM.sub(b"", step)


def events(data: bytes) -> list[bytes]:
    """The keys, reports, pastes and single bytes of one write."""
    parts: list[bytes] = ONE_EVENT.findall(data)
    return parts


def as_text(start: str, size: tuple[int, int], steps: Sequence[Step]) -> str:
    """The call that runs this sequence again."""
    return f'replay("{start}", {size}, {list(steps)!r})'
