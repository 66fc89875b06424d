"""The terminal the app is opened in: can it show the app, what can it show, and what Textual is to be told of it.

Imports nothing of Textual, which reads its environment when it is imported.
"""

from __future__ import annotations

import codecs
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from nimtui.errors import InputError
from nimtui.ui.kit.glyphs import ASCII, UNICODE, Glyphs

if TYPE_CHECKING:
    from nimtui.store.settings import Settings

WITHOUT = (
    "without one use: nimtui solve, moves, match, tournament --headless, train --headless, sweep, games, table, export,"
    " bench"
)
NO_CURSOR = ("", "dumb", "unknown")  # values of TERM for terminals that cannot place their cursor
FEW_SIGNS = ("linux", "vt100", "vt102", "vt220", "ansi", "cons25")  # consoles whose font lacks most of Unicode
COERCED = ("C.UTF-8", "C.utf8", "UTF-8")  # what Python itself puts into LC_CTYPE where the locale is C or missing
COLOR_SYSTEMS = ("auto", "standard", "256", "truecolor", "windows")
SLOW_FRAMES = "15"  # a second
# What ends everything the app may have asked of a terminal: colours, marks around a frame, pastes and changes of size,
# the mouse, reports on the focus, keys in full; then no other screen, lines that wrap, and the cursor.
TIDY = r"\033[0m\033[?2026l\033[?2004l\033[?2048l\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1015l\033[?1016l"
TIDY += r"\033[?1004l\033[<u\033[?1049l\033[?7h\033[?25h\r"


@dataclass(frozen=True, slots=True)
class TerminalInfo:
    """What is known of the terminal when the app starts."""

    unicode: bool = True  # it is written to in an encoding that has all signs
    all_signs: bool = True  # and by its locale and kind it shows them too
    ascii: bool = False  # --ascii was given
    slow: bool = False  # --slow was given
    no_color: bool = False  # NO_COLOR is set

    def glyphs(self, wanted: str) -> Glyphs:
        """The signs to draw with, where the settings say 'auto', 'unicode' or 'ascii'."""
        if self.ascii or not self.unicode or wanted == "ascii":
            return ASCII
        return UNICODE if self.all_signs or wanted == "unicode" else ASCII


def check() -> None:
    """InputError, one line, where the app cannot be shown."""
    if not all(_is_terminal(stream) for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__)):
        raise InputError(f"the app needs a terminal; {WITHOUT}")
    term = os.environ.get("TERM", "")
    if os.name == "posix" and term in NO_CURSOR:
        raise InputError(f"the app needs a terminal that can place its cursor, and TERM is '{term}'; {WITHOUT}")
    system = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    if system not in COLOR_SYSTEMS:
        raise InputError(f"TEXTUAL_COLOR_SYSTEM must be one of {', '.join(COLOR_SYSTEMS)}, not '{system}'")


def prepare(settings: Settings, *, ascii: bool = False, slow: bool = False) -> TerminalInfo:
    """Set Textual's environment for this terminal, where the person has not; say what the terminal is like."""
    if slow or settings.slow or "SSH_CONNECTION" in os.environ:
        os.environ.setdefault("TEXTUAL_FPS", SLOW_FRAMES)
        os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    return TerminalInfo(
        unicode=_encodes_unicode(sys.__stderr__),  # Textual draws on stderr
        all_signs=os.environ.get("TERM", "") not in FEW_SIGNS and _locale_has_unicode(),
        ascii=ascii,
        slow=slow,
        no_color="NO_COLOR" in os.environ,
    )


def name() -> str:
    """The terminal's file; '' where it has none."""
    try:
        return os.ttyname(sys.__stdin__.fileno()) if sys.__stdin__ is not None and os.name == "posix" else ""
    except (OSError, ValueError):
        return ""


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def _encodes_unicode(stream: TextIO | None) -> bool:
    return _is_unicode((stream and stream.encoding) or "ascii")


def _is_unicode(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name.startswith("utf")
    except LookupError:
        return False


def _locale_has_unicode() -> bool:
    """Does the person's locale speak Unicode? Python writes UTF-8 in the C locale too, whatever the terminal reads.

    The first of LC_ALL, LC_CTYPE and LANG that is set says so; where none is, or it names no encoding, nothing is
    known against it.
    """
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = os.environ.get(name, "")
        if not value or (name == "LC_CTYPE" and sys.flags.utf8_mode and value in COERCED):
            continue
        place, _, encoding = value.partition("@")[0].partition(".")
        if place in ("C", "POSIX") and not encoding:
            return False
        return not encoding or _is_unicode(encoding)
    return True
