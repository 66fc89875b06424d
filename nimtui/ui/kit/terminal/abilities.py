"""What a terminal can do beyond writing text: found in the terminfo database by its name."""

from __future__ import annotations

from typing import NamedTuple

SAME = {  # capabilities of terminfo: the sequences of ECMA-48 and VT100 that the pen writes
    "ech": b"\x1b[%p1%dX",
    "dl": b"\x1b[%p1%dM",
    "il": b"\x1b[%p1%dL",
    "csr": b"\x1b[%i%p1%d;%p2%dr",
}


class Abilities(NamedTuple):
    """Which sequences save bytes there."""

    erases: bool = False  # a number of cells (ECH)
    fills: bool = False  # what is erased has the ground that is set (back colour erase)
    scrolls: bool = False  # a region of lines (DECSTBM, IL, DL)


def of_terminal(name: str) -> Abilities:
    """Return what a terminal of this name (TERM) can do; nothing beyond text if the database lacks it."""
    try:
        import curses

        curses.setupterm(name, 1)
        has = {capability: curses.tigetstr(capability) == sequence for capability, sequence in SAME.items()}
        return Abilities(has["ech"], bool(curses.tigetflag("bce") > 0), has["dl"] and has["il"] and has["csr"])
    except Exception:  # noqa: BLE001 - no such module, no database, no entry: it only costs bytes
        return Abilities()
