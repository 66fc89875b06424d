"""A mode: a whole screen beside the others, reached by a key of its own and kept when left."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

START = "start"  # where the app begins; it has no place in the header


class Mode(NamedTuple):
    """One mode: what it is called in code and on the screen, where its screen is found, and how it is reached."""

    name: str
    title: str
    screen: str  # 'module:class', imported when first shown
    about: str  # for help and the command palette
    letter: str  # its key on the start screen
    invitation: str  # what can be done there, on the start screen
    key: str = ""  # its key everywhere; those that have one stand in the header, in the order of the keys
    presets: str = ""  # the module with its PRESETS, which are begun by name; '' where it has none


class Starting(Protocol):
    """The screen of a mode that something can be begun in."""

    def start(self, answer: Any) -> None:
        """Begin this set-up, or open what is kept. What cannot be is said on the screen."""
