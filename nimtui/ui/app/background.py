"""Asks the terminal for its background colour, before Textual starts. Keys typed meanwhile are returned.

The question is xterm's OSC 11 ("Operating System Commands" in its ctlseqs), followed by DA1, which nearly every
terminal answers: once that answer is there, no answer to the first is to come, and waiting ends.
"""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from nimtui.store import settings as store
from nimtui.store.errors import StoreError

if TYPE_CHECKING:
    from nimtui.store.settings import Settings
    from nimtui.ui.app.terminal import TerminalInfo

QUESTION = b"\x1b]11;?\x1b\\" + b"\x1b[c"
LIMIT = 0.2  # seconds for an answer, and as many for the rest of one that has begun
COLOR = re.compile(
    rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})[^\x07\x1b]*(?:\x07|\x1b\\)"
)
ATTRIBUTES = re.compile(rb"\x1b\[\?[0-9;]*c")
BEGUN = re.compile(rb"\x1b(?:\]|\[\?)[^\x07\x1b]*\x1b?\Z")  # an answer without its end
ANSWERS = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?[0-9;]*c")  # whole, of any content
MIDDLE = 0.5  # of brightness: from there on a background is light


class Background(NamedTuple):
    """What the terminal answered, and what was typed meanwhile."""

    light: bool | None  # None: unknown
    typed: bytes = b""
    asked: bool = True


UNASKED = Background(None, asked=False)


def at_first_start(settings: Settings, surroundings: TerminalInfo) -> tuple[Settings, bytes]:
    """Choose and save the default theme for the terminal's background, unless a theme has been saved.

    Return the settings and the keys typed meanwhile. Ask nothing on a terminal that shows no theme of many colours.
    """
    if surroundings.no_color or surroundings.colors == 16 or store.has("theme"):
        return settings, b""
    answer = ask()
    if answer.light:
        from nimtui.ui.app.themes import LIGHT

        settings = settings.changed(theme=LIGHT.name)
    if answer.asked:
        with suppress(StoreError):  # then the next start asks again
            store.save(settings)
    return settings, answer.typed


def ask(limit: float = LIMIT) -> Background:
    """Ask the terminal and wait for at most `limit` seconds. Ask nothing if keys are waiting, or without a terminal."""
    if sys.__stdin__ is None or sys.__stderr__ is None or os.name != "posix":
        return UNASKED
    keys, screen = sys.__stdin__.fileno(), sys.__stderr__.fileno()
    try:
        with _silent(keys):
            if select.select([keys], [], [], 0)[0]:
                return UNASKED
            os.write(screen, QUESTION)
            return understood(_heard(keys, limit))
    except (OSError, termios.error):
        return UNASKED


def understood(heard: bytes) -> Background:
    """Return the answer in what was heard; all but whole and half answers was typed."""
    color = COLOR.search(heard)
    light = None
    if color:
        red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in color.groups())
        light = 0.299 * red + 0.587 * green + 0.114 * blue >= MIDDLE  # luma, ITU-R BT.601
    return Background(light, BEGUN.sub(b"", ANSWERS.sub(b"", heard)))


def _heard(keys: int, limit: float) -> bytes:
    """Return what comes until the second answer is there, or the time is up."""
    heard, end = b"", time.monotonic() + limit
    last = end + limit
    while not ATTRIBUTES.search(heard):
        begun = BEGUN.search(heard) is not None
        seconds = (last if begun else end) - time.monotonic()
        if seconds <= 0 or not select.select([keys], [], [], seconds)[0]:
            break
        data = os.read(keys, 4096)
        if not data:
            break
        heard += data
    return heard


@contextmanager
def _silent(keys: int) -> Iterator[None]:
    """Give out keys one by one and do not echo them. What is typed ahead stays."""
    before = termios.tcgetattr(keys)
    silent = termios.tcgetattr(keys)
    silent[3] &= ~(termios.ICANON | termios.ECHO)
    silent[6][termios.VMIN], silent[6][termios.VTIME] = 1, 0
    termios.tcsetattr(keys, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(keys, termios.TCSANOW, before)
