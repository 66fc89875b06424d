"""Text for the terminal's clipboard: the escape sequences (OSC 52).

The terminal copies, not this machine: so it works over SSH. A terminal does not answer whether it obeyed.
Sources: XTerm Control Sequences (OSC 52); tmux(1), allow-passthrough and set-clipboard.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

NO_CLIPBOARD = ("linux", "cons25", "vt100", "vt102", "vt220")  # values of TERM for consoles without a clipboard


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
