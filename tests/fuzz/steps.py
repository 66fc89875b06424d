"""What a person or a terminal does in one moment, as bytes; and a sequence of it as text that can be pasted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import _character_to_key

# bytes: one write of the terminal, several keys maybe; two numbers: a new size, columns and lines; one: seconds pass;
# words: a command line or what damages a file (see command_lines).
Step = bytes | tuple[int, int] | float | tuple[str, ...]

LEFT, MIDDLE, RIGHT, MOVE, WHEEL_UP, WHEEL_DOWN = 0, 1, 2, 35, 64, 65  # buttons, as terminals number them
DRAG = 32
ONE_EVENT = re.compile(
    rb"\x1b\[200~.*?\x1b\[201~|\x1b\[[<0-9;?$:]*[a-zA-Z~]|\x1bO.|[\xc0-\xff][\x80-\xbf]+|.", re.DOTALL
)
FOCUS_IN, FOCUS_OUT = b"\x1b[I", b"\x1b[O"


def _named() -> dict[str, bytes]:
    """The shortest bytes for each key that has a name."""
    found: dict[str, bytes] = {}
    for sequence, keys in ANSI_SEQUENCES_KEYS.items():
        if isinstance(keys, tuple) and len(keys) == 1:
            name, data = keys[0].value, sequence.encode()
            if name not in found or len(data) < len(found[name]):
                found[name] = data
    for code in range(0x20, 0x7F):
        found.setdefault(_character_to_key(chr(code)), chr(code).encode())
    return found


KEYS = _named()
CURSOR_KEYS = [KEYS[name] for name in ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")]
CALM_KEYS = [*CURSOR_KEYS, KEYS["tab"], KEYS["shift+tab"], FOCUS_IN, FOCUS_OUT]


def key(name: str) -> bytes | None:
    """The bytes of a key by Textual's name for it, or None if no terminal sends it."""
    if len(name) == 1:
        return name.encode()
    return KEYS.get(name)


def mouse(button: int, x: int, y: int, *, up: bool = False) -> bytes:
    """A mouse report (SGR) for this cell, counted from 0."""
    return b"\x1b[<%d;%d;%d%c" % (button, x + 1, y + 1, b"m" if up else b"M")


def click(button: int, x: int, y: int) -> bytes:
    return mouse(button, x, y) + mouse(button, x, y, up=True)


def paste(text: str) -> bytes:
    """A bracketed paste."""
    return b"\x1b[200~" + text.encode() + b"\x1b[201~"


def consists_of(data: bytes, parts: Sequence[bytes]) -> bool:
    """Is this a concatenation of these parts?"""
    while data:
        part = next((part for part in parts if data.startswith(part)), None)
        if part is None:
            return False
        data = data[len(part) :]
    return True


def is_calm(step: Step) -> bool:
    """Can this step only move a cursor, the focus or the window, or let time pass?"""
    return not isinstance(step, bytes) or consists_of(step, CALM_KEYS)


def events(data: bytes) -> list[bytes]:
    """The keys, reports, pastes and single bytes of one write."""
    found: list[bytes] = ONE_EVENT.findall(data)
    return found


def count(steps: Iterable[Step]) -> int:
    """How many events these steps are: every key, report and paste of a write counts."""
    return sum(len(events(step)) if isinstance(step, bytes) else 1 for step in steps)


def as_text(start: str, size: tuple[int, int], steps: Sequence[Step]) -> str:
    """The call that runs this sequence again."""
    return f'replay("{start}", {size}, {list(steps)!r})'
