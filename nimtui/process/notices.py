"""Notices of a terminal: a bell, or a message of the desktop by OSC 9 (iTerm2) or OSC 777 (rxvt-unicode).

tmux hands a sequence on if it is wrapped (`allow-passthrough`); a bell needs no wrapping.
"""

from __future__ import annotations

import os

from nimtui.signs import visible

KINDS = ("off", "bell", "osc9", "osc777")
LONGEST = 120  # characters of a message


def sequence(kind: str, message: str) -> str:
    """Return what a terminal gets for a notice of this kind; nothing if it is off."""
    text = visible(message)[:LONGEST]
    written = {
        "bell": "\a",
        "osc9": f"\x1b]9;{text}\a",
        "osc777": f"\x1b]777;notify;nimtui;{text.replace(';', ',')}\a",
    }.get(kind, "")
    is_wrapped = written.startswith("\x1b") and os.environ.get("TMUX")
    return f"\x1bPtmux;{written.replace(chr(27), chr(27) * 2)}\x1b\\" if is_wrapped else written
