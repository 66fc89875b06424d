"""A mode: a whole screen beside the others, reached by a key of its own and kept when left."""

from __future__ import annotations

from typing import NamedTuple

START = "start"  # where the app begins; it has no place in the header


class Mode(NamedTuple):
    """One mode: what it is called in code and on the screen, its key, and where its screen is found."""

    name: str
    title: str
    key: str
    screen: str  # 'module:class', imported when first shown
    about: str  # for help and the command palette
