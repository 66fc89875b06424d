"""Examines the terminal: whether and how it can show the app, and what environment Textual needs.

Imports nothing of Textual, which reads its environment when it is imported.
"""

from __future__ import annotations

import codecs
import os
import re
import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from nimtui.errors import InputError
from nimtui.ui.kit.terminal.glyphs import ASCII, CONSOLE, SEXTANTS, UNICODE, Glyphs

if TYPE_CHECKING:
    from nimtui.store.settings import Settings

WITHOUT = (
    "without one, use nimtui --plain, solve, moves, search, match, tournament --headless, train --headless, sweep,"
    " games, table, export, bench"
)
NO_CURSOR = ("", "dumb", "unknown")  # values of TERM for terminals that cannot place their cursor
FEW_SIGNS = ("linux", "vt100", "vt102", "vt220", "ansi", "cons25")  # consoles whose font lacks most of Unicode
HALF_BLOCKS = "linux"  # among them: its font has half blocks
# Terminals that draw sextants themselves, whatever their font holds, by TERM or TERM_PROGRAM.
SIX_PIXELS = re.compile(r"(xterm-)?(kitty|foot(-(extra|direct))?|wezterm|ghostty)", re.IGNORECASE)
SIDES = 2.0  # the height of a cell in widths, if nothing tells it
PLAUSIBLE = (1.6, 2.8)
COERCED = ("C.UTF-8", "C.utf8", "UTF-8")  # what Python puts into LC_CTYPE if the locale is C or missing
COLOR_SYSTEMS = ("auto", "standard", "256", "truecolor", "windows")
# Terminals of 256 colours and more whose names do not say so; Rich takes them for terminals of 16.
COLORFUL = re.compile(r"(xterm-)?(alacritty|foot|ghostty|kitty|wezterm|contour|rio)\b|iterm2?\b", re.IGNORECASE)
SLOW_FRAMES = "15"  # a second
# Ends every terminal mode that the app may have set: colours, synchronized frames, bracketed paste, resize reports,
# mouse, focus and full key reports. Then restores the main screen, line wrap and the cursor.
TIDY = r"\033[0m\033[?2026l\033[?2004l\033[?2048l\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1015l\033[?1016l"
TIDY += r"\033[?1004l\033[<u\033[?1049l\033[?7h\033[?25h\r"


@dataclass(frozen=True, slots=True)
class TerminalInfo:
    """Holds the terminal's properties at the start of the app."""

    unicode: bool = True  # its encoding has all signs
    all_signs: bool = True  # its locale and kind suggest that it shows them
    ascii: bool = False  # --ascii was given
    slow: bool = False  # --slow was given
    no_color: bool = False  # NO_COLOR is set
    colors: int = 2**24  # that it shows: so many, 256 or 16
    half_blocks: bool = False  # its font has them, if it lacks most of Unicode
    sextants: bool = False  # it draws them itself

    def glyphs(self, wanted: str) -> Glyphs:
        """Return the signs for the setting 'auto', 'unicode', 'sextants' or 'ascii'."""
        if self.ascii or not self.unicode or wanted == "ascii":
            return ASCII
        if wanted == "sextants" or (wanted == "auto" and self.all_signs and self.sextants):
            return SEXTANTS
        if self.all_signs or wanted == "unicode":
            return UNICODE
        return CONSOLE if self.half_blocks else ASCII


def check() -> None:
    """Raise InputError, one line, if the terminal cannot show the app."""
    if not all(_is_terminal(stream) for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__)):
        remedy = " (over SSH: ssh -t HOST nimtui)" if "SSH_CONNECTION" in os.environ else ""
        raise InputError(f"the app needs a terminal{remedy}; {WITHOUT}")
    term = os.environ.get("TERM", "")
    if not has_cursor():
        raise InputError(f"the app needs a terminal with a cursor, not TERM={term}; {WITHOUT}")
    system = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    if system not in COLOR_SYSTEMS:
        raise InputError(f"TEXTUAL_COLOR_SYSTEM must be one of {', '.join(COLOR_SYSTEMS)}, not '{system}'")


def has_cursor() -> bool:
    """Return whether the terminal can place its cursor, by its name in TERM."""
    return os.name != "posix" or os.environ.get("TERM", "") not in NO_CURSOR


def reads_unicode(stream: TextIO | None) -> bool:
    """Return whether the reader of this stream has Unicode, by its encoding and the locale."""
    return _encodes_unicode(stream) and _locale_has_unicode()


def talks() -> bool:
    """Return whether a person can type lines and read the answers: stdin and stdout are a terminal."""
    return all(_is_terminal(stream) for stream in (sys.__stdin__, sys.__stdout__))


def prepare(settings: Settings, *, ascii: bool = False, slow: bool = False) -> TerminalInfo:
    """Set Textual's environment for this terminal, unless the person has; return the terminal's properties."""
    if slow or settings.slow or "SSH_CONNECTION" in os.environ:
        os.environ.setdefault("TEXTUAL_FPS", SLOW_FRAMES)
        os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    if not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)  # empty, it asks for nothing; Textual looks only whether it is there
    if system := _color_system(os.environ.get("TERM", "")):
        os.environ.setdefault("TEXTUAL_COLOR_SYSTEM", system)
    return TerminalInfo(
        unicode=_encodes_unicode(sys.__stderr__),  # Textual draws on stderr
        all_signs=os.environ.get("TERM", "") not in FEW_SIGNS and _locale_has_unicode(),
        half_blocks=os.environ.get("TERM") == HALF_BLOCKS and _locale_has_unicode(),
        sextants=any(SIX_PIXELS.fullmatch(os.environ.get(name, "")) for name in ("TERM", "TERM_PROGRAM")),
        ascii=ascii,
        slow=slow,
        no_color=bool(os.environ.get("NO_COLOR")),
        colors=_colors(),
    )


def cell_ratio() -> float | None:
    """Return the height of a cell in widths, by the window's size in pixels; None if the terminal does not tell it."""
    try:
        import fcntl
        import termios

        size = fcntl.ioctl(sys.__stderr__.fileno(), termios.TIOCGWINSZ, bytes(8)) if sys.__stderr__ else bytes(8)
    except (ImportError, OSError, ValueError):
        return None
    rows, columns, across, down = struct.unpack("HHHH", size)
    return ratio_of(across * rows, down * columns)


def ratio_of(across: int, down: int) -> float | None:
    """Return the height of a cell in widths by its sides in any unit; None if no cell has such sides."""
    ratio = round(down / across, 1) if across else 0.0
    return ratio if PLAUSIBLE[0] <= ratio <= PLAUSIBLE[1] else None


def name() -> str:
    """Return the terminal's device file; '' if it has none."""
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


def _color_system(term: str) -> str:
    """Return the name of Rich's colour system for this TERM; '' where Rich finds as many colours by itself."""
    if os.environ.get("COLORTERM") or os.name != "posix" or term.endswith("256color"):
        return ""
    if term.endswith("-direct"):
        return "truecolor"
    if COLORFUL.match(term):
        return "256"
    try:
        import curses
    except ImportError:  # a Python without it
        return ""
    try:
        curses.setupterm(term, 1)
        colors = curses.tigetnum("colors")
    except curses.error:  # the host does not know the terminal
        return ""
    return "truecolor" if colors >= 2**24 else "256" if colors >= 256 else ""


def _colors() -> int:
    """Return how many colours Rich, which draws for Textual, sends here. It rounds all others."""
    from rich.console import Console

    system: Any = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    colors = Console(color_system=system, force_terminal=True, legacy_windows=False).color_system
    return {"truecolor": 2**24, "256": 256}.get(colors or "", 16)


def _locale_has_unicode() -> bool:
    """Return whether the locale has Unicode. Python writes UTF-8 in the C locale too, whatever the terminal reads.

    The first of LC_ALL, LC_CTYPE and LANG that is set decides. If none is set, or it names no encoding, return True.
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
