"""What a screen declares and may ask for: commands, modes, keys, the app, the stack of screens.

A mode is a whole screen beside the others, reached by a key of its own and kept when left; it may have presets.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

START = "start"  # the first screen; it has no place in the header


class Mode(NamedTuple):
    """One mode: what it is called in code and on the screen, where its screen is found, and how it is reached."""

    name: str
    title: str
    screen: str  # 'module:class', imported when first shown
    about: str  # for help and the command palette
    letter: str  # its key on the start screen
    invitation: str  # what can be done there, on the start screen
    key: str = ""  # its key everywhere; those that have one stand in the header, in the order of the keys
    presets: str = ""  # the module with its PRESETS, which start by name; '' where it has none


Setup = TypeVar("Setup")


class Preset(NamedTuple, Generic[Setup]):
    """What it is, what there is to see, and its settings."""

    title: str
    about: str
    setup: Setup
